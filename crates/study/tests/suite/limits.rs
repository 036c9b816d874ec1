//! Results beyond what the theory of a model covers are not ok.

use std::path::Path;
use wolff_report::outcome::{Outcome, Status};
use wolff_study::document::builtin;
use wolff_study::run::run;

fn outcome(name: &str, set: &[(&str, &str)]) -> Outcome {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    run(name, builtin(name).unwrap(), Path::new(""), &set, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

/// The judged quantities that are not ok.
fn beyond(outcome: &Outcome) -> String {
    outcome.judgement.warnings().join("\n")
}

#[test]
fn large_strains_and_deflections_are_doubtful() {
    let sound = outcome("cantilever", &[]);
    assert_eq!(sound.judged_status(), Status::Ok, "{}", beyond(&sound));
    let strained = outcome("cantilever", &[("force_x", "1e6")]);
    assert!(beyond(&strained).contains("largest strain at a gauge"), "{}", beyond(&strained));
    let bent = outcome("flexible-pendulum", &[("bending_stiffness", "0.001")]);
    assert!(beyond(&bent).contains("largest deflection over length"), "{}", beyond(&bent));
}

#[test]
fn bodies_that_pass_through_each_other_are_not_ok() {
    let sound = outcome("bouncing-ball", &[]);
    assert_eq!(sound.judged_status(), Status::Ok, "{}", beyond(&sound));
    let soft = outcome("bouncing-ball", &[("stiffness", "100")]);
    assert!(beyond(&soft).contains("deepest indentation over radius"), "{}", beyond(&soft));
}

#[test]
fn a_function_that_does_not_exist_is_an_error_of_the_study() {
    let text = builtin("pendulum").unwrap().replacen("[results]", "[results]\nstrange = \"log(2)\"", 1);
    let error = run("p.toml", &text, Path::new(""), &[], &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("no function `log`"), "{error}");
}
