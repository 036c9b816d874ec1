//! Writing files and folders so that nobody ever sees half of one.
//!
//! Everything is built under a temporary name beside the target, flushed to disk, and renamed.

use crate::FileError;
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

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
    let temporary = temporary_beside(&parent, &name, "tmp");
    let written = write_new(&temporary, bytes).and_then(|()| rename(&temporary, &parent.join(&name)));
    if written.is_err() {
        // already failing: the first error is the one to report
        let _ = fs::remove_file(&temporary);
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
    folder: PathBuf,
}

impl Staging {
    /// A new folder beside the target, whose parents are made when they are missing.
    pub fn beside(target: &Path) -> Result<Self, FileError> {
        let (parent, name) = split(target)?;
        let folder = temporary_beside(&parent, &name, "tmp");
        fs::create_dir(&folder).map_err(|e| FileError::io("make the folder", &folder, e))?;
        Ok(Staging { folder })
    }

    /// Where files are to be written.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Writes a whole file and flushes it to disk; folders in its name are made.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.folder.join(name);
        if let Some(inner) = path.parent().filter(|inner| *inner != self.folder) {
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
        sync_folder(&self.folder)?;
        let (parent, name) = split(target)?;
        swap(&self.folder, &parent.join(&name))?;
        sync_folder(&parent)
    }

    /// Moves one finished file to its place, making folders that are missing.
    pub fn place(&self, file: &str, target: &Path) -> Result<(), FileError> {
        let from = self.folder.join(file);
        let (parent, name) = split(target)?;
        if fs::rename(&from, parent.join(&name)).is_err() {
            // another file system
            let temporary = temporary_beside(&parent, &name, "tmp");
            let copied = fs::copy(&from, &temporary)
                .and_then(|_| fs::File::open(&temporary)?.sync_all())
                .map_err(|e| FileError::io("write", &temporary, e))
                .and_then(|()| rename(&temporary, &parent.join(&name)));
            if copied.is_err() {
                let _ = fs::remove_file(&temporary);
            }
            copied?;
        }
        sync_folder(&parent)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // gone already where it became the target; and nobody is left to be told
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whether [`write_folder`] would accept this target; asked before a long computation.
pub fn check_replaceable(
    folder: &Path,
    written_before: &dyn Fn(&Path) -> Option<Vec<String>>,
) -> Result<(), FileError> {
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

fn check_names(folder: &Path, files: &[File]) -> Result<(), FileError> {
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

/// A free name beside the target; the process number keeps two runs apart.
fn temporary_beside(parent: &Path, name: &str, kind: &str) -> PathBuf {
    let process = std::process::id();
    (0u32..)
        .map(|n| parent.join(format!("{name}.{kind}-{process}-{n}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| parent.join(format!("{name}.{kind}-{process}")))
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let write = || {
        let mut file = fs::File::create_new(path)?;
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
    let (parent, name) = split(target)?;
    let old = temporary_beside(&parent, &name, "old");
    rename(target, &old)?;
    if let Err(e) = rename(finished, target) {
        let _ = fs::rename(&old, target);
        return Err(e);
    }
    fs::remove_dir_all(&old).map_err(|e| FileError::io("remove the replaced folder", &old, e))
}

fn rename(from: &Path, to: &Path) -> Result<(), FileError> {
    fs::rename(from, to).map_err(|e| FileError::io("rename to", to, e))
}

/// Makes renames in a folder last through a power cut, where the system can.
fn sync_folder(folder: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        fs::File::open(folder).and_then(|f| f.sync_all()).map_err(|e| FileError::io("flush", folder, e))?;
    }
    Ok(())
}
