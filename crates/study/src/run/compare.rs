//! Values of a run next to the references of its study.

use super::record::RunRecord;
use wolff_document::{Record, Reference, Study};
use wolff_report::digits::short;
use wolff_report::outcome::{Comparison, Status};

/// The comparisons that the run allows. References beyond the end of a run that ended early are counted in one warning,
/// those without a time as well, because they hold for the complete run.
pub(super) fn compare(
    study: &Study,
    record: &RunRecord,
    status: Status,
    warnings: &mut Vec<String>,
) -> Vec<Comparison> {
    let end = record.times().last().copied().unwrap_or(0.0);
    let reached = |r: &&Reference| status != Status::Partial || r.at.is_some_and(|t| t <= end);
    let (reached, beyond): (Vec<_>, Vec<_>) = study.references.iter().partition(reached);
    let mut comparisons = Vec::new();
    for reference in reached {
        match reference.evaluate(record) {
            Ok(value) => comparisons.push(Comparison {
                quantity: reference.quantity.clone(),
                value,
                reference: reference.value,
                tolerance: reference.tolerance,
                source: reference.source.clone(),
            }),
            Err(error) => warnings
                .push(format!("{} could not be compared with its reference: {}", reference.quantity, error.message)),
        }
    }
    if !beyond.is_empty() {
        let (left_out, all) = (beyond.len(), study.references.len());
        warnings.push(format!(
            "{left_out} of {all} references are not compared: they hold for the complete run, which ended early at \
             t = {} s",
            short(end)
        ));
    }
    comparisons
}

/// Warning about comparisons that fail.
pub(super) fn outside_tolerance(comparisons: &[Comparison]) -> Option<String> {
    let outside = comparisons.iter().filter(|c| !c.pass()).count();
    (outside > 0).then(|| format!("{outside} of {} comparisons are outside their tolerance", comparisons.len()))
}
