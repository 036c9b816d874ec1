//! Numbers made of a recorded series.

use std::collections::BTreeMap;
use wolff_document::{Expression, Record, evaluate_result};

struct Recorded {
    times: Vec<f64>,
    columns: BTreeMap<&'static str, Vec<f64>>,
}

impl Record for Recorded {
    fn times(&self) -> &[f64] {
        &self.times
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.get(name).map(Vec::as_slice)
    }

    fn value(&self, name: &str) -> Option<f64> {
        [("impacts", 2.0), ("impact.1.t_s", 0.25), ("mass", 3.0)].iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }
}

fn recorded() -> Recorded {
    let times = vec![0.0, 0.1, 0.2, 0.30000000000000004];
    let columns = BTreeMap::from([("x", vec![1.0, -4.0, 2.0, 3.0]), ("bad", vec![1.0, f64::NAN, 5.0, 0.0])]);
    Recorded { times, columns }
}

fn value(text: &str) -> Result<f64, String> {
    let formula = Expression::parse(text).map_err(|e| e.to_string())?;
    evaluate_result(&formula, &recorded()).map_err(|e| e.to_string())
}

#[test]
fn reductions_run_over_rows() {
    let cases = [
        ("initial(x)", 1.0),
        ("final(x)", 3.0),
        ("max(x)", 3.0),
        ("min(x)", -4.0),
        ("mean(x)", 0.5),
        ("max(abs(x - initial(x)))", 5.0),
        ("max(mass * x + time)", 9.3),
        ("at(x^2, 0.1)", 16.0),
        ("at(x, 0.3)", 3.0),
        ("max(final(x), mass * impacts)", 6.0),
        ("impact.1.t_s + 1", 1.25),
    ];
    for (text, expected) in cases {
        let found = value(text).expect(text);
        assert!((found - expected).abs() < 1e-14, "{text} = {found}");
    }
}

#[test]
fn what_was_not_recorded_is_an_error_and_nan_stays() {
    assert!(value("x").is_err_and(|e| e.contains("unknown name `x`")));
    assert!(value("at(x, 0.15)").is_err_and(|e| e.contains("there is no recorded row at 0.15 s")));
    assert!(value("impact.2.t_s").is_err());
    for text in ["max(bad)", "min(bad)", "mean(bad)"] {
        assert!(value(text).is_ok_and(f64::is_nan), "{text}");
    }
}
