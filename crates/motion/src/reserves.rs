//! Reserve and residual actuators made for a subject.

use crate::MotionError;
use crate::actuator::{ActuatorKind, ActuatorSpec};
use crate::coordinate::Coordinate;
use crate::history::CoordinateHistory;
use crate::static_optimization::{SharingFrame, SharingOptions};
use crate::subject::Subject;

/// Ending of the names of the actuators.
pub const ENDING: &str = "_reserve";
/// Optimal moment of a reserve at a joint with muscles \[N m\], or force \[N\]: so weak that it costs as much as a
/// fully active muscle for each newton metre, the usual choice for static optimisation with OpenSim.
const WEAK: f64 = 1.0;
/// Optimal moment of the actuator of a joint without muscles, per mass of the subject \[N m/kg\] (chosen here: the peak
/// of large joints in walking, so that controls are about one).
const STRONG: f64 = 1.0;
/// Number of instants at which muscles are looked for (chosen here).
const INSTANTS: usize = 20;
/// Moment of a muscle at full activation below which it does not act on a coordinate \[N m or N\] (chosen here).
const NOTHING: f64 = 1e-6;

/// Which actuators are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reserves {
    /// None.
    None,
    /// Those of coordinates on which no muscle and no actuator acts.
    #[default]
    Missing,
    /// Those of all free coordinates.
    All,
}

/// Actuators that were made.
#[derive(Clone, Debug, Default)]
pub struct MadeReserves {
    /// Coordinates without any muscle or actuator, which now have one.
    pub missing: Vec<String>,
    /// Further coordinates that now have a weak one.
    pub weak: Vec<String>,
    /// The actuators.
    pub actuators: Vec<ActuatorSpec>,
}

/// The coordinates of the joint to ground, if it lets the model move freely: at least two translations. They carry
/// residual forces.
pub fn residual_coordinates(subject: &Subject) -> Vec<Coordinate> {
    let of = |joint: &str| subject.coordinates.iter().filter(|c| c.joint == joint).cloned().collect::<Vec<_>>();
    let to_ground = subject.model.bodies().iter().skip(1).filter(|b| b.parent == 0);
    let root = to_ground.map(|b| of(&b.joint_name)).max_by_key(Vec::len).unwrap_or_default();
    let free = root.iter().filter(|c| !c.is_angle()).count() >= 2;
    if free { root } else { Vec::new() }
}

/// Actuators for a subject with the muscles and actuators that it has, along a motion at some of the given instants.
pub fn reserves_for(
    subject: &Subject,
    history: &CoordinateHistory,
    times: &[f64],
    which: Reserves,
) -> Result<MadeReserves, MotionError> {
    let mut made = MadeReserves::default();
    if which == Reserves::None {
        return Ok(made);
    }
    let motors = subject.motors()?;
    let mut frame = SharingFrame::new(&subject.model, &motors, SharingOptions::default())?;
    let mut most: Vec<(String, f64)> = Vec::new();
    for t in times.iter().step_by(times.len().div_ceil(INSTANTS).max(1)) {
        frame.assemble_at(history, *t)?;
        if most.is_empty() {
            most = frame.strengths().map(|(name, _)| (name.to_string(), 0.0)).collect();
        }
        for ((_, most), (_, strength)) in most.iter_mut().zip(frame.strengths()) {
            *most = most.max(strength);
        }
    }
    let root = residual_coordinates(subject);
    let mass = subject.mass();
    for (name, strength) in most {
        let is_missing = strength <= NOTHING;
        if !is_missing && which == Reserves::Missing {
            continue;
        }
        let of_root = root.iter().find(|c| c.name == name);
        let optimal_force = match of_root {
            // body weight, or body weight times a metre
            Some(_) if is_missing => (mass * subject.model.gravity.norm()).max(WEAK),
            None if is_missing => (STRONG * mass).max(WEAK),
            Some(_) | None => WEAK,
        };
        if is_missing {
            made.missing.push(name.clone())
        } else {
            made.weak.push(name.clone())
        }
        made.actuators.push(ActuatorSpec {
            name: format!("{name}{ENDING}"),
            kind: ActuatorKind::Coordinate(name),
            optimal_force,
            control: [f64::NEG_INFINITY, f64::INFINITY],
        });
    }
    Ok(made)
}
