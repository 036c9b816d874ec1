//! Steps: all are named before the first one starts; each is timed and counted, and a failure does not stop the next.

use crate::clock::{Clock, Spent};
use crate::count::{Count, failed_checks};
use crate::process::{self, Finished};
use crate::skipped;
use std::io::{Write, stdout};
use std::process::Command;
use std::time::Instant;
use wolff_testdata::SkippedTest;

/// Lines of a failure that are printed again at the end.
const LINES_OF_A_FAILURE: usize = 20;

/// A step: its name and its work.
pub struct Step {
    name: &'static str,
    work: Box<dyn FnOnce(&mut Tally)>,
}

impl Step {
    /// A step that counts its checks itself.
    pub fn new(name: &'static str, work: impl FnOnce(&mut Tally) + 'static) -> Self {
        Step { name, work: Box::new(work) }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A step with one check; `work` says what is wrong, if anything.
    pub fn check(name: &'static str, work: impl FnOnce() -> Result<(), String> + 'static) -> Self {
        Step::new(name, move |tally| tally.record(name, work()))
    }

    /// A step with one program, which passes when it succeeds.
    pub fn program(name: &'static str, mut command: Command) -> Self {
        Step::check(name, move || process::run(&mut command).problem.map_or(Ok(()), Err))
    }

    /// A step with a program that counts its own checks in lines found by `count`.
    pub fn counting(name: &'static str, mut command: Command, count: fn(&str) -> Option<Count>) -> Self {
        Step::new(name, move |tally| {
            tally.counting_program(name, &mut command, count);
        })
    }
}

/// Checks so far, over all steps.
#[derive(Default)]
pub struct Tally {
    count: Count,
    failures: Vec<String>,
    /// Checks of steps that were left out.
    left_out: Vec<String>,
    /// Tests that lack something.
    skipped: Vec<SkippedTest>,
}

impl Tally {
    /// One check within a step, shown with its time.
    pub fn check(&mut self, name: &str, work: impl FnOnce() -> Result<(), String>) {
        let start = Instant::now();
        let outcome = work();
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        say(&format!("  {name}: {verdict} in {:.1} s", start.elapsed().as_secs_f64()));
        self.record(name, outcome);
    }

    /// Runs a program as one check within a step.
    pub fn program(&mut self, name: &str, command: &mut Command) {
        self.check(name, || process::run(command).problem.map_or(Ok(()), Err));
    }

    /// Runs a program that counts its own checks in lines found by `count`; what it printed.
    pub fn counting_program(&mut self, name: &str, command: &mut Command, count: fn(&str) -> Option<Count>) -> String {
        let Finished { output, problem } = process::run(command);
        let found: Vec<Count> = output.lines().filter_map(count).collect();
        let mut sum = found.iter().copied().fold(Count::default(), Count::plus);
        let problem = match (problem, found.is_empty()) {
            (Some(message), _) => {
                sum.failed = sum.failed.max(1);
                Some(failed_checks(&output).iter().fold(message, |all, check| format!("{all}\n  {check}")))
            }
            (None, true) => {
                sum.failed = 1;
                Some("it did not say how many checks passed".into())
            }
            (None, false) => None,
        };
        self.count = self.count.plus(sum);
        self.failures.extend(problem.map(|message| format!("{name}: {message}")));
        output
    }

    /// Leaves a check out, now and at the end in plain sight.
    pub fn skip(&mut self, name: &str, why: &str) {
        say(&format!("  {name}: SKIPPED: {why}"));
        self.left_out.push(format!("{name}: {why}"));
        self.count.skipped += 1;
    }

    /// Tests that the test runner counted as passed although they lacked something, unless they are among the failed
    /// ones.
    pub fn skip_tests(&mut self, tests: Vec<SkippedTest>, failed: &[String]) {
        let number = skipped::tests(&tests).filter(|test| !failed.iter().any(|line| line.ends_with(test.1))).count();
        self.count.passed = self.count.passed.saturating_sub(number);
        self.count.skipped += number;
        self.skipped.extend(tests);
    }

    fn record(&mut self, name: &str, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.count.passed += 1,
            Err(message) => {
                say(&message);
                self.count.failed += 1;
                self.failures.push(format!("{name}: {message}"));
            }
        }
    }

    /// The last lines: what was skipped, what failed, and the counts.
    fn summary(&self) -> String {
        let mut text = String::new();
        self.left_out.iter().for_each(|line| text.push_str(&format!("skipped: {line}\n")));
        text.push_str(&skipped::listing(&self.skipped));
        self.failures.iter().for_each(|failure| text.push_str(&shortened(failure)));
        let Count { passed, failed, skipped } = self.count;
        text.push_str(&format!("{passed} passed, {failed} failed, {skipped} skipped"));
        text
    }
}

