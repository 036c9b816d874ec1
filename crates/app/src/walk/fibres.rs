//! Hill muscles in a walk: excitations, activations, fibre lengths, and forces that they cannot reach.

use serde_json::{Map, Value, json};
use wolff_anatomy::Side;
use wolff_movement::simulate::MovementResult;
use wolff_movement::tracking::{ControlledMuscle, HillLaw};
use wolff_report::outcome::Series;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// Fractions of the time below this value are not reported.
const REPORTED: f64 = 0.005;

/// A Hill muscle of a walk.
struct Hill<'a> {
    muscle: &'a ControlledMuscle,
    law: &'a HillLaw,
    /// Index among all muscles.
    index: usize,
    /// Index of its first column in the record.
    column: usize,
}

impl Hill<'_> {
    fn name(&self) -> &str {
        self.muscle.path.name()
    }

    /// Excitation (0), activation (1) or fibre length over the optimal one (2) at every sample.
    fn history<'p>(&self, result: &'p MovementResult, part: usize) -> impl Iterator<Item = f64> + 'p {
        let column = self.column + part;
        result.record.fibres.iter().filter_map(move |row| row.get(column).copied())
    }

    /// Fraction of the time at full excitation.
    fn full(&self, result: &MovementResult) -> f64 {
        let samples = result.record.fibres.len().max(1) as f64;
        self.history(result, 0).filter(|u| *u >= 1.0).count() as f64 / samples
    }
}

fn hill_muscles(result: &MovementResult) -> Vec<Hill<'_>> {
    let all = result.controllers.muscles.iter().enumerate();
    let known = all.filter_map(|(index, muscle)| muscle.hill().map(|law| (index, muscle, law))).enumerate();
    known.map(|(k, (index, muscle, law))| Hill { muscle, law, index, column: 3 * k }).collect()
}

/// Numbers of muscles, and those that cannot reach the reference force.
pub(super) fn results(result: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let hill = hill_muscles(result);
    if hill.is_empty() {
        return;
    }
    put("hill_muscles", json!(hill.len()));
    put("servo_muscles", json!(result.controllers.muscles.len() - hill.len()));
    let fractions = |of: &dyn Fn(&Hill<'_>) -> f64| {
        let all = hill.iter().map(|m| (m.name().to_string(), of(m))).filter(|(_, fraction)| *fraction > REPORTED);
        all.map(|(name, fraction)| (name, json!(fraction))).collect::<Map<_, _>>()
    };
    let mean = |of: &dyn Fn(&Hill<'_>) -> f64| hill.iter().map(of).sum::<f64>() / hill.len() as f64;
    let (weak, taut) = (|m: &Hill<'_>| m.law.tracked().limits.too_weak, |m: &Hill<'_>| m.law.tracked().limits.too_taut);
    let full = |m: &Hill<'_>| m.full(result);
    put("too_weak_share", json!(mean(&weak)));
    put("too_weak_share_of", Value::Object(fractions(&weak)));
    put("too_taut_share", json!(mean(&taut)));
    put("too_taut_share_of", Value::Object(fractions(&taut)));
    put("full_excitation_share", json!(mean(&full)));
    put("full_excitation_share_of", Value::Object(fractions(&full)));
}

/// Remarks on Hill muscles.
pub(super) fn remarks(result: &MovementResult) -> Vec<String> {
    let hill = hill_muscles(result);
    if hill.is_empty() {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    let servos: Vec<&str> =
        result.controllers.muscles.iter().filter(|m| m.hill().is_none()).map(|m| m.path.name()).collect();
    if !servos.is_empty() {
        remarks.push(format!("fibre data of {} are not available: these muscles remain servos", servos.join(", ")));
    }
    let weak = |m: &&Hill<'_>| m.law.tracked().limits.too_weak > REPORTED;
    let missed = hill.iter().filter(weak).map(|m| {
        let limits = &m.law.tracked().limits;
        format!("{} for {:.1} % of the time, by up to {:.0} N", m.name(), 100.0 * limits.too_weak, limits.missing)
    });
    let missed: Vec<String> = missed.collect();
    if !missed.is_empty() {
        remarks.push(format!("these muscles cannot reach the reference force: {}", missed.join("; ")));
    }
    remarks
}

/// Excitation, activation and fibre length over the optimal one of every Hill muscle.
pub(super) fn series(result: &MovementResult) -> Option<Series> {
    let hill = hill_muscles(result);
    if hill.is_empty() {
        return None;
    }
    let parts = ["excitation", "activation", "fibre_length"];
    let names = hill.iter().flat_map(|m| parts.map(|part| format!("{}_{part}", m.name())));
    let record = &result.record;
    let rows = record.times.iter().zip(&record.fibres).map(|(t, row)| [&[*t], row.as_slice()].concat());
    Some(Series {
        name: "activations".into(),
        columns: std::iter::once("time".to_string()).chain(names).collect(),
        rows: rows.collect(),
    })
}

/// Hill muscles of the right side.
pub(super) fn table(result: &MovementResult) -> Option<Table> {
    let hill = hill_muscles(result);
    let right: Vec<&Hill<'_>> = hill.iter().filter(|m| Side::of(m.name()) == Some(Side::Right)).collect();
    if right.is_empty() {
        return None;
    }
    let record = &result.record;
    let row = |m: &&Hill<'_>| {
        let maximum = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0, f64::max);
        let reference = maximum(&mut record.times.iter().map(|t| result.reference.tensions[m.index].value(*t)));
        let simulated = maximum(&mut record.tensions.iter().map(|row| row[m.index]));
        let limits = &m.law.tracked().limits;
        let cells = [
            m.muscle.max_force,
            reference,
            simulated,
            maximum(&mut m.history(result, 1)),
            m.history(result, 2).fold(f64::INFINITY, f64::min),
            maximum(&mut m.history(result, 2)),
            100.0 * limits.too_weak,
            100.0 * m.full(result),
        ];
        let cells = cells.map(Cell::Number).to_vec();
        TableRow { label: m.name().into(), kind: RowKind::Own, source: String::new(), cells }
    };
    let columns = [
        "strength [N]",
        "largest reference force [N]",
        "largest force [N]",
        "largest activation",
        "shortest fibre [optimal lengths]",
        "longest fibre [optimal lengths]",
        "reference force not reached [% of time]",
        "fully excited [% of time]",
    ];
    Some(Table {
        name: "hill-muscles".into(),
        title: "Hill muscles of the right side".into(),
        columns: columns.map(String::from).to_vec(),
        rows: right.iter().map(row).collect(),
    })
}
