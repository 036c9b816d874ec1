//! Comparisons of runs: each run gives what it gives alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use wolff_app::compare::ComparisonRequest;
use wolff_app::run::{Monitor, run_builtin};
use wolff_report::json::Timing;
use wolff_report::outcome::{Cell, Outcome, Status};
use wolff_study::document::{StudyDocument, builtin};
use wolff_study::{Budget, RunError};

struct Silent;

impl Monitor for Silent {
    fn part(&mut self, _: &str) {}

    fn progress(&mut self, _: f64) -> bool {
        true
    }
}

fn compared(study: &str, options: &[&str], results: &[&str], budget: Budget) -> Result<(Outcome, Timing), RunError> {
    let document = StudyDocument::parse(study, builtin(study).unwrap()).unwrap();
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let results: Vec<String> = results.iter().map(ToString::to_string).collect();
    let spec = document.comparison(&options)?;
    let request = ComparisonRequest {
        document: &document,
        set: &[],
        spec: &spec,
        results: &results,
        cache: None,
        force: false,
        budget,
    };
    request.run(&mut Silent)
}

fn outcome(study: &str, options: &[&str], results: &[&str]) -> Outcome {
    compared(study, options, results, Budget::default()).unwrap().0
}

/// The runs are independent: results and curves are those of single runs, bit by bit.
#[test]
fn each_run_is_that_of_its_values() {
    let all = outcome("slider-crank", &["law=hertz,flores"], &["impact.1.force_max_n", "block_final_m_s"]);
    assert_eq!(all.status, Status::Ok);
    for (i, law) in ["hertz", "flores"].into_iter().enumerate() {
        let alone = run_builtin("slider-crank", &[("law", law)]).unwrap();
        assert_eq!(all.runs[i].results, alone.results);
        assert_eq!(all.runs[i].label, law);
        let force = alone.results["impacts"][0]["force_max_n"].as_f64().unwrap();
        assert_eq!(all.tables[0].rows[i].cells[0], Cell::Number(force));
        let single = alone.plots.iter().find(|plot| plot.name == "force").unwrap();
        let common = all.plots.iter().find(|plot| plot.name == "force").unwrap();
        assert_eq!(common.curves[i].0, law);
        let highest = |points: &[(f64, f64)]| points.iter().fold(0.0_f64, |most, point| most.max(point.1));
        assert_eq!(highest(&common.curves[i].1), highest(&single.curves[0].1));
    }
    // a plot of two curves becomes two figures
    let names: Vec<&str> = all.plots.iter().map(|plot| plot.name.as_str()).collect();
    assert!(names.contains(&"position-slider_x_m") && names.contains(&"position-block_x_m"), "{names:?}");
}

/// The damping factors of the laws, found from force and motion, are those of their publications.
#[test]
fn damping_factors_of_all_laws_over_the_restitution() {
    let all = outcome("spheres", &["restitution"], &[]);
    type Factor = fn(f64) -> f64;
    let closed: [(&str, Factor); 6] = [
        ("hunt-crossley", |e| 1.5 * (1.0 - e)),
        ("herbert-mcwhannell", |e| 6.0 * (1.0 - e) / ((2.0 * e - 1.0).powi(2) + 3.0)),
        ("lee-wang", |e| 0.75 * (1.0 - e)),
        ("lankarani-nikravesh", |e| 0.75 * (1.0 - e * e)),
        ("gonthier", |e| (1.0 - e * e) / e),
        ("flores", |e| 1.6 * (1.0 - e) / e),
    ];
    for (law, factor) in closed {
        let runs: Vec<_> = all.runs.iter().filter(|run| run.values["law"] == law).collect();
        assert_eq!(runs.len(), 12);
        for run in runs {
            let (e, found) = (run.values["restitution"].as_f64().unwrap(), run.results["damping_factor"].as_f64());
            let (found, expected) = (found.unwrap(), factor(e));
            assert!((found / expected - 1.0).abs() < 1e-4, "{law}, e = {e}: {found} for {expected}");
        }
    }
    let figure = all.plots.iter().find(|plot| plot.name == "damping_factor-over-restitution").unwrap();
    assert!(figure.log_y && figure.curves.len() == 8 && figure.curves[0].1.len() == 12);
    // 96 curves over time cannot be told apart
    assert!(all.plots.iter().all(|plot| plot.name != "force"));
}

