//! A walk repeated with changed parameters: how the results depend on them.

use crate::Session;
use std::path::PathBuf;
use wolff_numerics::correlation::pearson;
use wolff_report::digits::short;
use wolff_report::outcome::Outcome;
use wolff_report::published::{Cell, RowKind, Table, TableRow};
use wolff_study::document::{Study, StudyDocument, StudyKind};
use wolff_study::{Budget, RunError};

/// What all repetitions of a run have in common.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// Folder of reduced bones.
    pub cache: Option<PathBuf>,
    /// Whether a recording with errors is used all the same.
    pub force: bool,
    /// Limits of each repetition. Where the user requests its end, the tables have the rows completed until then.
    pub budget: Budget,
}

/// A label and the values that are set.
type Change = (&'static str, Vec<(&'static str, String)>);

/// Results in the columns of the convergence table.
const PEAKS: [&str; 6] = [
    "max_principal_microstrain",
    "min_principal_microstrain",
    "max_shear_microstrain",
    "max_principal_microstrain_rate_per_s",
    "min_principal_microstrain_rate_per_s",
    "max_shear_microstrain_rate_per_s",
];

/// The walk with half the step, twice the modes and a refined mesh: peak strains and their changes \[%\].
///
/// `None` for studies that are not walks.
pub fn convergence(document: &StudyDocument, outcome: &Outcome, how: &Repetition) -> Result<Option<Table>, RunError> {
    let study = document.evaluate()?;
    if study.kind != StudyKind::Walk {
        return Ok(None);
    }
    let changes: [Change; 3] = [
        ("half the step (limit 2 %, for rates 3 %)", vec![("step", format!("{} s", 0.5 * number(&study, "step")))]),
        (
            "twice the modes (limit 2 %)",
            vec![
                ("vibrations", format!("{}", 2.0 * number(&study, "vibrations"))),
                ("gauge_error", format!("{}", 0.25 * number(&study, "gauge_error"))),
            ],
        ),
        ("mesh refined (limit 5 %)", vec![("refinement", format!("{}", number(&study, "refinement") + 1.0))]),
    ];
    let mut rows = vec![row("as requested", outcome, None)];
    for (label, values) in changes {
        match again(document, &values, how) {
            Ok(changed) => rows.push(row(label, &changed, Some(outcome))),
            Err(RunError::Stopped) => break,
            Err(other) => return Err(other),
        }
    }
    let columns = PEAKS.iter().flat_map(|p| [(*p).to_string(), "change [%]".to_string()]);
    Ok(Some(Table {
        name: "convergence".into(),
        title: "Peak strains and strain rates at the anteromedial mid-shaft with finer numerics".into(),
        columns: columns.chain(["modes".to_string()]).collect(),
        rows,
    }))
}

fn row(label: &str, outcome: &Outcome, base: Option<&Outcome>) -> TableRow {
    let cells = PEAKS.iter().flat_map(|name| {
        let value = result(outcome, name);
        let change = base.and_then(|b| Some(100.0 * (value? / result(b, name)? - 1.0)));
        [value, change].map(|x| x.map_or(Cell::Empty, Cell::Number))
    });
    let modes = result(outcome, "modes_used").map_or(Cell::Empty, Cell::Number);
    TableRow {
        label: label.into(),
        kind: RowKind::Own,
        source: early_end(outcome),
        cells: cells.chain([modes]).collect(),
    }
}

/// Results in the columns of the table of variants.
const JUDGED: [(&str, &str); 7] = [
    ("leg_angle_rms_deg", "leg angles, rms [deg]"),
    ("ground_force_correlation", "vertical ground force, correlation"),
    ("ground_force_max_bw", "largest ground force [BW]"),
    ("residual_force_peak_bw", "force of the tracking agent [BW]"),
    ("residual_moment_peak_bw_height", "moment of the tracking agent [BW height]"),
    ("effort", "effort"),
    ("max_shear_microstrain", "max shear [microstrain]"),
];

