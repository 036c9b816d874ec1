//! `wolff run`: runs a study, prints its tables, writes its folder.

use crate::args::Run;
use crate::failure::{self, Failure};
use crate::interrupt::Stage;
use crate::output;
use crate::{answer, continuing, interrupt, run_text, source, table};
use indicatif::ProgressBar;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use wolff_app::compare::{COMPARING, ComparisonRequest};
use wolff_app::run::{FURTHER, Further, Monitor, Request};
use wolff_files::input::Recorder;
use wolff_report::digits::short;
use wolff_report::folder::Provenance;
use wolff_report::json::{self, Timing};
use wolff_report::outcome::{Outcome, Status};
use wolff_study::Budget;
use wolff_study::document::{CompareSpec, StudyDocument, StudyKind};
use wolff_study::run::BUILDING;

/// Runs the command.
pub fn run(args: &Run) -> Result<ExitCode, Failure> {
    let _recorder = Recorder::start();
    let source = source::find(&args.study)?;
    let mut document = StudyDocument::parse_in(&source.file, &source.text, &source.base_dir)?;
    let saved = continuing::saved(args)?;
    let folder = continuing::folder(args);
    let folder = folder.or_else(|| (!args.json).then(|| default_folder(args, &document.name)));
    let _held = interrupt::hold(folder.as_deref().map(continuing::check).transpose()?.flatten());
    // without --set, a resumed run uses the values of the stopped run
    let set = match &saved {
        Some(saved) if args.overrides().is_empty() => saved.set().to_vec(),
        _ => args.overrides(),
    };
    let written = saved.as_ref().map_or_else(|| set.clone(), |saved| saved.set().to_vec());
    document.apply_overrides(&set)?;
    let compared = (!args.compare.is_empty()).then(|| document.comparison(&args.compare)).transpose()?;
    interrupt::install_handler();
    let is_walk = document.kind() == StudyKind::Walk;
    let budget = budget(args, is_walk);
    let (study, json) = (args.study.clone(), args.json);
    let too_long = move |limit| _ = crate::show(&built_too_long(limit), json, &("study", study));
    interrupt::end_when_stuck(budget.max_time, too_long);
    let (set, cache, force) = (set.as_slice(), (!args.no_cache).then(wolff_app::cache::bones).flatten(), args.force);
    let mut bar = Bar::new(&args.study, is_walk, args.quiet);
    let (mut outcome, timing) = if let Some(spec) = &compared {
        let results = args.results.as_slice();
        let document = &document;
        ComparisonRequest { document, set, spec, results, cache, force, budget }.run(&mut bar)?
    } else {
        let checkpoint = folder.as_deref().map(continuing::checkpoint_file);
        let (document, further) = (&document, further(args));
        Request { document, set, from: saved, checkpoint, cache, further, force, budget }.run(&mut bar)?
    };
    drop(bar);
    interrupt::finish();
    outcome.series_format = args.series.into();
    let written = [written, compared.iter().flat_map(varied).collect()].concat();
    let provenance = Provenance::new(&source.file, &source.text, &written);
    let place = folder.as_deref().map(|folder| continuing::write(folder, &outcome, &provenance, &timing)).transpose();
    let (place, unsaved) = answer::saved(place, &mut outcome);
    report(args, &outcome, &timing, place.as_deref())?;
    Ok(match (outcome.judged_status(), unsaved) {
        (_, Some(code)) => code,
        _ if interrupt::stop_requested() => ExitCode::from(interrupt::STOPPED),
        (status, None) => failure::exit_code_of(status),
    })
}

/// The values of a comparison as they are recorded: those of a parameter in one text.
fn varied(spec: &CompareSpec) -> Vec<(String, String)> {
    spec.varied.iter().map(|one| (one.key.clone(), one.values.join(", "))).collect()
}

/// Time limit of a simulation without `--max-time` \[s\]. The built-in studies take seconds; where the limit cannot be
/// met this is said after some seconds.
const MAX_TIME: f64 = 60.0;

/// The same of a walk \[s\]: long walks with fine bones take minutes.
const MAX_TIME_WALK: f64 = 3600.0;

