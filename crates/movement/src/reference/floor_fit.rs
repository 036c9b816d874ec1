//! A walk on rigid ground adapted to a compliant floor.
//!
//! A foot of the reference motion must penetrate the floor as deep as the reference force requires; otherwise the floor
//! reacts with another force, and the tracking agent has to support the person. Least squares over all coefficients of
//! the walk ([`settle_on`]) finds a motion near the given one with this property, without residuals, with feet at rest
//! on the floor and with unchanged joint moments of the legs.

use crate::error::MovementError;
use crate::model::{Floor, FloorParameters, floor_of};
use crate::reference::ReferenceWalk;
use crate::reference::rescale::{Consistency, Pressure, Restoring, YieldingFloor, settle_on};
use crate::reference::walk::InverseWalk;
use wolff_anatomy::{CoordinateRole, Side};
use wolff_multibody::{Instant, Model};
use wolff_spatial::Vec3;

/// A walk fitted to a floor, and its changes.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedWalk {
    /// The fitted walk.
    pub walk: ReferenceWalk,
    /// Maximum change of a leg angle \[rad\].
    pub greatest_change: f64,
    /// Rms error of the pads' vertical force against the reference one over the stance, over body weight, before and
    /// after.
    pub force_error: [f64; 2],
    /// Residuals of the walk, before and after.
    pub consistency: [Consistency; 2],
}

impl YieldingFloor for Floor {
    fn press(&self, at: &Instant<'_>, foot: Side, about: &Vec3) -> Pressure {
        let mut sum = Pressure::default();
        for pad in self.pads.iter().filter(|pad| pad.foot == foot) {
            let (force, touch) = pad.normal_force(at);
            let (arm, velocity) = (touch - about, at.point_velocity(pad.frame.body, &touch));
            sum.force += force;
            sum.moments[0] += force * arm.x;
            sum.moments[1] += force * arm.z;
            sum.sliding[0] += force * velocity.x;
            sum.sliding[1] += force * velocity.z;
            sum.sliding[2] += force * (arm.z * velocity.x - arm.x * velocity.z);
        }
        sum
    }
}

/// The floor to which a walk is fitted, and the settings of the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloorFit {
    /// The floor.
    pub floor: FloorParameters,
    /// Half axes of the pads under the feet \[m\].
    pub pad_radii: Vec3,
    /// Number of samples of a cycle at which the result is evaluated.
    pub samples: usize,
    /// Maximum number of least-squares steps.
    pub steps: usize,
}

/// Lets the feet of a walk sink into a compliant floor.
pub fn fit_to_floor(walk: &ReferenceWalk, settings: &FloorFit) -> Result<FittedWalk, MovementError> {
    let model = Model::build(&walk.skeleton.spec()?)?;
    let floor = floor_of(&model, &walk.skeleton.contacts, &settings.floor, settings.pad_radii)?;
    let restoring = Restoring {
        iterations: settings.steps,
        clearance: SWING_CLEARANCE,
        force: FORCE_CHANGE_BW,
        moments: Some(MOMENT_CHANGES),
        heights: false,
    };
    let settled = settle_on(&floor, walk.clone(), &restoring)?;
    let samples = settings.samples;
    Ok(FittedWalk {
        greatest_change: greatest_change(walk, &settled.walk, samples),
        force_error: [
            force_error(walk, &model, &floor, samples)?,
            force_error(&settled.walk, &model, &floor, samples)?,
        ],
        consistency: [settled.before, settled.after],
        walk: settled.walk,
    })
}

/// Minimum height above the floor of points of a swinging foot \[m\]; chosen here.
const SWING_CLEARANCE: f64 = 0.01;

/// Standard deviation of the change of a ground force coefficient, in body weights; chosen here.
const FORCE_CHANGE_BW: f64 = 0.005;

/// Standard deviations of the change of a joint moment about axes of flexion and about others \[N m/kg\]; chosen here.
const MOMENT_CHANGES: [f64; 2] = [0.02, 0.03];

/// Maximum difference of a leg angle between two walks \[rad\].
fn greatest_change(before: &ReferenceWalk, after: &ReferenceWalk, samples: usize) -> f64 {
    let is_of_leg: Vec<bool> = before.skeleton.coordinate_roles().into_iter().map(CoordinateRole::is_of_leg).collect();
    let mut greatest = 0.0_f64;
    for i in 0..samples {
        let t = before.constants.cycle_time * i as f64 / samples as f64;
        let (was, is) = (before.coordinates(t).q, after.coordinates(t).q);
        let angles = was.iter().zip(&is).zip(&is_of_leg).filter(|(_, of_leg)| **of_leg);
        greatest = angles.fold(greatest, |most, ((was, is), _)| most.max((is - was).abs()));
    }
    greatest
}

/// Rms difference of the floor's vertical force on both feet from the reference one while they stand, over body weight.
fn force_error(walk: &ReferenceWalk, model: &Model, floor: &Floor, samples: usize) -> Result<f64, MovementError> {
    let mut inverse = InverseWalk::new(walk, model)?;
    let (mut square, mut count) = (0.0, 0.0_f64);
    for i in 0..samples {
        let t = walk.constants.cycle_time * i as f64 / samples as f64;
        let at = inverse.move_to(t);
        for foot in Side::BOTH {
            let reference = walk.ground(t, foot).force.y;
            if reference > 0.0 {
                square += (floor.press(&at, foot, &Vec3::zeros()).force - reference).powi(2);
                count += 1.0;
            }
        }
    }
    Ok((square / count.max(1.0)).sqrt() / walk.constants.weight())
}
