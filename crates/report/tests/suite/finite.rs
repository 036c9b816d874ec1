//! Numbers that are not finite.

use serde_json::json;
use wolff_report::outcome::{Cell, Outcome, Plot, RowKind, Series, Status, Table, TableRow};

/// Wherever such a number is, the outcome has failed, and one warning names the place.
#[test]
fn each_place_is_named() {
    let series =
        Series { name: "run".into(), columns: vec!["time".into(), "x".into()], rows: vec![vec![0.5, f64::NAN]] };
    let row = TableRow {
        label: "this run".into(),
        kind: RowKind::Own,
        source: String::new(),
        cells: vec![Cell::Empty, Cell::Number(f64::INFINITY)],
    };
    let table =
        Table { name: "forces".into(), title: String::new(), columns: vec!["a".into(), "b".into()], rows: vec![row] };
    let plot = Plot { name: "force".into(), curves: vec![("hip".into(), vec![(0.0, f64::NAN)])], ..Plot::default() };
    let mut results = serde_json::Map::new();
    results.insert("peaks".into(), json!({ "hip": [1.0, f64::NAN] }));
    let places = [
        (Outcome { results, ..Outcome::default() }, "result `peaks.hip.2`"),
        (Outcome { series: vec![series], ..Outcome::default() }, "column `x` of series `run` from t = 0.5 s on"),
        (Outcome { tables: vec![table], ..Outcome::default() }, "row `this run` of table `forces`"),
        (Outcome { plots: vec![plot], ..Outcome::default() }, "curve `hip` of plot `force`"),
    ];
    for (mut outcome, place) in places {
        outcome.require_finite();
        outcome.require_finite();
        assert_eq!(outcome.status, Status::Failed, "{place}");
        assert_eq!(outcome.warnings.len(), 1, "{:?}", outcome.warnings);
        assert!(outcome.warnings[0].contains(place), "{:?}", outcome.warnings);
    }
}

/// A run with a changed parameter that failed has no number, which is not a failure of the outcome; nor are words.
#[test]
fn what_was_not_computed_is_not_a_failure() {
    let mut outcome = Outcome::default();
    outcome.results.insert("sensitivity".into(), json!([{ "parameter": "mass", "change_percent": null }]));
    outcome.results.insert("place".into(), json!("hip"));
    outcome.require_finite();
    assert!(outcome.status == Status::Ok && outcome.warnings.is_empty(), "{:?}", outcome.warnings);
}
