//! The reference on bones that bend: muscles make_reference lengths at which the feet are where they were wanted.
//!
//! A bone gives way under the loads of the walk, and a foot below it would come down beside its place. The bending is known beforehand, from the
//! reference motion with the tensions of static optimisation; the angles of the leg make up for it, and lengths are taken on the bent leg.

use super::reference::cycle_times;
use super::{Timing, TrackingReference};
use crate::error::MovementError;
use crate::model::MovementRecord;
use crate::model::MuscledModel;
use crate::model::shared_segments;
use crate::model::track::Track;
use crate::model::{LEVER, Leg};
use crate::reference::walk::InverseWalk;
use nalgebra::Vector6;
use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::{Instant, Kinematics};
use wolff_muscle::{Path, PathGeometry};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Times that angles are corrected at an instant; each leaves a small share of the error.
const CORRECTIONS: usize = 4;

/// Times of the reference's samples [s].
pub(crate) fn sample_times(reference: &TrackingReference, samples: usize) -> Vec<f64> {
    match reference.timing {
        Timing::Cycle { period, .. } => cycle_times(period, samples),
        Timing::Once { .. } => Vec::new(),
    }
}

/// The reference for the model of `muscled`, whose bones bend as `bent` tells at [`sample_times`] of one cycle; `rigid` is the person who tracked it.
///
/// Lengths and angles change by what the bending changes them; whoever taught them before.
pub(crate) fn bent_reference(
    motion: &mut InverseWalk<'_>,
    reference: &TrackingReference,
    rigid: &MuscledModel,
    muscled: &MuscledModel,
    bent: &MovementRecord,
) -> Result<TrackingReference, MovementError> {
    let Timing::Cycle { period, .. } = reference.timing else { return Ok(reference.clone()) };
    let model = &muscled.model;
    let legs = [Leg::new(model, Side::Right)?, Leg::new(model, Side::Left)?];
    let places: Vec<usize> =
        legs.iter().flat_map(|leg| &leg.speeds).map(|&k| model.position_of_speed(k).unwrap_or(k)).collect();
    let (mut kin, mut geometry) = (Kinematics::new(model), PathGeometry::default());
    let mut length = |path: &Path, at: &Instant<'_>| {
        path.solve_into(at, None, &mut geometry);
        geometry.length
    };
    let mut angles = vec![Vec::with_capacity(bent.times.len()); places.len()];
    let mut lengths = vec![Vec::with_capacity(bent.times.len()); muscled.paths.len()];
    let segments = shared_segments(&rigid.model, model);
    let mut centers = vec![[(); 3].map(|()| Vec::with_capacity(bent.times.len())); segments.len()];
    for (i, &t) in bent.times.iter().enumerate() {
        let unbent = motion.move_to(t);
        let feet = feet(&unbent)?;
        let straight: Vec<Vec3> = segments.iter().map(|s| s.on_rigid(unbent.kin)).collect();
        let before: Vec<f64> = rigid.paths.iter().map(|path| length(path, &unbent)).collect();
        let (mut q, v) = (bent.q[i].clone(), &bent.v[i]);
        for _ in 0..CORRECTIONS {
            kin.update(model, &q, v);
            let at = Instant { t, model, kin: &kin, q: &q, v, approach_speed: None };
            let steps = [0, 1].map(|side| legs[side].angles(&at, &off(&kin.bodies[legs[side].body].X_GB, &feet[side])));
            places.iter().zip(steps.iter().flatten()).for_each(|(place, step)| q[*place] += step);
        }
        angles.iter_mut().zip(&places).for_each(|(noted, place)| noted.push(q[*place] - bent.q[i][*place]));
        kin.update(model, &q, v);
        let at = Instant { t, model, kin: &kin, q: &q, v, approach_speed: None };
        for ((noted, path), before) in lengths.iter_mut().zip(&muscled.paths).zip(before) {
            noted.push(length(path, &at) - before);
        }
        for ((noted, segment), straight) in centers.iter_mut().zip(&segments).zip(straight) {
            let moved = segment.on_driven(&kin) - straight;
            noted.iter_mut().zip(moved.iter()).for_each(|(noted, way)| noted.push(*way));
        }
    }
    let mut reference = reference.clone();
    let changed = |name: &str, track: &Track, changes: &[f64]| {
        let values: Vec<f64> = bent.times.iter().zip(changes).map(|(t, change)| track.value(*t) + change).collect();
        Track::cyclic_values(name, period, &values)
    };
    for (track, changes) in reference.lengths.iter_mut().zip(&lengths) {
        *track = changed("length of a muscle", track, changes)?;
    }
    for (name, changes) in legs.iter().flat_map(|leg| &leg.names).zip(&angles) {
        if let Some((_, track)) = reference.coordinates.iter_mut().find(|(n, _)| n == name) {
            *track = changed(name, track, changes)?;
        }
    }
    for (segment, [x, y, z]) in segments.into_iter().zip(&centers) {
        let track = |ways: &[f64]| Track::cyclic_values(&segment.name, period, ways);
        reference.bending.push((segment.name.clone(), [track(x)?, track(y)?, track(z)?]));
    }
    Ok(reference)
}

/// Where the feet are wanted, right and left.
fn feet(at: &Instant<'_>) -> Result<[Pose; 2], MovementError> {
    let find = |foot: Side| {
        let name = SegmentName::Foot(foot).name();
        let missing = || MovementError::Missing { what: "body", name: name.into(), purpose: "the place of a foot" };
        at.model.body_index(name).map(|b| at.kin.bodies[b].X_GB).ok_or_else(missing)
    };
    Ok([find(Side::Right)?, find(Side::Left)?])
}

/// Turn (times the lever) and displacement that bring a foot to its place.
fn off(foot: &Pose, target: &Pose) -> Vector6<f64> {
    let turn: Vec3 = 2.0 * Quaternion::from_matrix(&(target.R * foot.R.transpose())).v;
    let way = target.p - foot.p;
    Vector6::new(turn.x * LEVER, turn.y * LEVER, turn.z * LEVER, way.x, way.y, way.z)
}
