//! Steps: each runs, is timed and counted, and none stops the next.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// Steps done so far.
#[derive(Default)]
pub struct Runner {
    passed: usize,
    failed: usize,
    failures: Vec<String>,
    skipped: Vec<String>,
}

/// Checks that passed and failed.
pub type Count = (usize, usize);

impl Runner {
    /// Runs a step; `work` says what is wrong, if anything.
    pub fn step(&mut self, name: &str, work: impl FnOnce() -> Result<(), String>) {
        self.counted_step(name, || match work() {
            Ok(()) => ((1, 0), None),
            Err(message) => ((0, 1), Some(message)),
        });
    }

    /// Runs a program; it passes when it succeeds.
    pub fn program(&mut self, name: &str, command: &mut Command) {
        self.step(name, || run(command).problem.map_or(Ok(()), Err));
    }

    /// Runs a program that counts its own checks in lines found by `count`.
    pub fn counting_program(&mut self, name: &str, command: &mut Command, count: fn(&str) -> Option<Count>) {
        self.counted_step(name, || {
            let Finished { output, problem } = run(command);
            let counts: Vec<Count> = output.lines().filter_map(count).collect();
            let passed = counts.iter().map(|c| c.0).sum();
            let failed: usize = counts.iter().map(|c| c.1).sum();
            match (problem, counts.is_empty()) {
                (Some(message), _) => ((passed, failed.max(1)), Some(named(message, &output))),
                (None, true) => ((0, 1), Some("it did not say how many checks passed".into())),
                (None, false) => ((passed, failed), None),
            }
        });
    }

    fn counted_step(&mut self, name: &str, work: impl FnOnce() -> (Count, Option<String>)) {
        println!("== {name}");
        let start = Instant::now();
        let ((passed, failed), problem) = work();
        let seconds = start.elapsed().as_secs_f64();
        let verdict = if failed == 0 { "ok" } else { "FAILED" };
        println!("== {name}: {verdict} in {seconds:.1} s");
        if let Some(message) = problem {
            println!("{message}");
            self.failures.push(format!("{name}: {message}"));
        }
        self.passed += passed;
        self.failed += failed;
    }

    /// Leaves a step out, now and at the end in plain sight.
    pub fn skip(&mut self, name: &str, why: &str) {
        println!("== {name}: SKIPPED: {why}");
        self.skipped.push(format!("{name}: {why}"));
    }

    /// Prints what was skipped, what failed and the last line, `N passed, M failed`; true when all is well.
    pub fn finish(&self) -> bool {
        println!();
        for skipped in &self.skipped {
            println!("skipped: {skipped}");
        }
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }
}

/// `cargo` with arguments, in the repository.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(crate::root());
    command
}

/// A program that has ended.
struct Finished {
    output: String,
    /// How it failed.
    problem: Option<String>,
}

/// Runs a program, showing its output as it comes.
fn run(command: &mut Command) -> Finished {
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

/// Counts in the last lines of `cargo nextest` and `cargo test`.
pub fn count_tests(line: &str) -> Option<Count> {
    let line = line.trim();
    (line.starts_with("Summary [") || line.starts_with("test result:")).then(|| numbers_before(line))
}

/// Counts in the last line of `wolff verify`, `N passed, M failed`.
pub fn count_verdicts(line: &str) -> Option<Count> {
    let (passed, failed) = line.trim().strip_suffix(" failed")?.split_once(" passed, ")?;
    Some((passed.parse().ok()?, failed.parse().ok()?))
}

/// A message with the names of the checks that failed, as the test runners print them.
fn named(message: String, output: &str) -> String {
    let is_failure = |l: &&str| {
        l.starts_with("FAIL [") || l.starts_with("SIGABRT [") || l.ends_with(" ... FAILED") || l.ends_with("  FAIL")
    };
    let mut names: Vec<&str> = output.lines().map(str::trim).filter(is_failure).collect();
    names.sort_unstable();
    names.dedup_by_key(|l| l.rsplit(' ').next());
    names.iter().fold(message, |all, name| format!("{all}\n  {name}"))
}

/// The numbers before the words `passed` and `failed`.
fn numbers_before(line: &str) -> Count {
    let words: Vec<&str> = line.split_whitespace().collect();
    let before = |word: &str| {
        let pair = words.windows(2).find(|pair| pair[1].trim_end_matches([',', ';']) == word);
        pair.and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
    };
    (before("passed"), before("failed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_test_runners() {
        let nextest = "     Summary [   0.081s] 41 tests run: 39 passed (1 slow), 2 failed, 0 skipped";
        assert_eq!(count_tests(nextest), Some((39, 2)));
        assert_eq!(count_tests("test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured"), Some((12, 3)));
        assert_eq!(count_tests("running 12 tests"), None);
        assert_eq!(count_verdicts("7 passed, 1 failed"), Some((7, 1)));
        assert_eq!(count_verdicts("all 7 passed, 1 failed"), None);
    }

    #[test]
    fn failures_are_named() {
        let output = "  PASS [ 0.1s] a b\n  FAIL [ 0.2s] suite wolff::x\n  FAIL [ 0.2s] (3/9) suite wolff::x\ntest y ... FAILED\n";
        let message = named("exit status: 100".into(), output);
        assert_eq!(message.matches("wolff::x").count(), 1);
        assert!(message.starts_with("exit status: 100\n") && message.contains("test y"));
    }

    #[test]
    fn a_program_that_fails_is_counted_even_if_it_counts_nothing() {
        let mut runner = Runner::default();
        runner.counting_program("none such", &mut Command::new("no-such-program-anywhere"), count_verdicts);
        runner.step("fine", || Ok(()));
        assert_eq!((runner.passed, runner.failed), (1, 1));
        assert!(!runner.finish());
    }
}
