use serde_json::{Map, Value, json};
use wolff_report::json::{Stopwatch, Timing, report};
use wolff_report::outcome::{Comparison, Outcome, Series};

const TIMING: Timing = Timing { cpu_s: 0.25, wall_s: 0.5, simulated_s: 2.0, parts_cpu_s: Vec::new() };

fn outcome(results: Value) -> Outcome {
    let Value::Object(results) = results else { panic!("results are an object") };
    Outcome {
        study: "test".into(),
        results,
        warnings: vec!["the study's own".into()],
        simulated_s: 2.0,
        ..Outcome::default()
    }
}

fn warnings(report: &Value) -> Vec<&str> {
    report["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect()
}

#[test]
fn the_fields_stand_in_their_order() {
    let report = report(&outcome(json!({ "z": 1.5, "a": 2 })), &TIMING);
    let keys: Vec<_> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["study", "status", "results", "warnings", "timing"]);
    assert_eq!(report["timing"], json!({ "cpu_s": 0.25, "wall_s": 0.5, "simulated_s": 2.0 }));
    let results: Vec<_> = report["results"].as_object().unwrap().keys().collect();
    assert_eq!(results, ["z", "a"]);
}

#[test]
fn a_comparison_tells_its_difference_and_verdict() {
    let mut outcome = outcome(Value::Object(Map::new()));
    let near = Comparison { quantity: "e".into(), value: 1.5, reference: 1.0, tolerance: 0.5, source: "book".into() };
    outcome.comparisons = vec![near.clone(), Comparison { tolerance: 0.25, ..near }];
    let report = report(&outcome, &TIMING);
    assert_eq!(report["comparisons"][0]["difference"], 0.5);
    assert_eq!(report["comparisons"][0]["pass"], true);
    assert_eq!(report["comparisons"][1]["pass"], false);
}

#[test]
fn numbers_that_are_not_finite_become_null_and_are_named() {
    let mut outcome =
        outcome(json!({ "good": 1.0, "bad": f64::NAN, "list": [1.0, f64::INFINITY], "in": { "x": f64::NAN } }));
    let reference =
        Comparison { quantity: "e".into(), value: f64::NAN, reference: 1.0, tolerance: 0.5, source: "b".into() };
    outcome.comparisons = vec![reference];
    let rows = vec![vec![0.0, 1.0], vec![0.1, f64::NAN], vec![0.2, f64::NEG_INFINITY]];
    outcome.series = vec![Series { name: "motion".into(), columns: vec!["time".into(), "q".into()], rows }];

    let report = report(&outcome, &TIMING);
    assert_eq!(report["results"]["bad"], Value::Null);
    assert_eq!(report["comparisons"][0]["value"], Value::Null);
    assert_eq!(report["comparisons"][0]["pass"], false);
    let all = warnings(&report);
    assert_eq!(all.len(), 6, "{all:?}");
    for named in ["`bad`", "`list[1]`", "`in.x`", "the value of `e`", "2 of 3 values of `q`", "the study's own"] {
        assert!(all.iter().any(|w| w.contains(named)), "{named} missing in {all:?}");
    }
    assert!(serde_json::from_str::<Value>(&report.to_string()).is_ok());
}

#[test]
fn the_stopwatch_counts_work_as_processor_time() {
    let stopwatch = Stopwatch::start();
    let mut sum = 0.0_f64;
    while stopwatch.stop(0.0).wall_s < 0.05 {
        sum += std::hint::black_box(1.0_f64).sin();
    }
    let Timing { cpu_s, wall_s, .. } = stopwatch.stop(0.0);
    assert!(sum > 0.0);
    // other tests share the process, and other processes the machine: only the order of magnitude is sure
    assert!(cpu_s > 0.005 && wall_s >= 0.05, "{cpu_s} s of {wall_s} s");
}
