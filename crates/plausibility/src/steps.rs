//! Times and values of a motion file from row to row: holes, jumps, values that never change, locks.

use std::f64::consts::PI;
use wolff_anatomy::names::Side;
use wolff_formats::sto::Storage;
use wolff_motion::coordinate::Coordinate;
use wolff_motion::subject::Subject;
use wolff_multibody::constraint::Row;
use wolff_verdict::{Finding, grouped};

/// A hole is longer than this many steps, where nearly all others are equal (chosen here).
const HOLE: f64 = 2.5;
/// Relative difference of equal steps, and the part of the steps that are equal in an evenly sampled record (chosen
/// here: simulations have steps of many lengths).
const EQUAL: f64 = 0.1;
const EVEN: f64 = 0.9;
/// An angle that changes by more than this from row to row \[rad\] has jumped by a whole turn (chosen here: 300
/// degrees).
const JUMP: f64 = 5.0 / 3.0 * PI;
/// A locked coordinate moves where it changes by more than this \[rad or m\] (chosen here: above rounding).
const MOVES: f64 = 0.01;
/// A joint moves where its angle changes by more than this \[rad\] (chosen here: 10 degrees).
const CLEARLY_MOVES: f64 = 0.175;

/// Findings about the steps from row to row.
pub(super) fn examine_steps(motion: &Storage, subject: &Subject) -> Vec<Finding> {
    let columns = columns(motion, subject);
    let all = [holes(motion), jumps(motion, &columns), locked(subject, &columns), frozen(&columns)];
    all.into_iter().flatten().collect()
}

/// A coordinate with its values \[rad or m\].
type Column<'a> = (&'a Coordinate, Vec<f64>);

fn columns<'a>(motion: &Storage, subject: &'a Subject) -> Vec<Column<'a>> {
    let labels = motion.table.labels().iter().enumerate().skip(1);
    let values = |(i, label): (usize, &String)| {
        let coordinate = subject.coordinate(label)?;
        let unit = if motion.in_degrees && coordinate.is_angle() { PI / 180.0 } else { 1.0 };
        let column = motion.table.rows().iter().filter_map(|row| row.get(i)).map(|x| unit * x);
        Some((coordinate, column.collect()))
    };
    labels.filter_map(values).collect()
}

fn change((_, values): &Column<'_>) -> f64 {
    let [low, high] = values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(*x), h.max(*x)]);
    high - low
}

/// Rows that are missing in an evenly sampled record.
fn holes(motion: &Storage) -> Option<Finding> {
    let times: Vec<f64> = motion.table.rows().iter().filter_map(|row| row.first().copied()).collect();
    let steps: Vec<f64> = times.windows(2).map(|w| w[1] - w[0]).collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f64::total_cmp);
    let median = *sorted.get(sorted.len() / 2)?;
    let equal = steps.iter().filter(|s| (*s / median - 1.0).abs() < EQUAL).count();
    if (equal as f64) < EVEN * steps.len() as f64 {
        return None;
    }
    let mut found = times.windows(2).filter(|w| w[1] - w[0] > HOLE * median);
    let (first, more) = (found.next()?, found.count());
    let longest = times.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])))?;
    let rows = ((longest[1] - longest[0]) / median).round() - 1.0;
    let message = format!(
        "rows are missing after {:.3} s{}; the longest hole has {rows} rows, from {:.3} to {:.3} s: accelerations beside \
         it are not those of the motion",
        first[0],
        if more > 0 { format!(" and in {more} more places") } else { String::new() },
        longest[0],
        longest[1]
    );
    let (start, end) = (times.first()?, times.last()?);
    let part = if longest[0] - start > end - longest[1] { [*start, longest[0]] } else { [longest[1], *end] };
    let remedy = format!("give all rows, or leave out the hole with --time {:.3}:{:.3}", part[0], part[1]);
    Some(Finding::warning(message, remedy))
}

/// Angles that jump by a whole turn.
fn jumps(motion: &Storage, columns: &[Column<'_>]) -> Option<Finding> {
    let jump = |(c, values): &Column<'_>| {
        let row = values.windows(2).position(|w| (w[1] - w[0]).abs() > JUMP)?;
        let time = motion.table.rows().get(row + 1)?.first().copied()?;
        let size = (values.get(row + 1)? - values.get(row)?).to_degrees();
        Some(format!("`{}` by {size:.0} degrees at {time:.3} s", c.name))
    };
    let found: Vec<String> = columns.iter().filter(|(c, _)| c.is_angle()).filter_map(jump).collect();
    (!found.is_empty()).then(|| {
        let listed = found.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
        let message = format!("angles jump from one row to the next: {listed}");
        Finding::error(message, "add or subtract whole turns (360 degrees) after the jump, so that the angle is smooth")
    })
}

/// Coordinates that are locked in the model and move in the file.
fn locked(subject: &Subject, columns: &[Column<'_>]) -> Option<Finding> {
    let locks: Vec<usize> = (subject.model.constraints().iter().flat_map(|c| &c.rows))
        .filter_map(|row| match row {
            Row::Driver { terms, .. } if terms.len() == 1 => terms.first().map(|(speed, _)| *speed),
            _ => None,
        })
        .collect();
    let moving: Vec<&str> = (columns.iter())
        .filter(|column| locks.contains(&column.0.speed) && change(column) > MOVES)
        .map(|(c, _)| c.name.as_str())
        .collect();
    (!moving.is_empty()).then(|| {
        let message = format!(
            "coordinates are locked or prescribed in the model but move in the file, which is used: {}",
            grouped(&moving)
        );
        Finding::warning(message, "unlock them in the model, or give the motion that was found with this model")
    })
}

/// Angles with one value in all rows, though those of the other side move.
fn frozen(columns: &[Column<'_>]) -> Option<Finding> {
    let partner = |c: &Coordinate| {
        let side = Side::of(&c.name)?;
        let other = format!("{}{}", c.name.strip_suffix(side.ending())?, side.opposite().ending());
        columns.iter().find(|(p, _)| p.name == other)
    };
    let still = |column: &&Column<'_>| {
        let moves = || partner(column.0).is_some_and(|p| change(p) > CLEARLY_MOVES);
        column.0.is_angle() && column.1.len() > 2 && change(column) == 0.0 && moves()
    };
    let names: Vec<&str> = columns.iter().filter(still).map(|(c, _)| c.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        let message = format!(
            "angles have one value in all rows, though the same joint of the other side moves: {}",
            grouped(&names)
        );
        Finding::warning(message, "give the motion of these joints; a fixed joint is locked in the model")
    })
}
