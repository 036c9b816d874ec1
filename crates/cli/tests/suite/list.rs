use crate::{Scratch, code, json, stdout};
use wolff_study::BUILTIN;

#[test]
fn every_built_in_study_is_listed() {
    let scratch = Scratch::new("list");
    let people = stdout(&scratch.wolff(&["list"]));
    let machines = json(&scratch.wolff(&["list", "--json"]));
    let names: Vec<_> =
        machines["results"]["studies"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, BUILTIN.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert!(names.iter().all(|name| people.contains(name)), "{people}");
}

#[test]
fn every_study_shows_its_parameters() {
    let scratch = Scratch::new("list-parameters");
    for (study, _) in BUILTIN {
        let output = scratch.wolff(&["list", study, "--json"]);
        assert_eq!(code(&output), 0, "{study}");
        for parameter in json(&output)["results"]["parameters"].as_array().unwrap() {
            assert!(!parameter["meaning"].as_str().unwrap().is_empty(), "{parameter}");
        }
    }
    let people = stdout(&scratch.wolff(&["list", "spheres"]));
    assert!(people.starts_with("parameter"), "{people}");
    assert!(people.lines().count() > 1, "{people}");
}

/// At 80 columns no line is longer, no number is torn, and nothing is left out.
#[test]
fn lists_fit_the_terminal() {
    let scratch = Scratch::new("list-width");
    for (study, _) in BUILTIN {
        let text = stdout(&scratch.wolff(&["list", study]));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let parameters = json(&scratch.wolff(&["list", study, "--json"]));
        for parameter in parameters["results"]["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            assert!(text.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name} in {text}");
            let last = parameter["meaning"].as_str().unwrap().split_whitespace().last().unwrap();
            assert!(text.contains(last), "{last} of {name}");
        }
    }
    assert!(!stdout(&scratch.wolff(&["list", "sole-raise"])).contains("0000000000"), "rounding errors are not shown");
}
