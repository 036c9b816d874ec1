//! Checkpoints of stopped runs: where they are, and how they are resumed.

use crate::args::Run;
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use wolff_app::SavedWalk;
use wolff_report::folder::RESUME;

/// The checkpoint file that is written during a run, next to its folder: `DIR.resume`.
pub fn checkpoint_file(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push(".resume");
    folder.with_file_name(name)
}

/// The checkpoint for `--resume`: the one in the folder, or the one that an interrupted process left next to the
/// folder, whichever has more completed steps.
pub fn saved(args: &Run) -> Result<Option<SavedWalk>, Failure> {
    let Some(folder) = &args.resume else { return Ok(None) };
    let places = [folder.join(RESUME), checkpoint_file(folder)];
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

/// Removes the checkpoint file next to the folder; the folder now contains the results.
pub fn remove_checkpoint(folder: &Path) {
    let _ = fs::remove_file(checkpoint_file(folder));
}
