//! A person walks: parameters to plan, plan to performance, performance to outcome.

mod cycle;
mod figures;
mod plan;
mod results;
mod tables;
mod trial;
mod variations;

pub use variations::{convergence, variants};

use crate::document::Study;
use crate::outcome::{Outcome, Status};
use crate::run::RunError;
use plan::Planned;
use trial::Compared;
use wolff_walk::WalkError;
use wolff_walk::perform::{Performance, perform};

/// Runs a study of walking; `progress` hears the fraction done.
pub(crate) fn run(study: &Study, progress: &mut dyn FnMut(f64)) -> Result<Outcome, RunError> {
    let mut planned = plan::plan(study)?;
    planned
        .tune(&mut |share| {
            progress(0.5 * BEFORE * share);
            true
        })
        .map_err(|e| refuse(study, e))?;
    let mut tell = |phase: &str, share: f64| {
        progress(if phase == "walking" { BEFORE + (1.0 - BEFORE) * share } else { 0.5 * BEFORE });
        true
    };
    let performance = perform(&planned.plan, &mut tell).map_err(|e| refuse(study, e))?;
    outcome(study, &planned, &performance).map_err(|e| refuse(study, e))
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

fn outcome(study: &Study, planned: &Planned, performance: &Performance) -> Result<Outcome, WalkError> {
    let compared = planned.measured.as_ref().map(|m| Compared::new(m, performance)).transpose()?;
    let mut warnings = Vec::new();
    if let Some(ended) = &performance.ended {
        warnings.push(ended.to_string());
    }
    warnings.extend(results::remarks(planned, performance));
    let mut results = results::results(planned, performance);
    let mut tables = tables::tables(performance);
    let mut plots = figures::plots(performance);
    if let Some(compared) = &compared {
        results.extend(compared.results());
        tables.insert(1, compared.table());
        plots.extend(compared.plots());
        warnings.extend(compared.remarks());
    }
    Ok(Outcome {
        study: study.name.clone(),
        status: if performance.ended.is_some() { Status::Partial } else { Status::Ok },
        results,
        comparisons: Vec::new(),
        tables,
        warnings,
        series: figures::series(performance),
        plots,
        strips: figures::strips(performance),
        fields: Vec::new(),
        maps: Vec::new(),
        inputs: study.inputs.clone(),
        simulated_s: performance.record.times.last().copied().unwrap_or(0.0),
    })
}
