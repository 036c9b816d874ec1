//! Curves over the gait cycle with bands, and the table of 101 points.

use super::inputs::Loaded;
use super::legs::{is_walking, side_word};
use std::fmt::Write as _;
use wolff_anatomy::Side;
use wolff_formats::{Table, csv};
use wolff_motion::MotionError;
use wolff_motion::signal::{CycleCurve, FootCycles, cycle_curves};
use wolff_reference::normative::{Quantity, SOURCE, band_points};
use wolff_report::outcome::{Band, File, Outcome, Plot};

/// Name of the file with all curves at every percent of the gait cycle.
pub const CYCLE_FILE: &str = "gait_cycle.csv";

/// A figure: curves of one quantity, of both sides or of several names.
#[derive(Clone, Debug)]
pub struct Panel {
    /// File stem.
    pub name: String,
    /// Title.
    pub title: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// The band of healthy walking.
    pub normative: Option<Quantity>,
    /// A range for comparison over the whole cycle: label, lower and upper edge.
    pub range: Option<(String, f64, f64)>,
    /// Side, name and values at the instants.
    pub curves: Vec<(Option<Side>, String, Vec<f64>)>,
}

impl Panel {
    /// Label of a curve in tables: the name, with its side.
    fn label(side: Option<Side>, name: &str) -> String {
        // a name of a muscle already ends with its side
        match side {
            Some(side) if Side::of(name).is_none() => side.name(name),
            _ => name.to_string(),
        }
    }
}

/// Adds the panels to an outcome: over the gait cycle where the motion has cycles, otherwise over time; and the file of
/// the curves at every percent of the cycle.
pub fn add(outcome: &mut Outcome, loaded: &Loaded, times: &[f64], panels: &[Panel]) -> Result<(), MotionError> {
    let all: Vec<(String, &Vec<f64>)> = (panels.iter().flat_map(|p| &p.curves))
        .map(|(side, name, values)| (Panel::label(*side, name), values))
        .collect();
    let labels: Vec<String> = all.iter().map(|(label, _)| label.clone()).collect();
    let row = |i: usize| std::iter::once(times[i]).chain(all.iter().map(|(_, v)| v[i])).collect();
    let columns = std::iter::once("time".to_string()).chain(labels.iter().cloned()).collect();
    let table = Table::new(columns, (0..times.len()).map(row).collect())?;
    let feet = loaded.feet(times);
    let curves = cycle_curves(&table, &feet, &labels);
    let walking = !feet.is_empty() && is_walking(loaded);
    outcome.plots.extend(panels.iter().filter_map(|p| match over_cycle(p, &curves, &feet, walking) {
        plot if !plot.curves.is_empty() => Some(plot),
        _ => over_time(p, times),
    }));
    let normative = walking && panels.iter().any(|p| p.normative.is_some());
    if let Some(text) = cycles_text(&feet, normative) {
        outcome.method.push(text);
    }
    if !curves.is_empty() {
        let bytes = csv::write(&points_table(&curves)?).into_bytes();
        outcome.files.push(File { name: CYCLE_FILE.into(), bytes });
    }
    Ok(())
}

/// How the gait cycles were found.
fn cycles_text(feet: &[FootCycles], normative: bool) -> Option<String> {
    let mut text = String::from("Gait cycles start at heel strikes.");
    for foot in feet {
        let source = if foot.by_force { "from forces" } else { "from the motion of the heel" };
        let _ = write!(text, " `{}`: {} complete, {source}", foot.foot, foot.cycles.len());
        match foot.toe_off {
            Some(percent) => _ = write!(text, ", toe off at {percent:.1} %."),
            None => text.push('.'),
        }
    }
    if feet.iter().any(|f| f.cycles.len() > 1) {
        text.push_str(" Bands are one standard deviation over the strides.");
    }
    if normative {
        let _ = write!(text, " The grey band is healthy walking ({SOURCE}).");
    }
    (!feet.is_empty()).then_some(text)
}

