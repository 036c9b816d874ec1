//! Tables of numbers over time: order of the rows, labels, and the unit of angles.

use crate::times::{holes, order};
use wolff_anatomy::CoordinateRole;
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_verdict::{Finding, grouped};

/// Number of angles from which a rule about all of them is meaningful (chosen here).
const SEVERAL: usize = 5;
/// Part of the angles beyond half a turn from which they are degrees (chosen here; turning the whole body affects one
/// or two coordinates only).
const PART: f64 = 0.25;

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

/// Whether the angles of a motion file whose labels are the usual names of coordinates have the unit that it says.
pub fn judge_angles(motion: &Storage) -> Option<Finding> {
    let angles = angle_columns(&motion.table);
    if motion.in_degrees || angles.len() < SEVERAL {
        return None;
    }
    let beyond: Vec<&str> =
        angles.iter().filter(|(_, most)| *most > std::f64::consts::PI).map(|(name, _)| *name).collect();
    (beyond.len() as f64 > PART * angles.len() as f64).then(|| {
        let message = format!(
            "the file says radians (`inDegrees=no`, or the line is missing), but {} of {} angles are larger than half a \
             turn: {}; they are degrees",
            beyond.len(),
            angles.len(),
            grouped(&beyond)
        );
        Finding::error(message, "write `inDegrees=yes` into the header of the file")
    })
}

/// Columns with the usual names of joint angles, and their largest size.
pub fn angle_columns(table: &Table) -> Vec<(&str, f64)> {
    let is_angle = |name: &str| {
        let name = name.strip_suffix("/value").unwrap_or(name).rsplit('/').next().unwrap_or_default();
        CoordinateRole::of(name).is_some_and(|role| !role.is_translation())
    };
    let largest = |column: usize| {
        let values = table.rows().iter().filter_map(|row| row.get(column)).filter(|x| x.is_finite());
        values.fold(0.0, |most: f64, x| most.max(x.abs()))
    };
    let named = table.labels().iter().enumerate().skip(1).filter(|(_, label)| is_angle(label));
    named.map(|(column, label)| (label.as_str(), largest(column))).collect()
}
