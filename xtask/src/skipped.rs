//! Tests that could not do their work because a clone of the repository lacks something.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use wolff_testdata::SkippedTest;

/// Parts of a path that name one set of data: `../shared/data/NAME`.
const PARTS_OF_A_SET: usize = 4;

/// A file for skipped tests, where none is yet.
pub fn fresh_file() -> Result<PathBuf, String> {
    let file = crate::target_dir().join("skipped-tests.txt");
    let say = |e: std::io::Error| format!("{}: {e}", file.display());
    fs::create_dir_all(crate::target_dir()).map_err(say)?;
    fs::write(&file, "").map_err(say)?;
    Ok(file)
}

/// The package and name of each test, once however much it lacks.
pub fn tests(skipped: &[SkippedTest]) -> impl Iterator<Item = (&str, &str)> {
    skipped.iter().map(|s| (s.package.as_str(), s.test.as_str())).collect::<BTreeSet<_>>().into_iter()
}

/// Every skipped test, under the set of data or the program that it lacks; a test that lacks several is listed under
/// each.
pub fn listing(skipped: &[SkippedTest]) -> String {
    let mut sets: BTreeMap<String, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for test in skipped {
        sets.entry(set_of(&test.missing)).or_default().insert((&test.package, &test.test));
    }
    let mut text = String::new();
    for (set, tests) in sets {
        let number = if tests.len() == 1 { "1 test".into() } else { format!("{} tests", tests.len()) };
        text.push_str(&format!("skipped: {set} is not available: {number}\n"));
        tests.iter().for_each(|(package, test)| text.push_str(&format!("    {package} {test}\n")));
    }
    text
}

/// The set of data to which a missing file belongs; anything else is its own.
fn set_of(missing: &str) -> String {
    let parts: Vec<&str> = missing.split('/').collect();
    if parts[0] == ".." { parts[..parts.len().min(PARTS_OF_A_SET)].join("/") } else { missing.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_listed_under_what_they_lack() {
        let lacks = |test: &str, missing: &str| SkippedTest {
            package: "wolff-x".into(),
            test: test.into(),
            missing: missing.into(),
        };
        let skipped = [
            lacks("a", "../shared/data/walk/model/x.osim"),
            lacks("a", "../shared/data/walk/y.sto"),
            lacks("b", "../shared/data/walk"),
            lacks("c", "a C compiler `cc`"),
        ];
        let expected = "skipped: ../shared/data/walk is not available: 2 tests\n    wolff-x a\n    wolff-x b\n\
                        skipped: a C compiler `cc` is not available: 1 test\n    wolff-x c\n";
        assert_eq!(listing(&skipped), expected);
        assert_eq!(tests(&skipped).count(), 3);
        assert_eq!(listing(&[]), "");
    }
}
