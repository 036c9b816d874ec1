//! Time of one frame, in the build that is running.

use crate::ik::tool;
use crate::records::{Records, Walk};
use crate::{ValidationRow, attempt};
use std::time::Instant;
use wolff_motion::ik::{Options, solve_trial};
use wolff_motion::{Accelerations, MotionError, SharingOptions, inverse_dynamics, static_optimization};
use wolff_opensim::ik_tasks;

/// Inverse kinematics, inverse dynamics and static optimisation.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let mut rows = attempt("gait1992", "time of inverse kinematics", || kinematics(records));
    rows.extend(attempt("gait1992", "time of dynamics", || {
        let walk = Walk::gait1992_with_reserves(records)?;
        dynamics("gait1992", &walk, [0.5, 2.0])
    }));
    rows.extend(attempt("rajagopal", "time of dynamics", || {
        let walk = Walk::rajagopal(records, Accelerations::OfSpeeds)?.with_reserves();
        dynamics("rajagopal", &walk, [0.6, 1.65])
    }));
    rows
}

/// Median over three runs of the time of a frame \[ms\]; `run` gives the number of frames that it did.
fn median_ms(mut run: impl FnMut() -> Result<usize, MotionError>) -> Result<(f64, usize), MotionError> {
    let (mut times, mut frames) = ([0.0; 3], 0);
    for time in &mut times {
        let start = Instant::now();
        frames = run()?;
        *time = 1e3 * start.elapsed().as_secs_f64() / frames.max(1) as f64;
    }
    times.sort_by(f64::total_cmp);
    Ok((times[1], frames))
}

fn row(trial: &str, quantity: &str, (ms, frames): (f64, usize)) -> ValidationRow {
    let row = ValidationRow::measured(trial, &format!("time of {quantity}"), ms, "ms/frame");
    row.noted(format!("{frames} frames, median of 3"))
}

fn kinematics(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let subject = records.subject("gait1992-pipeline/scale/model_scaled.osim")?;
    let tool = tool(records, "gait1992-pipeline/inverse_kinematics/setup_ik.xml")?;
    let trial = records.markers("gait1992-pipeline/experimental_data/task.trc")?;
    let tasks = ik_tasks(&subject, &tool.tasks.tasks, None)?;
    let time = median_ms(|| {
        let motion = solve_trial(&subject.subject, &tasks, &trial, tool.time_range, Options::default(), &mut |_| {})?;
        Ok(motion.poses.len())
    })?;
    Ok(vec![row("gait1992", "inverse kinematics", time)])
}

fn dynamics(trial: &str, walk: &Walk, range: [f64; 2]) -> Result<Vec<ValidationRow>, MotionError> {
    let inside = walk.history.times_within(range, 1);
    // a hundred frames are enough to know
    let instants: Vec<f64> = inside.iter().step_by((inside.len() / 100).max(1)).copied().collect();
    let moments =
        median_ms(|| Ok(inverse_dynamics(&walk.subject.model, &walk.history, &instants, |_| {})?.times.len()))?;
    let motors = walk.subject.motors()?;
    let options = SharingOptions::default();
    let sharing = median_ms(|| {
        Ok(static_optimization(&walk.subject.model, &motors, &walk.history, &instants, options, |_| {})?.forces.len())
    })?;
    let quantity = format!("static optimisation, {} muscles", motors.muscles.len());
    Ok(vec![row(trial, "inverse dynamics", moments), row(trial, &quantity, sharing)])
}
