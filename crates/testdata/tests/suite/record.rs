//! Lines of the file of skipped tests.

use std::path::{Path, PathBuf};
use wolff_testdata::SkippedTest;

/// A file name that no file has yet.
pub fn fresh(name: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&file);
    file
}

fn skipped(test: &str, missing: &str) -> SkippedTest {
    SkippedTest { package: "wolff-x".into(), test: test.into(), missing: missing.into() }
}

#[test]
fn lines_are_appended_and_read_once_each() {
    let file = fresh("lines.txt");
    assert_eq!(SkippedTest::read_all(&file).unwrap(), []);
    for (test, missing) in [("b", "../shared/data/q"), ("a", "a C\tcompiler"), ("b", "../shared/data/q")] {
        skipped(test, missing).append_to(&file).unwrap();
    }
    let expected = [skipped("a", "a C compiler"), skipped("b", "../shared/data/q")];
    assert_eq!(SkippedTest::read_all(&file).unwrap(), expected);
    assert_eq!(expected[0].to_string(), "wolff-x a: a C compiler is not available");
}

#[test]
fn a_line_that_is_not_whole_is_an_error() {
    let file = fresh("broken.txt");
    std::fs::write(&file, "wolff-x\ttest\n").unwrap();
    assert!(SkippedTest::read_all(&file).is_err());
}

#[test]
fn lines_of_many_threads_stay_whole() {
    let file = fresh("threads.txt");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let file = &file;
            scope.spawn(move || {
                for k in 0..50 {
                    skipped(&format!("test {thread} {k}"), "something").append_to(file).unwrap();
                }
            });
        }
    });
    assert_eq!(SkippedTest::read_all(&file).unwrap().len(), 400);
}
