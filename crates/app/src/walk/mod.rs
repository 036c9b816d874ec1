//! Studies of walking: parameters to plan, plan to result, result to outcome.

mod checkpoint;
mod cycle;
mod export;
mod fibres;
mod figures;
mod inverse_to_driven;
mod joints;
mod plan;
mod results;
mod settings;
mod tables;
mod trial;
mod values;
mod variations;
mod ways;

pub use checkpoint::SavedWalk;
pub use variations::{choices, convergence, variants};
pub use ways::{Ways, ways};

use crate::Session;
use checkpoint::Origin;
use plan::Planned;
use std::time::{Duration, Instant};
use trial::Compared;
use wolff_files::ErrorKind;
use wolff_movement::MovementError;
use wolff_movement::model::{MovementRecord, MovementState};
use wolff_movement::simulate::{Monitor, MovementResult, simulate_movement_from};
use wolff_report::outcome::{Outcome, Status};
use wolff_study::RunError;
use wolff_study::document::Study;
use wolff_study::run::answer;

/// Runs a study of walking; `set` are the overrides.
pub(crate) fn run(study: &Study, set: &[(String, String)], session: &mut Session<'_>) -> Result<Outcome, RunError> {
    let mut planned = plan::plan(study)?;
    let mut tuning = |fraction: f64| (session.progress)(0.5 * PREPARATION * fraction);
    planned.tune(&mut tuning).map_err(|e| refuse(study, e))?;
    let origin = Origin::new(study, &planned, set);
    planned.plan.bones.cache = session.cache.clone();
    let from = session.from.take().map(|saved| saved.state_for(&origin)).transpose()?;
    let mut progress = |phase: &str, fraction: f64| {
        let walking = PREPARATION + (1.0 - PREPARATION) * fraction;
        (session.progress)(if phase == "walking" { walking } else { 0.5 * PREPARATION })
    };
    let (mut written, mut cost, mut failure) = (Instant::now(), Duration::ZERO, None);
    let mut keep = |state: &MovementState, record: &MovementRecord| {
        if let Some((path, every)) = &session.keep
            && written.elapsed() >= (*every).max(CHECKPOINT_COST_FACTOR * cost)
        {
            let start = Instant::now();
            failure = checkpoint::write(path, &origin, state, record).err();
            (written, cost) = (Instant::now(), start.elapsed());
        }
    };
    let monitor = &mut Monitor { progress: &mut progress, keep: &mut keep };
    let result = simulate_movement_from(&planned.plan, from, monitor).map_err(|e| refuse(study, e))?;
    let mut outcome = outcome(study, &planned, &result).map_err(|e| refuse(study, e))?;
    if let Some(MovementError::Stopped { .. }) = result.ended {
        let bytes = checkpoint::to_bytes(&origin, &result.state, &result.record);
        outcome.resume = Some(bytes.map_err(|e| refuse(study, e))?);
    }
    answer(study, &mut outcome)?;
    outcome.warnings.extend(failure.map(|why| {
        format!("the checkpoint could not be written; this run could not have been resumed after a crash: {why}")
    }));
    Ok(outcome)
}

/// Minimum time between two checkpoints, as a multiple of the time to write one: long walks have large checkpoints, and
/// writing must not dominate the run.
const CHECKPOINT_COST_FACTOR: u32 = 20;

/// Fraction of the progress bar for the preparation (reference lengths and reduction of bones); a typical value.
const PREPARATION: f64 = 0.3;

/// Invalid input is shown at its place in the study; anything else is a failure of the simulation.
fn refuse(study: &Study, error: MovementError) -> RunError {
    let input = |object: &str, rule: String| RunError::Input(study.error([(object.to_string(), rule)]));
    match (error.kind(), &error) {
        (ErrorKind::Input, MovementError::Rule { object, rule }) => input(object, rule.clone()),
        (ErrorKind::Input, MovementError::Cause { object, cause, .. }) => input(object, cause.to_string()),
        (ErrorKind::Input, other) => input(&study.name, other.to_string()),
        (ErrorKind::Stopped, _) => RunError::Stopped,
        (ErrorKind::Numerical | ErrorKind::File, other) => RunError::Simulation(other.to_string()),
    }
}

fn outcome(study: &Study, planned: &Planned, result: &MovementResult) -> Result<Outcome, MovementError> {
    let compared = planned.measured.as_ref().map(|m| Compared::new(m, result)).transpose()?;
    let mut warnings = Vec::new();
    if let Some(ended) = &result.ended {
        warnings.push(ended.to_string());
    }
    warnings.extend(results::remarks(planned, result));
    warnings.extend(fibres::remarks(result));
    warnings.extend(inverse_to_driven::remarks(result));
    let mut results = results::results(planned, result);
    let mut tables = tables::tables(result);
    tables.extend(fibres::table(result));
    tables.extend(inverse_to_driven::table(result));
    let mut plots = figures::plots(result);
    plots.extend(inverse_to_driven::plots(result));
    if let Some(compared) = &compared {
        results.extend(compared.results());
        tables.insert(1, compared.table());
        plots.extend(compared.plots());
        warnings.extend(compared.remarks());
    }
    Ok(Outcome {
        study: study.name.clone(),
        status: if result.ended.is_some() { Status::Partial } else { Status::Ok },
        results,
        comparisons: Vec::new(),
        tables,
        warnings,
        series: figures::series(result),
        plots,
        strips: figures::strips(result),
        fields: Vec::new(),
        maps: Vec::new(),
        files: export::files(planned, result)?,
        inputs: study.inputs.clone(),
        resume: None,
        simulated_s: result.record.times.last().copied().unwrap_or(0.0),
    })
}
