//! Whether something can be written to a place, asked before a long computation, and claims of a place by one process.

use crate::FileError;
use crate::leftover::{Kind, Temporary};
use std::fs::{self, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Checks that a file or folder can be made at this place: a temporary file is made there, or in the first folder above
/// that exists, and removed.
///
/// # Errors
/// The place is a link to nothing or a mount point, which cannot be replaced; or the system refuses to write there.
pub fn check_writable(target: &Path) -> Result<(), FileError> {
    let link = fs::symlink_metadata(target).is_ok_and(|about| about.file_type().is_symlink());
    if link && fs::metadata(target).is_err() {
        return Err(FileError::refused(target, "it is a link to something that does not exist; remove the link"));
    }
    let whole = match fs::canonicalize(target) {
        Ok(real) => real,
        Err(_) => std::path::absolute(target).map_err(|e| FileError::io("find", target, e))?,
    };
    if is_mount_point(&whole) {
        return Err(FileError::refused(target, "it is a mount point, which cannot be replaced; give a folder in it"));
    }
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(parent) = whole.ancestors().skip(1).find(|folder| fs::symlink_metadata(folder).is_ok()) else {
        return Ok(());
    };
    let trial = Temporary::beside(parent, &name, Kind::New);
    let made = fs::File::create_new(trial.path()).map(drop);
    // a file that was made is gone again whatever happens next
    let _ = fs::remove_file(trial.path());
    made.map_err(|e| FileError::io("write", target, e))
}

/// Whether a folder is on another file system than the folder in which it is.
#[cfg(unix)]
fn is_mount_point(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|about| about.dev()).ok();
    match (device(folder), folder.parent().and_then(device)) {
        (Some(own), Some(outer)) => folder.is_dir() && own != outer,
        _ => false,
    }
}

/// Whether a folder is on another file system than the folder in which it is; not known here.
#[cfg(not(unix))]
fn is_mount_point(_: &Path) -> bool {
    false
}

/// The claim of a process on a place where its results will be. It ends with the claim, or with the process.
#[derive(Debug)]
pub struct Claim {
    file: PathBuf,
    /// Locked as long as it is open.
    _lock: fs::File,
    /// Folders that were made for the file, the innermost first.
    made: Vec<PathBuf>,
}

impl Claim {
    /// Claims a folder by a locked file `FOLDER.lock` beside it. `None` where the file system has no locks.
    ///
    /// # Errors
    /// Another process has claimed the folder, or the system refuses to write there.
    pub fn of(folder: &Path) -> Result<Option<Self>, FileError> {
        let mut name = folder.file_name().unwrap_or_default().to_os_string();
        name.push(".lock");
        let file = folder.with_file_name(name);
        let parents = file.ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
        let made: Vec<PathBuf> = parents.take_while(|parent| !parent.exists()).map(Path::to_path_buf).collect();
        if let Some(innermost) = made.first() {
            fs::create_dir_all(innermost).map_err(|e| FileError::io("make the folder", innermost, e))?;
        }
        let lock = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&file);
        let lock = lock.map_err(|e| FileError::io("write", &file, e))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { file, _lock: lock, made })),
            Err(TryLockError::WouldBlock) => Err(FileError::refused(
                folder,
                "another run is going on that will write there, and one result would replace the other; wait for it, \
                 or choose another folder with --out DIR",
            )),
            Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {
                let _ = fs::remove_file(&file);
                Ok(None)
            }
            Err(TryLockError::Error(e)) => Err(FileError::io("lock", &file, e)),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
        // folders stay in which something else is meanwhile
        self.made.iter().for_each(|folder| _ = fs::remove_dir(folder));
    }
}
