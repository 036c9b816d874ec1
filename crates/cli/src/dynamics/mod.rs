//! `wolff id`, `so`, `reactions`, `muscle`, `rra`, `cmc`, `forward`: moments, muscle forces, joint loads and muscles
//! of a motion, motions whose forces balance, excitations that make a model follow one, and what a model does under
//! them.

pub mod args;
mod control;
mod reactions;
mod target;

use crate::failure::Failure;
use crate::{answer, interrupt, output};
use args::{Id, Inputs, Muscle, MuscleForce, ReservesArg, Rra, So};
pub use control::{cmc, forward};
pub use reactions::reactions;
use std::process::ExitCode;
use target::Target;
use wolff_analyses::dynamics::{self, Analysis, Loaded, Request, load};
use wolff_files::input::Recorder;
use wolff_motion::reserves::Reserves;
use wolff_motion::{Accelerations, Physiology};
use wolff_report::folder::Provenance;
use wolff_report::json::Stopwatch;
use wolff_report::outcome::InputFile;

/// A command from its inputs to its answer.
struct Job<'a> {
    command: &'static str,
    inputs: &'a Inputs,
    recorder: Recorder,
    watch: Stopwatch,
}

impl<'a> Job<'a> {
    fn start(command: &'static str, inputs: &'a Inputs) -> Self {
        Job { command, inputs, recorder: Recorder::start(), watch: Stopwatch::start() }
    }

    fn load(&self, actuators: &[std::path::PathBuf], accelerations: Accelerations) -> Result<Loaded, Failure> {
        self.load_with(actuators, accelerations, false)
    }

    /// The same where the forces of muscles may be given.
    fn load_with(
        &self,
        actuators: &[std::path::PathBuf],
        accelerations: Accelerations,
        has_forces: bool,
    ) -> Result<Loaded, Failure> {
        let inputs = self.inputs;
        let open = [inputs.start.unwrap_or(f64::NEG_INFINITY), inputs.end.unwrap_or(f64::INFINITY)];
        let given = inputs.start.is_some() || inputs.end.is_some();
        let request = Request {
            setup: inputs.setup.clone(),
            model: inputs.model.clone(),
            motion: inputs.motion.clone(),
            loads: inputs.loads.clone(),
            axes: inputs.axes,
            cutoff: inputs.cutoff,
            time: inputs.time.map(|t| t.0).or(given.then_some(open)),
            every: inputs.every.map(|n| n as usize),
            actuators: actuators.to_vec(),
            stature: inputs.stature,
            has_forces,
            tracks: self.command == "cmc",
        };
        Ok(load(&request, accelerations)?)
    }

    /// The place of the results, after the input has been accepted.
    fn target(&self, loaded: &Loaded, files: &[&str]) -> Result<Target, Failure> {
        answer::gate(&loaded.judgement, self.inputs.force)?;
        let (out, setup) = (self.inputs.out.as_ref(), self.inputs.setup.as_ref());
        let target = Target::choose(out, self.inputs.json, setup, self.command, loaded);
        target.check(self.command, files, self.inputs.force)?;
        if target.page().is_some() {
            interrupt::install_handler();
        }
        Ok(target)
    }

    /// Runs a computation with a progress bar over the instants.
    fn compute<T, E: Into<Failure>>(
        &self,
        what: &str,
        count: usize,
        work: impl FnOnce(&mut dyn FnMut(usize)) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let bar = output::progress_bar(what, self.inputs.json);
        let found = work(&mut |done| output::advance(&bar, done as f64 / count.max(1) as f64));
        bar.finish_and_clear();
        found.map_err(Into::into)
    }

    /// Writes the results and prints the answer.
    fn finish(self, target: &Target, analysis: Analysis, options: &[(String, String)]) -> Result<ExitCode, Failure> {
        let mut analysis = analysis;
        let Some([start, end]) = range(&analysis) else { return Err(Failure::Stopped) };
        analysis.outcome.simulated_s = end - start;
        analysis.outcome.inputs = self.recorder.finish().into_iter().map(InputFile::from).collect();
        let timing = self.watch.stop(end - start);
        let failed = target::is_failed(&analysis);
        let tables = std::mem::replace(&mut analysis.tables, dynamics::Tables::begin(None, &[], never)?);
        let tables = tables.finish(failed)?;
        let provenance = Provenance::of_command(self.command, &all_options(self.inputs, options));
        let placed = target.write(self.command, &mut analysis, tables, &provenance, &timing)?;
        let mut text = analysis.text.clone();
        placed.iter().for_each(|path| text.push_str(&format!("wrote {}\n", path.display())));
        answer::show(&analysis.outcome, &timing, target.page(), self.inputs.json, &text)
    }
}

fn never() -> bool {
    false
}

/// First and last instant [s].
fn range(analysis: &Analysis) -> Option<[f64; 2]> {
    let range = analysis.outcome.results.get("time_range")?.as_array()?;
    Some([range.first()?.as_f64()?, range.get(1)?.as_f64()?])
}

