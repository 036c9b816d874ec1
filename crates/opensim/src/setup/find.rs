//! Files that a set-up names: set-ups are often made on another computer, in other folders.
//!
//! A path is taken as it is written, from the folder of the set-up. Where no file is there, a file of that name is
//! looked for: beside the set-up, then in its sub-folders, then in the parent folder and in the folders beside it.
//! There it could be the file of another subject, so the folder that contains it must have the written name, too. What
//! was found is reported; two files of that name are an error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wolff_verdict::Finding;

/// Depth of sub-folders that are searched, from the folder of the set-up and from its parent.
const DEPTHS: [usize; 2] = [3, 2];

/// Maximum number of folder entries that are looked at: a search must not last when a set-up lies in a large folder.
const MOST_ENTRIES: usize = 5000;

/// An input file as written in a set-up: the path to use and what is to be told about it.
pub(super) fn input(folder: &Path, written: &str) -> Result<(PathBuf, Option<Finding>), String> {
    let direct = joined(folder, written);
    let name = last_part(written);
    // a set-up whose own folder does not exist was not read from a file
    if name.is_empty() || direct.exists() || !searchable(folder) {
        return Ok((direct, None));
    }
    if let Some(found) = beside(folder, name) {
        let message = format!("`{written}` does not exist; `{}` beside the set-up is used", last_of(&found));
        return Ok((found, Some(Finding::note(message, ""))));
    }
    let (found, is_inside) = elsewhere(folder, name);
    let best = best_match(&found, written, if is_inside { 1 } else { 2 });
    match &best[..] {
        [] => {
            let other = match found.first() {
                Some(other) => format!("; `{}` is not used: it may be the file of another subject", other.display()),
                None => {
                    format!(", and there is no `{name}` beside the set-up, in its sub-folders or in folders near it")
                }
            };
            let message = format!("`{written}` does not exist{other}");
            let path = if is_foreign(written) { PathBuf::from(written) } else { direct };
            Ok((path, Some(Finding::note(message, "correct the path in the set-up, or give the file by an option"))))
        }
        [one] => {
            let message =
                format!("`{written}` does not exist; `{}` is used, because it has the same name", one.display());
            let remedy = "check that it is the file of this subject and trial, or correct the path in the set-up";
            Ok((one.to_path_buf(), Some(Finding::warning(message, remedy))))
        }
        several => {
            let list: Vec<String> = several.iter().map(|path| format!("`{}`", path.display())).collect();
            Err(format!(
                "`{written}` does not exist, and several files have this name: {}; correct the path in the set-up",
                list.join(", ")
            ))
        }
    }
}

/// An output file or folder as written in a set-up: a path of another system becomes one beside the set-up.
pub(super) fn output(folder: &Path, written: &str) -> (PathBuf, Option<Finding>) {
    let direct = joined(folder, written);
    let name = last_part(written);
    if !is_foreign(written) || direct.exists() || name.is_empty() {
        return (direct, None);
    }
    let message = format!("`{written}` is a path of another system; results go to `{name}` beside the set-up");
    (folder.join(name), Some(Finding::note(message, "")))
}

/// A path from a folder, without `.` in it.
fn joined(folder: &Path, written: &str) -> PathBuf {
    let path: PathBuf = folder.join(with_slashes(written)).components().collect();
    if path.as_os_str().is_empty() { folder.to_path_buf() } else { path }
}

/// Windows writes backslashes.
fn with_slashes(written: &str) -> String {
    written.replace('\\', "/")
}

/// The name of a file at the end of a path of any system.
fn last_part(written: &str) -> &str {
    written.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default()
}

fn last_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a path begins with a drive or a server of Windows, and this is another system.
fn is_foreign(written: &str) -> bool {
    let drive = matches!(written.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    !cfg!(windows) && (drive || written.starts_with(r"\\"))
}

fn searchable(folder: &Path) -> bool {
    shown(folder).is_dir()
}

/// The folder as a path that can be opened: an empty one is the current folder.
fn shown(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The file of that name in a folder; a file whose name differs in capital letters only if it is the only one.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if exact.is_file() {
        return Some(exact);
    }
    let alike: Vec<PathBuf> =
        entries(shown(folder)).into_iter().filter(|p| p.is_file() && is_called(p, name)).collect();
    match &alike[..] {
        [one] => Some(folder.join(one.file_name()?)),
        _ => None,
    }
}

fn is_called(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|n| n.to_string_lossy().eq_ignore_ascii_case(name))
}

/// Entries of a folder in the order of their names; none of a folder that cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = list.flatten().take(MOST_ENTRIES).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Files of that name in the sub-folders of a folder; where there is none, in its parent and in the folders beside it.
/// Those with equal capital letters if there are any. Also returns whether they are in sub-folders.
fn elsewhere(folder: &Path, name: &str) -> (Vec<PathBuf>, bool) {
    let (mut found, mut left, mut seen) = (Vec::new(), MOST_ENTRIES, BTreeSet::new());
    search(shown(folder), name, DEPTHS[0], &mut left, &mut seen, &mut found);
    let is_inside = !found.is_empty();
    let real = shown(folder).canonicalize().ok();
    let parent = real.as_deref().and_then(Path::parent).filter(|p| p.parent().is_some());
    if let Some(parent) = parent.filter(|_| found.is_empty()) {
        search(parent, name, DEPTHS[1], &mut left, &mut seen, &mut found);
    }
    let exact: Vec<PathBuf> = found.iter().filter(|p| last_of(p) == name).cloned().collect();
    (if exact.is_empty() { found } else { exact }, is_inside)
}

/// Adds the files of that name in a folder and its sub-folders, each file once.
fn search(
    folder: &Path,
    name: &str,
    depth: usize,
    left: &mut usize,
    seen: &mut BTreeSet<PathBuf>,
    found: &mut Vec<PathBuf>,
) {
    let Ok(real) = folder.canonicalize() else { return };
    if !seen.insert(real) {
        return;
    }
    let all = entries(folder);
    let looked_at = all.len().min(*left);
    *left -= looked_at;
    for path in &all[..looked_at] {
        if path.is_dir() && depth > 0 {
            search(path, name, depth - 1, left, seen, found);
        } else if is_called(path, name) && path.is_file() {
            found.push(path.clone());
        }
    }
}

/// The candidates that share the most parts with the written path, counted from the end, and at least so many.
fn best_match<'a>(found: &'a [PathBuf], written: &str, least: usize) -> Vec<&'a PathBuf> {
    let parts: Vec<String> =
        with_slashes(written).split('/').rev().filter(|p| !p.is_empty()).map(str::to_ascii_lowercase).collect();
    let shared = |path: &Path| {
        let own = path.iter().rev().map(|p| p.to_string_lossy().to_ascii_lowercase());
        own.zip(&parts).take_while(|(own, part)| own == *part).count()
    };
    let most = found.iter().map(|path| shared(path)).max().unwrap_or(0).max(least);
    found.iter().filter(|path| shared(path) == most).collect()
}