/// Curves over the gait cycle; with the bands of walking where the motion is walking.
fn over_cycle(panel: &Panel, all: &[CycleCurve], feet: &[FootCycles], walking: bool) -> Plot {
    let mut plot = base(panel, "gait cycle [%]");
    let points = |y: &[f64]| y.iter().enumerate().map(|(i, y)| (i as f64, *y)).collect::<Vec<_>>();
    for (side, name, _) in &panel.curves {
        let Some(curve) = all.iter().find(|c| c.label == Panel::label(*side, name)) else { continue };
        let strides = if curve.strides == 1 { "1 stride".to_string() } else { format!("{} strides", curve.strides) };
        let label = match panel.curves.iter().any(|(_, other, _)| other != name) {
            true => Panel::label(*side, name),
            false => format!("{}, {strides}", side_word(*side)),
        };
        if curve.strides > 1 {
            let edge = |(i, (m, s)): (usize, (&f64, &f64))| (i as f64, m - s, m + s);
            plot.bands.push(Band {
                label: format!("{label}, SD"),
                points: curve.mean.iter().zip(&curve.sd).enumerate().map(edge).collect(),
                of_curve: Some(label.clone()),
            });
        }
        plot.curves.push((label, points(&curve.mean)));
    }
    if !plot.curves.is_empty() {
        plot.bands.extend(reference_bands(panel).into_iter().filter(|_| walking));
        add_toe_off(&mut plot, feet);
    }
    plot
}

fn reference_bands(panel: &Panel) -> Vec<Band> {
    let normative = panel.normative.map(|quantity| Band {
        label: "healthy walking, mean ± SD".into(),
        points: band_points(quantity),
        of_curve: None,
    });
    let range = panel.range.clone().map(|(label, low, high)| Band {
        label,
        points: vec![(0.0, low, high), (100.0, low, high)],
        of_curve: None,
    });
    normative.into_iter().chain(range).collect()
}

/// Toe off of each foot as a vertical line.
fn add_toe_off(plot: &mut Plot, feet: &[FootCycles]) {
    let values = || plot.curves.iter().flat_map(|(_, points)| points.iter().map(|p| p.1));
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let lines: Vec<_> = feet
        .iter()
        .filter_map(|f| Some((format!("toe off, {}", f.foot), vec![(f.toe_off?, low), (f.toe_off?, high)])))
        .collect();
    plot.curves.extend(lines);
}

fn over_time(panel: &Panel, times: &[f64]) -> Option<Plot> {
    let mut plot = base(panel, "time [s]");
    for (side, name, values) in &panel.curves {
        let points = times.iter().copied().zip(values.iter().copied()).collect();
        plot.curves.push((Panel::label(*side, name), points));
    }
    (!plot.curves.is_empty() && times.len() > 1).then_some(plot)
}

fn base(panel: &Panel, x_label: &str) -> Plot {
    Plot {
        name: panel.name.clone(),
        title: panel.title.clone(),
        x_label: x_label.into(),
        y_label: panel.y_label.clone(),
        ..Plot::default()
    }
}

/// Mean and standard deviation of every curve at 0 to 100 %.
fn points_table(curves: &[CycleCurve]) -> Result<Table, MotionError> {
    let columns = curves.iter().flat_map(|c| [format!("{}_mean", c.label), format!("{}_sd", c.label)]);
    let labels = std::iter::once("percent".to_string()).chain(columns).collect();
    let count = curves.first().map_or(0, |c| c.mean.len());
    let row = |i: usize| std::iter::once(i as f64).chain(curves.iter().flat_map(|c| [c.mean[i], c.sd[i]])).collect();
    Ok(Table::new(labels, (0..count).map(row).collect())?)
}

/// The curves of a table with the largest values, as one panel.
pub fn largest(
    table: &Table,
    takes: &dyn Fn(&str) -> bool,
    [name, title, y_label]: [&str; 3],
    unit: f64,
) -> Option<Panel> {
    /// Number of curves in one figure.
    const MOST: usize = 8;
    let reach = |c: &[f64]| c.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let labels = table.labels().iter().skip(1).filter(|l| takes(l));
    let mut curves: Vec<(Option<Side>, String, Vec<f64>)> =
        labels.filter_map(|l| Some((None, l.clone(), table.column(l)?.iter().map(|x| x / unit).collect()))).collect();
    curves.sort_by(|a, b| reach(&b.2).total_cmp(&reach(&a.2)));
    curves.truncate(MOST);
    (!curves.is_empty()).then(|| Panel {
        name: name.into(),
        title: title.into(),
        y_label: y_label.into(),
        normative: None,
        range: None,
        curves,
    })
}
