use crate::{Scratch, code, stderr};

#[test]
fn a_pattern_without_a_match_is_wrong_input() {
    let scratch = Scratch::new("verify-none");
    let output = scratch.wolff(&["verify", "--only", "no-such-problem"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no-such-problem"), "{}", stderr(&output));
}
