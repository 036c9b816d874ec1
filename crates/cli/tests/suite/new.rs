use crate::{Scratch, code, json, stderr, stdout};
use std::fs;

#[test]
fn a_copied_study_runs_as_the_built_in_one() {
    let scratch = Scratch::new("new");
    let output = scratch.wolff(&["new", "pendulum", "mine"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("wolff run mine"), "{}", stdout(&output));

    assert_eq!(code(&scratch.wolff(&["run", "mine/study.toml", "--out", "a"])), 0);
    assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--out", "b"])), 0);
    let series = scratch.files().into_iter().filter(|f| f.extension().is_some_and(|e| e == "sto"));
    let texts: Vec<_> = series.map(|f| fs::read(f).unwrap()).collect();
    assert!(texts.len() >= 2 && texts.len() % 2 == 0);
    let (a, b) = texts.split_at(texts.len() / 2);
    assert_eq!(a, b);
}

#[test]
fn an_existing_study_is_not_overwritten() {
    let scratch = Scratch::new("new-twice");
    fs::write(scratch.0.join("study.toml"), "mine").unwrap();
    let output = scratch.wolff(&["new", "pendulum", "."]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("exists already"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(scratch.0.join("study.toml")).unwrap(), "mine");
}

#[test]
fn an_unknown_study_makes_no_folder() {
    let scratch = Scratch::new("new-unknown");
    assert_eq!(code(&scratch.wolff(&["new", "nonsense", "mine"])), 2);
    assert!(!scratch.0.join("mine").exists());
}

#[test]
fn the_json_has_the_common_form() {
    let scratch = Scratch::new("new-json");
    let report = json(&scratch.wolff(&["new", "pendulum", "mine", "--json"]));
    assert_eq!((report["command"].as_str(), report["status"].as_str()), (Some("new"), Some("ok")));
    assert!(scratch.0.join(report["results"]["file"].as_str().unwrap()).is_file());
    assert!(report["warnings"].is_array() && report["timing"]["wall_s"].is_f64());
}
