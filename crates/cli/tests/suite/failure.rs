use crate::{Scratch, code, json, stderr, stdout};
use std::fs;

#[test]
fn an_unknown_study_is_answered_with_the_nearest_name() {
    let scratch = Scratch::new("unknown-study");
    let output = scratch.wolff(&["run", "pendlum"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("did you mean `pendulum`?"), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
    assert!(scratch.files().is_empty());
}

#[test]
fn a_name_like_nothing_is_answered_with_all_names() {
    let scratch = Scratch::new("unlike");
    let output = scratch.wolff(&["run", "zzzzzzzzzzzzzz"]);
    let shown = stderr(&output);
    assert!(["built-in studies:", "spheres", "pendulum"].iter().all(|part| shown.contains(part)), "{shown}");
}

#[test]
fn mistakes_in_a_study_are_shown_all_at_once_with_their_lines() {
    let scratch = Scratch::new("mistakes");
    let text = scratch.wolff(&["new", "pendulum", "."]);
    assert_eq!(code(&text), 0);
    let path = scratch.0.join("study.toml");
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{good}\n[oops]\nx = 1\n[oops_too]\ny = 2\n")).unwrap();

    let output = scratch.wolff(&["run", "study.toml", "--json"]);
    assert_eq!(code(&output), 2);
    let errors = json(&output)["errors"].clone();
    let lines: Vec<u64> = errors.as_array().unwrap().iter().filter_map(|e| e["line"].as_u64()).collect();
    assert!(lines.len() >= 2, "{errors}");
    let shown = stderr(&output);
    assert!(shown.contains("study.toml:") && shown.contains("oops"), "{shown}");
    assert_eq!(scratch.files(), [path]);
}

#[test]
fn a_wrong_key_of_set_is_named() {
    let scratch = Scratch::new("set-key");
    let output = scratch.wolff(&["run", "pendulum", "--set", "no_such_key=1", "--set", "nor_this=2"]);
    assert_eq!(code(&output), 2);
    let shown = stderr(&output);
    assert!(shown.contains("no_such_key") && shown.contains("nor_this"), "{shown}");
    assert!(scratch.files().is_empty());
}

#[test]
fn a_missing_file_is_named() {
    let scratch = Scratch::new("missing");
    let output = scratch.wolff(&["run", "absent.toml"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("absent.toml"), "{}", stderr(&output));
}
