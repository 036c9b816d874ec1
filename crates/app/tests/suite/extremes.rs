//! Walks with parameters at extreme values: each ends in time with an outcome or a message, never with numbers that are
//! not finite and the status ok.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use wolff_app::Session;
use wolff_app::run::run_text;
use wolff_report::outcome::{Outcome, Status};
use wolff_study::document::{ParameterValue, StudyDocument, builtin};
use wolff_study::{Budget, RunError};

/// Time limit of the walking itself, and of everything together with the preparation \[s\].
const MAX_TIME: Duration = Duration::from_secs(4);
const LONGEST: f64 = 120.0;

/// A walk of few seconds; values that are set later replace these.
const QUICK: [(&str, &str); 2] = [("bones", "none"), ("cycles", "1")];

fn walk(parameter: &str, value: &str) -> Result<Outcome, RunError> {
    let set: Vec<(String, String)> =
        QUICK.iter().chain(&[(parameter, value)]).map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let mut go_on = |_: f64| true;
    let budget = Budget { max_time: Some(MAX_TIME), ..Budget::default() };
    let mut session = Session { budget, ..Session::new(&mut go_on) };
    run_text("walk.toml", builtin("walk").unwrap(), Path::new(""), &set, &mut session)
}

/// What is wrong with the end of a walk.
fn complaint(parameter: &str, value: &str) -> Option<String> {
    let begin = Instant::now();
    let ended = catch_unwind(AssertUnwindSafe(|| walk(parameter, value)));
    let seconds = begin.elapsed().as_secs_f64();
    let what = match ended {
        Err(_) => "panics".to_string(),
        Ok(_) if seconds > LONGEST => format!("takes {seconds:.0} s"),
        Ok(Ok(mut outcome)) => {
            let status = outcome.judged_status();
            outcome.require_finite();
            let warned = !outcome.warnings.is_empty() || !outcome.judgement.warnings().is_empty();
            match status {
                Status::Ok if outcome.status == Status::Failed => format!("is ok: {}", outcome.warnings[0]),
                Status::Ok => return None,
                _ if warned => return None,
                other => format!("is {} without a word", other.word()),
            }
        }
        Ok(Err(error)) if error.to_string().trim().is_empty() => "fails without a word".into(),
        Ok(Err(_)) => return None,
    };
    Some(format!("walk --set {parameter}={value}: {what}"))
}

/// A step that would take years ends with the reason, although there is no sample yet at which results could be kept.
#[test]
fn a_walk_that_would_take_years_says_so() {
    let error = walk("step", "1e-12").expect_err("a message").to_string();
    assert!(error.contains("time limit of 4 s") && error.contains("--max-time"), "{error}");
}

#[test]
fn wrong_people_are_refused() {
    let wrong = [("mass", "1e300"), ("stature", "1e-3"), ("speed", "1e6"), ("cycles", "1e9"), ("step", "0")];
    for (parameter, value) in wrong {
        let error = walk(parameter, value).expect_err(parameter).to_string();
        assert!(error.contains(parameter) && error.len() < 400, "{error}");
    }
}

/// All parameters at all values; `WOLFF_EXTREMES=floor` restricts it to parameters with this text in their name, unless
/// it is the name of a study.
#[test]
#[ignore = "takes half an hour"]
fn all_walks_end_at_extremes() {
    const NUMBERS: [&str; 8] = ["0", "-1", "1e-300", "1e300", "NaN", "65536", "1e-9", "1e12"];
    const FILES: [&str; 3] = ["there-is-none.trc", "/", "Cargo.toml"];
    let only = std::env::var("WOLFF_EXTREMES").unwrap_or_default();
    let document = StudyDocument::parse("walk.toml", builtin("walk").unwrap()).unwrap();
    let (mut runs, mut found) = (0, Vec::new());
    for parameter in document.parameters.iter().filter(|p| only == "walk" || p.name.contains(&only)) {
        let words: Vec<&str> = match (&parameter.value, parameter.choices()) {
            (ParameterValue::Number(_), _) => NUMBERS.to_vec(),
            (ParameterValue::Word(_), []) => FILES.to_vec(),
            (ParameterValue::Word(_), words) => words.iter().map(String::as_str).chain(["none of these"]).collect(),
        };
        runs += words.len();
        found.extend(words.iter().filter_map(|value| complaint(&parameter.name, value)));
    }
    println!("{runs} walks");
    assert!(found.is_empty(), "{} complaints\n{}", found.len(), found.join("\n"));
}
