//! Static optimisation: muscle forces of a motion.

use super::figures::{self};
use super::id::headline_text;
use super::inputs::Loaded;
use super::residuals::Residuals;
use super::{Analysis, Head, Progress, Tables, legs, outcome, ranges, ranges_text};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use wolff_motion::reserves::{MadeReserves, Reserves, reserves_for};
use wolff_motion::static_optimization::{CONTROLS_TITLE, InstantReport, SHARED_FORCES_TITLE};
use wolff_motion::{ActuatorKind, InverseFrame, MotionError, Motors, Physiology, SharingFrame, SharingOptions};
use wolff_opensim::setup::AnalysisKind;
use wolff_report::outcome::{Headline, Outcome, Status, Verdict};
use wolff_verdict::{Finding, Limit, grouped};

/// Files of forces and of activations.
pub const FILES: [&str; 2] = ["static_optimization_force.sto", "static_optimization_activation.sto"];
/// Peak of a reserve over the peak net moment of a coordinate with muscles \[%\]: doubtful, failed.
const RESERVE: [f64; 2] = [10.0, 50.0];
const RESERVE_SOURCE: &str = "Hicks et al. 2015, J Biomech Eng 137:020905: peak reserves below 10 % of the peak net joint \
    moment; beyond 50 % the muscles carry less than half";
/// Net moments below this are within the uncertainty of inverse dynamics \[N m/kg\] (chosen here).
const SMALL_MOMENT: f64 = 0.1;

/// Cost and muscle model: options, then the set-up, then defaults.
pub fn options(loaded: &Loaded, power: Option<f64>, physiology: Option<Physiology>) -> SharingOptions {
    let from_setup = loaded.from_setup.analysis(|kind| match kind {
        AnalysisKind::StaticOptimization { activation_exponent, use_muscle_physiology, .. } => {
            Some((*activation_exponent, *use_muscle_physiology))
        }
        _ => None,
    });
    let (exponent, with_curves) = from_setup.unwrap_or((2.0, true));
    let usual = if with_curves { Physiology::Active } else { Physiology::Ignored };
    SharingOptions { power: power.unwrap_or(exponent), physiology: physiology.unwrap_or(usual) }
}

/// Makes reserve and residual actuators and notes them.
pub fn add_reserves(loaded: &mut Loaded, which: Reserves) -> Result<(), MotionError> {
    let MadeReserves { missing, weak, actuators } =
        reserves_for(&loaded.subject, &loaded.history, &loaded.times, which).map_err(|e| loaded.in_model(e))?;
    let names = |list: &[String]| grouped(&list.iter().map(String::as_str).collect::<Vec<_>>());
    if !missing.is_empty() {
        let message = format!(
            "{} coordinates have no muscle and no actuator and get an ideal actuator each: {}",
            missing.len(),
            names(&missing)
        );
        loaded.judgement.found([Finding::note(message, "give your own with --actuators, or --reserves none")]);
    }
    if !weak.is_empty() {
        let message = format!(
            "{} coordinates with muscles get a reserve with an optimal moment of 1 N m each: {}",
            weak.len(),
            names(&weak)
        );
        loaded.judgement.found([Finding::note(message, "")]);
    }
    loaded.subject.actuators.extend(actuators);
    Ok(())
}

/// Distributes the moments; rows are written to a folder beside `folder` where one is given.
pub fn run(
    loaded: &Loaded,
    options: SharingOptions,
    folder: Option<&Path>,
    stop: fn() -> bool,
    progress: Progress<'_>,
) -> Result<Analysis, MotionError> {
    let motors = loaded.motors()?;
    let mut tables = Tables::begin(folder, &heads(&motors), stop)?;
    let mut tally = Tally::new(loaded);
    let mut frame = SharingFrame::new(&loaded.subject.model, &motors, options)?;
    let mut residuals = Residuals::of(loaded);
    let mut inverse = InverseFrame::new(&loaded.subject.model);
    for (k, t) in loaded.times.iter().enumerate() {
        let report = frame.solve(&loaded.history, *t).map_err(|e| loaded.in_model(e))?;
        tally.count(report, &frame, &motors)?;
        if let Some(residuals) = &mut residuals {
            residuals.add(loaded, *t, inverse.solve(&loaded.history, *t)?);
        }
        let row = |values: &[f64]| std::iter::once(*t).chain(values.iter().copied()).collect::<Vec<f64>>();
        tables.push(&[&row(&frame.forces), &row(frame.controls())])?;
        progress(k + 1);
    }
    let mut outcome = outcome(loaded, "so");
    outcome.method.push(method(&options, &motors));
    tally.judge(&mut outcome, &motors, loaded);
    if let Some(residuals) = &residuals {
        residuals.judge(&mut outcome, loaded);
    }
    let text = describe(&mut outcome, loaded, &tables, &motors)?;
    Ok(Analysis { outcome, tables, text })
}

