use crate::{Scratch, code, json, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn the_json_has_the_promised_fields_and_no_folder_is_written() {
    let scratch = Scratch::new("run-json");
    let output = scratch.wolff(&["run", "pendulum", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["status"], "ok");
    assert!(!report["results"].as_object().unwrap().is_empty());
    assert!(report["warnings"].is_array());
    for part in ["cpu_s", "wall_s", "simulated_s"] {
        assert!(report["timing"][part].as_f64().unwrap() >= 0.0, "{report}");
    }
    assert!(scratch.files().is_empty());
}

#[test]
fn the_folder_goes_to_runs_and_the_table_to_people() {
    let scratch = Scratch::new("run-default");
    let output = scratch.wolff(&["run", "pendulum"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("result"), "{}", stdout(&output));
    assert!(scratch.0.join("runs").is_dir());
    assert!(scratch.files().iter().any(|f| f.ends_with("summary.json")));
    assert!(scratch.files().iter().any(|f| f.ends_with("report.html")));
    assert!(stdout(&output).contains("report.html"), "{}", stdout(&output));
}

#[test]
fn what_was_set_is_marked_on_the_page() {
    let scratch = Scratch::new("run-page");
    let set = ["run", "pendulum", "--out", "a", "--set", "length=0.5", "--set", "integrator.rtol=1e-8"];
    let output = scratch.wolff(&set);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = fs::read_to_string(scratch.0.join("a/report.html")).unwrap();
    for row in
        ["<tr class=\"changed\"><th scope=\"row\">length</th>", "<th scope=\"row\">integrator.rtol</th><td>1e-8</td>"]
    {
        assert!(page.contains(row), "{row}");
    }
}

/// Long series once: `.sto` unless `.csv` or both are asked for.
#[test]
fn series_are_written_once() {
    let scratch = Scratch::new("run-series");
    let count = |folder: &str, end: &str| {
        let files = scratch.files().into_iter().filter(|f| f.starts_with(scratch.0.join(folder)));
        files.filter(|f| f.extension().is_some_and(|e| e == end)).count()
    };
    for (choice, sto, csv) in [("sto", true, false), ("csv", false, true), ("both", true, true)] {
        assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--series", choice, "--out", choice])), 0);
        assert_eq!((count(choice, "sto") > 0, count(choice, "csv") > 0), (sto, csv), "{choice}");
    }
    assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--out", "default"])), 0);
    assert_eq!((count("default", "sto"), count("default", "csv")), (count("sto", "sto"), 0));
}

/// At 80 columns and at 60 no line is longer, numbers stay whole, and units are right.
#[test]
fn tables_fit_the_terminal() {
    let scratch = Scratch::new("run-width");
    for (study, number) in [("spheres", "0.0001517"), ("knee-natural", "13.13")] {
        for columns in ["80", "60"] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wolff"));
            command.args(["run", study, "--out", "a"]).current_dir(&scratch.0).env("COLUMNS", columns);
            let text = stdout(&command.output().unwrap());
            let width: usize = columns.parse().unwrap();
            // the last two lines are sentences
            let tables = text.lines().take_while(|line| !line.starts_with("simulated"));
            assert!(tables.clone().count() > 10 && tables.clone().all(|line| line.chars().count() <= width), "{text}");
            assert!(text.split_whitespace().any(|word| word == number), "{number} in {text}");
            assert!(text.contains("pass"), "{text}");
            if study == "knee-natural" {
                assert!(text.contains("N m") && text.contains("mm²"), "{text}");
            }
        }
    }
}

#[test]
fn quiet_prints_nothing() {
    let scratch = Scratch::new("run-quiet");
    let output = scratch.wolff(&["run", "pendulum", "--quiet", "--out", "here"]);
    assert_eq!(code(&output), 0);
    assert!(output.stdout.is_empty());
    assert!(scratch.0.join("here/provenance.json").is_file());
}

/// All files, those of folders within too, but the timing in the summary.
fn contents(folder: &Path) -> Vec<(String, String)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .flat_map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                return contents(&path);
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let mut text = fs::read_to_string(&path).unwrap();
            if name == "summary.json" {
                let mut summary: Value = serde_json::from_str(&text).unwrap();
                assert!(summary["timing"]["wall_s"].is_f64());
                summary["timing"] = Value::Null;
                text = summary.to_string();
            }
            vec![(name, text)]
        })
        .collect();
    all.sort();
    all
}

