use crate::{Scratch, code, json, stderr, stdout};

#[test]
fn a_pattern_without_a_match_is_wrong_input() {
    let scratch = Scratch::new("verify-none");
    let output = scratch.wolff(&["verify", "--only", "no-such-problem"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no-such-problem"), "{}", stderr(&output));
}

#[test]
fn counts_and_exit_code_follow_the_verdicts() {
    let scratch = Scratch::new("verify-all");
    let output = scratch.wolff(&["verify", "--json"]);
    let report = json(&output);
    assert_eq!((&report["command"], &report["warnings"]), (&"verify".into(), &serde_json::json!([])));
    assert!(report["timing"]["wall_s"].is_f64());
    let report = &report["results"];
    let items = report["items"].as_array().unwrap();
    let failed = items.iter().filter(|item| item["pass"] != true).count();
    assert_eq!(report["failed"], failed);
    assert_eq!(report["passed"], items.len() - failed);
    assert_eq!(code(&output), i32::from(failed > 0));
}

#[test]
fn the_table_fits_the_terminal() {
    let scratch = Scratch::new("verify-width");
    let text = stdout(&scratch.wolff(&["verify", "--only", "hertz"]));
    assert!(text.lines().count() > 10 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("  pass") && text.contains("source of the references"), "{text}");
}