/// Options of a command for the provenance; files by their names only.
fn all_options(inputs: &Inputs, more: &[(String, String)]) -> Vec<(String, String)> {
    let file = |path: &Option<std::path::PathBuf>| {
        path.as_ref().and_then(|p| p.file_name()).map(|n| n.to_string_lossy().into_owned())
    };
    let number = |x: Option<f64>| x.map(|x| x.to_string());
    let given = [
        ("setup", file(&inputs.setup)),
        ("model", file(&inputs.model)),
        ("motion", file(&inputs.motion)),
        ("loads", file(&inputs.loads)),
        ("axes", inputs.axes.as_ref().map(|a| format!("{a:?}"))),
        ("cutoff", number(inputs.cutoff)),
        ("time", inputs.time.map(|t| format!("{}:{}", t.0[0], t.0[1]))),
        ("start", number(inputs.start)),
        ("end", number(inputs.end)),
        ("every", inputs.every.map(|n| n.to_string())),
        ("stature", number(inputs.stature)),
        ("force", inputs.force.then(|| "true".to_string())),
    ];
    let named = given.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
    named.chain(more.iter().cloned()).collect()
}

/// An option for the provenance.
fn option(name: &str, value: impl ToString) -> (String, String) {
    (name.to_string(), value.to_string())
}

/// Runs `wolff id`.
pub fn id(args: &Id) -> Result<ExitCode, Failure> {
    let job = Job::start("id", &args.inputs);
    let mut loaded = job.load(&[], Accelerations::SecondDerivative)?;
    loaded.examine_missing_loads();
    let target = job.target(&loaded, &[dynamics::id::FILE])?;
    let analysis = job.compute("inverse dynamics", loaded.times.len(), |progress| {
        dynamics::id::run(&loaded, target.page(), interrupt::stop_requested, progress)
    })?;
    job.finish(&target, analysis, &[])
}

/// Runs `wolff so`.
pub fn so(args: &So) -> Result<ExitCode, Failure> {
    let job = Job::start("so", &args.inputs);
    let mut loaded = job.load(&args.actuators, Accelerations::OfSpeeds)?;
    loaded.examine_muscles();
    loaded.examine_missing_loads();
    let target = job.target(&loaded, &dynamics::so::FILES)?;
    let reserves = match args.reserves {
        Some(ReservesArg::None) => Reserves::None,
        Some(ReservesArg::All) => Reserves::All,
        Some(ReservesArg::Missing) | None => Reserves::Missing,
    };
    dynamics::so::add_reserves(&mut loaded, reserves)?;
    let physiology = args.muscle.map(|muscle| match muscle {
        MuscleForce::Isometric => Physiology::Ignored,
        MuscleForce::Active => Physiology::Active,
        MuscleForce::Passive => Physiology::ActiveAndPassive,
    });
    let options = dynamics::so::options(&loaded, args.power, physiology);
    let analysis = job.compute("static optimisation", loaded.times.len(), |progress| {
        dynamics::so::run(&loaded, options, target.page(), interrupt::stop_requested, progress)
    })?;
    let told = [
        option("power", options.power),
        option("muscle", format!("{:?}", options.physiology)),
        option("reserves", format!("{reserves:?}")),
    ];
    job.finish(&target, analysis, &told)
}

/// Runs `wolff muscle`.
pub fn muscle(args: &Muscle) -> Result<ExitCode, Failure> {
    let job = Job::start("muscle", &args.inputs);
    let mut loaded = job.load(&[], Accelerations::OfSpeeds)?;
    loaded.examine_muscles();
    loaded.examine_activations(args.activations.as_deref())?;
    let target = job.target(&loaded, &["muscle_Length.sto"])?;
    let motors = loaded.motors()?;
    let coordinates = dynamics::muscle::coordinates(&loaded, &args.coordinate);
    let activations = dynamics::muscle::activations(&motors, args.activation, args.activations.as_deref())?;
    let analysis = job.compute("muscle analysis", loaded.times.len(), |progress| {
        let place = (target.page(), interrupt::stop_requested as fn() -> bool);
        dynamics::muscle::run(&loaded, &coordinates, &activations, place, progress)
    })?;
    let told: Vec<(String, String)> = args.activation.map(|a| option("activation", a)).into_iter().collect();
    job.finish(&target, analysis, &told)
}

/// Runs `wolff rra`.
pub fn rra(args: &Rra) -> Result<ExitCode, Failure> {
    /// Number of steps of the progress bar.
    const PARTS: usize = 1000;
    let job = Job::start("rra", &args.inputs);
    let mut loaded = job.load(&[], Accelerations::SecondDerivative)?;
    loaded.examine_missing_loads();
    let target = job.target(&loaded, &dynamics::rra::FILES)?;
    let choice = dynamics::rra::Choice {
        body: args.body.clone(),
        no_centre: args.no_centre,
        masses: args.masses,
        coordinates: args.coordinate.clone(),
        residual: args.residual,
        knots: args.knots,
    };
    let options = dynamics::rra::options(&choice, &loaded);
    let analysis = job.compute("residual reduction", PARTS, |advance| {
        let mut progress = |fraction: f64| advance((fraction * PARTS as f64) as usize);
        dynamics::rra::run(&loaded, &options, target.page(), interrupt::stop_requested, &mut progress)
    })?;
    let told = [
        option("body", options.body.clone().unwrap_or_default()),
        option("masses", options.masses),
        option("knots", options.knots),
    ];
    job.finish(&target, analysis, &told)
}
