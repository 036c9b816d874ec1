//! Electromyograms: how they were processed, when muscles are active; the resultant ground force as a plot.

use wolff_anatomy::Side;
use wolff_evidence::GroundMatch;
use wolff_evidence::emg::envelope::CUTOFF;
use wolff_evidence::emg::timing::THRESHOLD;
use wolff_evidence::emg::{EmgMatch, Kind, Signal};
use wolff_report::outcome::{Finding, Plot};
use wolff_report::published::{Cell, RowKind, Table, TableRow};
use wolff_verdict::grouped;

/// What was done with the signals of a file.
pub(super) fn processed(signals: &[Signal]) -> Vec<Finding> {
    let of = |kind: Kind| -> Vec<&str> {
        signals.iter().filter(|signal| signal.kind == kind).map(|signal| signal.name.as_str()).collect()
    };
    let mut all = Vec::new();
    let raw = of(Kind::Raw);
    if !raw.is_empty() {
        let message = format!(
            "raw electromyograms were demeaned, rectified and low-pass filtered at {CUTOFF:.0} Hz: {}",
            grouped(&raw)
        );
        all.push(Finding::note(message, ""));
    }
    let negative = of(Kind::Negative);
    if !negative.is_empty() {
        let message = format!(
            "electromyograms with negative values that are too slow for raw ones were used as they are: {}",
            grouped(&negative)
        );
        all.push(Finding::warning(message, "give rectified and smoothed signals, or raw ones at their original rate"));
    }
    all
}

/// Intervals in percent of the cycle; one that passes its end is shown with its end in the next cycle.
fn shown(intervals: &[[f64; 2]]) -> Cell {
    let one = |[on, off]: &[f64; 2]| {
        let off = if *off > 1.0 { off - 1.0 } else { *off };
        format!("{:.0} to {:.0}", 100.0 * on, 100.0 * off)
    };
    Cell::Text(intervals.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// When muscles are active: one row per signal; none without signals.
pub(super) fn timing(emg: &[EmgMatch]) -> Option<Table> {
    let row = |m: &EmgMatch| {
        let kappa = m.timing.kappa.map_or(Cell::Empty, Cell::Number);
        TableRow {
            label: if m.side == Side::Left { format!("{}, left", m.muscle) } else { m.muscle.into() },
            kind: RowKind::Own,
            source: m.signal.clone(),
            cells: vec![shown(&m.timing.emg), shown(&m.timing.force), Cell::Number(100.0 * m.timing.agreement), kappa],
        }
    };
    let columns = ["electromyogram active [%]", "force active [%]", "both or none [%]", "Cohen's κ"];
    (!emg.is_empty()).then(|| Table {
        name: "timing".into(),
        title: format!(
            "When muscles are active [% of the cycle of the right leg]: above {:.0} % of the range of the signal; κ: \
             agreement beyond chance, 1 complete, 0 by chance",
            100.0 * THRESHOLD
        ),
        columns: columns.map(String::from).to_vec(),
        rows: emg.iter().map(row).collect(),
    })
}

/// Measured and computed magnitude of the ground force.
pub(super) fn resultant_plot(ground: &GroundMatch) -> Plot {
    let curve = |k: usize| ground.curve.iter().map(|point| (100.0 * point[0], point[k])).collect();
    Plot {
        name: "resultant-ground-force".into(),
        title: "Resultant ground force of a measured stance, last stride".into(),
        x_label: super::figures::CYCLE.into(),
        y_label: "body weights".into(),
        curves: vec![("measured".into(), curve(1)), ("computed".into(), curve(2))],
        log_y: false,
        bands: Vec::new(),
    }
}
