//! Results at places that a set-up names: files of others are replaced with `--force` only.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wolff_files::guard::check_replaceable_files;
use wolff_report::folder::is_result;

/// Results of one run are written within this time.
const TOGETHER: Duration = Duration::from_secs(60);

/// Checks that results may be written to these places; to be asked before the computation.
///
/// A file that exists is an earlier result if the list of files in its folder names it, or if it was written together
/// with `witness`, a file that only this program writes.
pub fn check(places: &[PathBuf], witness: &Path, force: bool) -> Result<(), Failure> {
    let earlier = |file: &Path| file == witness || is_result(file) || written_together(file, witness);
    Ok(check_replaceable_files(places, &earlier, force)?)
}

fn written_together(file: &Path, witness: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    match (time(file), time(witness)) {
        (Some(a), Some(b)) => a.duration_since(b).unwrap_or_else(|e| e.duration()) < TOGETHER,
        _ => false,
    }
}
