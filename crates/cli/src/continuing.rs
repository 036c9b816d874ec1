//! Checkpoints of stopped runs: where they are, and how they are resumed.
//!
//! | place | content |
//! |---|---|
//! | `DIR.resume` | checkpoint of a running process, and of one that was killed |
//! | `DIR/resume.bin` | checkpoint of a run that was stopped by Ctrl-C, with its partial results |
//! | `DIR.stopped` | the same, where `DIR` holds a finished run, which a stopped one does not replace |
//!
//! A run that its time limit or its integrator ended early, or that failed, has no checkpoint, unless it is a walk, and
//! is written to the same places.
//!
//! `--resume DIR` finds all of them. The completed run is written to `DIR`.

use crate::args::Run;
use crate::failure::Failure;
use crate::output;
use std::fs;
use std::path::{Path, PathBuf};
use wolff_app::SavedWalk;
use wolff_files::atomic;
use wolff_files::place::Claim;
use wolff_report::folder::{
    Provenance, RESUME, check_run_folder, holds_finished_run, remove_run_folder, study_of, write_run_folder,
};
use wolff_report::json::Timing;
use wolff_report::outcome::{Outcome, Status};

/// Ending of the name of a folder with a stopped run.
const STOPPED: &str = ".stopped";

/// The checkpoint file that is written during a run, next to its folder: `DIR.resume`.
pub fn checkpoint_file(folder: &Path) -> PathBuf {
    beside(folder, ".resume")
}

/// The folder for a stopped run where `DIR` holds a finished one: `DIR.stopped`.
fn stopped_folder(folder: &Path) -> PathBuf {
    beside(folder, STOPPED)
}

fn beside(folder: &Path, ending: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    folder.with_file_name(name)
}

/// The folder of the results that is given: that of `--out`, or that of the run to be resumed, which for `DIR.stopped`
/// is `DIR`.
pub fn folder(args: &Run) -> Option<PathBuf> {
    let resumed = |given: &PathBuf| {
        let name = given.file_name()?.to_string_lossy().into_owned();
        let folder = given.with_file_name(name.strip_suffix(STOPPED)?);
        holds_finished_run(&folder).then_some(folder)
    };
    args.out.clone().or_else(|| args.resume.as_ref().map(|given| resumed(given).unwrap_or_else(|| given.clone())))
}

/// Whether results can be written, also if the run is stopped; to be asked before a long run. No other process may
/// write to the folder as long as the claim exists.
pub fn check(folder: &Path) -> Result<Option<Claim>, Failure> {
    check_run_folder(folder)?;
    if holds_finished_run(folder) {
        check_run_folder(&stopped_folder(folder))?;
    }
    // what a run left that was killed while it wrote its checkpoint
    atomic::recover(&checkpoint_file(folder))?;
    Ok(Claim::of(folder)?)
}

/// Writes the results and removes the checkpoint. A run that ended early or failed does not replace a finished one.
/// Returns the folder.
pub fn write(folder: &Path, outcome: &Outcome, provenance: &Provenance, timing: &Timing) -> Result<PathBuf, Failure> {
    let stopped = stopped_folder(folder);
    let ended_early = outcome.resume.is_some() || outcome.status == Status::Partial;
    let is_complete = !ended_early && outcome.judged_status() != Status::Failed;
    let replaced = study_of(folder).filter(|study| *study != outcome.study);
    let place = if is_complete || !holds_finished_run(folder) { folder } else { &stopped };
    write_run_folder(place, outcome, provenance, timing)?;
    if place != folder {
        let (kept, place) = (folder.display(), place.display());
        let what = if ended_early { "ended early" } else { "failed" };
        output::warn(&format!("`{kept}` holds a finished run and is kept; the run that {what} is in `{place}`"));
    } else if let Some(study) = replaced {
        output::warn(&format!("`{}` held results of another study, `{study}`, which are replaced", folder.display()));
    }
    if is_complete {
        remove_run_folder(&stopped);
    }
    // the folder contains the checkpoint or the results now
    let _ = fs::remove_file(checkpoint_file(folder));
    Ok(place.to_path_buf())
}

/// The checkpoint for `--resume`: of all places, the one with most completed steps.
pub fn saved(args: &Run) -> Result<Option<SavedWalk>, Failure> {
    let Some(folder) = &args.resume else { return Ok(None) };
    atomic::recover(folder)?;
    let places = [folder.join(RESUME), checkpoint_file(folder), stopped_folder(folder).join(RESUME)];
    let mut furthest: Option<SavedWalk> = None;
    for place in places.iter().filter(|place| place.is_file()) {
        let found = SavedWalk::load(place)?;
        if furthest.as_ref().is_none_or(|f| f.steps() < found.steps()) {
            furthest = Some(found);
        }
    }
    match furthest {
        Some(found) => Ok(Some(found)),
        None => Err(Failure::usage(
            format!("`{}` contains no stopped run (there is no {RESUME} in it)", folder.display()),
            "give the folder of a walk that was stopped by Ctrl-C; a completed run has nothing to resume",
        )),
    }
}
