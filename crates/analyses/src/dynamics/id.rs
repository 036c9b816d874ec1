//! Inverse dynamics.

use super::figures::{self, Panel};
use super::inputs::Loaded;
use super::residuals::Residuals;
use super::{Analysis, Head, Progress, Tables, legs, outcome, ranges, ranges_text};
use serde_json::json;
use std::path::Path;
use wolff_motion::inverse_dynamics::{FORCES_TITLE, force_columns};
use wolff_motion::{InverseFrame, MotionError};
use wolff_report::outcome::Outcome;
use wolff_verdict::Limit;

/// File of the generalised forces.
pub const FILE: &str = "inverse_dynamics.sto";
/// Largest moment of a joint of the leg per mass \[N m/kg\]: doubtful, failed.
const MOMENT: [f64; 2] = [6.0, 15.0];
const MOMENT_SOURCE: &str = "landings and sprints reach 3 to 5 N m/kg at hip, knee and ankle; no person reaches 15";

/// Computes the generalised forces; rows are written to a folder beside `folder` where one is given.
pub fn run(
    loaded: &Loaded,
    folder: Option<&Path>,
    stop: fn() -> bool,
    progress: Progress<'_>,
) -> Result<Analysis, MotionError> {
    let (labels, order) = force_columns(&loaded.subject.coordinates, loaded.subject.model.coordinate_names());
    let head = Head { file: FILE.into(), name: FORCES_TITLE.into(), in_degrees: false, labels };
    let mut tables = Tables::begin(folder, &[head], stop)?;
    let mut residuals = Residuals::of(loaded);
    let mut frame = InverseFrame::new(&loaded.subject.model);
    for (k, t) in loaded.times.iter().enumerate() {
        let forces = frame.solve(&loaded.history, *t).map_err(|e| loaded.in_model(e))?;
        if let Some(residuals) = &mut residuals {
            residuals.add(loaded, *t, forces);
        }
        let row: Vec<f64> = std::iter::once(*t).chain(order.iter().map(|i| forces[*i])).collect();
        tables.push(&[&row])?;
        progress(k + 1);
    }
    let mut outcome = outcome(loaded, "id");
    outcome.method.push(
        "Inverse dynamics: generalised forces that the motion needs in addition to gravity, loads and passive forces \
         of the model (Featherstone 2008, chapter 5). Constraints are ignored, as in OpenSim's inverse dynamics tool."
            .into(),
    );
    if let Some(residuals) = &residuals {
        residuals.judge(&mut outcome, loaded);
    }
    let text = describe(&mut outcome, loaded, &tables)?;
    Ok(Analysis { outcome, tables, text })
}

/// Figures, headline and ranges.
fn describe(outcome: &mut Outcome, loaded: &Loaded, tables: &Tables) -> Result<String, MotionError> {
    outcome.results.insert("range".into(), ranges(tables));
    outcome.warnings.extend(tables.remark());
    let Some(table) = tables.drawn()? else { return Ok(String::new()) };
    let times = tables.drawn_times();
    let moments = legs::moment_panels(loaded, &table);
    judge_moments(outcome, &moments);
    outcome.headline.extend(legs::moment_headlines(&moments, legs::is_walking(loaded)));
    let peaks: serde_json::Map<String, serde_json::Value> = (outcome.headline.iter())
        .filter(|h| h.unit == "N m/kg")
        .map(|h| (h.quantity.clone(), json!(h.value)))
        .collect();
    outcome.results.insert("peak_moments_n_m_per_kg".into(), json!(peaks));
    let mut panels = moments;
    panels.extend(legs::angle_panels(loaded, &times));
    panels.extend(legs::ground_panel(loaded, &times));
    if panels.is_empty() {
        let titles = ["moments", "Largest moments", "moment [N m]"];
        panels.extend(figures::largest(&table, &|label| label.ends_with("_moment"), titles, 1.0));
    }
    figures::add(outcome, loaded, &times, &panels)?;
    Ok(format!("{}\n{}", ranges_text(tables), headline_text(outcome)))
}

/// Moments that no person can exert.
fn judge_moments(outcome: &mut Outcome, panels: &[Panel]) {
    let largest = |p: &Panel| p.curves.iter().flat_map(|(.., c)| c).fold(0.0_f64, |m, x| m.max(x.abs()));
    let Some(panel) = panels.iter().max_by(|a, b| largest(a).total_cmp(&largest(b))) else { return };
    let limit = Limit::at_most(MOMENT[0], MOMENT[1]).because(MOMENT_SOURCE);
    let quantity = format!("largest joint moment ({})", panel.title.to_lowercase());
    let remedy = "check units, axes and sides of the forces, and the unit of the angles";
    outcome.judgement.judge(&quantity, "N m/kg", largest(panel), &limit, remedy);
}

/// The headline as lines.
pub(super) fn headline_text(outcome: &Outcome) -> String {
    let number = wolff_report::digits::short;
    let row = |h: &wolff_report::outcome::Headline| {
        let range = h.range.map_or_else(String::new, |[a, b]| format!("{} to {}", number(a), number(b)));
        vec![h.quantity.clone(), number(h.value), h.unit.clone(), range]
    };
    let header = ["", "value", "unit", "compare with"].map(String::from).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(outcome.headline.iter().map(row)).collect();
    if outcome.headline.is_empty() { String::new() } else { super::columns(&rows) }
}
