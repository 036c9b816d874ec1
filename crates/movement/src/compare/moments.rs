//! Net joint moments of a completed walk.

use crate::model::MovementRecord;
use crate::model::MuscledModel;
use crate::tracking::Controllers;
use std::ops::Range;
use wolff_anatomy::{CoordinateRole, Joint, Motion, Side};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_muscle::PathGeometry;

/// Net moment of a joint's muscles, servos and tissues about one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMoment {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Moment in the direction of flexion, one value per sample \[N m\].
    pub flexion: Vec<f64>,
}

/// Joints with flexion, and the sense of flexion about the axis that points to the right in standing: thigh and foot
/// turn forward, the shank turns backward.
const FLEXION: [(Joint, f64); 3] = [(Joint::Hip, 1.0), (Joint::Knee, -1.0), (Joint::Ankle, 1.0)];

/// A coordinate of flexion in a model.
struct Flexion {
    name: String,
    speed: usize,
    /// 1 where the coordinate increases with flexion, -1 where it decreases.
    sense: f64,
}

/// Moments of hip, knee and ankle flexion of a side at the rows of a record, for those of these coordinates that the
/// model has:
///
/// ```text
/// M = -Σ T ∂l/∂q + Σ M_servo
/// ```
/// T tension and l length of a muscle, q the coordinate.
pub fn flexion_moments(
    muscled: &MuscledModel,
    controllers: &Controllers,
    record: &MovementRecord,
    rows: Range<usize>,
    side: Side,
) -> Vec<JointMoment> {
    let model = &muscled.model;
    let joints = flexions(model, side);
    let mut moments: Vec<JointMoment> = joints
        .iter()
        .map(|joint| JointMoment { coordinate: joint.name.clone(), flexion: Vec::with_capacity(rows.len()) })
        .collect();
    let (mut kin, mut geometry) = (Kinematics::new(model), PathGeometry::default());
    let (mut gradient, mut sums) = (vec![0.0; model.nv()], vec![0.0; joints.len()]);
    for i in rows {
        let (q, v) = (&record.q[i], &record.v[i]);
        kin.update(model, q, v);
        let at = Instant { t: record.times[i], model, kin: &kin, q, v, approach_speed: None };
        sums.fill(0.0);
        for (path, tension) in muscled.paths.iter().zip(&record.tensions[i]).filter(|(_, tension)| **tension != 0.0) {
            path.solve_into(&at, None, &mut geometry);
            gradient.fill(0.0);
            path.length_gradient(&geometry, &at, &mut gradient);
            sums.iter_mut().zip(&joints).for_each(|(sum, joint)| *sum -= tension * gradient[joint.speed]);
        }
        for (servo, moment) in controllers.joints.iter().zip(&record.joints[i]) {
            let held = joints.iter().zip(&mut sums).filter(|(joint, _)| joint.speed == servo.speed);
            held.for_each(|(_, sum)| *sum += moment);
        }
        for ((joint, sum), moment) in joints.iter().zip(&sums).zip(&mut moments) {
            moment.flexion.push(joint.sense * sum);
        }
    }
    moments
}

fn flexions(model: &Model, side: Side) -> Vec<Flexion> {
    let mut standing = Kinematics::new(model);
    standing.update(model, &model.q0, &vec![0.0; model.nv()]);
    let find = |(joint, sense): (Joint, f64)| {
        let name = CoordinateRole::angle(joint, Motion::Flexion, Some(side)).name()?;
        let speed = model.coordinate_index(&name)?;
        Some(Flexion { name, speed, sense: sense * standing.S[speed].w.z.signum() })
    };
    FLEXION.into_iter().filter_map(find).collect()
}
