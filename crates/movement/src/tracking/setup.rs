//! Controllers put on a model: muscles, joints, tracking agent and floor at the start of a reference motion.

use super::controllers::{DrivenMuscle, Driver, HillLaw, JointServo, Law, ReflexGains, ServoLaw};
use super::role::{Role, passive_values};
use super::walk_reference::{DYNAMICS, hill_muscle};
use super::{Lesson, PassiveRest, ServoSettings, StageSettings, Timing, Wanted, track_excitation};
use crate::error::WalkError;
use crate::model::{Cast, DriveState, Track, floor_of};
use wolff_anatomy::muscles::Fibre;
use wolff_anatomy::skeleton::FootPoint;
use wolff_anatomy::{HumanMuscle, MuscleSet};
use wolff_muscle::{Path, ServoGains};

/// Puts muscles, joints, agent and floor on a model, ready at the beginning of the lesson.
pub fn set_stage(
    cast: &Cast,
    feet: &[FootPoint],
    muscles: &MuscleSet,
    lesson: &Lesson,
    settings: &StageSettings,
) -> Result<(Driver, DriveState), WalkError> {
    let model = &cast.model;
    let mut driver = Driver { floor: floor_of(model, feet, &settings.floor, settings.pad_radii)?, ..Driver::default() };
    for (m, path) in cast.paths.iter().enumerate() {
        driver.muscles.push(driven_muscle(path, &muscles.muscles[m], m, lesson, settings)?);
    }
    let mut state = DriveState { step: 0, q: model.q0.clone(), v: model.v0.clone(), memory: vec![] };
    driver.remember(&mut state.memory);
    for (k, (name, wanted)) in lesson.coordinates.iter().enumerate() {
        let missing = || WalkError::Missing { what: "coordinate", name: name.clone(), purpose: "the wanted motion" };
        let speed = model.coordinate_index(name).ok_or_else(missing)?;
        let (q, v) = wanted.at(0.0);
        state.q[model.position_of_speed(speed).ok_or_else(missing)?] = q;
        state.v[speed] = v;
        let servo = |stiffness, damping| JointServo {
            name: name.clone(),
            speed,
            wanted: Some(wanted.clone()),
            stiffness,
            damping,
            feed_forward: None,
        };
        let agent = &settings.agent;
        match Role::of(name, settings.upper_muscles) {
            Role::Height => (),
            Role::Forward => driver.agent.push(servo(agent.stiffness, agent.damping)),
            Role::Sideways => driver.agent.push(servo(agent.side_stiffness, agent.side_damping)),
            Role::Turn => driver.agent.push(servo(agent.turn_stiffness, agent.turn_damping)),
            Role::Servo(k_p, k_d) => {
                driver.joints.push(JointServo { feed_forward: Some(held(lesson, k)?), ..servo(k_p, k_d) });
            }
            Role::Muscles(None) => (),
            Role::Muscles(Some(d)) => {
                let (stiffness, damping) = passive_values(name, d, settings);
                match settings.passive {
                    PassiveRest::None => (),
                    PassiveRest::Wanted => driver.joints.push(servo(stiffness, damping)),
                    PassiveRest::Standing => {
                        driver.joints.push(JointServo { wanted: None, ..servo(stiffness, damping) });
                    }
                }
            }
        }
    }
    Ok((driver, state))
}

/// What a servo adds to the muscles that cross its joint, so that coordinate `k` moves as wanted.
fn held(lesson: &Lesson, k: usize) -> Result<Track, WalkError> {
    lesson.forces[k].plus(&lesson.muscle_forces[k].scaled(-1.0))
}

fn driven_muscle(
    path: &Path,
    muscle: &HumanMuscle,
    m: usize,
    lesson: &Lesson,
    settings: &StageSettings,
) -> Result<DrivenMuscle, WalkError> {
    let law = match (settings.hill, &muscle.fibre) {
        (Some(gains), Some(fibre)) => {
            Law::Hill(Box::new(hill_law(muscle, fibre, gains, (lesson, m), settings.samples)?))
        }
        _ => Law::Servo(servo_law(muscle.max_force, &lesson.tensions[m], &settings.servo)),
    };
    Ok(DrivenMuscle::new(path.clone(), muscle.max_force, lesson.lengths[m].clone(), law))
}

fn servo_law(max_force: f64, tension: &Track, servo: &ServoSettings) -> ServoLaw {
    let mut gains = ServoGains::from_error(max_force, servo.error, servo.derivative_time);
    gains.integral = servo.integral_time.map_or(0.0, |time| gains.proportional / time);
    ServoLaw::new(servo.feed_forward.then(|| tension.clone()), gains)
}

/// A Hill muscle with what it learnt.
fn hill_law(
    muscle: &HumanMuscle,
    fibre: &Fibre,
    gains: ReflexGains,
    (lesson, m): (&Lesson, usize),
    samples: usize,
) -> Result<HillLaw, WalkError> {
    let Timing::Cycle { period, .. } = lesson.timing else {
        return Err(WalkError::rule(
            &muscle.name,
            "a Hill muscle learns a motion that repeats; drive this one by servos",
        ));
    };
    let hill = hill_muscle(muscle, fibre)?;
    let wanted = Wanted { tension: &lesson.tensions[m], length: &lesson.lengths[m], period, samples };
    let learnt = track_excitation(&hill, &DYNAMICS, fibre.rigid_length, wanted)?;
    Ok(HillLaw::new(hill, DYNAMICS, gains, learnt))
}
