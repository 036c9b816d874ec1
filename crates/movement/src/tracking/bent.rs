//! The reference on bones that bend: muscle lengths at which the feet have the poses of the reference motion.
//!
//! A bone deforms under the loads of the walk, and the foot below it would be displaced. The bending is known in
//! advance from the reference motion with the tensions of static optimisation; the angles of the leg are corrected to
//! compensate for it, and the lengths are computed on the leg with bent bones.

use super::reference::cycle_times;
use super::{Timing, TrackingReference};
use crate::error::MovementError;
use crate::model::{LEVER, Leg, MovementRecord, MuscledModel, SharedSegment, Track, shared_segments};
use crate::reference::walk::InverseWalk;
use nalgebra::Vector6;
use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::{Instant, Kinematics};
use wolff_muscle::{Path, PathGeometry};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Number of corrections of the angles at an instant; each leaves a small fraction of the error.
const CORRECTIONS: usize = 4;

/// Times of the reference's samples \[s\].
pub(crate) fn sample_times(reference: &TrackingReference, samples: usize) -> Vec<f64> {
    match reference.timing {
        Timing::Cycle { period, .. } => cycle_times(period, samples),
        Timing::Once { .. } => Vec::new(),
    }
}

/// Changes due to the bending of bones along one cycle, in lists of one value per sample.
struct BendingChanges {
    /// Of the angles of both legs \[rad\].
    angles: Vec<Vec<f64>>,
    /// Of the lengths of the muscles \[m\].
    lengths: Vec<Vec<f64>>,
    /// Of the centres of mass of the segments, X, Y, Z \[m\].
    centers: Vec<[Vec<f64>; 3]>,
}

/// The reference for a model with flexible bones, which bend as the record `bent` has them at [`sample_times`] of one
/// cycle; `rigid` is the model with rigid bones for which `reference` was made.
///
/// The changes due to bending are added to lengths and angles, whatever the method by which these were computed.
pub(crate) fn bent_reference(
    motion: &mut InverseWalk<'_>,
    reference: &TrackingReference,
    rigid: &MuscledModel,
    flexible: &MuscledModel,
    bent: &MovementRecord,
) -> Result<TrackingReference, MovementError> {
    let Timing::Cycle { period, .. } = reference.timing else { return Ok(reference.clone()) };
    let legs = [Leg::new(&flexible.model, Side::Right)?, Leg::new(&flexible.model, Side::Left)?];
    let segments = shared_segments(&rigid.model, &flexible.model);
    let changes = bending_changes(motion, [rigid, flexible], &legs, &segments, bent)?;
    let mut reference = reference.clone();
    let changed = |name: &str, track: &Track, changes: &[f64]| {
        let values: Vec<f64> = bent.times.iter().zip(changes).map(|(t, change)| track.value(*t) + change).collect();
        Track::cyclic_values(name, period, &values)
    };
    for (track, changes) in reference.lengths.iter_mut().zip(&changes.lengths) {
        *track = changed("length of a muscle", track, changes)?;
    }
    for (name, changes) in legs.iter().flat_map(|leg| &leg.names).zip(&changes.angles) {
        if let Some((_, track)) = reference.coordinates.iter_mut().find(|(n, _)| n == name) {
            *track = changed(name, track, changes)?;
        }
    }
    for (segment, [x, y, z]) in segments.into_iter().zip(&changes.centers) {
        let track = |ways: &[f64]| Track::cyclic_values(&segment.name, period, ways);
        reference.bending.push((segment.name.clone(), [track(x)?, track(y)?, track(z)?]));
    }
    Ok(reference)
}

/// Corrects the angles of the legs at every sample until the feet have the poses of the reference motion.
fn bending_changes(
    motion: &mut InverseWalk<'_>,
    [rigid, flexible]: [&MuscledModel; 2],
    legs: &[Leg; 2],
    segments: &[SharedSegment],
    bent: &MovementRecord,
) -> Result<BendingChanges, MovementError> {
    let model = &flexible.model;
    let places: Vec<usize> =
        legs.iter().flat_map(|leg| &leg.speeds).map(|&k| model.position_of_speed(k).unwrap_or(k)).collect();
    let (mut kin, mut geometry) = (Kinematics::new(model), PathGeometry::default());
    let mut length = |path: &Path, at: &Instant<'_>| {
        path.solve_into(at, None, &mut geometry);
        geometry.length
    };
    let memory = || Vec::with_capacity(bent.times.len());
    let mut changes = BendingChanges {
        angles: vec![memory(); places.len()],
        lengths: vec![memory(); flexible.paths.len()],
        centers: vec![[(); 3].map(|()| memory()); segments.len()],
    };
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
        let angles = changes.angles.iter_mut().zip(&places);
        angles.for_each(|(values, place)| values.push(q[*place] - bent.q[i][*place]));
        kin.update(model, &q, v);
        let at = Instant { t, model, kin: &kin, q: &q, v, approach_speed: None };
        for ((values, path), before) in changes.lengths.iter_mut().zip(&flexible.paths).zip(before) {
            values.push(length(path, &at) - before);
        }
        for ((values, segment), straight) in changes.centers.iter_mut().zip(segments).zip(straight) {
            let moved = segment.on_driven(&kin) - straight;
            values.iter_mut().zip(moved.iter()).for_each(|(values, way)| values.push(*way));
        }
    }
    Ok(changes)
}

/// Poses of the right and the left foot in the reference motion.
fn feet(at: &Instant<'_>) -> Result<[Pose; 2], MovementError> {
    let find = |foot: Side| {
        let name = SegmentName::Foot(foot).name();
        let missing = || MovementError::Missing { what: "body", name: name.into(), purpose: "the pose of a foot" };
        at.model.body_index(name).map(|b| at.kin.bodies[b].X_GB).ok_or_else(missing)
    };
    Ok([find(Side::Right)?, find(Side::Left)?])
}

/// Rotation (times the lever) and displacement that bring a foot to its pose.
fn off(foot: &Pose, target: &Pose) -> Vector6<f64> {
    let turn: Vec3 = 2.0 * Quaternion::from_matrix(&(target.R * foot.R.transpose())).v;
    let way = target.p - foot.p;
    Vector6::new(turn.x * LEVER, turn.y * LEVER, turn.z * LEVER, way.x, way.y, way.z)
}
