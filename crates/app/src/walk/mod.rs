//! A person walks: parameters to plan, plan to performance, performance to outcome.

mod cycle;
mod export;
mod fibres;
mod figures;
mod joints;
mod kept;
mod plan;
mod results;
mod saved;
mod tables;
mod trial;
mod values;
mod variations;
mod ways;

pub use saved::SavedWalk;
pub use variations::{choices, convergence, variants};
pub use ways::{Ways, ways};

use crate::Session;
use plan::Planned;
use saved::Origin;
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

/// Runs a study of walking for which these values were set.
pub(crate) fn run(study: &Study, set: &[(String, String)], session: &mut Session<'_>) -> Result<Outcome, RunError> {
    let mut planned = plan::plan(study)?;
    let mut tuning = |share: f64| (session.progress)(0.5 * BEFORE * share);
    planned.tune(&mut tuning).map_err(|e| refuse(study, e))?;
    let origin = Origin::new(study, &planned, set);
    planned.plan.bones.cache = session.cache.clone();
    let from = session.from.take().map(|saved| saved.drive_for(&origin)).transpose()?;
    let mut tell = |phase: &str, share: f64| {
        (session.progress)(if phase == "walking" { BEFORE + (1.0 - BEFORE) * share } else { 0.5 * BEFORE })
    };
    let (mut kept, mut cost, mut lost) = (Instant::now(), Duration::ZERO, None);
    let mut keep = |state: &MovementState, record: &MovementRecord| {
        if let Some((path, every)) = &session.keep
            && kept.elapsed() >= (*every).max(KEEPING * cost)
        {
            let start = Instant::now();
            lost = saved::keep(path, &origin, state, record).err();
            (kept, cost) = (Instant::now(), start.elapsed());
        }
    };
    let audience = &mut Monitor { progress: &mut tell, keep: &mut keep };
    let performance = simulate_movement_from(&planned.plan, from, audience).map_err(|e| refuse(study, e))?;
    let mut outcome = outcome(study, &planned, &performance).map_err(|e| refuse(study, e))?;
    if let Some(MovementError::Stopped { .. }) = performance.ended {
        let bytes = saved::to_bytes(&origin, &performance.state, &performance.record);
        outcome.resume = Some(bytes.map_err(|e| refuse(study, e))?);
    }
    answer(study, &mut outcome)?;
    outcome.warnings.extend(lost.map(|why| {
        format!("the walk was not kept while it went on, so it could not be continued had its process ended: {why}")
    }));
    Ok(outcome)
}

/// A walk goes on for so many times as long as it takes to keep it: a long one has much to write.
const KEEPING: u32 = 20;

/// Share of the time that lesson and bones take, for the progress bar.
const BEFORE: f64 = 0.3;

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

fn outcome(study: &Study, planned: &Planned, performance: &MovementResult) -> Result<Outcome, MovementError> {
    let compared = planned.measured.as_ref().map(|m| Compared::new(m, performance)).transpose()?;
    let mut warnings = Vec::new();
    if let Some(ended) = &performance.ended {
        warnings.push(ended.to_string());
    }
    warnings.extend(results::remarks(planned, performance));
    warnings.extend(fibres::remarks(performance));
    warnings.extend(kept::remarks(performance));
    let mut results = results::results(planned, performance);
    let mut tables = tables::tables(performance);
    tables.extend(fibres::table(performance));
    tables.extend(kept::table(performance));
    let mut plots = figures::plots(performance);
    plots.extend(kept::plots(performance));
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
        files: export::files(planned, performance)?,
        inputs: study.inputs.clone(),
        resume: None,
        simulated_s: performance.record.times.last().copied().unwrap_or(0.0),
    })
}
