//! Runs that are stopped or killed: a finished result is never lost or replaced by a part.
//!
//! A few kills by default; `WOLFF_KILLS=100` asks for more. Kills at each rename are in the tests of `wolff-files`,
//! where writing calls a hook before every step.

#![cfg(unix)]

use crate::{Scratch, code, collect, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wolff_testdata::mutation::Mutator;

/// Number of kills without an environment variable.
const FEW: usize = 3;

/// A walk without bones that takes some seconds, with checkpoints on the way.
const LONG: [&str; 5] = ["run", "walk", "--quiet", "--set", "bones=none"];
/// The same walk resumed, with the values that its checkpoint holds.
const RESUMED: [&str; 5] = ["run", "walk", "--quiet", "--resume", "run"];

fn start(scratch: &Scratch, more: &[&str]) -> Child {
    let words = [&LONG[..], more].concat();
    started(scratch, &words)
}

fn started(scratch: &Scratch, words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolff"));
    command.args(words).current_dir(&scratch.0).env("WOLFF_CACHE", "").env("NO_COLOR", "1");
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// All files of a folder with their content; the timing of the summary aside.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = Vec::new();
    if folder.is_dir() {
        collect(folder, &mut files);
    }
    let read = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        if !path.ends_with("summary.json") && !path.ends_with("report.html") {
            return bytes;
        }
        let text = String::from_utf8(bytes).unwrap();
        // the page shows the timing of the summary
        let without = match path.ends_with("summary.json") {
            true => text.split("\"timing\"").next().unwrap_or_default().to_string(),
            false => text.lines().filter(|line| !line.contains("CPU") && !line.contains("wall")).collect(),
        };
        without.into_bytes()
    };
    let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
    files.iter().map(|path| (name(path), read(path))).collect()
}

