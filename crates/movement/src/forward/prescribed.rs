//! The wanted motion prescribed, with the muscle forces of static optimisation: nothing is driven, bones answer quasi-statically.
//!
//! What strains come to when muscles, floor and motion do not feel the bending bone; much faster than a drive, and without its errors
//! of tracking.

use crate::bone::WalkingBone;
use crate::error::WalkError;
use crate::loads::modal::{ModalHistory, modal_loads};
use crate::model::Cast;
use crate::model::DriveRecord;
use crate::model::shared_joints;
use crate::reference::walk::InverseWalk;
use crate::tracking::{Driver, JointServo};
use crate::tracking::{Lesson, Rehearsal};
use wolff_multibody::Instant;

/// A record of the wanted motion at the given times [s] on the model of `cast`, as a drive would leave it.
///
/// Ground forces are the wanted ones, at the centre of pressure of each foot; the agent's are what inverse dynamics leaves at the pelvis. The
/// equations of motion close but for the reserves of static optimisation, on bones at rest: their bending follows from the loads and changes none.
pub(crate) fn prescribe(
    rehearsal: &mut InverseWalk<'_>,
    lesson: &Lesson,
    cast: &Cast,
    driver: &Driver,
    bones: &[&WalkingBone],
    times: Vec<f64>,
) -> Result<DriveRecord, WalkError> {
    let wanted = rehearsed(rehearsal, lesson, driver, times);
    let rigid = rehearsal.instant().model;
    let mut bent = Vec::new();
    for bone in bones {
        let loads = modal_loads(cast, driver, rigid, &wanted, &bone.body.name)?;
        bent.push((bone.body.name.clone(), loads.quasi_static(&bone.body)?));
    }
    on_cast(cast, rigid, wanted, &bent)
}

/// The wanted motion on the rigid model.
fn rehearsed(rehearsal: &mut InverseWalk<'_>, lesson: &Lesson, driver: &Driver, times: Vec<f64>) -> DriveRecord {
    let mut record = DriveRecord::default();
    let helped: Vec<usize> =
        driver.agent.iter().filter_map(|a| rehearsal.instant().model.coordinate_index(&a.name)).collect();
    for t in &times {
        let moments = Rehearsal::at(rehearsal, *t).to_vec();
        let held = |servo: &JointServo| held_force(servo, &moments, lesson, &rehearsal.instant());
        record.joints.push(driver.joints.iter().map(held).collect());
        record.agent.push(helped.iter().map(|k| moments[*k]).collect());
        record.ground.push(Rehearsal::ground(rehearsal, *t));
        record.tensions.push(lesson.tensions.iter().map(|track| track.value(*t)).collect());
        let state = &rehearsal.state;
        record.q.push(state.q.clone());
        record.v.push(state.v.clone());
        record.a.push(state.a.clone());
        record.pads.push(Vec::new());
        record.fibres.push(Vec::new());
    }
    record.times = times;
    record
}

/// What a servo or tissue puts on its coordinate in the wanted motion: a servo what the motion takes beside the muscles, with the ground's force on the foot and
/// none of it on the toes.
fn held_force(servo: &JointServo, moments: &[f64], lesson: &Lesson, at: &Instant<'_>) -> f64 {
    let Some(k) = at.model.coordinate_index(&servo.name) else { return 0.0 };
    if servo.feed_forward.is_none() {
        return servo.force(at.t, at.coordinate(k), at.speed(k));
    }
    let place = lesson.coordinates.iter().position(|(name, _)| *name == servo.name);
    moments[k] - place.map_or(0.0, |place| lesson.muscle_forces[place].value(at.t))
}

/// The same record on the model with bones that bend, by the names of their segments.
fn on_cast(
    cast: &Cast,
    rigid: &wolff_multibody::Model,
    mut record: DriveRecord,
    bent: &[(String, ModalHistory)],
) -> Result<DriveRecord, WalkError> {
    let model = &cast.model;
    let joints = shared_joints(rigid, model)?;
    for i in 0..record.times.len() {
        let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
        for joint in &joints {
            q[joint.q.1.clone()].copy_from_slice(&record.q[i][joint.q.0.clone()]);
            v[joint.v.1.clone()].copy_from_slice(&record.v[i][joint.v.0.clone()]);
            a[joint.v.1.clone()].copy_from_slice(&record.a[i][joint.v.0.clone()]);
        }
        // loads were taken on bones at rest
        record.predicted.push(q.clone());
        record.start.push(v.clone());
        for (segment, modes) in bent {
            let Some(body) = model.body_index(segment).map(|b| &model.bodies()[b]) else { continue };
            q[body.modal_q()].copy_from_slice(&modes.eta[i]);
            v[body.modal_v()].copy_from_slice(&modes.eta_dot[i]);
        }
        (record.q[i], record.v[i], record.a[i]) = (q, v, a);
    }
    Ok(record)
}
