//! Lengths, moment arms and forces of muscles.

use super::figures;
use super::id::headline_text;
use super::inputs::{Loaded, in_file, read_table};
use super::legs::compared;
use super::{Analysis, Progress, Tables, outcome, ranges, ranges_text};
use std::path::Path;
use wolff_formats::sto::Storage;
use wolff_motion::{MotionError, Motors, MuscleHistory, MuscleInstant, muscle_analysis};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::PiecewiseLinear;
use wolff_opensim::setup::AnalysisKind;
use wolff_report::outcome::{Headline, Outcome, Verdict};
use wolff_verdict::{Finding, Limit, grouped};

/// Prefix of the files.
pub const PREFIX: &str = "muscle_";
/// Fibre lengths over the optimal one within which a fibre develops active force.
/// Source: Gordon, Huxley, Julian, J Physiol 184 (1966) 170-192; Zajac, Crit Rev Biomed Eng 17 (1989) 359-411.
const ACTIVE: [f64; 2] = [0.5, 1.6];
/// Longest fibre over its optimal length: doubtful, failed (chosen here).
const LONGEST: [f64; 2] = [1.8, 2.5];
const LONGEST_SOURCE: &str = "filaments of a fibre no longer overlap beyond 1.6 to 1.8 times the optimal length (Gordon \
    et al. 1966); fibres do not reach 2.5";
/// Largest tendon force over the maximum isometric force of the muscle: doubtful, failed.
const STRONGEST: [f64; 2] = [2.0, 3.5];
const STRONGEST_SOURCE: &str = "muscles that are stretched reach 1.8 times the isometric force; tendons break at a strain \
    of 10 %, 3.5 times that force (Zajac 1989)";

/// Coordinates of moment arms: options, then the set-up.
pub fn coordinates(loaded: &Loaded, given: &[String]) -> Vec<String> {
    if !given.is_empty() {
        return given.to_vec();
    }
    let from_setup = loaded.from_setup.analysis(|kind| match kind {
        AnalysisKind::MuscleAnalysis { coordinates, .. } => Some(coordinates.clone()),
        _ => None,
    });
    match from_setup {
        Some(list) if list.iter().any(|c| c.eq_ignore_ascii_case("all")) => {
            loaded.subject.coordinates.iter().map(|c| c.name.clone()).collect()
        }
        Some(list) => list,
        None => Vec::new(),
    }
}

/// Activations of a table, or one of all muscles.
pub fn activations(
    motors: &Motors,
    constant: Option<f64>,
    path: Option<&Path>,
) -> Result<Vec<TimeFunction>, MotionError> {
    let Some(path) = path else {
        let constant = constant.unwrap_or(0.05);
        if !(0.0..=1.0).contains(&constant) {
            let reason =
                format!("is {constant}, it must be between 0 and 1; give for example 0.05 for a muscle at rest");
            return Err(MotionError::input("--activation", reason));
        }
        return Ok(vec![TimeFunction::Constant(constant); motors.muscles.len()]);
    };
    let data = read_table(path)?.table;
    let times = data.column("time").unwrap_or_default();
    let function = |muscle: &wolff_motion::Muscle| {
        let name = muscle.hill.name();
        let missing = || MotionError::input(format!("muscle `{name}`"), "has no column; give one for each muscle");
        let column = data.column(name).ok_or_else(missing)?;
        let lines = PiecewiseLinear::new(&times, &column)
            .map_err(|cause| MotionError::Numerics { object: format!("activation of `{name}`"), cause })?;
        Ok(lines.into())
    };
    motors.muscles.iter().map(function).collect::<Result<_, _>>().map_err(|e| in_file(path, e))
}

/// Analyses the muscles along the motion.
pub fn run(
    loaded: &Loaded,
    coordinates: &[String],
    activations: &[TimeFunction],
    (folder, stop): (Option<&Path>, fn() -> bool),
    progress: Progress<'_>,
) -> Result<Analysis, MotionError> {
    let motors = loaded.motors()?;
    let model = &loaded.subject.model;
    let found =
        muscle_analysis(model, &motors.muscles, activations, &loaded.history, &loaded.times, coordinates, progress)
            .map_err(|e| loaded.in_model(e))?;
    let named = |s: Storage| (format!("{PREFIX}{}.sto", s.name), s);
    let tables = Tables::of(folder, &found.to_storages()?.into_iter().map(named).collect::<Vec<_>>(), stop)?;
    let mut outcome = outcome(loaded, "muscle");
    outcome.method.push(
        "Muscle analysis: lengths of the paths with wrapping, and forces of each fibre in equilibrium with its tendon at \
         rest at every instant (rigid tendons follow the path). A moment arm is minus the derivative of the length by \
         the coordinate."
            .into(),
    );
    outcome.results.insert("range".into(), ranges(&tables));
    outcome.warnings.extend(tables.remark());
    let (low, high) = outside(&found);
    for (names, bound) in [(low, format!("below {}", ACTIVE[0])), (high, format!("above {}", ACTIVE[1]))] {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let message = format!(
                "fibres of {} of {} muscles are {bound} of their optimal length, where they develop little active force: {}",
                names.len(),
                motors.muscles.len(),
                grouped(&names)
            );
            let remedy = "check optimal fibre and tendon slack lengths of the scaled model, and the unit of the angles";
            outcome.judgement.found([Finding::warning(message, remedy)]);
        }
    }
    judge_extremes(&mut outcome, loaded, &found);
    outcome.headline.extend(extremes(&found));
    let mut panels = Vec::new();
    for (storage, titles) in found.to_storages()?.iter().filter_map(|s| Some((s, titles(&s.name)?))) {
        panels.extend(figures::largest(&storage.table, &|_| true, titles, 1.0));
    }
    figures::add(&mut outcome, loaded, &loaded.times, &panels)?;
    let text = format!("{}\n{}", ranges_text(&tables), headline_text(&outcome));
    Ok(Analysis { outcome, tables, text })
}