fn method(options: &SharingOptions, motors: &Motors) -> String {
    let physiology = match options.physiology {
        Physiology::Ignored => "activation times maximum isometric force",
        Physiology::Active => "activation times the active force at the present length and speed with a rigid tendon",
        Physiology::ActiveAndPassive => "active and passive force at the present length and speed with a rigid tendon",
    };
    format!(
        "Static optimisation: at each instant the controls of {} muscles and {} ideal actuators minimise the sum of \
         |control|^{} and produce the moments of inverse dynamics along the free coordinates; muscle force is \
         {physiology}.",
        motors.muscles.len(),
        motors.actuators.len(),
        options.power
    )
}

/// Tables of forces and of controls.
fn heads(motors: &Motors) -> [Head; 2] {
    let labels: Vec<String> = std::iter::once("time".to_string()).chain(motors.names.iter().cloned()).collect();
    let titles = [(FILES[0], SHARED_FORCES_TITLE), (FILES[1], CONTROLS_TITLE)];
    titles.map(|(file, name)| Head { file: file.into(), name: name.into(), in_degrees: false, labels: labels.clone() })
}

/// Summary of all instants.
struct Tally {
    largest_residual: f64,
    saturated: BTreeMap<usize, usize>,
    failures: Vec<InstantReport>,
    /// Peak net moment and peak reserve of each coordinate, and whether muscles act on it.
    coordinates: BTreeMap<String, [f64; 2]>,
    /// Coordinates whose actuators the index of motors belongs to.
    actuated: Vec<Option<String>>,
    muscled: BTreeSet<String>,
    instants: usize,
}

impl Tally {
    fn new(loaded: &Loaded) -> Self {
        let coordinate = |kind: &ActuatorKind| match kind {
            ActuatorKind::Coordinate(name) => Some(name.clone()),
            ActuatorKind::Point { .. } | ActuatorKind::Torque { .. } | ActuatorKind::Path(_) => None,
        };
        Tally {
            largest_residual: 0.0,
            saturated: BTreeMap::new(),
            failures: Vec::new(),
            coordinates: BTreeMap::new(),
            actuated: loaded.subject.actuators.iter().map(|a| coordinate(&a.kind)).collect(),
            muscled: BTreeSet::new(),
            instants: 0,
        }
    }

    fn count(&mut self, report: InstantReport, frame: &SharingFrame<'_>, motors: &Motors) -> Result<(), MotionError> {
        if let Some(k) = frame.forces.iter().position(|f| !f.is_finite()) {
            let reason = format!("the force of `{}` is not a finite number", motors.names[k]);
            return Err(MotionError::Instant { time: report.time, reason });
        }
        self.instants += 1;
        self.largest_residual = self.largest_residual.max(report.sharing.residual);
        report.saturated.iter().for_each(|k| *self.saturated.entry(*k).or_default() += 1);
        for (name, net) in frame.net_moments() {
            let entry = self.coordinates.entry(name.to_string()).or_default();
            entry[0] = entry[0].max(net.abs());
        }
        for (name, strength) in frame.muscle_strengths() {
            if strength > 1e-3 {
                self.muscled.insert(name.to_string());
            }
        }
        let reserves = &frame.forces[motors.muscles.len()..];
        for (name, force) in self.actuated.iter().zip(reserves) {
            if let Some(entry) = name.as_ref().and_then(|n| self.coordinates.get_mut(n)) {
                entry[1] = entry[1].max(force.abs());
            }
        }
        if !report.sharing.solved {
            self.failures.push(report);
        }
        Ok(())
    }

    fn judge(&self, outcome: &mut Outcome, motors: &Motors, loaded: &Loaded) {
        let small = SMALL_MOMENT * loaded.subject.mass();
        let share = |[net, reserve]: &[f64; 2]| 100.0 * reserve / net.max(small);
        let of_muscles = self.coordinates.iter().filter(|(name, _)| self.muscled.contains(*name));
        if let Some((name, values)) = of_muscles.max_by(|a, b| share(a.1).total_cmp(&share(b.1))) {
            let limit = Limit::at_most(RESERVE[0], RESERVE[1]).because(RESERVE_SOURCE);
            let quantity = format!("largest reserve over net moment (`{name}`, {:.1} N m)", values[1]);
            let remedy = "check that muscles, model and loads fit the motion; weak or missing muscles need reserves";
            let verdict = outcome.judgement.judge(&quantity, "%", share(values), &limit, remedy);
            outcome.headline.push(Headline {
                quantity: format!("reserve over net moment, {name}"),
                value: share(values),
                unit: "%".into(),
                range: Some([0.0, RESERVE[0]]),
                source: RESERVE_SOURCE.into(),
                verdict,
            });
        }
        let shares: serde_json::Map<String, serde_json::Value> = (self.coordinates.iter())
            .map(|(name, [net, reserve])| (name.clone(), json!({ "net_peak": net, "reserve_peak": reserve })))
            .collect();
        outcome.results.insert("coordinates".into(), json!(shares));
        outcome.results.insert("largest_residual".into(), json!(self.largest_residual));
        let mut saturated: Vec<&String> = self.saturated.keys().map(|k| &motors.names[*k]).collect();
        saturated.sort();
        outcome.results.insert("at_greatest_control".into(), json!(saturated));
        let lacking = |r: &InstantReport| {
            let all = r.lacking.iter().map(|l| json!({ "coordinate": l.coordinate, "amount": l.amount }));
            json!({ "time": r.time, "lacking": all.collect::<Vec<_>>() })
        };
        let failures: Vec<_> = self.failures.iter().map(lacking).collect();
        outcome.results.insert("instants_without_solution".into(), json!(failures));
        self.tell_failures(outcome, loaded);
    }