/// Names beside each other in the scratch folder.
fn names(scratch: &Scratch) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(&scratch.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn whole(scratch: &Scratch, more: &[&str]) -> (BTreeMap<String, Vec<u8>>, Duration) {
    let begin = Instant::now();
    let done = start(scratch, more).wait_with_output().unwrap();
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    (contents(&scratch.0.join("run")), begin.elapsed())
}

fn wait_for_checkpoint(scratch: &Scratch) {
    let begin = Instant::now();
    while !scratch.0.join("run.resume").exists() {
        assert!(begin.elapsed() < Duration::from_secs(120), "there is no checkpoint");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_run_loses_nothing_and_is_resumed_to_the_same_bytes() {
    let asked = std::env::var("WOLFF_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(FEW);
    let scratch = Scratch::new("kills");
    let (later, duration) = whole(&scratch, &["--set", "cycles=12", "--out", "run"]);
    let (earlier, _) = whole(&scratch, &["--set", "cycles=2", "--out", "run"]);
    assert_ne!(earlier, later);
    let mut random = Mutator::new(7);
    let mut resumed = 0;
    for round in 0..asked {
        // from the start of the process to after its end
        let moment = duration.mul_f64(1.1 * random.below(1000) as f64 / 1000.0);
        let mut child = start(&scratch, &["--set", "cycles=12", "--out", "run"]);
        match round {
            // however fast the machine is, one kill comes after a checkpoint
            0 => wait_for_checkpoint(&scratch),
            _ => std::thread::sleep(moment),
        }
        let _ = child.kill();
        child.wait().unwrap();
        let found = contents(&scratch.0.join("run"));
        assert!(found == earlier || found == later, "kill {round} after {moment:?} damaged the folder");
        if scratch.0.join("run.resume").exists() {
            resumed += 1;
            let done = started(&scratch, &RESUMED).wait_with_output().unwrap();
            assert_eq!(code(&done), 0, "kill {round}: {}", stderr(&done));
            assert!(contents(&scratch.0.join("run")) == later, "kill {round}: the resumed run differs");
        }
        let (again, _) = whole(&scratch, &["--set", "cycles=2", "--out", "run"]);
        assert!(again == earlier, "kill {round}: a new run differs");
        // the next run removed what the killed one left
        assert_eq!(names(&scratch), ["run"], "kill {round} after {moment:?}");
    }
    assert!(resumed > 0 || asked == 0, "no kill came after a checkpoint");
}

#[test]
fn a_stopped_run_does_not_replace_a_finished_one() {
    let scratch = Scratch::new("kills-stopped");
    let (earlier, _) = whole(&scratch, &["--set", "cycles=1", "--out", "run"]);
    let long = ["--set", "cycles=12", "--out", "run"];
    let child = start(&scratch, &long);
    wait_for_checkpoint(&scratch);
    signal(&child, "INT");
    let stopped = child.wait_with_output().unwrap();
    assert_eq!(code(&stopped), 130, "{}", stderr(&stopped));
    assert!(stderr(&stopped).contains("`run` holds a finished run and is kept"), "{}", stderr(&stopped));
    assert_eq!(contents(&scratch.0.join("run")), earlier);
    assert!(scratch.0.join("run.stopped/resume.bin").is_file());
    assert_eq!(names(&scratch), ["run", "run.stopped"]);
    // either name resumes it, into the folder that was asked for
    let done = scratch.wolff(&["run", "walk", "--resume", "run.stopped"]);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    assert!(stdout(&done).contains("files are in run;"), "{}", stdout(&done));
    assert_eq!(names(&scratch), ["run"]);
    assert_ne!(contents(&scratch.0.join("run")), earlier);
}

/// A file beyond the limit of the shell is an error that names the file, not the end of the process by a signal.
/// Nothing is left of it, and an earlier result is as it was.
#[test]
fn a_limit_of_file_size_is_an_error_and_leaves_nothing() {
    let scratch = Scratch::new("kills-limit");
    let program = env!("CARGO_BIN_EXE_wolff");
    let limited = |words: &str, target: &str| {
        let script = format!("ulimit -f 8; exec '{program}' {words}");
        let run =
            Command::new("sh").args(["-c", &script]).current_dir(&scratch.0).env("NO_COLOR", "1").output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{words}: {}", stderr(&run));
        // the message is wrapped to the terminal
        let message = stderr(&run).replace("\n  │ ", "");
        assert!(message.contains("cannot write") && message.contains(target), "{words}: {message}");
        assert!(!message.contains("tmp-") && !message.contains("the output"), "{words}: {message}");
    };
    limited("run pendulum --out run", "run/");
    assert_eq!(names(&scratch), [""; 0]);
    let commands = [
        ("modes tibia --count 4 --free --out a.flexbody", "a.flexbody"),
        ("run pendulum --out run", "run/"),
        ("convert run/pendulum.sto run.csv", "run.csv"),
        ("mesh convert cubes.inp cubes.vtu", "cubes.vtu"),
        ("mesh check cubes.inp --repair good.msh", "good.msh"),
    ];
    fs::write(scratch.0.join("cubes.inp"), cubes(4)).unwrap();
    for (words, target) in commands {
        let done = scratch.wolff(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(code(&done), 0, "{words}: {}", stderr(&done));
        let before = contents(&scratch.0);
        limited(words, target);
        assert!(contents(&scratch.0) == before, "{words}");
    }
}

/// An Abaqus mesh of cubes of 1 cm, `n` along each side, each of six tetrahedra around a diagonal.
fn cubes(n: usize) -> String {
    let id = |[x, y, z]: [usize; 3]| 1 + x + (n + 1) * (y + (n + 1) * z);
    let grid = |n: usize| (0..n.pow(3)).map(move |i| [i % n, i / n % n, i / n / n]);
    let nodes = grid(n + 1).map(|p| {
        let [x, y, z] = p.map(|c| 0.01 * c as f64);
        format!("{}, {x}, {y}, {z}\n", id(p))
    });
    let mut elements = Vec::new();
    for corner in grid(n) {
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let mut path = vec![corner];
            for axis in [a, b, c] {
                let mut next = path[path.len() - 1];
                next[axis] += 1;
                path.push(next);
            }
            // odd permutations of the axes turn the tetrahedron inside out
            if (a + 1) % 3 != b {
                path.swap(1, 2);
            }
            let ids: Vec<String> = path.into_iter().map(|p| id(p).to_string()).collect();
            elements.push(format!("{}, {}\n", elements.len() + 1, ids.join(", ")));
        }
    }
    format!("*NODE\n{}*ELEMENT, TYPE=C3D4\n{}", nodes.collect::<String>(), elements.concat())
}

#[test]
fn the_current_folder_is_not_replaced() {
    let scratch = Scratch::new("kills-here");
    for folder in [".", ".."] {
        let run = scratch.wolff(&["run", "pendulum", "--out", folder]);
        assert_eq!(code(&run), 2, "{}", stdout(&run));
        // the message is wrapped to the terminal
        let message = stderr(&run).replace("\n  │ ", " ");
        assert!(message.contains("current folder"), "{message}");
    }
    assert_eq!(names(&scratch), [""; 0]);
}

/// A run that its time limit ends does not replace a finished one, and a complete one removes it.
#[test]
fn a_partial_run_does_not_replace_a_finished_one() {
    let scratch = Scratch::new("kills-partial");
    let run = |more: &[&str]| scratch.wolff(&[&["run", "four-bar", "--out", "run"], more].concat());
    assert_eq!(code(&run(&[])), 0);
    let earlier = contents(&scratch.0.join("run"));
    let endless = run(&["--set", "duration=1e12", "--max-time", "1"]);
    assert_eq!(code(&endless), 1, "{}", stderr(&endless));
    assert!(stderr(&endless).contains("`run` holds a finished run and is kept"), "{}", stderr(&endless));
    assert!(stdout(&endless).contains("files are in run.stopped;"), "{}", stdout(&endless));
    assert_eq!(contents(&scratch.0.join("run")), earlier);
    assert_eq!(names(&scratch), ["run", "run.stopped"]);
    assert_eq!(code(&run(&[])), 0);
    assert_eq!(names(&scratch), ["run"]);
}
