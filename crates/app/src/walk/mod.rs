//! Studies of walking: parameters to plan, plan to result, result to outcome.

mod advice;
mod around;
mod checkpoint;
mod cycle;
mod electromyograms;
mod export;
mod femur;
mod fibres;
mod figures;
mod headline;
mod inverse_to_driven;
mod joints;
mod judge;
mod method;
mod modes;
mod phases;
mod plan;
mod results;
mod settings;
mod tables;
mod trial;
mod values;
mod variations;
mod ways;

pub use checkpoint::SavedWalk;
pub use variations::{Repetition, choices, convergence, variants};
pub use ways::{Ways, ways};

use crate::Session;
use checkpoint::Origin;
use phases::GaitPhases;
use plan::Planned;
use std::time::{Duration, Instant};
use trial::Compared;
use wolff_bone::gauges::ROSETTE;
use wolff_files::ErrorKind;
use wolff_movement::MovementError;
use wolff_movement::model::{MovementRecord, MovementState};
use wolff_movement::simulate::{Monitor, MovementResult, simulate_movement_from};
use wolff_report::outcome::{Outcome, Status};
use wolff_scan::ScanError;
use wolff_study::RunError;
use wolff_study::document::Study;
use wolff_study::run::{Clock, answer};

/// Runs a study of walking; `set` are the overrides.
pub(crate) fn run(study: &Study, set: &[(String, String)], session: &mut Session<'_>) -> Result<Outcome, RunError> {
    let mut planned = plan::plan(study, session.force)?;
    let mut made = |stage: &str, part: f64| {
        (session.stage)(stage);
        (session.progress)(0.25 * PREPARATION * part)
    };
    planned.make_given(&mut made).map_err(|e| refuse_bone(study, e))?;
    let mut tuning = |fraction: f64| (session.progress)(0.5 * PREPARATION * fraction);
    planned.tune(&mut tuning).map_err(|e| refuse(study, e))?;
    let origin = Origin::new(study, &planned, set);
    planned.plan.bones.cache = session.cache.clone();
    let from = session.from.take().map(|saved| saved.state_for(&origin)).transpose()?;
    let (stage, budget) = (session.stage, session.budget);
    choose_modes(&mut planned, session).map_err(|e| refuse(study, e))?;
    let (mut clock, mut too_slow) = (None, None);
    let mut progress = |phase: &str, fraction: f64| {
        stage(phase);
        if phase != "walking" {
            return (session.progress)(0.5 * PREPARATION);
        }
        let clock: &Clock = clock.get_or_insert_with(|| Clock::start(budget, 1.0, false));
        clock.reached(fraction);
        too_slow = clock.reason_to_end();
        (session.progress)(PREPARATION + (1.0 - PREPARATION) * fraction) && too_slow.is_none()
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
    let result = simulate_movement_from(&planned.plan, from, monitor).map_err(|e| refuse(study, e));
    let too_slow = too_slow.filter(|_| !(budget.stop)());
    let result = result.map_err(|e| match (e, &too_slow) {
        (RunError::Stopped, Some(why)) => RunError::Simulation(format!("there is no result yet: {why}")),
        (other, _) => other,
    })?;
    let mut outcome = outcome(study, &planned, &result).map_err(|e| refuse(study, e))?;
    if let Some(MovementError::Stopped { .. }) = result.ended {
        let bytes = checkpoint::to_bytes(&origin, &result.state, &result.record);
        outcome.resume = Some(bytes.map_err(|e| refuse(study, e))?);
    }
    answer(study, &mut outcome)?;
    if let Some(why) = too_slow {
        outcome.warnings.insert(0, format!("{why}, and `--resume FOLDER` continues it"));
    }
    outcome.warnings.extend(failure.map(|why| {
        format!("the checkpoint could not be written; this run could not have been resumed after a crash: {why}")
    }));
    Ok(outcome)
}

/// Chooses the modes of the bones where strain energy decides. This has no clock: that of the walk would count the
/// additional simulation and the preparation after it.
fn choose_modes(planned: &mut Planned, session: &mut Session<'_>) -> Result<(), MovementError> {
    let Some(fraction) = planned.strain_energy else { return Ok(()) };
    let stage = session.stage;
    let mut progress = |phase: &str, _: f64| {
        if phase != "walking" {
            stage(phase);
        }
        (session.progress)(0.5 * PREPARATION)
    };
    let mut silent = |_: &MovementState, _: &MovementRecord| {};
    let monitor = &mut Monitor { progress: &mut progress, keep: &mut silent };
    planned.plan.bones.modes = modes::by_energy(&planned.plan, fraction, monitor)?;
    Ok(())
}

/// Minimum time between two checkpoints, as a multiple of the time to write one: long walks have large checkpoints, and
/// writing must not dominate the run.
const CHECKPOINT_COST_FACTOR: u32 = 20;

/// Fraction of the progress bar for the preparation (reference lengths and reduction of bones); a typical value.
const PREPARATION: f64 = 0.3;

/// A given bone that cannot be made.
fn refuse_bone(study: &Study, (parameter, error): (&str, ScanError)) -> RunError {
    match error.kind() {
        ErrorKind::Stopped => RunError::Stopped,
        ErrorKind::Numerical => RunError::Simulation(error.to_string()),
        ErrorKind::Input | ErrorKind::File => {
            RunError::Input(study.error([(parameter.to_string(), error.to_string())]))
        }
    }
}

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
    let complete = result.ended.is_none();
    let compared = planned.measured.as_ref().filter(|_| complete).map(|m| Compared::new(m, result)).transpose()?;
    let mut warnings: Vec<String> = result.ended.iter().map(|e| advice::early_end(planned, result, e)).collect();
    warnings.extend(results::remarks(planned, result));
    warnings.extend(fibres::remarks(result));
    let mut results = results::results(planned, result);
    let mut tables = tables::tables(result);
    let mut plots = figures::plots(result);
    let mut pictures = Vec::new();
    if complete {
        if let Some(phases) = GaitPhases::new(result) {
            phases::results(&phases, &mut |name, value| _ = results.insert(name.into(), value));
            femur::results(result, &phases, &mut |name, value| _ = results.insert(name.into(), value));
            tables.push(phases::table(&phases));
            tables.extend(femur::tables(result, &phases));
            let cycles = plots.iter_mut().filter(|plot| plot.x_label == figures::CYCLE);
            cycles.for_each(|plot| phases::mark(&phases.contacts, plot));
            plots.extend(femur::plots(result, &phases));
        }
        let told = modes::told(result);
        results.extend(told.results);
        tables.extend(told.tables);
        pictures.extend(told.pictures);
        pictures.extend(result.bones.iter().filter(|b| b.gauge(ROSETTE).is_some()).filter_map(around::section));
        warnings.extend(inverse_to_driven::remarks(result));
        tables.extend(fibres::table(result));
        tables.extend(inverse_to_driven::table(result));
        plots.extend(inverse_to_driven::plots(result));
    }
    if let Some(measured) = &planned.measured {
        results.extend(trial::results(&measured.trial));
    }
    if let Some(compared) = &compared {
        results.extend(compared.results());
        tables.insert(1, compared.table());
        tables.extend(compared.timing());
        plots.extend(compared.plots());
    }
    let mut judgement = judge::judge(planned, result, compared.as_ref());
    judgement.found(compared.iter().flat_map(Compared::findings));
    Ok(Outcome {
        study: study.name.clone(),
        status: if complete { Status::Ok } else { Status::Partial },
        results,
        tables,
        warnings,
        headline: headline::headline(result, compared.as_ref(), &judgement, planned.duration(result)),
        method: method::method(study, planned, result),
        judgement,
        series: figures::series(result),
        plots,
        pictures,
        strips: figures::strips(result),
        files: export::files(planned, result)?,
        inputs: study.inputs.clone(),
        simulated_s: result.record.times.last().copied().unwrap_or(0.0),
        ..Outcome::default()
    })
}
