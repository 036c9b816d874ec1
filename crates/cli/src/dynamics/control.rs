//! `wolff cmc` and `wolff forward`.

use super::args::{Cmc, Forward, TargetArg};
use super::{Job, option};
use crate::failure::Failure;
use crate::interrupt;
use std::process::ExitCode;
use wolff_analyses::dynamics::cmc::{Choice, FILES, plan, run};
use wolff_analyses::dynamics::forward;
use wolff_analyses::dynamics::samples::SAMPLE_FILES;
use wolff_control::Target;
use wolff_motion::Accelerations;

/// Number of steps of the progress bar.
const PARTS: usize = 1000;

/// Runs `wolff cmc`.
pub fn cmc(args: &Cmc) -> Result<ExitCode, Failure> {
    let job = Job::start("cmc", &args.inputs);
    let mut loaded = job.load(&args.actuators, Accelerations::SecondDerivative)?;
    loaded.examine_muscles();
    loaded.examine_missing_loads();
    let choice = Choice {
        tasks: args.tasks.clone(),
        constraints: args.constraints.clone(),
        gains: [args.kp, args.kv],
        window: args.window,
        target: args.target.map(|t| if t == TargetArg::Slow { Target::Slow } else { Target::Fast }),
        tolerance: args.tolerance,
        accuracy: args.accuracy,
        sampling: args.sampling,
    };
    let plan = plan(&mut loaded, &choice)?;
    let target = job.target(&loaded, &FILES)?;
    let analysis = job.compute("computed muscle control", PARTS, |advance| {
        let mut progress = |fraction: f64| advance((fraction * PARTS as f64) as usize);
        run(&loaded, &plan, target.page(), interrupt::stop_requested, &mut progress)
    })?;
    let told = [
        option("window", plan.options.window),
        option("target", format!("{:?}", plan.options.target)),
        option("tolerance", plan.options.tolerance),
        option("accuracy", plan.options.forward.accuracy),
        option("sampling", plan.options.forward.sampling),
    ];
    job.finish(&target, analysis, &told)
}

/// Runs `wolff forward`.
pub fn forward(args: &Forward) -> Result<ExitCode, Failure> {
    let inputs = args.inputs();
    let job = Job::start("forward", &inputs);
    let (loaded, plan) = forward::load(&forward::Choice {
        setup: args.setup.clone(),
        model: args.model.clone(),
        states: args.states.clone(),
        controls: args.controls.clone(),
        loads: args.loads.clone(),
        actuators: args.actuators.clone(),
        time: args.time.map(|t| t.0),
        equilibrium: args.equilibrium,
        accuracy: args.accuracy,
        sampling: args.sampling,
    })?;
    let target = job.target(&loaded, &SAMPLE_FILES)?;
    let analysis = job.compute("forward simulation", PARTS, |advance| {
        let mut progress = |fraction: f64| advance((fraction * PARTS as f64) as usize);
        forward::run(&loaded, &plan, target.page(), interrupt::stop_requested, &mut progress)
    })?;
    let told = [option("accuracy", plan.options.accuracy), option("sampling", plan.options.sampling)];
    job.finish(&target, analysis, &told)
}
