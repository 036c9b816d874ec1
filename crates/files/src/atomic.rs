//! Writing files and folders so that nobody ever sees half of one.
//!
//! Everything is built under a temporary name beside the target, flushed to disk, and renamed. Where the system can
//! exchange two names in one step (Linux), a folder is replaced without a moment in which it is missing; elsewhere
//! [`recover`] puts it back if the process was killed between the two renames.

use crate::leftover::{Kind, Temporary};
use crate::place::check_writable;
use crate::{FileError, fault};
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

pub use crate::leftover::recover;

/// A file to write.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Name; in a folder within the folder that is written, with a slash between: `loads/README.md`.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Writes one file: either the whole new content is there afterwards, or the old file is untouched.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let (parent, name) = split(path)?;
    recover(&parent.join(&name))?;
    let temporary = Temporary::beside(&parent, &name, Kind::New);
    let temporary = temporary.path();
    let written = write_new(temporary, bytes).and_then(|()| rename(temporary, &parent.join(&name)));
    if written.is_err() {
        // already failing: the first error is the one to report
        let _ = fs::remove_file(temporary);
    }
    written?;
    sync_folder(&parent)
}

/// Writes a folder with these files, all or nothing, making its parents when they are missing.
///
/// An existing empty folder is filled. An existing folder with content is replaced only when
/// `written_before` knows it, by answering with the names of the files an earlier call wrote there, and it
/// holds nothing else; otherwise the call refuses and changes nothing.
pub fn write_folder(
    folder: &Path,
    files: &[File],
    written_before: &dyn Fn(&Path) -> Option<Vec<String>>,
) -> Result<(), FileError> {
    check_names(folder, files)?;
    check_replaceable(folder, written_before)?;
    let staging = Staging::beside(folder)?;
    for file in files {
        staging.write(&file.name, &file.bytes)?;
    }
    staging.replace(folder, written_before)
}

/// A folder under construction that nobody looks into, for files that are written over a long time. It is gone when it
/// is dropped.
#[derive(Debug)]
pub struct Staging {
    folder: Temporary,
}

impl Staging {
    /// A new folder beside the target, whose parents are made when they are missing.
    pub fn beside(target: &Path) -> Result<Self, FileError> {
        let (parent, name) = split(target)?;
        recover(&parent.join(&name))?;
        let folder = Temporary::beside(&parent, &name, Kind::New);
        fs::create_dir(folder.path()).map_err(|e| FileError::io("make the folder", folder.path(), e))?;
        Ok(Staging { folder })
    }

    /// Where files are to be written.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a whole file and flushes it to disk; folders in its name are made.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.path().join(name);
        if let Some(inner) = path.parent().filter(|inner| *inner != self.path()) {
            fs::create_dir_all(inner).map_err(|e| FileError::io("make the folder", inner, e))?;
        }
        write_new(&path, bytes)
    }

    /// Puts the finished folder in the place of the target, as [`write_folder`] does. Files must have been flushed to
    /// disk.
    pub fn replace(
        self,
        target: &Path,
        written_before: &dyn Fn(&Path) -> Option<Vec<String>>,
    ) -> Result<(), FileError> {
        check_replaceable(target, written_before)?;
        sync_folder(self.path())?;
        let (parent, name) = split(target)?;
        swap(self.path(), &parent.join(&name))?;
        sync_folder(&parent)
    }

    /// Moves one finished file to its place, making folders that are missing.
    pub fn place(&self, file: &str, target: &Path) -> Result<(), FileError> {
        let from = self.path().join(file);
        let (parent, name) = split(target)?;
        if fs::rename(&from, parent.join(&name)).is_err() {
            // another file system
            let temporary = Temporary::beside(&parent, &name, Kind::New);
            let temporary = temporary.path();
            let copied = fs::copy(&from, temporary)
                .and_then(|_| fs::File::open(temporary)?.sync_all())
                .map_err(|e| FileError::io("write", temporary, e))
                .and_then(|()| rename(temporary, &parent.join(&name)));
            if copied.is_err() {
                let _ = fs::remove_file(temporary);
            }
            copied?;
        }
        sync_folder(&parent)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // gone already where it became the target; and nobody is left to be told
        let _ = fs::remove_dir_all(self.path());
    }
}

/// Whether [`write_folder`] would accept this target; asked before a long computation. What a killed process left of
/// the target is recovered first.
pub fn check_replaceable(
    folder: &Path,
    written_before: &dyn Fn(&Path) -> Option<Vec<String>>,
) -> Result<(), FileError> {
    recover(folder)?;
    refuse_surroundings(folder)?;
    check_writable(folder)?;
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => (),
        Ok(_) => return Err(FileError::refused(folder, "a file of that name exists; choose another folder")),
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(FileError::io("look into", folder, e)),
    }
    let mut found = BTreeSet::new();
    list(folder, "", &mut found)?;
    if found.is_empty() {
        return Ok(());
    }
    let Some(ours) = written_before(folder) else {
        return Err(FileError::refused(
            folder,
            "the folder is not empty and not one written before; choose another folder",
        ));
    };
    match found.iter().find(|name| !ours.contains(name)) {
        None => Ok(()),
        Some(foreign) => Err(FileError::refused(
            folder,
            format!(
                "replacing the folder would delete `{foreign}`, which was put there later; move it or choose another \
                 folder"
            ),
        )),
    }
}

