//! Single files at places that another file names, such as the results of a set-up: files of others are not replaced
//! silently.

use crate::FileError;
use crate::place::check_writable;
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses to replace existing files that this program did not write, unless the user insists. To be called before a
/// long computation.
///
/// `written_by_us` answers whether an existing file is known as an earlier result, for example because the list of
/// files beside it names it.
///
/// # Errors
/// [`FileError::Refused`] for the first file that would be replaced.
pub fn check_replaceable_files(
    files: &[PathBuf],
    written_by_us: &dyn Fn(&Path) -> bool,
    force: bool,
) -> Result<(), FileError> {
    for file in files {
        match fs::symlink_metadata(file) {
            Ok(found) if found.is_dir() => {
                return Err(FileError::refused(file, "a folder of that name exists; choose another name"));
            }
            Ok(_) if !force && !written_by_us(file) => {
                let reason = "the file exists, and it is not known to be an earlier result of this program; use \
                              --force to replace it, or --out DIR to write the results to another folder";
                return Err(FileError::refused(file, reason));
            }
            _ => check_writable(file)?,
        }
    }
    Ok(())
}
