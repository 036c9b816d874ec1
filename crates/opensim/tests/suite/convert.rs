//! Whole models: every one of the shared data becomes a system.

use crate::data::{leg, shared};
use proptest::prelude::*;
use std::path::PathBuf;
use wolff_formats::osim;
use wolff_opensim::convert;

/// Every model of the shared data.
pub fn models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = shared("").into_iter().collect();
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "osim") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn every_model_loads() {
    for path in models() {
        let name = path.to_string_lossy().into_owned();
        let file = osim::read(&std::fs::read(&path).unwrap()).unwrap();
        let converted = convert(&file).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let model = converted.build().unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let coordinates: usize = file.joints.iter().map(|j| j.coordinates.len()).sum();
        assert!(model.nv() >= coordinates, "{name}");
    }
}

/// An inertia that no body can have is raised to the nearest that one can.
#[test]
fn impossible_inertias_are_repaired_and_listed() {
    let mut file = leg();
    file.bodies[1].inertia = [0.0, 0.0, 9e-4, 0.0, 0.0, 0.0];
    let converted = convert(&file).unwrap();
    let inertia = converted.spec.bodies[1].mass.inertia;
    assert!((inertia.diagonal() - wolff_spatial::Vec3::new(4.5e-4, 4.5e-4, 9e-4)).norm() < 1e-18);
    assert_eq!(converted.approximate[0].name, "tibia");
    file.bodies[1].inertia = [-1.0, 0.0, 9e-4, 0.0, 0.0, 0.0];
    assert!(convert(&file).unwrap_err()[0].to_string().starts_with("body `tibia`: principal moments"));
}

#[test]
fn all_mistakes_come_at_once() {
    let mut file = leg();
    file.bodies[0].mass = -1.0;
    file.joints[0].parent = "nowhere".into();
    file.markers[0].frame = "nobody".into();
    let errors = convert(&file).unwrap_err();
    assert_eq!(errors.len(), 3, "{errors:?}");
}

/// Words of a file exchanged for others of the same file: names that lead nowhere, numbers in wrong places.
fn shuffle(text: &str, edits: &[(prop::sample::Index, prop::sample::Index)]) -> String {
    let mut words: Vec<&str> = text.split_inclusive(['<', '>', ' ', '/']).collect();
    for (to, from) in edits {
        let (to, from) = (to.index(words.len()), from.index(words.len()));
        words[to] = words[from];
    }
    words.concat()
}

/// Whatever can be read either becomes a model or says why not. `WOLFF_FUZZ_CASES=100000` runs long.
#[test]
fn shuffled_models_never_panic() {
    let mut texts = vec![include_str!("../../../formats/tests/suite/osim_version4.xml").to_string()];
    let small = |p: &PathBuf| std::fs::metadata(p).is_ok_and(|m| m.len() < 20_000);
    texts.extend(models().iter().filter(|p| small(p)).filter_map(|p| std::fs::read_to_string(p).ok()));
    let config = ProptestConfig {
        cases: std::env::var("WOLFF_FUZZ_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(128),
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_250_102),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let index = || any::<prop::sample::Index>();
    let strategy = (index(), prop::collection::vec((index(), index()), 1..4));
    let outcome = proptest::test_runner::TestRunner::new(config).run(&strategy, |(which, edits)| {
        let text = shuffle(&texts[which.index(texts.len())], &edits);
        let Ok(file) = osim::read(text.as_bytes()) else { return Ok(()) };
        if let Ok(Ok(model)) = convert(&file).map(|c| c.build()) {
            wolff_multibody::System::new(&model).update_kinematics(&model.q0, &model.v0);
        }
        Ok(())
    });
    outcome.unwrap();
}
