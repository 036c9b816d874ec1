//! Which models load, and what they lose.

use crate::ValidationRow;
use crate::records::Records;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wolff_formats::osim;
use wolff_motion::MotionError;
use wolff_motion::recording::{ending, read_bytes};
use wolff_opensim::{OpensimModel, Unconverted, convert};

/// Models that do not load, and models that lose parts.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let files = models(records.folder());
    if files.is_empty() {
        let folder = records.folder().display().to_string();
        let none = MotionError::input(folder, "has no .osim file; give a folder with recorded trials");
        return vec![ValidationRow::failed("models", "loading", &none)];
    }
    let (mut refused, mut losing, mut classes) = (Vec::new(), 0, BTreeMap::<String, usize>::new());
    for file in &files {
        match load(file) {
            Ok(model) => {
                let lost: Vec<&Unconverted> = model.unconverted.iter().filter(|l| !is_switched_off(l)).collect();
                losing += usize::from(!lost.is_empty());
                for part in lost {
                    *classes.entry(part.class.clone()).or_insert(0) += 1;
                }
            }
            Err(reason) => {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                refused.push(format!("{name}: {reason}"));
            }
        }
    }
    let trial = format!("{} models", files.len());
    let row = |what, count: usize| ValidationRow::measured(&trial, what, count as f64, "models");
    let classes: Vec<String> = classes.iter().map(|(class, n)| format!("{class} ×{n}")).collect();
    vec![
        row("models that do not load", refused.len()).limited(0.0, "goal").bounded(1.0).noted(refused.join("; ")),
        row("models with parts left out", losing).limited(0.0, "goal").bounded(14.0).noted(classes.join(", ")),
    ]
}

/// Every model file of a folder and those below, in order; folders that cannot be read have none.
pub fn models(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if ending(&path) == "osim" {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads, converts and builds a model, or gives the first reason why not.
fn load(file: &Path) -> Result<OpensimModel, String> {
    let bytes = read_bytes(file).map_err(|e| e.to_string())?;
    let read = osim::read(&bytes).map_err(|e| e.to_string())?;
    let first = |reasons: Vec<String>| reasons.into_iter().next().unwrap_or_default();
    let converted = convert(&read).map_err(|e| first(e.iter().map(ToString::to_string).collect()))?;
    converted.build().map_err(|e| first(e.iter().map(ToString::to_string).collect()))?;
    Ok(converted)
}

/// Whether the file itself switches the part off, which leaves nothing out.
fn is_switched_off(part: &Unconverted) -> bool {
    ["force", "constraint"].contains(&part.class.as_str())
}