#[test]
fn values_without_effect_are_told() {
    let all = outcome("spheres", &["radius=0.02,0.03"], &[]);
    assert!(all.warnings.iter().any(|w| w.contains("`radius` has no effect")), "{:?}", all.warnings);
    let some = outcome("spheres", &["law=hertz,gonthier-exact,exact-restitution"], &[]);
    let told = "`law`: the values gonthier-exact; exact-restitution give the same";
    assert!(some.warnings.iter().any(|w| w.contains(told)), "{:?}", some.warnings);
}

#[test]
fn unknown_results_are_told_and_the_others_shown() {
    let all = outcome("spheres", &["law=hertz,flores"], &["force_max", "force_max_n"]);
    assert!(all.warnings.iter().any(|w| w.contains("no run has a result `force_max`")), "{:?}", all.warnings);
    assert_eq!(all.tables[0].columns[0], "force_max_n");
}

/// Euler's method with a long step leaves the others their results.
#[test]
fn a_run_that_fails_does_not_take_the_others_with_it() {
    let all = outcome("knee-2d", &["amplitude=100,5000", "integrator.max_steps=3,1000000"], &[]);
    assert_eq!(all.runs.len(), 4);
    let complete = all.runs.iter().filter(|run| run.error.is_none() && run.status == Some(Status::Ok)).count();
    assert!((1..4).contains(&complete), "{:?}", all.runs.iter().map(|run| &run.status).collect::<Vec<_>>());
    assert_ne!(all.status, Status::Ok);
}

/// A request to stop after the second run keeps the runs that are complete.
#[test]
fn a_stopped_comparison_keeps_what_is_complete() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    // a run asks several times; some runs are complete before, the last ones are not begun
    let stop = || ASKED.fetch_add(1, Ordering::Relaxed) > 3000;
    let budget = Budget { max_time: None, stop };
    let (all, _) = compared("spheres", &["speed=0.1..1:100"], &[], budget).unwrap();
    let complete = all.runs.iter().filter(|run| run.status == Some(Status::Ok)).count();
    assert!(complete > 0 && complete < 100, "{complete}");
    assert!(all.warnings[0].contains(&format!("{complete} of 100 runs were completed")), "{:?}", all.warnings);
    assert_eq!(all.status, Status::Partial);
}

#[test]
fn the_processor_time_of_each_run_is_known_and_results_are_repeated() {
    let [(a, time), (b, _)] =
        [(); 2].map(|()| compared("spheres", &["law=hertz,flores"], &[], Budget::default()).unwrap());
    assert_eq!(time.parts_cpu_s.iter().map(|part| part.0.as_str()).collect::<Vec<_>>(), ["hertz", "flores"]);
    assert!(time.parts_cpu_s.iter().all(|part| part.1 > 0.0));
    assert_eq!((a.runs, a.tables), (b.runs, b.tables));
}

/// Curves that turn back keep their shape with as many points as a figure can show.
#[test]
fn long_curves_are_thinned() {
    let all = outcome("knee-2d", &["law=hertz,flores"], &[]);
    for law in ["hertz", "flores"] {
        let alone = run_builtin("knee-2d", &[("law", law)]).unwrap();
        let curve = |outcome: &Outcome, label: &str| {
            let plot = outcome.plots.iter().find(|plot| plot.name == "phase-portrait").unwrap();
            plot.curves.iter().find(|(name, _)| name == label).unwrap().1.clone()
        };
        let (whole, thin) = (curve(&alone, "indentation_speed_mm_s"), curve(&all, law));
        assert!(whole.len() > 1400 && thin.len() <= 1401, "{} {}", whole.len(), thin.len());
        let most = |points: &[(f64, f64)]| points.iter().fold((0.0_f64, 0.0_f64), |m, p| (m.0.max(p.0), m.1.max(p.1)));
        let ((x, y), (a, b)) = (most(&whole), most(&thin));
        assert!((a / x - 1.0).abs() < 0.01 && (b / y - 1.0).abs() < 0.01, "{x} {y} {a} {b}");
    }
}
