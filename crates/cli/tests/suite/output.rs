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
