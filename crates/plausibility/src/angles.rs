//! Degrees and radians of a motion file.

use wolff_formats::sto::Storage;
use wolff_motion::coordinate::Coordinate;
use wolff_motion::subject::Subject;
use wolff_verdict::{Finding, grouped};

/// No joint of a person turns by more than half a turn \[rad\].
const HALF_TURN: f64 = std::f64::consts::PI;
/// Number of angles from which a rule about all of them is meaningful (chosen here).
const SEVERAL: usize = 5;
/// Part of the angles beyond half a turn from which the file has degrees (chosen here; turning the whole body affects
/// one or two coordinates only).
const PART: f64 = 0.25;
/// Largest angle of a moving person is at least this \[degrees\] (chosen here: quiet standing has more).
const LEAST_DEGREES: f64 = 3.2;
/// A person of whom all angles change by less than this in a trial stands still \[degrees\].
const STILL_DEGREES: f64 = 0.3;

/// Whether the angles of a motion file have the unit that the file claims. Labels are names of coordinates.
pub fn examine_angles(motion: &Storage, subject: &Subject) -> Option<Finding> {
    let columns: Vec<(&Coordinate, [f64; 2])> = (motion.table.labels().iter().enumerate().skip(1))
        .filter_map(|(column, label)| Some((subject.coordinate(label).filter(|c| c.is_angle())?, column)))
        .map(|(c, column)| (c, range(motion, column)))
        .collect();
    if columns.len() < SEVERAL {
        return None;
    }
    if motion.in_degrees { radians_called_degrees(&columns) } else { degrees_called_radians(&columns) }
}

/// Distance beyond the range of the model from which it is told \[rad\] (chosen here: above the accuracy of markers).
const BEYOND: f64 = 0.17;
/// Part of the rows beyond the range from which it is told (chosen here).
const OFTEN: f64 = 0.2;

/// Angles that are outside of the range of the model for a part of the motion, as where a joint bends the other way.
pub(super) fn examine_ranges(motion: &Storage, subject: &Subject) -> Option<Finding> {
    let unit = if motion.in_degrees { 1f64.to_radians() } else { 1.0 };
    let rows = motion.table.rows();
    let outside = |(column, label): (usize, &String)| {
        let coordinate = subject.coordinate(label).filter(|c| c.is_angle())?;
        let [low, high] = coordinate.range?;
        let values = rows.iter().filter_map(|row| row.get(column)).map(|x| x * unit);
        let outside = |x: &f64| *x < low - BEYOND || *x > high + BEYOND;
        // an angle that may have any value is the same pose after a whole turn
        let turn = 2.0 * HALF_TURN;
        let any = high - low > 0.9 * turn;
        let count = values.filter(outside).filter(|x| !any || [x - turn, x + turn].iter().all(outside)).count();
        let [low, high] = [low, high].map(f64::to_degrees);
        (count as f64 > OFTEN * rows.len() as f64).then(|| {
            let percent = 100.0 * count as f64 / rows.len() as f64;
            format!("`{label}` in {percent:.0} % of the rows ({low:.0} to {high:.0} degrees)")
        })
    };
    let found: Vec<String> = motion.table.labels().iter().enumerate().skip(1).filter_map(outside).collect();
    (!found.is_empty()).then(|| {
        let message = format!(
            "{} angles are more than {:.0} degrees outside of their range in the model: {}",
            found.len(),
            BEYOND.to_degrees(),
            found.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ")
        );
        Finding::warning(message, "check the sign of these angles in the motion, and that it belongs to this model")
    })
}

/// Number of angles that are listed.
const LISTED: usize = 6;

fn range(motion: &Storage, column: usize) -> [f64; 2] {
    let values = motion.table.rows().iter().filter_map(|row| row.get(column)).filter(|x| x.is_finite());
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
}

fn largest([low, high]: [f64; 2]) -> f64 {
    low.abs().max(high.abs())
}

fn degrees_called_radians(columns: &[(&Coordinate, [f64; 2])]) -> Option<Finding> {
    let beyond: Vec<&str> =
        columns.iter().filter(|(_, r)| largest(*r) > HALF_TURN).map(|(c, _)| c.name.as_str()).collect();
    let most = columns.iter().map(|(_, r)| largest(*r)).fold(0.0, f64::max);
    (beyond.len() as f64 > PART * columns.len() as f64).then(|| {
        let message = format!(
            "the motion file says radians (`inDegrees=no`, or the line is missing), but angles reach {most:.1}, more \
             than half a turn in {} of {} angles: {}; they are degrees",
            beyond.len(),
            columns.len(),
            grouped(&beyond)
        );
        Finding::error(message, "write `inDegrees=yes` into the header of the motion file")
    })
}

fn radians_called_degrees(columns: &[(&Coordinate, [f64; 2])]) -> Option<Finding> {
    let most = columns.iter().map(|(_, r)| largest(*r)).fold(0.0, f64::max);
    let change = columns.iter().map(|(_, [low, high])| high - low).fold(0.0, f64::max);
    (most < LEAST_DEGREES && change > STILL_DEGREES).then(|| {
        let message = format!(
            "the motion file says degrees (`inDegrees=yes`), but no angle exceeds {most:.2} and the largest change is \
             {change:.2}: as degrees nobody moves by so little, as radians these are {:.0} and {:.0} degrees",
            most.to_degrees(),
            change.to_degrees()
        );
        Finding::error(message, "write `inDegrees=no` into the header of the motion file")
    })
}