/// The walk with other controllers, for comparison: servos without feed-forward, with an integral term, Hill muscles,
/// other muscles and floors.
///
/// `None` for studies that are not walks.
pub fn variants(document: &StudyDocument, outcome: &Outcome, how: &Repetition) -> Result<Option<Table>, RunError> {
    if document.evaluate()?.kind != StudyKind::Walk {
        return Ok(None);
    }
    let set = |pairs: &[(&'static str, &str)]| pairs.iter().map(|(n, v)| (*n, (*v).to_string())).collect();
    let changes: [Change; 6] = [
        ("servo without feed-forward, 1 mm", set(&[("servo", "pd"), ("servo_error", "1 mm"), ("servo_time", "10 ms")])),
        (
            "servo with integral, 2 mm, 0.1 s",
            set(&[("servo", "pid"), ("servo_error", "2 mm"), ("servo_time", "10 ms")]),
        ),
        ("Hill muscles", set(&[("servo", "hill")])),
        ("17 muscles per leg", set(&[("muscles", "thesis")])),
        ("floor of the first model", set(&[("floor", "first")])),
        ("reference motion not fitted to the floor", set(&[("floor_fit_steps", "0")])),
    ];
    let judged = |label: &str, outcome: &Result<Outcome, RunError>| {
        let (cells, source) = match outcome {
            Ok(o) => {
                (JUDGED.iter().map(|(n, _)| result(o, n).map_or(Cell::Empty, Cell::Number)).collect(), early_end(o))
            }
            Err(e) => (vec![], e.to_string()),
        };
        TableRow { label: label.into(), kind: RowKind::Own, source, cells }
    };
    let mut rows = vec![judged("as requested", &Ok(outcome.clone()))];
    for (label, values) in changes {
        match again(document, &values, how) {
            Err(RunError::Stopped) => break,
            changed => rows.push(judged(label, &changed)),
        }
    }
    Ok(Some(Table {
        name: "variants".into(),
        title: "The same walk with other controllers, muscles and floors".into(),
        columns: JUDGED.iter().map(|(_, heading)| (*heading).to_string()).collect(),
        rows,
    }))
}

/// Results in the columns of the table of choices.
const DEPENDENT: [(&str, &str); 9] = [
    ("max_principal_microstrain", "max principal [microstrain]"),
    ("min_principal_microstrain", "min principal [microstrain]"),
    ("max_shear_microstrain", "max shear [microstrain]"),
    ("max_shear_microstrain_rate_per_s", "rate of max shear [microstrain/s]"),
    ("ground_force_max_bw", "ground force [BW]"),
    ("external_torsion_deg", "external torsion [deg]"),
    ("medial_bending_deg", "medial bending [deg]"),
    ("hip_contact_peak_bw", "hip [BW]"),
    ("ankle_contact_peak_bw", "ankle [BW]"),
];

/// A modelling choice: its name, its spread among persons or the alternatives, and the overrides that represent them.
type Choice = (&'static str, &'static str, &'static [&'static [(&'static str, &'static str)]]);

/// The choices on which strains depend most. The dependence on the level and the site of a gauge is in the tables
/// `levels` and `face`. Spreads are one standard deviation where measurements of persons exist.
const CHOICES: [Choice; 21] = [
    (
        "breadth of the bone",
        "± 8 % at one stature (CT, 17 adults)",
        &[&[("bone_breadth", "0.92")], &[("bone_breadth", "1.08")]],
    ),
    (
        "shaft in front of the joint line",
        "7.6 ± 2.5 mm (CT, 17 adults)",
        &[
            &[("shaft", "given"), ("shaft_anterior", "5.1 mm"), ("shaft_lateral", "0.9 mm")],
            &[("shaft", "given"), ("shaft_anterior", "10.1 mm"), ("shaft_lateral", "0.9 mm")],
        ],
    ),
    (
        "shaft lateral of the joint line",
        "0.9 ± 2.7 mm (CT, 17 adults)",
        &[
            &[("shaft", "given"), ("shaft_anterior", "7.6 mm"), ("shaft_lateral", "-1.8 mm")],
            &[("shaft", "given"), ("shaft_anterior", "7.6 mm"), ("shaft_lateral", "3.6 mm")],
        ],
    ),
    (
        "elasticity of the cortex",
        "Reilly and Burstein 1975 (G 3.3 GPa), Ashman 1984 (E 20 GPa)",
        &[&[("cortical", "reilly-burstein")], &[("cortical", "ashman")]],
    ),
    (
        "rise of the subtalar axis",
        "± 9 deg (Isman and Inman 1969)",
        &[&[("subtalar_rise", "28.2 deg")], &[("subtalar_rise", "46.2 deg")]],
    ),
    (
        "turn of the subtalar axis",
        "± 11 deg (Isman and Inman 1969)",
        &[&[("subtalar_turn", "-2.3 deg")], &[("subtalar_turn", "19.7 deg")]],
    ),
    (
        "tilt of the ankle axis",
        "± 4 deg (Isman and Inman 1969)",
        &[&[("ankle_tilt", "6 deg")], &[("ankle_tilt", "14 deg")]],
    ),
    ("straight ankle axes", "a modelling choice", &[&[("ankle_axes", "straight")]]),
    ("muscles per leg", "27, or the 17 of the thesis", &[&[("muscles", "walking")], &[("muscles", "thesis")]]),
    ("strength", "± 30 %", &[&[("strength", "0.7")], &[("strength", "1.3")]]),
    (
        "stiffness of heel, sole and shoe",
        "half, twice",
        &[&[("floor_stiffness", "30 N/mm")], &[("floor_stiffness", "120 N/mm")]],
    ),
    ("controller", "Hill muscles, prescribed motion", &[&[("servo", "hill")], &[("servo", "prescribed")]]),
    ("fibula", "carries 7 % of the force", &[&[("fibula", "yes")]]),
    (
        "speed",
        "1.1 and 1.5 m/s",
        &[&[("pace", "given"), ("speed", "1.1 m/s")], &[("pace", "given"), ("speed", "1.5 m/s")]],
    ),
    ("mass of the person", "± 20 %, near that of the default", &[&[("mass", "60")], &[("mass", "90")]]),
    ("height of the person", "1.65 and 1.89 m, mass unchanged", &[&[("stature", "1.65")], &[("stature", "1.89")]]),
    (
        "persons of the publications",
        "their mass, stature and sex",
        &[&[("subject", "al-nazer-1")], &[("subject", "al-nazer-2")], &[("subject", "klodowski-2")]],
    ),
    (
        "shoes",
        "boots of 1.2 kg (Burr et al. 1996), as the mass of a pair and of one",
        &[&[("shoe_mass", "0.6")], &[("shoe_mass", "1.2")]],
    ),
    ("floor", "Table 4.3 of the thesis, first and second model", &[&[("floor", "first")], &[("floor", "second")]]),
    (
        "passive joint moments",
        "without moment in standing, none",
        &[&[("passive", "standing")], &[("passive", "none")]],
    ),
    (
        "modes of the bone",
        "99 % of the strain energy; 10 and 25 lowest (thesis, section 4.7)",
        &[
            &[("modes", "strain-energy")],
            &[("modes", "lowest"), ("mode_count", "10")],
            &[("modes", "lowest"), ("mode_count", "25")],
        ],
    ),
];

/// The walk with each choice changed on which strains depend: results, one row per change.
///
/// `None` for studies that are not walks.
pub fn choices(document: &StudyDocument, outcome: &Outcome, how: &Repetition) -> Result<Option<Table>, RunError> {
    if document.evaluate()?.kind != StudyKind::Walk {
        return Ok(None);
    }
    let row = |label: String, source: String, outcome: &Outcome| {
        let cells = DEPENDENT.iter().map(|(name, _)| result(outcome, name).map_or(Cell::Empty, Cell::Number)).collect();
        TableRow { label, kind: RowKind::Own, source, cells }
    };
    let mut rows = vec![row("as requested".into(), String::new(), outcome)];
    for (what, spread, change) in
        CHOICES.iter().flat_map(|(what, spread, all)| all.iter().map(move |c| (what, spread, c)))
    {
        let values: Vec<(&'static str, String)> = change.iter().map(|(n, v)| (*n, (*v).to_string())).collect();
        let set: Vec<String> = change.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let label = format!("{what}: {}", set.join(", "));
        match again(document, &values, how) {
            Ok(changed) => rows.push(row(label, (*spread).into(), &changed)),
            Err(RunError::Stopped) => break,
            Err(e) => rows.push(TableRow { label, kind: RowKind::Own, source: e.to_string(), cells: vec![] }),
        }
    }
    rows.extend(summary(&rows));
    Ok(Some(Table {
        name: "choices".into(),
        title: "Sensitivity of strains: one choice changed at a time, by its spread among persons".into(),
        columns: DEPENDENT.iter().map(|(_, heading)| (*heading).to_string()).collect(),
        rows,
    }))
}

/// Number of the column of the largest ground force in [`DEPENDENT`].
const GROUND_FORCE: usize = 4;

/// The range of each column over all runs, and its correlation with the largest ground force.
fn summary(rows: &[TableRow]) -> Vec<TableRow> {
    let column = |k: usize| -> Vec<Option<f64>> {
        let value = |row: &TableRow| match row.cells.get(k) {
            Some(Cell::Number(x)) => Some(*x),
            _ => None,
        };
        rows.iter().map(value).collect()
    };
    let range = |k: usize| {
        let all = || column(k).into_iter().flatten();
        let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if low > high { Cell::Empty } else { Cell::Text(format!("{} to {}", short(low), short(high))) }
    };
    let force = column(GROUND_FORCE);
    let correlation = |k: usize| {
        let pairs: Vec<(f64, f64)> = column(k).into_iter().zip(&force).filter_map(|(x, f)| Some((x?, (*f)?))).collect();
        let (x, f): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        pearson(&x, &f).map_or(Cell::Empty, Cell::Number)
    };
    let row = |label: &str, of: &dyn Fn(usize) -> Cell| TableRow {
        label: label.into(),
        kind: RowKind::Own,
        source: "over all rows above".into(),
        cells: (0..DEPENDENT.len()).map(of).collect(),
    };
    vec![row("range", &range), row("correlation with the ground force", &correlation)]
}

/// The reason why a run ended early; empty for a complete run.
fn early_end(outcome: &Outcome) -> String {
    match outcome.status {
        wolff_report::outcome::Status::Ok => String::new(),
        _ => outcome.warnings.first().cloned().unwrap_or_default(),
    }
}

fn again(document: &StudyDocument, values: &[(&'static str, String)], how: &Repetition) -> Result<Outcome, RunError> {
    let mut document = document.clone();
    let overrides: Vec<(String, String)> = values.iter().map(|(n, v)| ((*n).to_string(), v.clone())).collect();
    document.apply_overrides(&overrides)?;
    let Repetition { cache, force, budget } = how.clone();
    let mut progress = |_| !(budget.stop)();
    let mut session = Session { cache, force, budget, ..Session::new(&mut progress) };
    let outcome = super::run(&document.evaluate()?, &overrides, &mut session)?;
    // a walk that was stopped has a part of its results, which must not stand in a table of complete ones
    if (budget.stop)() { Err(RunError::Stopped) } else { Ok(outcome) }
}

fn number(study: &Study, name: &str) -> f64 {
    study.numbers.get(name).copied().unwrap_or(f64::NAN)
}

fn result(outcome: &Outcome, name: &str) -> Option<f64> {
    outcome.results.get(name)?.as_f64()
}
