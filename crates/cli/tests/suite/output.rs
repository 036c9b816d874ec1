use crate::{Scratch, code, stderr};
use std::process::{Command, Stdio};

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = Command::new(env!("CARGO_BIN_EXE_wolff")).arg("list").stdout(writer).stderr(Stdio::piped()).spawn();
    let output = child.unwrap().wait_with_output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
}

#[test]
fn no_progress_bar_without_a_terminal() {
    let scratch = Scratch::new("no-bar");
    let output = scratch.wolff(&["run", "pendulum", "--json"]);
    assert!(!stderr(&output).contains('%'), "{}", stderr(&output));
}

/// Names in files may hold sequences that a terminal obeys; they are shown.
#[test]
fn control_sequences_of_files_are_shown() {
    let scratch = Scratch::new("output-control");
    let study = "study = \"a\"\ntitle = \"\u{1b}[2Jb\"\nkindd = \"x\u{9b}31m\"\n";
    std::fs::write(scratch.0.join("study.toml"), study).unwrap();
    std::fs::write(scratch.0.join("a.csv"), "time,\u{1b}]0;owned\u{7}\n0,x\u{1b}[31m\n").unwrap();
    for arguments in [
        &["run", "study.toml"][..],
        &["run", "study.toml", "--json"],
        &["run", "\u{1b}[31mnone"],
        &["convert", "a.csv", "a.sto"],
        &["convert", "a.csv", "a.sto", "--json"],
    ] {
        let run = scratch.wolff(arguments);
        assert_eq!(crate::code(&run), 2);
        for text in [crate::stdout(&run), crate::stderr(&run)] {
            let raw = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
            assert_eq!(raw, None, "{arguments:?}: {text:?}");
        }
    }
}
