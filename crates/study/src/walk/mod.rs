//! A person walks: parameters to plan, plan to performance, performance to outcome.

mod cycle;
mod figures;
mod plan;
mod results;
mod tables;

use crate::document::Study;
use crate::outcome::{Outcome, Status};
use crate::run::RunError;
use plan::Planned;
use wolff_walk::WalkError;
use wolff_walk::perform::{Performance, perform};

/// Runs a study of walking; `progress` hears the fraction done.
pub(crate) fn run(study: &Study, progress: &mut dyn FnMut(f64)) -> Result<Outcome, RunError> {
    let planned = plan::plan(study)?;
    let mut tell = |phase: &str, share: f64| {
        progress(if phase == "walking" { BEFORE + (1.0 - BEFORE) * share } else { 0.5 * BEFORE });
        true
    };
    let performance = perform(&planned.plan, &mut tell).map_err(|e| refuse(study, e))?;
    Ok(outcome(study, &planned, &performance))
}

/// Share of the time that lesson and bones take, for the progress bar.
const BEFORE: f64 = 0.3;

/// What the file can mend is its mistake; the rest is the simulation's.
fn refuse(study: &Study, error: WalkError) -> RunError {
    match &error {
        WalkError::Rule { object, rule } => RunError::Input(study.error([(object.clone(), rule.clone())])),
        _ => RunError::Simulation(error.to_string()),
    }
}

fn outcome(study: &Study, planned: &Planned, performance: &Performance) -> Outcome {
    let mut warnings = Vec::new();
    if let Some(ended) = &performance.ended {
        warnings.push(ended.to_string());
    }
    warnings.extend(results::remarks(planned, performance));
    Outcome {
        study: study.name.clone(),
        status: if performance.ended.is_some() { Status::Partial } else { Status::Ok },
        results: results::results(planned, performance),
        comparisons: Vec::new(),
        tables: tables::tables(performance),
        warnings,
        series: figures::series(performance),
        plots: figures::plots(performance),
        strips: figures::strips(performance),
        fields: Vec::new(),
        maps: Vec::new(),
        inputs: study.inputs.clone(),
        simulated_s: performance.record.times.last().copied().unwrap_or(0.0),
    }
}
