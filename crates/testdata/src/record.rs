//! The record of a skipped test: one line of a file.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// The environment variable with the name of the file to which skipped tests are appended.
pub const SKIPPED_TESTS: &str = "WOLFF_SKIPPED_TESTS";

/// A test that did not do (all of) its work because something is missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkippedTest {
    /// Package of the test.
    pub package: String,
    /// Path of the test within its test program, `module::name`.
    pub test: String,
    /// What is missing.
    pub missing: String,
}

impl SkippedTest {
    /// The test that runs in this thread.
    pub fn running(missing: &str) -> SkippedTest {
        let variable = |name: &str| std::env::var(name).ok();
        // the test runner names the thread after the test; threads that a test starts itself have another name or none
        let thread = std::thread::current().name().filter(|name| *name != "main").map(String::from);
        let test = variable("NEXTEST_TEST_NAME").or(thread).unwrap_or_else(|| "unknown test".into());
        let package = variable("CARGO_PKG_NAME").unwrap_or_else(|| "unknown package".into());
        SkippedTest { package, test, missing: missing.into() }
    }

    /// Prints the test, and appends it to the file of skipped tests if there is one.
    ///
    /// # Panics
    /// If the file cannot be written: the test then fails, since it would otherwise be counted as passed.
    pub(crate) fn record(&self) {
        println!("skipped: {} is not available", self.missing);
        if let Some(file) = std::env::var_os(SKIPPED_TESTS) {
            let written = self.append_to(Path::new(&file));
            assert!(written.is_ok(), "{SKIPPED_TESTS}={}: {written:?}", file.to_string_lossy());
        }
    }

    /// Appends the test to a file as one line, with one write, so that lines of tests that run at the same time stay
    /// whole.
    pub fn append_to(&self, file: &Path) -> io::Result<()> {
        let line = [&self.package, &self.test, &self.missing].map(|field| field.replace(['\t', '\n', '\r'], " "));
        let mut open = OpenOptions::new().create(true).append(true).open(file)?;
        open.write_all(format!("{}\n", line.join("\t")).as_bytes())
    }

    /// The tests in a file, each pair of test and missing thing once, in order. A file that is not there has none:
    /// nothing was skipped.
    pub fn read_all(file: &Path) -> io::Result<Vec<SkippedTest>> {
        let text = match std::fs::read_to_string(file) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let parsed: Option<Vec<SkippedTest>> = text.lines().map(SkippedTest::parse).collect();
        let mut tests =
            parsed.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a line has not three fields"))?;
        tests.sort_unstable();
        tests.dedup();
        Ok(tests)
    }

    fn parse(line: &str) -> Option<SkippedTest> {
        let [package, test, missing] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        Some(SkippedTest { package: package.into(), test: test.into(), missing: missing.into() })
    }
}

impl fmt::Display for SkippedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {} is not available", self.package, self.test, self.missing)
    }
}