/// Refuses to replace the current folder or one that contains it: whoever works there would stand in a removed folder.
fn refuse_surroundings(folder: &Path) -> Result<(), FileError> {
    let (Ok(folder), Ok(here)) = (fs::canonicalize(folder), std::env::current_dir()) else { return Ok(()) };
    let here = fs::canonicalize(&here).unwrap_or(here);
    if !here.starts_with(&folder) {
        return Ok(());
    }
    let what = if here == folder { "it is the current folder" } else { "the current folder is in it" };
    let reason = format!(
        "{what}, and a folder of results is replaced as a whole; give a folder that holds nothing else, such as \
         `results`"
    );
    Err(FileError::refused(&folder, reason))
}

/// Adds the names of all files in a folder and in folders within it, and of inner folders that are empty, with slashes
/// between.
fn list(folder: &Path, before: &str, names: &mut BTreeSet<String>) -> Result<(), FileError> {
    let failed = |e| FileError::io("look into", folder, e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        let count = names.len();
        // a link to a folder is not followed: it is replaced as a file is
        if entry.file_type().map_err(failed)?.is_dir() {
            list(&entry.path(), &format!("{name}/"), names)?;
        }
        if names.len() == count {
            names.insert(name);
        }
    }
    Ok(())
}

/// Checks that all names are plain file names and different from each other.
pub fn check_names(folder: &Path, files: &[File]) -> Result<(), FileError> {
    let mut seen = BTreeSet::new();
    for File { name, .. } in files {
        let is_plain = |part: &str| Path::new(part).file_name().is_some_and(|n| n == part);
        if !name.split('/').all(is_plain) || name.contains(['\\', '\0']) {
            return Err(FileError::refused(folder, format!("{name:?} is not a plain file name")));
        }
        if !seen.insert(name.to_lowercase()) {
            return Err(FileError::refused(folder, format!("two files would be called `{name}`")));
        }
    }
    Ok(())
}

/// Parent folder, made when missing, and last name of a path.
fn split(path: &Path) -> Result<(PathBuf, String), FileError> {
    // an existing target may be `.`, a link, or end in `..`
    let whole = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(_) => std::path::absolute(path).map_err(|e| FileError::io("find", path, e))?,
    };
    let name = whole.file_name().map(|n| n.to_string_lossy().into_owned());
    match (whole.parent(), name) {
        (Some(parent), Some(name)) => {
            fs::create_dir_all(parent).map_err(|e| FileError::io("make the folder", parent, e))?;
            Ok((parent.to_path_buf(), name))
        }
        _ => Err(FileError::refused(path, "it does not end in a name")),
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let write = || {
        fault::reached("create");
        let mut file = fs::File::create_new(path)?;
        fault::reached("write");
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|e| FileError::io("write", path, e))
}

/// Puts the finished folder in the place of the old one, which comes back if that fails.
fn swap(finished: &Path, target: &Path) -> Result<(), FileError> {
    if !target.exists() {
        return rename(finished, target);
    }
    let removed = if exchange(finished, target)? {
        fault::reached("remove the replaced folder");
        fs::remove_dir_all(finished).map_err(|e| (finished.to_path_buf(), e))
    } else {
        let (parent, name) = split(target)?;
        let old = Temporary::beside(&parent, &name, Kind::Old);
        rename(target, old.path())?;
        if let Err(e) = rename(finished, target) {
            let _ = fs::rename(old.path(), target);
            return Err(e);
        }
        fault::reached("remove the replaced folder");
        fs::remove_dir_all(old.path()).map_err(|e| (old.path().to_path_buf(), e))
    };
    removed.map_err(|(path, e)| FileError::io("remove the replaced folder", &path, e))
}

/// Exchanges two names in one step; `false` where the system or the file system cannot.
#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> Result<bool, FileError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    if !fault::exchange_is_allowed() {
        return Ok(false);
    }
    fault::reached("exchange");
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(e) => Err(FileError::io("rename to", b, e.into())),
    }
}

/// Exchanges two names in one step; `false` where the system or the file system cannot.
#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> Result<bool, FileError> {
    Ok(false)
}

fn rename(from: &Path, to: &Path) -> Result<(), FileError> {
    fault::reached("rename");
    fs::rename(from, to).map_err(|e| FileError::io("rename to", to, e))
}

/// Makes renames in a folder last through a power cut, where the system can.
fn sync_folder(folder: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        fs::File::open(folder).and_then(|f| f.sync_all()).map_err(|e| FileError::io("flush", folder, e))?;
    }
    Ok(())
}
