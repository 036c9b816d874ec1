use std::path::{Path, PathBuf};
use wolff_files::place::{Claim, check_writable};

/// A fresh folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("place-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_new_place_can_be_written_and_nothing_is_left_there() {
    let folder = folder("new");
    check_writable(&folder.join("a/b/results")).unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn places_that_cannot_be_written_are_refused_before() {
    let link = folder("link").join("link");
    std::os::unix::fs::symlink("/nowhere/at/all", &link).unwrap();
    assert!(check_writable(&link).unwrap_err().to_string().contains("link"));
    assert!(check_writable(Path::new("/proc/results")).is_err());
    assert!(check_writable(Path::new("/proc")).unwrap_err().to_string().contains("mount point"));
}

#[test]
fn a_place_is_claimed_once() {
    let folder = folder("claim");
    let results = folder.join("runs/results");
    let claim = Claim::of(&results).unwrap();
    let refusal = Claim::of(&results).unwrap_err().to_string();
    assert!(refusal.contains("another run"), "{refusal}");
    drop(claim);
    drop(Claim::of(&results).unwrap());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "neither the lock nor the folder made for it stays");
}
