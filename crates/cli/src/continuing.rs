//! Runs that are put aside and continued: which file holds one, and what was set for it.

use crate::args::Run;
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use wolff_app::SavedWalk;
use wolff_report::folder::RESUME;

/// The file beside a run folder that is written while the run goes on: `DIR.resume`.
pub fn kept_beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push(".resume");
    folder.with_file_name(name)
}

/// The run that `--resume` names: that of the folder, or what a process that ended left beside it, whichever went further.
pub fn saved(args: &Run) -> Result<Option<SavedWalk>, Failure> {
    let Some(folder) = &args.resume else { return Ok(None) };
    let places = [folder.join(RESUME), kept_beside(folder)];
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
            format!("`{}` holds no run that was stopped (there is no {RESUME} in it)", folder.display()),
            "give the folder of a walk that was stopped by Ctrl-C; a whole run needs no more",
        )),
    }
}

/// Removes what was kept beside the folder while the run went on: the folder now has it.
pub fn forget(folder: &Path) {
    let _ = fs::remove_file(kept_beside(folder));
}
