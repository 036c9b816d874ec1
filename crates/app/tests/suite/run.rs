//! Additional runs: a request to stop ends them, and the results of the main run are kept.

use std::sync::atomic::{AtomicBool, Ordering};
use wolff_app::run::{FURTHER, Further, Monitor, Request};
use wolff_report::outcome::{Outcome, Status};
use wolff_study::document::{StudyDocument, builtin};
use wolff_study::{Budget, RunError};

/// Requests a stop as soon as the additional runs begin.
struct Impatient(&'static AtomicBool);

impl Monitor for Impatient {
    fn part(&mut self, name: &str) {
        self.0.store(self.0.load(Ordering::Relaxed) || FURTHER.contains(&name), Ordering::Relaxed);
    }

    fn progress(&mut self, _: f64) -> bool {
        true
    }
}

fn stopped_after_the_main_run(
    document: &StudyDocument,
    set: &[(String, String)],
    further: Further,
    flag: &'static AtomicBool,
    stop: fn() -> bool,
) -> Result<Outcome, RunError> {
    let request = Request {
        document,
        set,
        from: None,
        checkpoint: None,
        cache: None,
        further,
        force: false,
        budget: Budget { max_time: None, stop },
    };
    request.run(&mut Impatient(flag)).map(|(outcome, _)| outcome)
}

#[test]
fn a_walk_stopped_in_its_variants_keeps_its_results() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let set: Vec<(String, String)> = [("bones", "none"), ("cycles", "1")].map(|(k, v)| (k.into(), v.into())).into();
    let mut document = StudyDocument::parse("walk.toml", builtin("walk").unwrap()).unwrap();
    document.apply_overrides(&set).unwrap();
    let further = Further { variants: true, choices: true, ways: true, convergence: true, own_sensitivity: false };
    let outcome = stopped_after_the_main_run(&document, &set, further, &STOP, || STOP.load(Ordering::Relaxed)).unwrap();
    assert!(outcome.status == Status::Ok && outcome.resume.is_none());
    assert!(outcome.warnings[0].contains("additional runs were stopped"), "{:?}", outcome.warnings);
    let variants = outcome.tables.iter().find(|table| table.name == "variants").unwrap();
    assert!(variants.rows.len() == 1 && variants.rows[0].label == "as requested");
}

#[test]
fn a_model_stopped_in_its_sensitivities_keeps_its_results() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let table = "[sensitivity]\nof = \"theta_rad\"\nparameters = [\"mass\", \"gravity\"]\n";
    let text = format!("{}\n{table}", builtin("pendulum").unwrap());
    let document = StudyDocument::parse("pendulum.toml", &text).unwrap();
    let further = Further { own_sensitivity: true, ..Further::default() };
    let outcome = stopped_after_the_main_run(&document, &[], further, &STOP, || STOP.load(Ordering::Relaxed)).unwrap();
    assert!(outcome.status == Status::Ok && outcome.results["theta_rad"].is_number());
    assert!(outcome.warnings[0].contains("additional runs were stopped"), "{:?}", outcome.warnings);
    let rows = outcome.results["sensitivity"].as_array().unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|row| row["change_percent"].is_null()), "{rows:?}");
}