    /// The coordinates that lack force, over all instants without a solution.
    fn tell_failures(&self, outcome: &mut Outcome, loaded: &Loaded) {
        if self.failures.is_empty() {
            return;
        }
        outcome.status = Status::Failed;
        let limit = Limit::at_most(0.0, 0.0).because("muscles and actuators must produce the moments");
        let remedy = "add reserves with --reserves all, or check mass, loads and strength of the muscles";
        let unit = format!("of {}", self.instants);
        outcome.judgement.judge("instants without a solution", &unit, self.failures.len() as f64, &limit, remedy);
        let mut most: BTreeMap<&str, (f64, bool, usize)> = BTreeMap::new();
        for lack in self.failures.iter().flat_map(|r| &r.lacking) {
            let entry = most.entry(lack.coordinate.as_str()).or_default();
            *entry = (entry.0.max(lack.amount), lack.unactuated, entry.2 + 1);
        }
        let mut all: Vec<_> = most.into_iter().collect();
        all.sort_by(|a, b| b.1.2.cmp(&a.1.2).then(b.1.0.total_cmp(&a.1.0)));
        let unit = |name: &str| match loaded.subject.coordinate(name).is_none_or(|c| c.is_angle()) {
            true => "N m",
            false => "N",
        };
        let part = |(name, (amount, unactuated, _)): &(&str, (f64, bool, usize))| match unactuated {
            true => format!("`{name}` has no muscle and no actuator and needs {amount:.3} {}", unit(name)),
            false => format!("`{name}` lacks up to {amount:.3} {}", unit(name)),
        };
        let listed: Vec<String> = all.iter().take(6).map(part).collect();
        let times = [self.failures.first(), self.failures.last()].map(|r| r.map_or(f64::NAN, |r| r.time));
        outcome.warnings.push(format!(
            "at {} of {} instants, {:.3} to {:.3} s, muscles and actuators cannot produce the moments: {}; add reserves \
             for these coordinates with --reserves or --actuators, or check mass, loads and strength of the muscles; \
             the tables are written with the ending .failed",
            self.failures.len(),
            self.instants,
            times[0],
            times[1],
            listed.join(", ")
        ));
    }
}

fn describe(outcome: &mut Outcome, loaded: &Loaded, tables: &Tables, motors: &Motors) -> Result<String, MotionError> {
    outcome.results.insert("range".into(), ranges(tables));
    outcome.warnings.extend(tables.remark());
    let Some(table) = tables.drawn()? else { return Ok(String::new()) };
    let times = tables.drawn_times();
    let names = &motors.names[..motors.muscles.len()];
    let weight = if loaded.stature.is_some() { loaded.weight() } else { 1.0 };
    let unit = if loaded.stature.is_some() { "BW" } else { "N" };
    outcome.headline.extend(strongest(tables, names, weight, unit));
    let y_label = format!("force [{unit}]");
    let takes = |label: &str| names.iter().any(|n| n == label);
    let titles = ["muscle_forces", "Largest muscle forces", &y_label];
    let mut panels: Vec<_> = figures::largest(&table, &takes, titles, weight).into_iter().collect();
    panels.extend(legs::ground_panel(loaded, &times));
    figures::add(outcome, loaded, &times, &panels)?;
    Ok(format!("{}\n{}", ranges_text(tables), headline_text(outcome)))
}

/// The strongest muscles.
fn strongest(tables: &Tables, names: &[String], weight: f64, unit: &str) -> Vec<Headline> {
    /// Number of muscles in the headline.
    const SHOWN: usize = 5;
    let mut all: Vec<(&String, f64)> =
        tables.ranges().filter(|(l, _)| names.contains(l)).map(|(l, [_, high])| (l, high)).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let headline = |(name, force): (&String, f64)| Headline {
        quantity: format!("largest force of {name}"),
        value: force / weight,
        unit: unit.into(),
        range: None,
        source: String::new(),
        verdict: Verdict::Ok,
    };
    all.into_iter().take(SHOWN).map(headline).collect()
}
