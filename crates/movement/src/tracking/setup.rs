//! Controllers put on a model: muscles, joints, tracking agent and floor at the start of a reference motion.

use super::controllers::{ControlledMuscle, Controllers, HillLaw, JointServo, Law, ReflexGains, ServoLaw};
use super::limits::limits_of;
use super::role::{Actuation, passive_values};
use super::walk_reference::{DYNAMICS, hill_muscle};
use super::{
    ControllerSettings, PassiveRest, ServoSettings, TensionReference, Timing, TrackingReference, track_excitation,
};
use crate::error::MovementError;
use crate::model::{MovementState, MuscledModel, Track, floor_of};
use wolff_anatomy::muscles::Fibre;
use wolff_anatomy::skeleton::FootPoint;
use wolff_anatomy::{HumanMuscle, MuscleSet};
use wolff_muscle::{Path, ServoGains};

/// Puts muscles, joint servos, tracking agent and floor on a model, in the state at the start of the reference.
pub fn set_up_controllers(
    muscled: &MuscledModel,
    feet: &[FootPoint],
    muscles: &MuscleSet,
    reference: &TrackingReference,
    settings: &ControllerSettings,
) -> Result<(Controllers, MovementState), MovementError> {
    let model = &muscled.model;
    let mut controllers =
        Controllers { floor: floor_of(model, feet, &settings.floor, settings.pad_radii)?, ..Controllers::default() };
    for (m, path) in muscled.paths.iter().enumerate() {
        controllers.muscles.push(controlled_muscle(path, &muscles.muscles[m], m, reference, settings)?);
    }
    let mut state = MovementState { step: 0, q: model.q0.clone(), v: model.v0.clone(), memory: vec![] };
    controllers.remember(&mut state.memory);
    for (k, ((name, track), &role)) in reference.coordinates.iter().zip(&reference.roles).enumerate() {
        let missing =
            || MovementError::Missing { what: "coordinate", name: name.clone(), purpose: "the reference motion" };
        let speed = model.coordinate_index(name).ok_or_else(missing)?;
        let (q, v) = track.at(0.0);
        state.q[model.position_of_speed(speed).ok_or_else(missing)?] = q;
        state.v[speed] = v;
        let servo = |stiffness, damping| JointServo {
            name: name.clone(),
            role,
            speed,
            reference: Some(track.clone()),
            stiffness,
            damping,
            feed_forward: None,
            limits: None,
        };
        let agent = &settings.agent;
        match Actuation::of(role, settings.upper_muscles) {
            Actuation::Free => (),
            Actuation::AgentForward => controllers.agent.push(servo(agent.stiffness, agent.damping)),
            Actuation::AgentSideways => controllers.agent.push(servo(agent.side_stiffness, agent.side_damping)),
            Actuation::AgentRotation => controllers.agent.push(servo(agent.turn_stiffness, agent.turn_damping)),
            Actuation::Servo(gains) => {
                controllers.joints.push(JointServo {
                    feed_forward: Some(held(reference, k)?),
                    ..servo(gains.stiffness, gains.damping)
                });
            }
            Actuation::Muscles(row) => {
                let row = row.filter(|_| settings.passive != PassiveRest::None);
                let limits = limits_of(role, settings.limits)?;
                if row.is_none() && limits.is_none() {
                    continue;
                }
                let (stiffness, damping) = row.map_or((0.0, 0.0), |d| passive_values(role, d, settings));
                let about_reference = settings.passive == PassiveRest::Reference;
                let tissue = JointServo { limits, ..servo(stiffness, damping) };
                let reference = tissue.reference.clone().filter(|_| about_reference);
                controllers.joints.push(JointServo { reference, ..tissue });
            }
        }
    }
    Ok((controllers, state))
}

/// Feed-forward of a servo: the moment of the reference motion at coordinate `k` minus that of the muscles that cross
/// the joint.
fn held(reference: &TrackingReference, k: usize) -> Result<Track, MovementError> {
    reference.forces[k].plus(&reference.muscle_forces[k].scaled(-1.0))
}

fn controlled_muscle(
    path: &Path,
    muscle: &HumanMuscle,
    m: usize,
    reference: &TrackingReference,
    settings: &ControllerSettings,
) -> Result<ControlledMuscle, MovementError> {
    let law = match (settings.hill, &muscle.fibre) {
        (Some(gains), Some(fibre)) => {
            Law::Hill(Box::new(hill_law(muscle, fibre, gains, (reference, m), settings.samples)?))
        }
        (None, _) | (Some(_), None) => Law::Servo(servo_law(muscle.max_force, &reference.tensions[m], &settings.servo)),
    };
    Ok(ControlledMuscle::new(path.clone(), muscle.max_force, reference.lengths[m].clone(), law))
}

fn servo_law(max_force: f64, tension: &Track, servo: &ServoSettings) -> ServoLaw {
    let mut gains = ServoGains::from_error(max_force, servo.error, servo.derivative_time);
    gains.integral = servo.integral_time.map_or(0.0, |time| gains.proportional / time);
    if let Some(series) = servo.series {
        gains = gains.in_series(&series.element(max_force));
    }
    ServoLaw::new(servo.feed_forward.then(|| tension.clone()), gains)
}

/// A Hill muscle with its tracking excitation.
fn hill_law(
    muscle: &HumanMuscle,
    fibre: &Fibre,
    gains: ReflexGains,
    (reference, m): (&TrackingReference, usize),
    samples: usize,
) -> Result<HillLaw, MovementError> {
    let Timing::Cycle { period, .. } = reference.timing else {
        return Err(MovementError::rule(
            &muscle.name,
            "a Hill muscle needs a cyclic reference motion; use servos for this one",
        ));
    };
    let hill = hill_muscle(muscle, fibre)?;
    let tension = TensionReference { tension: &reference.tensions[m], length: &reference.lengths[m], period, samples };
    let tracked = track_excitation(&hill, &DYNAMICS, fibre.rigid_length, tension)?;
    Ok(HillLaw::new(hill, DYNAMICS, gains, tracked))
}
