//! Anatomical sense of the coordinates of the legs: whether a positive value is flexion.

use crate::coordinate::Coordinate;
use crate::subject::Subject;
use wolff_anatomy::names::opensim::ModelBody;
use wolff_anatomy::{CoordinateRole, Joint, Motion, Side};
use wolff_multibody::{Kinematics, Model};
use wolff_spatial::Vec3;

/// Change of a coordinate that shows its sense \[rad\].
const SMALL: f64 = 0.1;

/// An angle of a leg and its sense.
#[derive(Clone, Debug, PartialEq)]
pub struct LegAngle {
    /// Hip, knee or ankle.
    pub joint: Joint,
    /// Flexion (of the ankle: dorsiflexion) or adduction.
    pub motion: Motion,
    /// The side.
    pub side: Side,
    /// Name of the coordinate.
    pub coordinate: String,
    /// 1 where a positive value is flexion, dorsiflexion or adduction, otherwise -1.
    pub sense: f64,
}

/// Flexion of hips, knees and ankles and adduction of hips; models name their coordinates alike but differ in the sense
/// of the knee, which the motion of the foot in the default pose shows.
///
/// Empty for models without a pelvis and feet.
pub fn leg_angles(subject: &Subject) -> Vec<LegAngle> {
    let model = &subject.model;
    let body = |wanted: ModelBody, side: Option<Side>| {
        let matches = |name: &str| ModelBody::of(name) == Some(wanted) && Side::of(name) == side;
        model.bodies().iter().position(|b| matches(&b.name))
    };
    let Some(pelvis) = body(ModelBody::Pelvis, None) else { return Vec::new() };
    let one = |c: &Coordinate| {
        let CoordinateRole::Joint { joint, motion, side: Some(side) } = CoordinateRole::of(&c.name)? else {
            return None;
        };
        // OpenSim's knee and ankle have one angle without the name of its motion
        let motion = motion.unwrap_or(Motion::Flexion);
        if !joint.is_of_leg() || !c.is_angle() {
            return None;
        }
        let foot = body(ModelBody::Calcaneus, Some(side))?;
        let sense = sense(model, c, [pelvis, foot], (joint, motion, side))?;
        Some(LegAngle { joint, motion, side, coordinate: c.name.clone(), sense })
    };
    subject.coordinates.iter().filter_map(one).collect()
}

/// The sign of the movement of the foot for a positive change; `None` where it does not move that way.
fn sense(
    model: &Model,
    coordinate: &Coordinate,
    [pelvis, foot]: [usize; 2],
    (joint, motion, side): (Joint, Motion, Side),
) -> Option<f64> {
    let mut kin = Kinematics::new(model);
    let still = vec![0.0; model.nv()];
    let mut pose = |change: f64| {
        let mut q = model.q0.clone();
        if let Some(x) = q.get_mut(coordinate.position) {
            *x += change;
        }
        kin.update(model, &q, &still);
        let (pelvis, foot) = (kin.bodies[pelvis].X_GB, kin.bodies[foot].X_GB);
        let toes: Vec3 = foot.R.column(0).into();
        (pelvis.inverse_point(&foot.p), pelvis.R.transpose() * toes)
    };
    let (before, after) = (pose(-SMALL), pose(SMALL));
    let (moved, turned) = (after.0 - before.0, after.1 - before.1);
    let towards = match (joint, motion) {
        (Joint::Hip, Motion::Flexion) => moved.x,
        (Joint::Knee, Motion::Flexion) => -moved.x,
        (Joint::Ankle, Motion::Flexion) => turned.y,
        (Joint::Hip, Motion::Adduction) => -side.outward() * moved.z,
        _ => return None,
    };
    (towards.abs() > 1e-6).then(|| towards.signum())
}