#[test]
fn the_same_run_twice_gives_the_same_bytes() {
    let scratch = Scratch::new("run-twice");
    for folder in ["a", "b"] {
        assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--out", folder])), 0);
    }
    assert_eq!(contents(&scratch.0.join("a")), contents(&scratch.0.join("b")));
}

#[test]
fn an_earlier_run_is_replaced_and_anything_else_is_refused() {
    let scratch = Scratch::new("run-replace");
    assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--out", "a"])), 0);
    assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--out", "a"])), 0);

    fs::create_dir(scratch.0.join("thesis")).unwrap();
    fs::write(scratch.0.join("thesis/chapter.tex"), "years").unwrap();
    let output = scratch.wolff(&["run", "pendulum", "--out", "thesis"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("not empty"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(scratch.0.join("thesis")).unwrap().count(), 1);
}

/// A long walk without bones; the program runs on its own until something ends it.
#[cfg(unix)]
fn long_walk(scratch: &Scratch) -> std::process::Child {
    use std::process::{Command, Stdio};
    let arguments = ["run", "walk", "--set", "bones=none", "--set", "cycles=30", "--out", "run"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolff"));
    command.args(arguments).current_dir(&scratch.0).env("WOLFF_CACHE", "");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a file is there.
#[cfg(unix)]
fn wait_for(path: &Path) {
    for _ in 0..1200 {
        if path.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{} does not come", path.display());
}

#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Ctrl-C leaves what was done, marked as a part, with its own exit code; a process that is killed leaves the last
/// state that it kept. Both go on to the same bytes, and nothing stays beside the folder.
#[cfg(unix)]
#[test]
fn a_walk_is_stopped_killed_and_continued() {
    let scratch = Scratch::new("run-stopped");
    let kept = scratch.0.join("run.resume");
    let child = long_walk(&scratch);
    wait_for(&kept);
    signal(&child, "INT");
    let stopped = child.wait_with_output().unwrap();
    assert_eq!(code(&stopped), 130, "{}", stderr(&stopped));
    assert!(stdout(&stopped).contains("partial") && stdout(&stopped).contains("--resume run"), "{}", stdout(&stopped));
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(scratch.0.join("run/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["status"], "partial");
    assert!(scratch.0.join("run/resume.bin").is_file() && !kept.exists());

    let other = scratch.wolff(&["run", "walk", "--resume", "run", "--set", "cycles=31"]);
    assert_eq!(code(&other), 2);
    assert!(stderr(&other).contains("cannot be resumed"), "{}", stderr(&other));
    let continued = scratch.wolff(&["run", "walk", "--resume", "run"]);
    assert_eq!(code(&continued), 0, "{}", stderr(&continued));
    let first = contents(&scratch.0.join("run"));
    assert!(!scratch.0.join("run/resume.bin").exists() && !kept.exists());
    let whole = scratch.wolff(&["run", "walk", "--resume", "run"]);
    assert_eq!(code(&whole), 2);
    fs::remove_dir_all(scratch.0.join("run")).unwrap();

    let mut child = long_walk(&scratch);
    wait_for(&kept);
    signal(&child, "KILL");
    child.wait().unwrap();
    assert!(!scratch.0.join("run").exists());
    let continued = scratch.wolff(&["run", "walk", "--resume", "run"]);
    assert_eq!(code(&continued), 0, "{}", stderr(&continued));
    let second = contents(&scratch.0.join("run"));
    assert!(!kept.exists());
    let whole = scratch.wolff(&["run", "walk", "--set", "bones=none", "--set", "cycles=30", "--out", "whole"]);
    assert_eq!(code(&whole), 0);
    let whole = contents(&scratch.0.join("whole"));
    for (file, expected) in whole.iter().enumerate() {
        assert!(first[file] == *expected && second[file] == *expected, "{} differs", expected.0);
    }
}

/// The cache makes no difference to what comes out, and can be left out.
#[test]
fn a_cached_bone_gives_the_same_bytes() {
    let scratch = Scratch::new("run-cache");
    let cache = scratch.0.join("cache");
    let run = |folder: &str, more: &[&str]| {
        let arguments = [&["run", "walk", "--set", "cycles=1", "--out", folder], more].concat();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wolff"));
        let output = command.args(arguments).current_dir(&scratch.0).env("WOLFF_CACHE", &cache).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    };
    run("none", &["--no-cache"]);
    assert!(!cache.exists());
    run("cold", &[]);
    assert!(cache.is_dir());
    run("warm", &[]);
    let none = contents(&scratch.0.join("none"));
    assert!(none == contents(&scratch.0.join("cold")) && none == contents(&scratch.0.join("warm")));
}

/// The time limit holds for the reduction of a mesh too, which asks for no limit itself.
#[test]
fn a_model_that_is_built_too_long_ends_the_run() {
    let scratch = Scratch::new("run-built");
    let output = scratch.wolff(&["run", "tube-modes", "--max-time", "0.01", "--json", "--no-cache"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let message = json(&output)["errors"][0]["message"].as_str().unwrap().to_string();
    assert!(message.contains("could not be built within the time limit of 0.01 s"), "{message}");
    assert!(scratch.files().is_empty());
}

#[test]
fn a_failed_run_does_not_replace_a_finished_one() {
    let scratch = Scratch::new("run-failed");
    assert_eq!(code(&scratch.wolff(&["run", "pendulum", "--out", "results"])), 0);
    let good = std::fs::read(scratch.0.join("results/summary.json")).unwrap();
    let failed = ["run", "flexible-pendulum", "--set", "bending_stiffness=0.001", "--out", "results"];
    let output = scratch.wolff(&failed);
    assert!(code(&output) != 0, "{}", stderr(&output));
    assert_eq!(std::fs::read(scratch.0.join("results/summary.json")).unwrap(), good, "{}", stderr(&output));
    // another study that is fine replaces it, and says so
    let output = scratch.wolff(&["run", "double-pendulum", "--out", "results"]);
    assert!(stderr(&output).contains("results of another study"), "{}", stderr(&output));
}

/// One folder with a table, common figures and the page; one JSON object with the results of each run.
#[test]
fn a_comparison_is_one_folder_and_one_object() {
    let scratch = Scratch::new("run-compare");
    let output = scratch.wolff(&["run", "spheres", "--compare", "law=hertz,flores", "--results", "force_max_n"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    for part in ["hertz", "flores", "force max [N]", "CPU [s]", "runs/spheres-compare"] {
        assert!(stdout(&output).contains(part), "{part}: {}", stdout(&output));
    }
    for file in ["comparison.csv", "force.svg", "phase-portrait.svg", "report.html", "summary.json"] {
        assert!(scratch.0.join("runs/spheres-compare").join(file).is_file(), "{file}");
    }
    let picture = fs::read_to_string(scratch.0.join("runs/spheres-compare/force.svg")).unwrap();
    assert!(picture.contains("hertz") && picture.contains("flores"));
    let page = fs::read_to_string(scratch.0.join("runs/spheres-compare/report.html")).unwrap();
    assert!(page.contains("Comparison of the runs") && page.contains("hertz, flores"), "{page}");
    let output = scratch.wolff(&["run", "spheres", "--compare", "law=hertz,flores", "--json"]);
    let report = json(&output);
    assert_eq!(report["runs"][1]["values"]["law"], "flores");
    assert!(report["runs"][1]["results"]["force_max_n"].as_f64().unwrap() > 300.0);
    assert!(report["timing"]["parts_cpu_s"]["hertz"].as_f64().unwrap() > 0.0);
}

#[test]
fn an_invalid_comparison_writes_nothing() {
    let scratch = Scratch::new("run-compare-invalid");
    for compare in ["law=hertz,florez", "speed=1..2:50", "nothing", "law="] {
        let output = scratch.wolff(&["run", "spheres", "--compare", compare, "--compare", "mass_1=1..2:50"]);
        assert_eq!(code(&output), 2, "{compare}: {}", stderr(&output));
    }
    assert_eq!(code(&scratch.wolff(&["run", "spheres", "--results", "force_max_n"])), 2);
    assert!(scratch.files().is_empty());
}
