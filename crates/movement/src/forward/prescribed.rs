//! The reference motion prescribed, with the muscle forces of static optimisation: no forward simulation, bones respond
//! quasi-statically.
//!
//! The bending of the bones changes neither muscle forces nor floor nor motion. This is much faster than a forward
//! simulation, and free of its tracking errors.

use crate::error::MovementError;
use crate::loads::modal::{ModalHistory, modal_loads};
use crate::model::MovementRecord;
use crate::model::MuscledModel;
use crate::model::shared_joints;
use crate::reference::walk::InverseWalk;
use crate::tracking::{Controllers, JointServo};
use crate::tracking::{InverseMotion, TrackingReference};
use wolff_bone::segment::WalkingBone;
use wolff_multibody::Instant;

/// A record of the reference motion at the given times \[s\] on the model of `muscled`, in the same form as the record
/// of a forward simulation.
///
/// Ground forces are the reference ones, at the centre of pressure of each foot; the forces of the tracking agent are
/// the residuals of inverse dynamics at the pelvis. The equations of motion are satisfied on undeformed bones except
/// for the reserves of static optimisation; the bending follows from the loads and does not change them.
pub(crate) fn prescribe(
    motion: &mut InverseWalk<'_>,
    reference: &TrackingReference,
    muscled: &MuscledModel,
    controllers: &Controllers,
    bones: &[&WalkingBone],
    times: Vec<f64>,
) -> Result<MovementRecord, MovementError> {
    let rigid_record = on_rigid_model(motion, reference, controllers, times);
    let rigid = motion.instant().model;
    let mut bent = Vec::new();
    for bone in bones {
        let loads = modal_loads(muscled, controllers, rigid, &rigid_record, &bone.body.name)?;
        bent.push((bone.body.name.clone(), loads.quasi_static(&bone.body)?));
    }
    on_flexible_model(muscled, rigid, rigid_record, &bent)
}

/// The reference motion on the rigid model.
fn on_rigid_model(
    motion: &mut InverseWalk<'_>,
    reference: &TrackingReference,
    controllers: &Controllers,
    times: Vec<f64>,
) -> MovementRecord {
    let mut record = MovementRecord::default();
    let helped: Vec<usize> =
        controllers.agent.iter().filter_map(|a| motion.instant().model.coordinate_index(&a.name)).collect();
    for t in &times {
        let moments = InverseMotion::at(motion, *t).to_vec();
        let held = |servo: &JointServo| held_force(servo, &moments, reference, &motion.instant());
        record.joints.push(controllers.joints.iter().map(held).collect());
        record.agent.push(helped.iter().map(|k| moments[*k]).collect());
        record.ground.push(InverseMotion::ground(motion, *t));
        record.tensions.push(reference.tensions.iter().map(|track| track.value(*t)).collect());
        let state = &motion.state;
        record.q.push(state.q.clone());
        record.v.push(state.v.clone());
        record.a.push(state.a.clone());
        record.pads.push(Vec::new());
        record.fibres.push(Vec::new());
    }
    record.times = times;
    record
}

/// Force or moment of a servo or tissue on its coordinate in the reference motion. A servo carries the part of the
/// inverse dynamics moment that muscles do not carry, with the whole ground force on the foot and none on the toes.
fn held_force(servo: &JointServo, moments: &[f64], reference: &TrackingReference, at: &Instant<'_>) -> f64 {
    let Some(k) = at.model.coordinate_index(&servo.name) else { return 0.0 };
    if servo.feed_forward.is_none() {
        return servo.force(at.t, at.coordinate(k), at.speed(k));
    }
    let place = reference.coordinates.iter().position(|(name, _)| *name == servo.name);
    moments[k] - place.map_or(0.0, |place| reference.muscle_forces[place].value(at.t))
}

/// The same record on the model with flexible bones, which are given by the names of their segments.
fn on_flexible_model(
    muscled: &MuscledModel,
    rigid: &wolff_multibody::Model,
    mut record: MovementRecord,
    bent: &[(String, ModalHistory)],
) -> Result<MovementRecord, MovementError> {
    let model = &muscled.model;
    let joints = shared_joints(rigid, model)?;
    for i in 0..record.times.len() {
        let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
        for joint in &joints {
            q[joint.q.1.clone()].copy_from_slice(&record.q[i][joint.q.0.clone()]);
            v[joint.v.1.clone()].copy_from_slice(&record.v[i][joint.v.0.clone()]);
            a[joint.v.1.clone()].copy_from_slice(&record.a[i][joint.v.0.clone()]);
        }
        // loads were computed on undeformed bones
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
