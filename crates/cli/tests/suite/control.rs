//! `wolff cmc` and `wolff forward` on a forearm with one muscle.

use crate::dynamics::arm;
use crate::{code, json, stderr};

const INPUTS: [&str; 4] = ["--model", "arm.osim", "--motion", "still.mot"];

/// The biceps and the reserve carry 4 N m, the forearm stays, and the controls found give the same motion again.
#[test]
fn a_forearm_is_held_by_excitations() {
    let scratch = arm("control-cmc");
    let run = scratch.wolff(&[&["cmc"], &INPUTS[..], &["--out", "out"]].concat());
    // the reserve acts while the muscle comes to its force, and this is reported
    assert_eq!(code(&run), 3, "{}", stderr(&run));
    assert!(stderr(&run).contains("largest reserve over net moment (`flexion`, 1.0 N m)"), "{}", stderr(&run));
    for file in ["states.sto", "controls.sto", "Actuation_force.sto", "Kinematics_q.sto", "pErr.sto"] {
        assert!(scratch.0.join("out").join(file).exists(), "{file}");
    }
    let found = json(&scratch.wolff(&[&["cmc"], &INPUTS[..], &["--target", "slow", "--json"]].concat()));
    let [start, end] = [0, 1].map(|k| found["results"]["time_range"][k].as_f64().unwrap());
    assert!((start - 0.03).abs() < 1e-9 && (end - 0.99).abs() < 1e-9, "{start} {end}");
    // 4 N m over a moment arm of 0.0396 m; the force begins above it
    let [least, most] = [0, 1].map(|k| found["results"]["range"]["biceps"][k].as_f64().unwrap());
    assert!((95.0..102.0).contains(&least) && most < 130.0, "{least} {most}");
    let given = ["--states", "out/states.sto", "--controls", "out/controls.sto", "--time", "0.03:0.9", "--json"];
    let again = scratch.wolff(&[&["forward", "--model", "arm.osim"], &given[..]].concat());
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    let angle = &json(&again)["results"]["range"]["flexion"];
    for k in 0..2 {
        assert!(angle[k].as_f64().unwrap().abs() < 0.5, "{angle}");
    }
}

#[test]
fn bad_requests_are_refused() {
    let scratch = arm("control-refused");
    for (words, said) in [
        (vec!["--window", "0.8"], "too short"),
        (vec!["--tasks", "still.mot"], "still.mot"),
        (vec!["--tolerance", "0.5"], "tolerance"),
    ] {
        let run = scratch.wolff(&[&["cmc"], &INPUTS[..], &words[..], &["--json"]].concat());
        assert!(code(&run) != 0 && stderr(&run).contains(said), "{words:?}: {}", stderr(&run));
    }
    let run = scratch.wolff(&["forward", "--model", "arm.osim", "--time", "1:0", "--json"]);
    assert_ne!(code(&run), 0);
}
