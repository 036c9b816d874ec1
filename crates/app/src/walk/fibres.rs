//! What Hill muscles did in a walk: excitations, activations, fibres, and forces beyond their reach.

use serde_json::{Map, Value, json};
use wolff_anatomy::Side;
use wolff_movement::simulate::MovementResult;
use wolff_movement::tracking::{ControlledMuscle, HillLaw};
use wolff_report::outcome::Series;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// Shares of the time below this are not told.
const TOLD: f64 = 0.005;

/// A Hill muscle of a walk.
struct Hill<'a> {
    muscle: &'a ControlledMuscle,
    law: &'a HillLaw,
    /// Among all muscles.
    index: usize,
    /// Of its first column in the record.
    column: usize,
}

impl Hill<'_> {
    fn name(&self) -> &str {
        self.muscle.path.name()
    }

    /// Excitation (0), activation (1) or fibre length over the optimal one (2) at every sample.
    fn history<'p>(&self, performance: &'p MovementResult, part: usize) -> impl Iterator<Item = f64> + 'p {
        let column = self.column + part;
        performance.record.fibres.iter().filter_map(move |row| row.get(column).copied())
    }

    /// Share of the time at full excitation.
    fn full(&self, performance: &MovementResult) -> f64 {
        let samples = performance.record.fibres.len().max(1) as f64;
        self.history(performance, 0).filter(|u| *u >= 1.0).count() as f64 / samples
    }
}

fn hill_muscles(performance: &MovementResult) -> Vec<Hill<'_>> {
    let all = performance.controllers.muscles.iter().enumerate();
    let known = all.filter_map(|(index, muscle)| muscle.hill().map(|law| (index, muscle, law))).enumerate();
    known.map(|(k, (index, muscle, law))| Hill { muscle, law, index, column: 3 * k }).collect()
}

/// Numbers of muscles, and which of them are asked for more than they can do.
pub(super) fn results(performance: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let hill = hill_muscles(performance);
    if hill.is_empty() {
        return;
    }
    put("hill_muscles", json!(hill.len()));
    put("servo_muscles", json!(performance.controllers.muscles.len() - hill.len()));
    let shares = |of: &dyn Fn(&Hill<'_>) -> f64| {
        let told = hill.iter().map(|m| (m.name().to_string(), of(m))).filter(|(_, share)| *share > TOLD);
        told.map(|(name, share)| (name, json!(share))).collect::<Map<_, _>>()
    };
    let mean = |of: &dyn Fn(&Hill<'_>) -> f64| hill.iter().map(of).sum::<f64>() / hill.len() as f64;
    let (weak, taut) = (|m: &Hill<'_>| m.law.tracked().limits.too_weak, |m: &Hill<'_>| m.law.tracked().limits.too_taut);
    let full = |m: &Hill<'_>| m.full(performance);
    put("too_weak_share", json!(mean(&weak)));
    put("too_weak_share_of", Value::Object(shares(&weak)));
    put("too_taut_share", json!(mean(&taut)));
    put("too_taut_share_of", Value::Object(shares(&taut)));
    put("full_excitation_share", json!(mean(&full)));
    put("full_excitation_share_of", Value::Object(shares(&full)));
}

/// What a reader should be told about them.
pub(super) fn remarks(performance: &MovementResult) -> Vec<String> {
    let hill = hill_muscles(performance);
    if hill.is_empty() {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    let servos: Vec<&str> =
        performance.controllers.muscles.iter().filter(|m| m.hill().is_none()).map(|m| m.path.name()).collect();
    if !servos.is_empty() {
        remarks.push(format!("fibres of {} are not known: these remain servos", servos.join(", ")));
    }
    let weak = |m: &&Hill<'_>| m.law.tracked().limits.too_weak > TOLD;
    let told = hill.iter().filter(weak).map(|m| {
        let limits = &m.law.tracked().limits;
        format!("{} in {:.1} % of the time, by {:.0} N at most", m.name(), 100.0 * limits.too_weak, limits.missing)
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        remarks.push(format!("the wanted force is beyond the reach of {}", told.join("; ")));
    }
    remarks
}

/// Excitation, activation and fibre length over the optimal one of every Hill muscle.
pub(super) fn series(performance: &MovementResult) -> Option<Series> {
    let hill = hill_muscles(performance);
    if hill.is_empty() {
        return None;
    }
    let parts = ["excitation", "activation", "fibre_length"];
    let names = hill.iter().flat_map(|m| parts.map(|part| format!("{}_{part}", m.name())));
    let record = &performance.record;
    let rows = record.times.iter().zip(&record.fibres).map(|(t, row)| [&[*t], row.as_slice()].concat());
    Some(Series {
        name: "activations".into(),
        columns: std::iter::once("time".to_string()).chain(names).collect(),
        rows: rows.collect(),
    })
}

/// Hill muscles of the right side.
pub(super) fn table(performance: &MovementResult) -> Option<Table> {
    let hill = hill_muscles(performance);
    let right: Vec<&Hill<'_>> = hill.iter().filter(|m| Side::of(m.name()) == Some(Side::Right)).collect();
    if right.is_empty() {
        return None;
    }
    let record = &performance.record;
    let row = |m: &&Hill<'_>| {
        let greatest = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0, f64::max);
        let wanted = greatest(&mut record.times.iter().map(|t| performance.reference.tensions[m.index].value(*t)));
        let pulled = greatest(&mut record.tensions.iter().map(|row| row[m.index]));
        let limits = &m.law.tracked().limits;
        let cells = [
            m.muscle.max_force,
            wanted,
            pulled,
            greatest(&mut m.history(performance, 1)),
            m.history(performance, 2).fold(f64::INFINITY, f64::min),
            greatest(&mut m.history(performance, 2)),
            100.0 * limits.too_weak,
            100.0 * m.full(performance),
        ];
        let cells = cells.map(Cell::Number).to_vec();
        TableRow { label: m.name().into(), kind: RowKind::Own, source: String::new(), cells }
    };
    let columns = [
        "strength [N]",
        "largest wanted force [N]",
        "largest force [N]",
        "largest activation",
        "shortest fibre [optimal lengths]",
        "longest fibre [optimal lengths]",
        "wanted force beyond reach [% of time]",
        "fully excited [% of time]",
    ];
    Some(Table {
        name: "hill-muscles".into(),
        title: "Hill muscles of the right side".into(),
        columns: columns.map(String::from).to_vec(),
        rows: right.iter().map(row).collect(),
    })
}
