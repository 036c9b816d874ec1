//! Every parameter of every study at extreme values: each run ends in time with a complete, a partial or a failed
//! outcome or with a message, never with a panic, and never with a number that is not finite and the status ok.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use wolff_report::outcome::{Outcome, Status};
use wolff_study::document::{Parameter, ParameterValue, StudyDocument};
use wolff_study::{BUILTIN, Budget, RunError, builtin, run_study};

/// Time limit of the simulation itself, and of everything together \[s\].
const MAX_TIME: Duration = Duration::from_millis(1500);
const LONGEST: f64 = 20.0;

/// Values that users set by mistake, and those that computations are bad at.
const EXTREMES: [&str; 12] =
    ["0", "-1", "1e-300", "1e300", "NaN", "inf", "65536", "-65536", "1e-9", "1e12", "-1e300", "1e9"];

/// Names of files that cannot be read: none of this name, a folder, the device of nothing, a file of another kind.
const FILES: [&str; 5] = ["", "there-is-none.sto", "/", "/dev/null", "Cargo.toml"];

/// One run with one parameter changed.
#[derive(Clone, Debug)]
struct Case {
    study: &'static str,
    parameter: String,
    value: String,
}

fn cases(studies: &[&'static str], values: &[&'static str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for study in studies {
        let document = StudyDocument::parse(study, builtin(study).unwrap()).unwrap();
        for parameter in &document.parameters {
            let case = |value: &str| Case { study, parameter: parameter.name.clone(), value: value.into() };
            cases.extend(values_of(parameter, values).into_iter().map(case));
        }
    }
    cases
}

/// Values of one parameter: the given numbers, every word and two that are none, or names of files.
fn values_of<'a>(parameter: &'a Parameter, numbers: &[&'a str]) -> Vec<&'a str> {
    match (&parameter.value, parameter.choices()) {
        (ParameterValue::Number(_), _) => numbers.to_vec(),
        (ParameterValue::Word(_), []) => FILES.to_vec(),
        (ParameterValue::Word(_), words) => words.iter().map(String::as_str).chain(["", "none of these"]).collect(),
    }
}

fn run(case: &Case) -> Result<Outcome, RunError> {
    let mut document = StudyDocument::parse(case.study, builtin(case.study).unwrap())?;
    document.apply_overrides(&[(case.parameter.clone(), case.value.clone())])?;
    let budget = Budget { max_time: Some(MAX_TIME), ..Budget::default() };
    run_study(&document.evaluate()?, budget, &mut |_, _| {})
}

/// What is wrong with the end of a run.
fn complaint(case: &Case) -> Option<String> {
    let begin = Instant::now();
    let ended = catch_unwind(AssertUnwindSafe(|| run(case)));
    let seconds = begin.elapsed().as_secs_f64();
    let what = match ended {
        Err(_) => "panics".to_string(),
        Ok(_) if seconds > LONGEST => format!("takes {seconds:.0} s"),
        Ok(Ok(outcome)) if outcome.judged_status() == Status::Ok && !is_finite(&outcome) => {
            "is ok with numbers that are not finite".into()
        }
        Ok(Ok(outcome)) if outcome.judged_status() != Status::Ok && says_nothing(&outcome) => {
            format!("is {} without a word", outcome.judged_status().word())
        }
        Ok(Err(error)) if error.to_string().trim().is_empty() => "fails without a word".into(),
        Ok(_) => return None,
    };
    Some(format!("{} --set {}={}: {what}", case.study, case.parameter, case.value))
}

fn says_nothing(outcome: &Outcome) -> bool {
    outcome.warnings.is_empty() && outcome.judgement.warnings().is_empty()
}

fn is_finite(outcome: &Outcome) -> bool {
    let rows = outcome.series.iter().flat_map(|series| &series.rows).flatten();
    let values = outcome.comparisons.iter().flat_map(|c| [&c.value, &c.reference]);
    let results = outcome.results.values();
    rows.chain(values).all(|x| x.is_finite()) && results.into_iter().all(|value| !value.is_null())
}

/// Runs all cases on all cores and returns the complaints.
fn sweep(cases: &[Case]) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    found.lock().unwrap().extend(complaint(case));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    found
}

/// The studies that take milliseconds, at the four values that show most.
#[test]
fn quick_studies_end_at_extremes() {
    let studies = ["pendulum", "double-pendulum", "four-bar", "heavy-top", "spheres", "bouncing-ball", "andrews"];
    let cases = cases(&studies, &["0", "-1", "1e300", "NaN"]);
    assert!(cases.len() > 200, "{}", cases.len());
    let found = sweep(&cases);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// All studies of models at all values; `WOLFF_EXTREMES=knee` restricts it to studies with this text in their name.
#[test]
#[ignore = "takes some minutes"]
fn all_studies_end_at_extremes() {
    let only = std::env::var("WOLFF_EXTREMES").unwrap_or_default();
    let studies: Vec<_> = BUILTIN.iter().map(|(n, _)| *n).filter(|n| *n != "walk" && n.contains(&only)).collect();
    let cases = cases(&studies, &EXTREMES);
    println!("{} runs of {} studies", cases.len(), studies.len());
    let found = sweep(&cases);
    assert!(found.is_empty(), "{} complaints\n{}", found.len(), found.join("\n"));
}

/// The runs that had no end: they stop in time, say how long they would take, and name what forces the step down.
#[test]
fn endless_runs_end_with_what_they_have() {
    let endless =
        [("double-pendulum", "omega_1", "65536"), ("andrews", "m4", "1e12"), ("four-bar", "duration", "1e12")];
    for (study, parameter, value) in endless {
        let outcome =
            run(&Case { study, parameter: parameter.into(), value: value.into() }).expect("a partial outcome");
        let text = outcome.warnings.join("\n");
        assert_eq!(outcome.status, Status::Partial, "{study}: {text}");
        // which quantity forces the step down depends on how far the machine comes within the limit
        assert!(text.contains("time limit") && text.contains("forced down by"), "{study}: {text}");
        assert!(outcome.simulated_s > 0.0, "{study}: {text}");
    }
}

/// The warnings of a run that its time limit ends are the limit and the number of references that it has not reached.
#[test]
fn references_beyond_an_early_end_are_counted() {
    let mut document = StudyDocument::parse("double-pendulum", builtin("double-pendulum").unwrap()).unwrap();
    let set = [("integrator.method", "\"rk4\""), ("integrator.step", "1e-7")];
    document.apply_overrides(&set.map(|(key, value)| (key.into(), value.into()))).unwrap();
    let budget = Budget { max_time: Some(Duration::from_millis(300)), ..Budget::default() };
    let outcome = run_study(&document.evaluate().unwrap(), budget, &mut |_, _| {}).unwrap();
    let text = outcome.warnings.join("\n");
    assert_eq!(outcome.judged_status(), Status::Partial, "{text}");
    assert!(text.contains("time limit") && text.contains("references are not compared"), "{text}");
    assert_eq!(outcome.warnings.len(), 2, "{text}");
}

/// A request of the user ends a run at once.
#[test]
fn a_request_stops_a_run() {
    let document = StudyDocument::parse("four-bar", builtin("four-bar").unwrap()).unwrap();
    let budget = Budget { max_time: None, stop: || true };
    let ended = run_study(&document.evaluate().unwrap(), budget, &mut |_, _| {});
    assert!(matches!(ended, Err(RunError::Stopped)), "{ended:?}");
}
