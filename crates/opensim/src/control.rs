//! Tracking tasks and limits of controls from OpenSim's files.

use crate::{coordinate_name, setup};
use wolff_control::{Bounds, Schedule, Task};
use wolff_motion::{MotionError, Motors};

/// The enabled tasks of a task set.
pub fn tracking_tasks(set: &[setup::TrackingTask]) -> Vec<Task> {
    let task = |t: &setup::TrackingTask| Task {
        coordinate: coordinate_name(&t.coordinate).into(),
        weight: t.weight,
        kp: t.gains[0],
        kv: t.gains[1],
        ka: t.gains[2],
        limit: t.limit,
    };
    set.iter().filter(|t| t.on).map(task).collect()
}

/// The limits of the motors, narrowed by a control set.
pub fn control_bounds(motors: &Motors, set: &[setup::ControlCurve]) -> Result<Bounds, MotionError> {
    let mut bounds = Bounds::of(motors);
    for curve in set {
        bounds.limit(motors, &curve.name, curve.lower.clone(), curve.upper.clone())?;
    }
    Ok(bounds)
}

/// The controls of a control set over time, in the order of the motors; a motor without one is an error.
pub fn schedule(motors: &Motors, set: &[setup::ControlCurve]) -> Result<Schedule, MotionError> {
    let bare = |c: &setup::ControlCurve| c.name.strip_suffix(".excitation").unwrap_or(&c.name).to_string();
    let of = |name: &String| {
        let missing = || MotionError::input("the controls", format!("`{name}` has none; add a control of this name"));
        let found = set.iter().find(|c| bare(c) == *name).ok_or_else(missing)?;
        Ok((found.values.clone(), found.use_steps))
    };
    let curves = motors.names.iter().map(of).collect::<Result<_, MotionError>>()?;
    Schedule::new(motors, curves)
}
