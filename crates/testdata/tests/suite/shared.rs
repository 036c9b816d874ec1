//! What a test sees, and what is recorded, when something is there and when it is not.

use crate::record::fresh;
use std::process::Command;
use wolff_testdata::{SKIPPED_TESTS, SkippedTest, needs, shared, shared_folder};

/// Set in the process that this test starts to look for what is not there.
const CHILD: &str = "WOLFF_TESTDATA_CHILD";

/// The environment of a process cannot be changed safely, so the test runs itself again with the variable set.
#[test]
fn what_is_missing_is_recorded_with_the_name_of_the_test() {
    if std::env::var_os(CHILD).is_some() {
        assert!(shared("no-such-folder/no-such-file").is_none());
        assert!(!needs("a compiler for nothing", false) && needs("this test", true));
        return;
    }
    let file = fresh("skipped.txt");
    let name = std::thread::current().name().unwrap().to_string();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", &name, "--nocapture"]).env(CHILD, "1").env(SKIPPED_TESTS, &file);
    child.env_remove("NEXTEST_TEST_NAME");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("skipped: ../shared/no-such-folder/no-such-file is not available"), "{printed}");
    let recorded = SkippedTest::read_all(&file).unwrap();
    let missing: Vec<&str> = recorded.iter().map(|s| s.missing.as_str()).collect();
    assert_eq!(missing, ["../shared/no-such-folder/no-such-file", "a compiler for nothing"]);
    assert!(recorded.iter().all(|s| s.test == name && s.package == "wolff-testdata"), "{recorded:?}");
}

#[test]
fn the_folder_is_beside_the_repository() {
    let folder = shared_folder();
    let root = folder.parent().unwrap();
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(here.strip_prefix(root).is_ok_and(|inside| inside.components().count() == 3), "{}", folder.display());
}