/// Fibres and tendons as no person has them.
fn judge_extremes(outcome: &mut Outcome, loaded: &Loaded, found: &MuscleHistory) {
    let strength = |name: &str| {
        let muscle = loaded.subject.muscles.iter().find(|m| m.name == name);
        muscle.map_or(f64::INFINITY, |m| m.parameters.max_isometric_force)
    };
    let largest = |of: &dyn Fn(&str, &MuscleInstant) -> f64| {
        let all = found.rows.iter().flat_map(|row| found.names.iter().zip(row));
        all.map(|(name, m)| (name.clone(), of(name, m))).max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let remedy = "check points of the path, optimal fibre and tendon slack length of this muscle, and the activations";
    let longest = largest(&|_, m| m.normalized_fibre_length);
    let strongest = largest(&|name, m| m.tendon_force / strength(name));
    let rows = [
        ("longest fibre over its optimal length", longest, LONGEST, LONGEST_SOURCE),
        ("largest tendon force over the maximum isometric force", strongest, STRONGEST, STRONGEST_SOURCE),
    ];
    for (quantity, extreme, [doubtful, failed], source) in rows {
        let Some((name, value)) = extreme else { continue };
        let limit = Limit::at_most(doubtful, failed).because(source);
        outcome.judgement.judge(&format!("{quantity} (`{name}`)"), "", value, &limit, remedy);
    }
}

/// Name, title and axis of the figures.
fn titles(table: &str) -> Option<[&'static str; 3]> {
    match table {
        "NormalizedFiberLength" => Some(["fibre_lengths", "Longest fibres over optimal length", "length [-]"]),
        "TendonForce" => Some(["tendon_forces", "Largest tendon forces", "force [N]"]),
        _ => None,
    }
}

/// Muscles with fibres below and above the lengths of active force.
fn outside(found: &MuscleHistory) -> (Vec<String>, Vec<String>) {
    let column = |k: usize| found.rows.iter().filter_map(move |row| row.get(k)).map(|m| m.normalized_fibre_length);
    let of = |test: &dyn Fn(usize) -> bool| {
        found.names.iter().enumerate().filter(|(k, _)| test(*k)).map(|(_, n)| n.clone()).collect()
    };
    let low = of(&|k| column(k).any(|l| l < ACTIVE[0]));
    (low, of(&|k| column(k).any(|l| l > ACTIVE[1])))
}

/// Shortest and longest fibres and the largest tendon force.
fn extremes(found: &MuscleHistory) -> Vec<Headline> {
    let all = || found.rows.iter().flat_map(|row| found.names.iter().zip(row));
    let headline = |quantity: String, value: f64, unit: &str, range: Option<[f64; 2]>| Headline {
        quantity,
        value,
        unit: unit.into(),
        source: compared("lengths of active force", value, range, "Zajac 1989"),
        range,
        verdict: Verdict::Ok,
    };
    let length = |m: &MuscleInstant| m.normalized_fibre_length;
    let shortest = all().min_by(|a, b| length(a.1).total_cmp(&length(b.1)));
    let longest = all().max_by(|a, b| length(a.1).total_cmp(&length(b.1)));
    let strongest = all().max_by(|a, b| a.1.tendon_force.total_cmp(&b.1.tendon_force));
    let shortest = shortest
        .map(|(n, m)| headline(format!("shortest fibre over optimal length, {n}"), length(m), "", Some(ACTIVE)));
    let longest =
        longest.map(|(n, m)| headline(format!("longest fibre over optimal length, {n}"), length(m), "", Some(ACTIVE)));
    let strongest = strongest.map(|(n, m)| headline(format!("largest tendon force, {n}"), m.tendon_force, "N", None));
    [shortest, longest, strongest].into_iter().flatten().collect()
}
