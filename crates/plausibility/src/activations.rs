//! Activations of muscles over time.

use wolff_formats::Table;
use wolff_motion::subject::Subject;
use wolff_verdict::{Finding, grouped};

/// Activations beyond 0 and 1 by this much are rounding of a solver (chosen here).
const ROUNDING: f64 = 0.01;
/// Largest value of activations in percent, with room for estimates beyond the maximum (chosen here).
const PERCENT: f64 = 150.0;
/// Time before and after the record that is no difference: one step, at most this \[s\] (chosen here).
const SLACK: f64 = 0.05;

/// Whether a table has activations between 0 and 1 of the muscles at the instants that are analysed.
pub fn examine_activations(table: &Table, subject: &Subject, times: &[f64]) -> Vec<Finding> {
    values(table, subject).into_iter().chain(range(table, times)).collect()
}

fn values(table: &Table, subject: &Subject) -> Option<Finding> {
    let mut names = Vec::new();
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    for muscle in &subject.muscles {
        let Some(column) = table.column(&muscle.name) else { continue };
        let [low, high] = column.iter().fold([0.0_f64; 2], |[low, high], a| [low.min(*a), high.max(*a)]);
        if low < -ROUNDING || high > 1.0 + ROUNDING || column.iter().any(|a| !a.is_finite()) {
            names.push(muscle.name.as_str());
            (least, most) = (least.min(low), most.max(high));
        }
    }
    (!names.is_empty()).then(|| {
        let message = format!(
            "activations are between 0 and 1, those of {} of {} muscles go from {least:.3} to {most:.3}: {}",
            names.len(),
            subject.muscles.len(),
            grouped(&names)
        );
        let remedy = if least < -ROUNDING {
            "give activations, which are never negative"
        } else if most > PERCENT {
            "these seem to be forces in N: give the activations, such as the file static_optimization_activation.sto \
             of `wolff so`"
        } else {
            "if these are percent, divide them by 100; forces in N are no activations"
        };
        Finding::error(message, remedy)
    })
}

/// The record covers the instants; one step at either end is no difference.
fn range(table: &Table, times: &[f64]) -> Option<Finding> {
    let recorded = table.column("time")?;
    let ([first, .., last], [start, .., end]) = (times, recorded.as_slice()) else { return None };
    let step = ((end - start) / (recorded.len() - 1) as f64).min(SLACK);
    (*first < start - step || *last > end + step).then(|| {
        let message = format!(
            "the activations go from {start:.3} to {end:.3} s, the motion is analysed from {first:.3} to {last:.3} s: \
             outside, the first and last activations would act"
        );
        let remedy = match first.max(*start) < last.min(*end) {
            true => format!("restrict the range with --time {:.3}:{:.3}", first.max(*start), last.min(*end)),
            false => "give activations of this trial with the time of the motion".to_string(),
        };
        Finding::error(message, remedy)
    })
}
