//! A recorded walk in a folder of its own, and typical mistakes in its files.

use crate::{Scratch, code, json, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::process::Output;

pub const WALK: [&str; 4] = ["subject01.osim", "coordinates.sto", "grf.mot", "external_loads.xml"];
pub const INPUTS: [&str; 6] =
    ["--model", "subject01.osim", "--motion", "coordinates.sto", "--loads", "external_loads.xml"];

/// The walk of subject 1 in a folder of its own.
pub fn walk(test: &str) -> Option<Scratch> {
    let folder = wolff_testdata::shared("data/addbiomechanics-walk/subject01/ID")?;
    let scratch = Scratch::new(test);
    for name in WALK {
        fs::copy(folder.join(name), scratch.0.join(name)).unwrap();
    }
    Some(scratch)
}

/// A walk with 92 muscles in a folder of its own.
pub fn muscles(test: &str) -> Option<Scratch> {
    let folder = wolff_testdata::shared("data/gait1992-pipeline")?;
    let scratch = Scratch::new(test);
    for (from, name) in [
        ("residual_reduction_algorithm/model_adjusted.osim", "model.osim"),
        ("residual_reduction_algorithm/task_Kinematics_q.sto", "motion.sto"),
        ("experimental_data/setup_grf_after_rra.xml", "loads.xml"),
        ("experimental_data/task_grf.mot", "task_grf.mot"),
    ] {
        fs::copy(folder.join(from), scratch.0.join(name)).unwrap();
    }
    let path = scratch.0.join("loads.xml");
    let text = fs::read_to_string(&path).unwrap();
    let start = text.find("<datafile>").unwrap();
    let end = text.find("</datafile>").unwrap();
    fs::write(&path, format!("{}<datafile>task_grf.mot{}", &text[..start], &text[end..])).unwrap();
    Some(scratch)
}

pub fn run_muscles(scratch: &Scratch, command: &str, more: &[&str]) -> Output {
    let inputs = ["--model", "model.osim", "--motion", "motion.sto", "--loads", "loads.xml", "--time", "0.6:1.8"];
    let words: Vec<&str> = [command].into_iter().chain(inputs).chain(more.iter().copied()).collect();
    scratch.wolff(&words)
}

/// Changes the numbers of a storage file: `change` gets the label and the row.
pub fn spoil(scratch: &Scratch, file: &str, change: impl Fn(&str, &[f64], &[&str]) -> Option<f64>) {
    let path = scratch.0.join(file);
    let text = fs::read_to_string(&path).unwrap();
    let (head, body) = text.split_once("endheader\n").unwrap();
    let mut lines = body.lines();
    let labels: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut out = format!("{head}endheader\n{}\n", labels.join("\t"));
    for line in lines.filter(|l| !l.trim().is_empty()) {
        let row: Vec<f64> = line.split('\t').map(|x| x.trim().parse().unwrap()).collect();
        let cells = labels.iter().zip(&row).map(|(l, x)| change(l, &row, &labels).unwrap_or(*x).to_string());
        out += &format!("{}\n", cells.collect::<Vec<_>>().join("\t"));
    }
    fs::write(path, out).unwrap();
}

pub fn replace(scratch: &Scratch, file: &str, change: impl Fn(&str) -> String) {
    let path = scratch.0.join(file);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "nothing was changed in {file}");
    fs::write(path, changed).unwrap();
}

pub fn run(scratch: &Scratch, command: &str, more: &[&str]) -> Output {
    let words: Vec<&str> = [command].into_iter().chain(INPUTS).chain(more.iter().copied()).collect();
    scratch.wolff(&words)
}

/// The input is refused with these words, nothing is written, and `--force` goes on to a result that is not ok.
pub fn refused(scratch: &Scratch, words: &[&str]) {
    let run1 = run(scratch, "id", &["--out", "out"]);
    let text = plain(&stderr(&run1));
    assert_eq!(code(&run1), 2, "{text}");
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
    assert!(text.contains("--force"), "{text}");
    assert!(!scratch.0.join("out").exists());
    let forced = run(scratch, "id", &["--force", "--json"]);
    assert!([1, 3].contains(&code(&forced)), "{}: {}", code(&forced), stdout(&forced));
    assert!(["doubtful", "failed"].contains(&json(&forced)["status"].as_str().unwrap()));
    for command in ["so", "rra"] {
        let other = run(scratch, command, &["--json"]);
        assert_eq!(code(&other), 2, "{command}: {}", stdout(&other));
    }
}

pub fn value(report: &Value, key: &str) -> f64 {
    report["results"][key].as_f64().unwrap_or_else(|| panic!("no {key} in {report}"))
}

/// `id` with the forces themselves.
pub fn direct(scratch: &Scratch, axes: &str) -> Value {
    let inputs = ["id", "--model", "subject01.osim", "--motion", "coordinates.sto", "--loads", "grf.mot"];
    let words: Vec<&str> = inputs.into_iter().chain(["--axes", axes, "--json"]).collect();
    let run = scratch.wolff(&words);
    assert!([0, 3].contains(&code(&run)), "{}", stdout(&run));
    json(&run)
}

pub fn same_moments(a: &Value, b: &Value, tolerance: f64) {
    for column in ["knee_angle_r_moment", "ankle_angle_l_moment", "hip_flexion_r_moment", "hip_adduction_l_moment"] {
        for k in 0..2 {
            let [a, b] = [a, b].map(|r| r["results"]["range"][column][k].as_f64().unwrap());
            assert!((a - b).abs() < tolerance, "{column}: {a} and {b}");
        }
    }
}

/// A message without the frame and the line breaks of the terminal.
pub fn plain(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

pub fn name(entry: std::io::Result<fs::DirEntry>) -> String {
    entry.unwrap().file_name().to_string_lossy().into_owned()
}
