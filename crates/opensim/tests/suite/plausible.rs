//! Published models have no findings: gravity, mass centres, inertia, points and parameters of muscles.

use std::path::{Path, PathBuf};
use wolff_opensim::OpensimSubject;
use wolff_plausibility::examine_model;

/// All files of models below a folder.
fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()) {
        if entry.is_dir() {
            models(&entry, found);
        } else if entry.extension().is_some_and(|e| e == "osim") {
            found.push(entry);
        }
    }
}

#[test]
fn published_models_are_plausible() {
    let Some(folder) = wolff_testdata::shared("data") else { return };
    let mut files = Vec::new();
    models(&folder, &mut files);
    files.sort();
    let mut wrong = Vec::new();
    let mut read = 0;
    for file in &files {
        // some files are parts of models, or have forces that are not supported
        let Ok(subject) = OpensimSubject::read(file) else { continue };
        read += 1;
        wrong.extend(examine_model(&subject.subject).iter().map(|f| format!("{}: {f}", file.display())));
    }
    assert!(read > 20, "{read} of {} models", files.len());
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}
