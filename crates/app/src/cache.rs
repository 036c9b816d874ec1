//! The cache of reduced bones between runs.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Cache folders to which no run has written for this time are removed.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Prefix of the names of cache folders.
const BONES: &str = "bones-";

/// The cache folder of this program: in `$WOLFF_CACHE` (if it is empty, there is no cache), otherwise in the cache
/// folder of the system; `None` if the system has none. The code that reduces bones is part of the name, so that no
/// program reads bones that other code has reduced.
pub fn bones() -> Option<PathBuf> {
    let home = match env::var_os("WOLFF_CACHE") {
        Some(folder) => (!folder.is_empty()).then(|| PathBuf::from(folder))?,
        None => system_cache()?.join("wolff"),
    };
    let own = format!("{BONES}{}-{}", env!("CARGO_PKG_VERSION"), wolff_bone::cache::CODE);
    remove_forgotten(&home, &own);
    Some(home.join(own))
}

/// The cache folder of the system.
fn system_cache() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        set("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library/Caches"))
    } else {
        set("XDG_CACHE_HOME").filter(|p| p.is_absolute()).or_else(|| set("HOME").map(|home| home.join(".cache")))
    }
}

/// Removes old cache folders of other builds; folders that cannot be removed are ignored.
fn remove_forgotten(home: &Path, own: &str) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|time| time.elapsed().ok());
        if name.starts_with(BONES) && name != own && age.is_some_and(|age| age > FORGOTTEN) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
