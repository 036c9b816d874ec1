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
    assert!(["known:", "spheres", "pendulum"].iter().all(|part| shown.contains(part)), "{shown}");
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

/// Two rods on hinges; `change` spoils it.
fn two_rods(change: impl Fn(String) -> String) -> String {
    let text = r#"
study = "rods"
title = "Two rods"
about = "A chain of two rods."
[[body]]
name = "upper"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "lower"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "shoulder"
kind = "pin"
axis = [0, 0, 1]
parent = "ground"
child = "upper"
[[joint]]
name = "elbow"
kind = "pin"
axis = [0, 0, 1]
parent = { body = "upper", at = [1, 0, 0] }
child = "lower"
[[force]]
name = "rubber"
kind = "torsion-spring"
coordinate = "elbow"
stiffness = 5
[integrator]
duration = 0.1
"#;
    change(text.into())
}

/// Bad studies: what is wrong with them, and what the program must say.
#[test]
fn bad_studies_are_refused_and_leave_nothing_behind() {
    const IMPOSSIBLE: &str = r#"
[[constraint]]
name = "closure"
kind = "spherical"
a = { body = "lower", at = [1, 0, 0] }
b = { body = "ground", at = [7, 0, 0] }
"#;
    type Change = fn(String) -> String;
    let cases: [(&str, Change, &str); 6] = [
        ("unknown-joint", |t| t.replacen("\"pin\"", "\"pinn\"", 1), "did you mean `pin`?"),
        ("zero-mass", |t| t.replace("mass = 2", "mass = 0"), "mass is 0"),
        ("impossible-loop", |t| t + IMPOSSIBLE, "cannot be assembled"),
        ("nan", |t| t.replace("mass = 2", "mass = nan"), "not a finite number"),
        ("negative-stiffness", |t| t.replace("stiffness = 5", "stiffness = -5"), "`stiffness` of force `rubber` is -5"),
        ("cyclic-tree", |t| t.replace("parent = \"ground\"", "parent = \"lower\""), "in a circle"),
    ];
    let scratch = Scratch::new("bad-studies");
    let good = two_rods(|t| t);
    fs::write(scratch.0.join("good.toml"), good).unwrap();
    let output = scratch.wolff(&["run", "good.toml", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    for (name, change, expected) in cases {
        let file = format!("{name}.toml");
        fs::write(scratch.0.join(&file), two_rods(change)).unwrap();
        let before = scratch.files();
        let output = scratch.wolff(&["run", &file, "--out", "results"]);
        assert_eq!(code(&output), 2, "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(&file), "{name}: the file is not named: {}", stderr(&output));
        assert_eq!(scratch.files(), before, "{name} left files behind");
    }
}

/// With --json every failure is one object with the same keys, also where the command line itself is wrong.
#[test]
fn failures_are_objects_with_the_same_keys() {
    let scratch = Scratch::new("failure-json");
    let wrong: [(&[&str], &str, &str); 6] = [
        (&["run", "pendulm", "--json"], "study", "no built-in study"),
        (&["run", "pendulum", "--json", "--set", "length=-1"], "study", "greater than 0"),
        (&["run", "pendulum", "--json", "--frobnicate"], "command", "--frobnicate"),
        (&["list", "nothing", "--json"], "command", "no built-in study"),
        (&["verify", "nothing", "--json"], "command", "nothing"),
        (&["new", "nothing", "here", "--json"], "command", "no built-in study"),
    ];
    for (words, key, text) in wrong {
        let output = scratch.wolff(words);
        assert_eq!(code(&output), 2, "{words:?}: {}", stderr(&output));
        let object = json(&output);
        let keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, [key, "status", "results", "errors", "warnings", "timing"], "{words:?}");
        assert_eq!(object["status"], "failed", "{words:?}");
        assert!(object["errors"][0]["message"].as_str().unwrap().contains(text), "{words:?}: {object}");
        assert!(!stderr(&output).is_empty(), "{words:?}");
    }
}
