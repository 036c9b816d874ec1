use crate::{Scratch, code, json, stdout};
use wolff_study::BUILTIN;

#[test]
fn every_built_in_study_is_listed() {
    let scratch = Scratch::new("list");
    let people = stdout(&scratch.wolff(&["list"]));
    let machines = json(&scratch.wolff(&["list", "--json"]));
    let names: Vec<_> = machines["studies"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, BUILTIN.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert!(names.iter().all(|name| people.contains(name)), "{people}");
}

#[test]
fn every_study_shows_its_parameters() {
    let scratch = Scratch::new("list-parameters");
    for (study, _) in BUILTIN {
        let output = scratch.wolff(&["list", study, "--json"]);
        assert_eq!(code(&output), 0, "{study}");
        for parameter in json(&output)["parameters"].as_array().unwrap() {
            assert!(!parameter["meaning"].as_str().unwrap().is_empty(), "{parameter}");
        }
    }
    let people = stdout(&scratch.wolff(&["list", "spheres"]));
    assert!(people.starts_with("parameter"), "{people}");
    assert!(people.lines().count() > 1, "{people}");
}