fn budget(args: &Run, is_walk: bool) -> Budget {
    let seconds = args.max_time.unwrap_or(if is_walk { MAX_TIME_WALK } else { MAX_TIME });
    Budget { max_time: Some(Duration::from_secs_f64(seconds)), stop: interrupt::stop_requested }
}

fn built_too_long(limit: Duration) -> Failure {
    Failure::Simulation(format!(
        "the model could not be built within the time limit of {} s; use a coarser mesh or fewer modes, or allow more \
         time with `--max-time SECONDS`",
        limit.as_secs_f64()
    ))
}

fn further(args: &Run) -> Further {
    Further {
        own_sensitivity: !args.no_sensitivity,
        convergence: args.convergence,
        variants: args.variants,
        choices: args.sensitivity,
        ways: args.ways,
    }
}

/// Shows stage, progress and remaining time of a run; Ctrl-C stops it.
struct Bar {
    shown: ProgressBar,
    study: String,
    is_walk: bool,
    stage: String,
}

impl Bar {
    fn new(name: &str, is_walk: bool, quiet: bool) -> Self {
        Bar { shown: output::progress_bar(name, quiet), study: name.into(), is_walk, stage: String::new() }
    }

    /// What a request to stop meets in this part of the work: a walk keeps checkpoints from its first step on.
    fn stage(&self, name: &str) -> Stage {
        match name {
            _ if FURTHER.contains(&name) || name == COMPARING => Stage::Saving,
            BUILDING => Stage::Building,
            "walking" | "strains" => Stage::Saving,
            _ if self.is_walk => Stage::Building,
            _ => Stage::Running,
        }
    }
}

impl Monitor for Bar {
    fn part(&mut self, name: &str) {
        if self.stage != name {
            self.stage = name.into();
            interrupt::stage_begins(self.stage(name));
            self.shown.set_message(format!("{}: {name}", self.study));
        }
    }

    fn progress(&mut self, fraction: f64) -> bool {
        output::advance(&self.shown, fraction);
        !interrupt::stop_requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.finish_and_clear();
    }
}

/// `runs/STUDY`, of a comparison `runs/STUDY-compare`; characters of the name that are not safe in a path are replaced.
fn default_folder(args: &Run, study: &str) -> PathBuf {
    let study = format!("{study}{}", if args.compare.is_empty() { "" } else { "-compare" });
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    Path::new("runs").join(study.chars().map(safe).collect::<String>())
}

fn report(args: &Run, outcome: &Outcome, timing: &Timing, folder: Option<&Path>) -> Result<(), Failure> {
    if args.json {
        return output::print_json(&json::report(outcome, timing));
    }
    for warning in json::warnings(outcome) {
        output::warn(&warning);
    }
    outcome.judgement.notes().iter().for_each(|note| output::note(note));
    if args.quiet { Ok(()) } else { output::print(&for_people(outcome, timing, folder)) }
}

fn for_people(outcome: &Outcome, timing: &Timing, folder: Option<&Path>) -> String {
    let status = match outcome.judged_status() {
        Status::Ok => "ok",
        Status::Doubtful => "doubtful: a quantity is beyond its limit; see the warnings",
        Status::Partial if !outcome.runs.is_empty() => "partial: not all runs have complete results; see the warnings",
        Status::Partial => "partial: the run ended early; results are for the simulated part",
        Status::Failed => "failed",
    };
    let mut text = format!("{}: {status}\n{}", outcome.study, run_text::text(outcome, timing));
    let Timing { cpu_s, wall_s, simulated_s, .. } = timing;
    let _ = writeln!(text, "\nsimulated {} s in {cpu_s:.3} s CPU, {wall_s:.3} s wall", short(*simulated_s));
    if let (Some(folder), true) = (folder, outcome.resume.is_some()) {
        let _ = writeln!(text, "stopped; resume with `wolff run {} --resume {}`", outcome.study, folder.display());
    }
    if let Some(folder) = folder {
        let (files, page) =
            (format!("files are in {};", folder.display()), "report.html shows all results on one page");
        let fits = files.chars().count() + 1 + page.len() <= table::width();
        // a path is not torn, so that it can be copied
        let _ = writeln!(text, "{files}{}{page}", if fits { ' ' } else { '\n' });
    }
    text
}
