use crate::{Scratch, code, json, stdout};
use wolff_study::builtin;

#[test]
fn every_built_in_study_is_listed() {
    let scratch = Scratch::new("list");
    let people = stdout(&scratch.wolff(&["list"]));
    let machines = json(&scratch.wolff(&["list", "--json"]));
    let names: Vec<_> = machines["studies"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, builtin().iter().map(|s| s.name).collect::<Vec<_>>());
    assert!(names.iter().all(|name| people.contains(name)), "{people}");
}

#[test]
fn every_study_shows_its_parameters() {
    let scratch = Scratch::new("list-parameters");
    for study in builtin() {
        let output = scratch.wolff(&["list", study.name, "--json"]);
        assert_eq!(code(&output), 0, "{}", study.name);
        for parameter in json(&output)["parameters"].as_array().unwrap() {
            assert!(!parameter["meaning"].as_str().unwrap().is_empty(), "{parameter}");
        }
    }
    let people = stdout(&scratch.wolff(&["list", "spheres"]));
    assert!(people.starts_with("parameter"), "{people}");
    assert!(people.lines().count() > 1, "{people}");
}
