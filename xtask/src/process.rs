//! Programs that are run, with their output shown as it comes.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;

/// `cargo` with arguments, in the repository.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(crate::root());
    command
}

/// A program that has ended.
pub struct Finished {
    pub output: String,
    /// How it failed.
    pub problem: Option<String>,
}

/// Runs a program, showing its output as it comes.
pub fn run(command: &mut Command) -> Finished {
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(e) => {
            let problem = format!("cannot start {:?}: {e}", command.get_program());
            return Finished { output: String::new(), problem: Some(problem) };
        }
    };
    let errors = child.stderr.take().map(|stream| thread::spawn(move || show(stream)));
    let mut output = child.stdout.take().map(show).unwrap_or_default();
    output.push_str(&errors.and_then(|reader| reader.join().ok()).unwrap_or_default());
    let problem = match child.wait() {
        Ok(status) if status.success() => None,
        Ok(status) => Some(status.to_string()),
        Err(e) => Some(e.to_string()),
    };
    Finished { output, problem }
}

/// What a program prints to standard output; its messages if it fails.
pub fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{:?}: {e}", command.get_program()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{text}{}{}", String::from_utf8_lossy(&output.stderr), output.status))
    }
}

fn show(stream: impl Read) -> String {
    let mut all = String::new();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        all.push_str(&line);
        all.push('\n');
    }
    all
}
