//! Files that are not part of the project: tests that need them skip aloud where they are absent.

use std::path::PathBuf;
use wolff_formats::{Table, osim, sto};
use wolff_multibody::Model;
use wolff_opensim::{OpensimModel, convert};

/// A file or folder of the shared data, or a line that says that the test does nothing.
pub fn shared(path: &str) -> Option<PathBuf> {
    wolff_testdata::shared(&format!("data/{path}"))
}

/// A converted model of the shared data.
pub fn model(path: &str) -> Option<(OpensimModel, Model)> {
    let bytes = std::fs::read(shared(path)?).unwrap();
    let converted = convert(&osim::read(&bytes).unwrap()).unwrap();
    let built = converted.build().unwrap();
    Some((converted, built))
}

/// A table of the shared data.
pub fn table(path: &str) -> Option<Table> {
    Some(sto::read(&std::fs::read(shared(path)?).unwrap()).unwrap().table)
}

/// Coordinates of a model by name; others have their defaults.
pub fn place(model: &Model, values: &[(&str, f64)]) -> Vec<f64> {
    let mut q = model.q0.clone();
    for (name, value) in values {
        let speed = model.coordinate_index(name).unwrap_or_else(|| panic!("no coordinate {name}"));
        q[model.position_of_speed(speed).unwrap()] = *value;
    }
    q
}

/// A small model with one of nearly everything.
pub fn leg() -> osim::OsimModel {
    osim::read(include_bytes!("../../../formats/tests/suite/osim_version4.xml")).unwrap()
}

/// All shared files with one of these endings, in order of their names; says so where there are none.
pub fn all(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = shared("").into_iter().collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if endings.contains(&ending.as_str()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
