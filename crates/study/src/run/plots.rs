//! `[[plot]]`: curves of recorded columns, of the whole run, of one impact or of a part of the time.

use super::record::RunRecord;
use std::ops::Range;
use wolff_document::{PlotPart, PlotSpec, Record, Study};
use wolff_report::outcome::Plot;

/// The plots of a study. A plot of an impact that did not occur is left out with a warning.
pub(super) fn plots(study: &Study, record: &RunRecord, warnings: &mut Vec<String>) -> Vec<Plot> {
    let mut plots = Vec::with_capacity(study.plots.len());
    for spec in &study.plots {
        let rows = match spec.part {
            PlotPart::Whole => Some(0..record.rows()),
            PlotPart::Between(from, to) => Some(rows_between(record, from, to)),
            PlotPart::Impact(number) => rows_of_impact(record, number),
        };
        let Some(rows) = rows else {
            warnings.push(format!("plot `{}` is left out: its impact did not occur", spec.name));
            continue;
        };
        let mut plot = draw(spec, |name| record.plot_column(name).get(rows.clone()).unwrap_or_default());
        if matches!(spec.part, PlotPart::Impact(_)) && spec.x == "time" {
            since_first(&mut plot);
        }
        plots.push(plot);
    }
    plots
}

/// The rows from the beginning of an impact to its end, or to the end of the run if it has not ended.
fn rows_of_impact(record: &RunRecord, number: usize) -> Option<Range<usize>> {
    let begin = record.value(&format!("impact.{number}.t_s"))?;
    let end = record.value(&format!("impact.{number}.t_end_s")).unwrap_or(f64::INFINITY);
    Some(rows_between(record, begin, end))
}

/// The rows between two times \[s\].
fn rows_between(record: &RunRecord, from: f64, to: f64) -> Range<usize> {
    let times = record.plot_column("time");
    times.partition_point(|t| *t < from)..times.partition_point(|t| *t <= to)
}

/// Time from the beginning of the impact, so that impacts of different runs lie on one another.
fn since_first(plot: &mut Plot) {
    plot.x_label = "time since first touch [s]".into();
    for (_, points) in &mut plot.curves {
        let begin = points.first().map_or(0.0, |first| first.0);
        points.iter_mut().for_each(|point| point.0 -= begin);
    }
}

/// The plot of some columns; `column` returns their values.
pub(super) fn draw<'r>(plot: &PlotSpec, column: impl Fn(&str) -> &'r [f64]) -> Plot {
    let x = column(&plot.x);
    let curve = |name: &String| (name.clone(), x.iter().copied().zip(column(name).iter().copied()).collect());
    Plot {
        name: plot.name.clone(),
        title: plot.title.clone(),
        x_label: if plot.x == "time" { "time [s]".into() } else { plot.x.clone() },
        y_label: plot.y_label.clone(),
        curves: plot.y.iter().map(curve).collect(),
        log_y: plot.log_y,
        bands: Vec::new(),
    }
}