/// Runs all steps and prints a table of them, what was skipped, what failed, and last the counts; true when nothing
/// failed.
pub fn run(steps: Vec<Step>) -> bool {
    let number = steps.len();
    say(&format!("{number} steps: {}", steps.iter().map(|step| step.name).collect::<Vec<_>>().join(", ")));
    let (whole, mut tally) = (Clock::start(), Tally::default());
    let mut table: Vec<(&str, Spent, Count)> = Vec::new();
    for (index, Step { name, work }) in steps.into_iter().enumerate() {
        let here = format!("[{}/{number}] {name}", index + 1);
        say(&format!("\n{here} (after {})", whole.spent().duration()));
        let (clock, before) = (Clock::start(), tally.count);
        work(&mut tally);
        let (spent, found) = (clock.spent(), tally.count.since(before));
        say(&format!("{here}: {} in {}", found.verdict(), spent.duration()));
        table.push((name, spent, found));
    }
    say(&format!("\n{}\n{}", times(&table, &whole.spent()), tally.summary()));
    tally.count.failed == 0
}

/// A failure for the summary: a message of many lines has been printed whole where it occurred.
fn shortened(failure: &str) -> String {
    let left = failure.lines().count().saturating_sub(LINES_OF_A_FAILURE);
    let first: Vec<&str> = failure.lines().take(LINES_OF_A_FAILURE).collect();
    let more = if left > 0 { format!("    and {left} lines more, see above\n") } else { String::new() };
    format!("failed: {}\n{more}", first.join("\n    "))
}

/// A table of steps with their times.
fn times(rows: &[(&str, Spent, Count)], whole: &Spent) -> String {
    let width = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0).max("all steps".len());
    let mut text = format!("{:width$}  {:>9}  {:>9}  result\n", "step", "seconds", "CPU s");
    for (name, spent, found) in rows {
        text.push_str(&format!("{name:width$}  {spent}  {}\n", found.verdict()));
    }
    text.push_str(&format!("{:width$}  {whole}\n", "all steps"));
    text
}

/// Prints at once, whatever standard output is.
fn say(text: &str) {
    println!("{text}");
    let _ = stdout().flush();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::count_verdicts;

    fn skipped(test: &str, missing: &str) -> SkippedTest {
        SkippedTest { package: "wolff-x".into(), test: test.into(), missing: missing.into() }
    }

    #[test]
    fn a_program_that_cannot_start_fails_even_if_it_counts_nothing() {
        let mut tally = Tally::default();
        tally.counting_program("absent", &mut Command::new("no-such-program-anywhere"), count_verdicts);
        tally.check("fine", || Ok(()));
        assert_eq!(tally.count, Count { passed: 1, failed: 1, skipped: 0 });
        assert!(tally.summary().ends_with("\n1 passed, 1 failed, 0 skipped"), "{}", tally.summary());
    }

    #[test]
    fn skipped_tests_have_not_passed() {
        let mut tally = Tally { count: Count { passed: 10, failed: 1, skipped: 0 }, ..Tally::default() };
        let lacking = [("a::b", "../shared/data/q"), ("a::b", "../shared/data/r"), ("c", "a C compiler"), ("d", "x")];
        let tests = lacking.map(|(test, missing)| skipped(test, missing)).to_vec();
        // the failed one was never counted as passed
        tally.skip_tests(tests, &["FAIL [ 0.1s] wolff-x::suite d".into()]);
        assert_eq!(tally.count, Count { passed: 8, failed: 1, skipped: 2 });
        tally.skip("pages", "there is no browser");
        let summary = tally.summary();
        for part in ["skipped: pages: there is no browser\n", "a C compiler", "a::b", "8 passed, 1 failed, 3 skipped"] {
            assert!(summary.contains(part), "{part} is not in {summary}");
        }
    }

    #[test]
    fn a_long_failure_is_shortened_at_the_end() {
        let long = "line\n".repeat(LINES_OF_A_FAILURE + 3);
        assert!(shortened(&long).ends_with("    line\n    and 3 lines more, see above\n"));
        assert_eq!(shortened("a\nb"), "failed: a\n    b\n");
    }

    #[test]
    fn steps_go_on_after_a_failure() {
        let steps = vec![Step::check("wrong", || Err("so".into())), Step::check("right", || Ok(()))];
        assert!(!run(steps));
        assert!(run(vec![Step::check("right", || Ok(())), Step::new("left out", |tally| tally.skip("x", "why"))]));
    }
}
