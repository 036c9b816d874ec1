//! Rows and columns of a motion file.

use super::angles::{examine_angles, examine_ranges};
use super::feet::feet_of;
use super::steps::examine_steps;
use std::collections::BTreeSet;
use wolff_formats::sto::Storage;
use wolff_motion::subject::Subject;
use wolff_multibody::Model;
use wolff_multibody::constraint::Row;
use wolff_verdict::{Finding, Severity, grouped};

/// Findings about a motion file whose labels are names of coordinates: angles in another unit than it says or outside
/// of their range, times that do not increase, holes and jumps, and coordinates of the model without a column, locked,
/// or without any motion.
pub fn examine_motion(motion: &Storage, subject: &Subject) -> Vec<Finding> {
    // in another unit, all angles are out of range
    let angles = examine_angles(motion, subject).or_else(|| examine_ranges(motion, subject));
    let times = times(motion);
    let ordered = times.as_ref().is_none_or(|t| t.severity < Severity::Error);
    let steps = if ordered { examine_steps(motion, subject) } else { Vec::new() };
    angles.into_iter().chain(times).chain(steps).chain(without_column(motion, subject)).collect()
}

/// Rows that are not later than the row before; they are not used.
fn times(motion: &Storage) -> Option<Finding> {
    let rows = motion.table.rows();
    let time = |row: &[f64]| row.first().copied().unwrap_or(f64::NAN);
    let mut latest = f64::NEG_INFINITY;
    let mut late = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if time(row) <= latest {
            late.push(i);
        }
        latest = latest.max(time(row));
    }
    let (first, count) = (*late.first()?, late.len());
    if count > 1 && count + 1 == rows.len() {
        let message = format!("time runs backwards, from {} to {} s", time(rows.first()?), time(rows.last()?));
        return Some(Finding::error(message, "reverse the order of the rows"));
    }
    let instant = time(rows.get(first)?);
    // programs write the last row twice
    let twice = |i: &usize| i + 1 == rows.len() || i.checked_sub(1).is_some_and(|before| rows[*i] == rows[before]);
    let message =
        format!("time does not increase in {count} of {} rows, first at {instant} s in row {}", rows.len(), {
            first + 1
        });
    Some(match late.iter().all(twice) {
        true => Finding::note(format!("{message}: a row is there twice and is used once"), ""),
        false => Finding::error(
            format!("{message}: two poses belong to one instant"),
            "delete these rows or correct their time",
        ),
    })
}

/// Coordinates that neither the file nor a constraint determines: they keep the default value of the model.
fn without_column(motion: &Storage, subject: &Subject) -> Option<Finding> {
    let labels: BTreeSet<&str> = motion.table.labels().iter().map(String::as_str).collect();
    let driven = determined(&subject.model);
    let missing = || {
        let all = subject.coordinates.iter();
        all.filter(|c| !labels.contains(c.name.as_str()) && !driven.contains(&c.speed))
    };
    let names: Vec<&str> = missing().map(|c| c.name.as_str()).collect();
    // a file without any coordinate of the model is an error of its own
    if names.is_empty() || !subject.coordinates.iter().any(|c| labels.contains(c.name.as_str())) {
        return None;
    }
    let message = format!(
        "the motion has no column for {} of {} coordinates of the model, which keep their default value: {}",
        names.len(),
        subject.coordinates.len(),
        grouped(&names)
    );
    let finding = Finding::error(message, "give the motion of this model, with these columns");
    let bearing = bearing(&subject.model);
    let severity = if missing().any(|c| bearing.contains(&c.speed)) { Severity::Error } else { Severity::Warning };
    Some(Finding { severity, ..finding })
}

/// Speeds of coordinates that constraints determine: locked, prescribed and coupled ones.
fn determined(model: &Model) -> BTreeSet<usize> {
    let of = |row: &Row| match row {
        Row::Coupler { dependent, .. } => vec![*dependent],
        Row::Driver { terms, .. } => terms.iter().map(|(speed, _)| *speed).collect(),
        _ => Vec::new(),
    };
    model.constraints().iter().flat_map(|c| &c.rows).flat_map(of).collect()
}

/// Speeds of the joints between ground and the feet: without them, ground forces act at wrong places.
fn bearing(model: &Model) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for foot in feet_of(model) {
        let mut body = foot.body;
        while let Some(b) = model.bodies().get(body).filter(|_| body != 0) {
            found.extend(b.joint_v());
            body = b.parent;
        }
    }
    found
}
