//! The lesson on bones that bend: muscles learn lengths at which the feet are where they were wanted.
//!
//! A bone gives way under the loads of the walk, and a foot below it would come down beside its place. The bending is known beforehand, from the
//! wanted motion with the tensions of static optimisation; the angles of the leg make up for it, and lengths are taken on the bent leg.

use super::{Lesson, Timing};
use crate::drive::DriveRecord;
use crate::error::WalkError;
use crate::leg::{LEVER, Leg};
use crate::stage::Cast;
use crate::track::Track;
use nalgebra::Vector6;
use wolff_human::walk::{Foot, InverseWalk};
use wolff_multibody::{Instant, Kinematics};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Times that angles are corrected at an instant; each leaves a small share of the error.
const CORRECTIONS: usize = 4;

/// Times of the lesson's samples [s].
pub(crate) fn sample_times(lesson: &Lesson, samples: usize) -> Vec<f64> {
    match lesson.timing {
        Timing::Cycle { period, .. } => (0..samples).map(|i| period * i as f64 / samples as f64).collect(),
        Timing::Once { .. } => Vec::new(),
    }
}

/// The lesson for the model of `cast`, whose bones bend as `bent` tells at [`sample_times`] of one cycle.
pub(crate) fn learn_bent(
    rehearsal: &mut InverseWalk<'_>,
    lesson: &Lesson,
    cast: &Cast,
    bent: &DriveRecord,
) -> Result<Lesson, WalkError> {
    let Timing::Cycle { period, .. } = lesson.timing else { return Ok(lesson.clone()) };
    let legs = [Leg::new(&cast.model, "r")?, Leg::new(&cast.model, "l")?];
    let mut kin = Kinematics::new(&cast.model);
    let mut changes = vec![Vec::new(); 12];
    let mut lengths = vec![Vec::new(); cast.paths.len()];
    for (i, t) in bent.times.iter().enumerate() {
        rehearsal.move_to(*t);
        let wanted = feet(rehearsal)?;
        let mut q = bent.q[i].clone();
        for _ in 0..CORRECTIONS {
            kin.update(&cast.model, &q, &bent.v[i]);
            let at = Instant { t: *t, model: &cast.model, kin: &kin, q: &q, v: &bent.v[i], approach_speed: None };
            let steps =
                [0, 1].map(|side| legs[side].angles(&at, &off(&kin.bodies[legs[side].foot].X_GB, &wanted[side])));
            for (leg, step) in legs.iter().zip(&steps) {
                for (speed, dq) in leg.speeds.iter().zip(step.iter()) {
                    q[cast.model.position_of_speed(*speed).unwrap_or(*speed)] += dq;
                }
            }
        }
        let place = |speed: usize| cast.model.position_of_speed(speed).unwrap_or(speed);
        for (k, speed) in legs.iter().flat_map(|leg| leg.speeds).enumerate() {
            changes[k].push(q[place(speed)] - bent.q[i][place(speed)]);
        }
        kin.update(&cast.model, &q, &bent.v[i]);
        let at = Instant { t: *t, model: &cast.model, kin: &kin, q: &q, v: &bent.v[i], approach_speed: None };
        for (noted, path) in lengths.iter_mut().zip(&cast.paths) {
            noted.push(path.solve(&at, None).length);
        }
    }
    let mut lesson = lesson.clone();
    for (track, values) in lesson.lengths.iter_mut().zip(&lengths) {
        *track = Track::cyclic_values("length of a muscle", period, values)?;
    }
    for (name, change) in legs.iter().flat_map(|leg| &leg.names).zip(&changes) {
        let Some((_, track)) = lesson.coordinates.iter_mut().find(|(n, _)| n == name) else { continue };
        let values: Vec<f64> = bent.times.iter().zip(change).map(|(t, c)| track.value(*t) + c).collect();
        *track = Track::cyclic_values(name, period, &values)?;
    }
    Ok(lesson)
}

/// Where the feet are wanted, right and left.
fn feet(rehearsal: &InverseWalk<'_>) -> Result<[Pose; 2], WalkError> {
    let at = rehearsal.instant();
    let find = |foot: Foot| {
        let name = foot.segment();
        let missing = || WalkError::Missing { what: "body", name: name.into(), purpose: "the place of a foot" };
        at.model.body_index(name).map(|b| at.kin.bodies[b].X_GB).ok_or_else(missing)
    };
    Ok([find(Foot::Right)?, find(Foot::Left)?])
}

/// Turn (times the lever) and displacement that bring a foot to its place.
fn off(foot: &Pose, wanted: &Pose) -> Vector6<f64> {
    let turn: Vec3 = 2.0 * Quaternion::from_matrix(&(wanted.R * foot.R.transpose())).v;
    let way = wanted.p - foot.p;
    Vector6::new(turn.x * LEVER, turn.y * LEVER, turn.z * LEVER, way.x, way.y, way.z)
}
