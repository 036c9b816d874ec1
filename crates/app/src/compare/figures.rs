//! The figures of a comparison: the plots of the study with a curve per run, and results over a varied number.

use super::table::value;
use super::{ComparisonRequest, Ended, label};
use wolff_report::naming;
use wolff_report::outcome::{Outcome, Plot};
use wolff_study::document::Parameter;

/// Most curves in one figure: more cannot be told apart.
const MOST_CURVES: usize = 21;

/// Fewest values of a parameter that make a curve.
const LEAST_VALUES: usize = 3;

/// Each plot of the study with a curve per run; a plot of several curves gives a figure per curve. With very many runs
/// there are none, which is remarked.
pub(super) fn overlaid(ended: &[Ended]) -> (Vec<Plot>, Option<String>) {
    let done: Vec<(&str, &Outcome)> =
        ended.iter().filter_map(|run| Some((run.label.as_str(), run.outcome()?))).collect();
    if done.len() > MOST_CURVES {
        let remark = format!(
            "The plots of the study are not drawn with a curve per run, since {} curves cannot be told apart; at most \
             {MOST_CURVES} are drawn.",
            done.len()
        );
        return (Vec::new(), Some(remark));
    }
    let mut plots: Vec<Plot> = Vec::new();
    for plot in done.iter().flat_map(|(_, outcome)| &outcome.plots) {
        for (label, _) in &plot.curves {
            let name = if plot.curves.len() == 1 { plot.name.clone() } else { format!("{}-{label}", plot.name) };
            if !plots.iter().any(|known| known.name == name) {
                plots.push(overlay(plot, label, name, &done));
            }
        }
    }
    (plots, None)
}

/// One curve of a plot in all runs.
fn overlay(plot: &Plot, curve: &str, name: String, done: &[(&str, &Outcome)]) -> Plot {
    let of_run = |(run, outcome): &(&str, &Outcome)| {
        let same = outcome.plots.iter().find(|other| other.name == plot.name)?;
        let (_, points) = same.curves.iter().find(|(label, _)| label == curve)?;
        Some(((*run).to_string(), points.clone()))
    };
    let title = match plot.curves.len() {
        1 => plot.title.clone(),
        _ => format!("{}: {}", plot.title, naming::label_beside(curve, &plot.y_label)),
    };
    Plot {
        name,
        title,
        curves: done.iter().filter_map(of_run).collect(),
        bands: plot.bands.iter().filter(|band| band.of_curve.is_none()).cloned().collect(),
        ..plot.clone()
    }
}

/// Each result of the table over the varied number with most values, a curve per combination of the others.
pub(super) fn over_numbers(request: &ComparisonRequest<'_>, columns: &[String], ended: &[Ended]) -> Vec<Plot> {
    let varied = &request.spec.varied;
    let is_number = |k: &usize| ended.iter().all(|run| run.numbers.get(*k).is_some_and(Option::is_some));
    let candidates = (0..varied.len()).filter(is_number).filter(|k| varied[*k].values.len() >= LEAST_VALUES);
    let Some(axis) = candidates.rev().max_by_key(|k| varied[*k].values.len()) else { return Vec::new() };
    let key = &varied[axis].key;
    let unit = request.document.parameter(key).map(Parameter::unit).filter(|unit| !unit.is_empty());
    let x_label = unit.map_or_else(|| key.replace('_', " "), |unit| format!("{} [{unit}]", key.replace('_', " ")));
    let figure = |column: &String| {
        let curves = curves(request, column, axis, ended);
        Plot {
            name: format!("{}-over-{key}", column.replace('.', "-")),
            title: format!("{} over {}", naming::parts(column).0, key.replace('_', " ")),
            x_label: x_label.clone(),
            y_label: column.clone(),
            log_y: spans_orders(&curves),
            curves,
            ..Plot::default()
        }
    };
    columns.iter().map(figure).filter(|plot| (1..=MOST_CURVES).contains(&plot.curves.len())).collect()
}

/// Positive numbers over a factor of this are drawn on a logarithmic axis.
const LOGARITHMIC: f64 = 100.0;

fn spans_orders(curves: &[(String, Vec<(f64, f64)>)]) -> bool {
    let values = || curves.iter().flat_map(|(_, points)| points).map(|point| point.1);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    least > 0.0 && most.is_finite() && most / least > LOGARITHMIC
}

/// A result over a varied number: a curve for each combination of the other values, points in the order of the number.
fn curves(
    request: &ComparisonRequest<'_>,
    column: &str,
    axis: usize,
    ended: &[Ended],
) -> Vec<(String, Vec<(f64, f64)>)> {
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for run in ended {
        let others = run.values.iter().enumerate().filter(|(k, _)| *k != axis).map(|(_, value)| value);
        let label = label(request.document, others);
        let label = if label.is_empty() { column.to_string() } else { label };
        let y = run.outcome().and_then(|outcome| value(outcome, column));
        let Some(point) = run.numbers.get(axis).copied().flatten().zip(y) else { continue };
        match curves.iter_mut().find(|(known, _)| *known == label) {
            Some((_, points)) => points.push(point),
            None => curves.push((label, vec![point])),
        }
    }
    curves.iter_mut().for_each(|(_, points)| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    curves
}
