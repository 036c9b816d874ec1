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

/// Each plot of the study with a curve per run. With very many runs there are none, which is remarked.
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
        let known = |name: &str| plots.iter().any(|known| known.name == name);
        let new: Vec<Plot> = figures_of(plot, &done).into_iter().filter(|figure| !known(&figure.name)).collect();
        plots.extend(new);
    }
    (plots, None)
}

/// The figures of one plot: one per curve that differs between the runs. Curves that are the same in all runs, such as
/// norms and references, are drawn once, beside the curves that they belong to.
fn figures_of(plot: &Plot, done: &[(&str, &Outcome)]) -> Vec<Plot> {
    let is_common = |label: &str| {
        let mut all = done.iter().map(|(_, outcome)| points(outcome, &plot.name, label));
        let first = all.next().flatten();
        done.len() > 1 && first.is_some() && all.all(|other| other == first)
    };
    let (common, varying): (Vec<_>, Vec<_>) = plot.curves.iter().partition(|(label, _)| is_common(label));
    if varying.is_empty() {
        return vec![plot.clone()];
    }
    let belongs = |common: &str, curve: &str| varying.len() == 1 || common.starts_with(curve);
    let figure = |(label, _): &&(String, Vec<(f64, f64)>)| {
        let beside = common.iter().filter(|(other, _)| belongs(other, label)).map(|curve| (*curve).clone()).collect();
        overlay(plot, label, varying.len() == 1, beside, done)
    };
    varying.iter().map(figure).collect()
}

/// The points of a curve of a plot.
fn points<'o>(outcome: &'o Outcome, plot: &str, curve: &str) -> Option<&'o Vec<(f64, f64)>> {
    let plot = outcome.plots.iter().find(|other| other.name == plot)?;
    plot.curves.iter().find(|(label, _)| label == curve).map(|(_, points)| points)
}

/// One curve of a plot in all runs, and curves that are the same in all; `whole` if the plot gives one figure.
fn overlay(
    plot: &Plot,
    curve: &str,
    whole: bool,
    beside: Vec<(String, Vec<(f64, f64)>)>,
    done: &[(&str, &Outcome)],
) -> Plot {
    let of_run =
        |(run, outcome): &(&str, &Outcome)| Some(((*run).to_string(), points(outcome, &plot.name, curve)?.clone()));
    let (name, title) = match whole {
        true => (plot.name.clone(), plot.title.clone()),
        false => {
            let quantity = naming::label_beside(curve, &plot.y_label);
            (format!("{}-{curve}", plot.name), format!("{}: {quantity}", plot.title))
        }
    };
    Plot {
        name,
        title,
        curves: done.iter().filter_map(of_run).chain(beside).collect(),
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
