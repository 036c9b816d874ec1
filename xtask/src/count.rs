//! How many checks passed, failed and were skipped, as programs print it.

/// Numbers of checks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Count {
    /// The sum.
    pub fn plus(self, other: Count) -> Count {
        let Count { passed, failed, skipped } = other;
        Count { passed: self.passed + passed, failed: self.failed + failed, skipped: self.skipped + skipped }
    }

    /// What was added to an earlier count.
    pub fn since(self, earlier: Count) -> Count {
        let less = usize::saturating_sub;
        Count {
            passed: less(self.passed, earlier.passed),
            failed: less(self.failed, earlier.failed),
            skipped: less(self.skipped, earlier.skipped),
        }
    }

    /// One word or few for a table.
    pub fn verdict(self) -> String {
        match self {
            Count { failed: 1.., .. } => format!("{} FAILED", self.failed),
            Count { skipped: 1.., .. } => format!("ok, {} skipped", self.skipped),
            _ => "ok".into(),
        }
    }
}

/// Counts in the last lines of `cargo nextest` and `cargo test`.
pub fn count_tests(line: &str) -> Option<Count> {
    let line = line.trim();
    (line.starts_with("Summary [") || line.starts_with("test result:")).then(|| numbers_before(line))
}

/// Counts in the last line of `wolff verify`, `N passed, M failed`.
pub fn count_verdicts(line: &str) -> Option<Count> {
    let (passed, failed) = line.trim().strip_suffix(" failed")?.split_once(" passed, ")?;
    Some(Count { passed: passed.parse().ok()?, failed: failed.parse().ok()?, skipped: 0 })
}

/// Lines that name the checks that failed, as the test runners print them, each check once.
pub fn failed_checks(output: &str) -> Vec<String> {
    let is_failure = |l: &&str| {
        l.starts_with("FAIL [") || l.starts_with("SIGABRT [") || l.ends_with(" ... FAILED") || l.ends_with("  FAIL")
    };
    // `test NAME ... FAILED` ends in its name, too, as the lines of the other runner do
    let name = |line: &str| line.trim_end_matches(" ... FAILED").to_string();
    let mut names: Vec<String> = output.lines().map(str::trim).filter(is_failure).map(name).collect();
    names.sort_unstable();
    names.dedup_by_key(|l| l.rsplit(' ').next().map(String::from));
    names
}

/// The numbers before the words `passed`, `failed`, and `skipped` or `ignored`.
fn numbers_before(line: &str) -> Count {
    let words: Vec<&str> = line.split_whitespace().collect();
    let before = |word: &str| {
        let pair = words.windows(2).find(|pair| pair[1].trim_end_matches([',', ';']) == word);
        pair.and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
    };
    Count { passed: before("passed"), failed: before("failed"), skipped: before("skipped") + before("ignored") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(passed: usize, failed: usize, skipped: usize) -> Option<Count> {
        Some(Count { passed, failed, skipped })
    }

    #[test]
    fn counts_are_read_from_test_runners() {
        let nextest = "     Summary [   0.081s] 41 tests run: 39 passed (1 slow), 2 failed, 4 skipped";
        assert_eq!(count_tests(nextest), count(39, 2, 4));
        let libtest = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured";
        assert_eq!(count_tests(libtest), count(12, 3, 1));
        assert_eq!(count_tests("running 12 tests"), None);
        assert_eq!(count_verdicts("7 passed, 1 failed"), count(7, 1, 0));
        assert_eq!(count_verdicts("all 7 passed, 1 failed"), None);
    }

    #[test]
    fn failures_are_named_once() {
        let nextest = "  PASS [ 0.1s] a b\n  FAIL [ 0.2s] suite wolff::x\n  FAIL [ 0.2s] (3/9) suite wolff::x\n";
        let output = format!("{nextest}test y ... FAILED\n");
        let found = failed_checks(&output);
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("wolff::x") && found[1].ends_with("test y"), "{found:?}");
    }

    #[test]
    fn a_difference_of_counts_has_a_verdict() {
        let [before, after] = [(3, 1, 0), (5, 1, 2)].map(|(p, f, s)| Count { passed: p, failed: f, skipped: s });
        assert_eq!(after.since(before).verdict(), "ok, 2 skipped");
        assert_eq!(after.verdict(), "1 FAILED");
    }
}
