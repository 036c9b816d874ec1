//! Tables of numbers over time: order of the rows, labels, and the unit of angles.

use crate::times::{holes, order};
use wolff_anatomy::{CoordinateRole, without_side};
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_verdict::{Finding, grouped};

/// Number of angles from which a rule about all of them is meaningful (chosen here).
const SEVERAL: usize = 5;
/// Part of the angles beyond half a turn from which they are degrees (chosen here; turning the whole body affects one
/// or two coordinates only).
const PART: f64 = 0.25;

/// Largest angle of a moving person, and change of the angle that changes most, are at least these \[degrees\] (chosen
/// here: quiet standing has more).
const LEAST_DEGREES: f64 = 3.2;
const STILL_DEGREES: f64 = 0.3;

/// Findings about a table whose first column is time \[s\].
///
/// ```
/// use wolff_formats::Table;
///
/// let rows = vec![vec![0.0, 1.0], vec![0.0, 2.0], vec![0.1, 3.0]];
/// let table = Table::new(vec!["time".into(), "force".into()], rows).unwrap();
/// assert!(wolff_doctor::judge_table(&table)[0].message.contains("time repeats"));
/// ```
pub fn judge_table(table: &Table) -> Vec<Finding> {
    let times: Vec<f64> = table.rows().iter().filter_map(|row| row.first().copied()).collect();
    let steps: Vec<f64> = times.windows(2).filter_map(|w| Some(w.last()? - w.first()?)).collect();
    let standing: Vec<usize> = (0..steps.len()).filter(|&i| steps.get(i).is_some_and(|s| !(*s > 0.0))).collect();
    // programs write a row twice
    let same = |i: &usize| table.rows().get(*i) == table.rows().get(i + 1);
    let mut findings = Vec::new();
    if !standing.is_empty() && standing.iter().all(same) {
        findings.push(Finding::note(format!("{} rows are there twice", standing.len()), ""));
    } else if !standing.is_empty() {
        let (message, remedy) = order(&times, &steps, &standing, "rows");
        findings.push(Finding::error(message, remedy));
    }
    findings.extend(holes(&times, "rows").map(|f| Finding::warning(f.message, f.remedy)));
    let labels = table.labels();
    let mut twice: Vec<&str> = Vec::new();
    for (i, label) in labels.iter().enumerate() {
        if labels.iter().take(i).any(|l| l == label) && !twice.contains(&label.as_str()) {
            twice.push(label);
        }
    }
    if !twice.is_empty() {
        let message = format!("{} labels belong to several columns: {}", twice.len(), grouped(&twice));
        findings.push(Finding::warning(message, "only the first of such columns is found by its name: rename them"));
    }
    findings
}

/// A column with the usual name of a joint angle.
#[derive(Clone, Debug, PartialEq)]
pub struct AngleColumn<'a> {
    /// Its label.
    pub label: &'a str,
    /// Its least and its largest value; infinite without any.
    pub range: [f64; 2],
}

impl AngleColumn<'_> {
    fn largest(&self) -> f64 {
        self.range.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }
}

/// Whether the angles of a motion file whose labels are the usual names of coordinates have the unit that it says. A
/// warning, since a file with these labels may have speeds.
pub fn judge_angles(motion: &Storage) -> Option<Finding> {
    let angles = angle_columns(&motion.table);
    if angles.len() < SEVERAL {
        return None;
    }
    if motion.in_degrees {
        let most = angles.iter().map(AngleColumn::largest).fold(0.0, f64::max);
        let change = angles.iter().map(|a| a.range[1] - a.range[0]).fold(0.0, f64::max);
        return (most < LEAST_DEGREES && change > STILL_DEGREES).then(|| {
            let message = format!(
                "the file says degrees (`inDegrees=yes`), but no angle exceeds {most:.2} and the largest change is \
                 {change:.2}: nobody moves by so little, they are radians"
            );
            Finding::warning(message, "write `inDegrees=no` into the header of the file")
        });
    }
    let beyond: Vec<&str> = angles.iter().filter(|a| a.largest() > std::f64::consts::PI).map(|a| a.label).collect();
    (beyond.len() as f64 > PART * angles.len() as f64).then(|| {
        let message = format!(
            "the file says radians (`inDegrees=no`, or the line is missing), but {} of {} angles are larger than half a \
             turn: {}; they are degrees",
            beyond.len(),
            angles.len(),
            grouped(&beyond)
        );
        Finding::warning(message, "write `inDegrees=yes` into the header of the file")
    })
}

/// Columns with the usual names of joint angles.
pub fn angle_columns(table: &Table) -> Vec<AngleColumn<'_>> {
    let is_angle = |name: &str| {
        let name = name.strip_suffix("/value").unwrap_or(name).rsplit('/').next().unwrap_or_default();
        // `hip_flexion_r_moment` is none
        match CoordinateRole::of(name) {
            Some(CoordinateRole::RootRotation(_)) => true,
            Some(CoordinateRole::Joint { motion, .. }) => motion.is_some() || without_side(name) != name,
            _ => false,
        }
    };
    let range = |column: usize| {
        let values = table.rows().iter().filter_map(|row| row.get(column)).filter(|x| x.is_finite());
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
    };
    let named = table.labels().iter().enumerate().skip(1).filter(|(_, label)| is_angle(label));
    named.map(|(column, label)| AngleColumn { label, range: range(column) }).collect()
}
