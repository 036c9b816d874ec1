//! Names of files and folders under construction, and what a killed process left of them.
//!
//! A temporary name is `NAME.tmp-MACHINE-PROCESS-NUMBER`, and a folder that is being replaced is
//! `NAME.old-MACHINE-PROCESS-NUMBER` for the moment between two renames. A process that is killed leaves them; the next
//! one that writes the same target puts an old folder back if the target is missing, and removes the rest.

use crate::FileError;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// Kinds of temporary names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Under construction.
    New,
    /// A finished folder that is being replaced.
    Old,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::New => "tmp",
            Kind::Old => "old",
        }
    }

    /// For how long nothing may have changed in a leftover whose process cannot be looked for, because it ran on
    /// another machine, in another container, or before this machine was started, until it counts as abandoned. Files
    /// of a long run are written over days; the moment between two renames is short.
    fn longest_pause(self) -> Duration {
        match self {
            Kind::New => Duration::from_secs(7 * 24 * 3600),
            Kind::Old => Duration::from_secs(60),
        }
    }
}

/// Identifies what a process number refers to: this machine since it was started, and the container.
static MACHINE: LazyLock<Option<String>> = LazyLock::new(|| {
    let start = fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    let container = fs::read_link("/proc/self/ns/pid").ok()?;
    // where processes of other users are hidden, a missing number says nothing
    fs::metadata("/proc/1").ok()?;
    let mut hash = Sha256::new();
    hash.update(start);
    hash.update(container.to_string_lossy().as_bytes());
    Some(hash.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect())
});

/// The temporary names that this process uses.
static IN_USE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn in_use() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary name that is not in use any more when this is dropped.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// A free name beside the target.
    pub fn beside(parent: &Path, name: &str, kind: Kind) -> Self {
        let machine = MACHINE.as_deref().unwrap_or("00000000");
        let (process, word) = (std::process::id(), kind.word());
        let mut used = in_use();
        let mut number = 0u64;
        loop {
            let path = parent.join(format!("{name}.{word}-{machine}-{process}-{number}"));
            if fs::symlink_metadata(&path).is_err() && used.insert(path.clone()) {
                return Temporary(path);
            }
            number += 1;
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        in_use().remove(&self.0);
    }
}

/// Puts back a folder that a killed process was replacing, and removes what killed processes left beside the target.
///
/// Only names that this program makes are looked at, and only those whose process is gone. What cannot be removed is
/// left for the next time.
///
/// # Errors
/// A folder cannot be put back.
pub fn recover(target: &Path) -> Result<(), FileError> {
    let Ok(whole) = std::path::absolute(target) else { return Ok(()) };
    let whole = fs::canonicalize(&whole).unwrap_or(whole);
    let (Some(parent), Some(name)) = (whole.parent(), whole.file_name()) else { return Ok(()) };
    let mut old = Vec::new();
    for (kind, path) in leftovers(parent, &name.to_string_lossy()) {
        match kind {
            Kind::Old => old.push(path),
            Kind::New => remove(&path),
        }
    }
    old.sort_by_key(|path| last_change(path));
    if fs::symlink_metadata(&whole).is_err()
        && let Some(last) = old.pop()
    {
        fs::rename(&last, &whole).map_err(|e| FileError::io("put back", &whole, e))?;
    }
    old.iter().for_each(|path| remove(path));
    Ok(())
}

/// The abandoned temporary names of a target.
fn leftovers(parent: &Path, name: &str) -> Vec<(Kind, PathBuf)> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let parsed = entries.filter_map(|entry| {
        let found = entry.file_name().to_string_lossy().into_owned();
        let rest = found.strip_prefix(name)?.strip_prefix('.')?;
        let kind = [Kind::New, Kind::Old].into_iter().find(|kind| rest.starts_with(kind.word()))?;
        let (machine, process) = parse(rest.strip_prefix(kind.word())?.strip_prefix('-')?)?;
        is_abandoned(&entry.path(), kind, &machine, process).then(|| (kind, entry.path()))
    });
    parsed.collect()
}

/// The path with temporary names replaced by those of their targets.
pub(crate) fn target_of(path: &Path) -> PathBuf {
    let of_target = |part: &OsStr| {
        let text = part.to_str()?;
        [Kind::New, Kind::Old].into_iter().find_map(|kind| {
            let (name, rest) = text.rsplit_once(&format!(".{}-", kind.word()))?;
            parse(rest).map(|_| OsString::from(name))
        })
    };
    path.iter().map(|part| of_target(part).unwrap_or_else(|| part.to_owned())).collect()
}

/// Machine and process of `MACHINE-PROCESS-NUMBER`.
fn parse(text: &str) -> Option<(String, u32)> {
    let mut parts = text.split('-');
    let (machine, process, number) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_machine = machine.len() == 8 && machine.bytes().all(|b| b.is_ascii_hexdigit());
    let is_ours = is_machine && digits(process) && digits(number) && parts.next().is_none();
    Some((machine.into(), process.parse().ok().filter(|_| is_ours)?))
}

fn is_abandoned(path: &Path, kind: Kind, machine: &str, process: u32) -> bool {
    if MACHINE.as_deref() != Some(machine) {
        let pause = last_change(path).and_then(|time| time.elapsed().ok());
        return pause.is_some_and(|pause| pause > kind.longest_pause());
    }
    match process == std::process::id() {
        // a name of an earlier process with the same number
        true => !in_use().contains(path),
        // a number that was given to another process meanwhile keeps the leftover until that one ends
        false => fs::symlink_metadata(format!("/proc/{process}")).is_err(),
    }
}

/// When something was last changed in a file or folder.
fn last_change(path: &Path) -> Option<SystemTime> {
    let about = fs::symlink_metadata(path).ok()?;
    let inner = fs::read_dir(path).into_iter().flatten().flatten().filter_map(|entry| last_change(&entry.path()));
    inner.chain(changed(&about)).max()
}

/// When content or name was changed.
#[cfg(unix)]
fn changed(about: &fs::Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(about.ctime()).ok()?))
}

/// When content was changed.
#[cfg(not(unix))]
fn changed(about: &fs::Metadata) -> Option<SystemTime> {
    about.modified().ok()
}

fn remove(path: &Path) {
    // what cannot be removed now is tried the next time
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
