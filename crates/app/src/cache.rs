//! Where reductions of bones are kept from run to run.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Folders that no run has written to for so long are removed.
const FORGOTTEN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Begin of the names of folders with bones.
const BONES: &str = "bones-";

/// The folder of bones of this program: in `$WOLFF_CACHE` (empty: nowhere), or where the system keeps such things; none where there is no
/// such place. Every build of the program has its own, so that none reads what another reduced.
pub fn bones() -> Option<PathBuf> {
    let home = match env::var_os("WOLFF_CACHE") {
        Some(folder) => (!folder.is_empty()).then(|| PathBuf::from(folder))?,
        None => system_cache()?.join("wolff"),
    };
    let own = format!("{BONES}{}-{}", env!("CARGO_PKG_VERSION"), build()?);
    remove_forgotten(&home, &own);
    Some(home.join(own))
}

/// The folder of the system for such things.
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

/// Size and time of the program's file: another build has others.
fn build() -> Option<String> {
    let program = fs::metadata(env::current_exe().ok()?).ok()?;
    let time = program.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(format!("{:x}-{:x}", program.len(), time.as_nanos()))
}

/// Removes folders of other builds that nobody has written to for long; what cannot be removed stays.
fn remove_forgotten(home: &Path, own: &str) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|time| time.elapsed().ok());
        if name.starts_with(BONES) && name != own && age.is_some_and(|age| age > FORGOTTEN) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
