//! `wolff cmc`.

use super::args::{Cmc, TargetArg};
use super::{Job, option};
use crate::failure::Failure;
use crate::interrupt;
use std::process::ExitCode;
use wolff_analyses::dynamics::cmc::{Choice, FILES, plan, run};
use wolff_control::Target;
use wolff_motion::Accelerations;

/// Runs `wolff cmc`.
pub fn cmc(args: &Cmc) -> Result<ExitCode, Failure> {
    /// Number of steps of the progress bar.
    const PARTS: usize = 1000;
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
