//! Results as text and as JSON.

use super::Found;
use crate::output::{Align, number, size, table};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::Path;
use wolff_app::contact_poses::Difference;

/// Quantities of a ligament in the text.
const LIGAMENT: [&str; 3] = ["length", "strain", "force_total"];

/// Results as text.
pub fn for_people(found: &Found, folder: Option<&Path>) -> String {
    let evaluation = &found.evaluation;
    let poses = evaluation.table.rows().len();
    let mut text = format!("poses: {poses}, contacts: {}, ligaments: {}\n", found.contacts.len(), found.ligaments);
    let _ = write!(text, "\n{}", contacts_table(found));
    if !found.differences.is_empty() {
        let _ = write!(text, "\nComputed minus recorded:\n{}", differences_table(found));
    }
    let _ = writeln!(text, "\n{} ms per pose", size(1e3 * evaluation.seconds / poses.max(1) as f64));
    if let Some(folder) = folder {
        let _ = writeln!(text, "files are in {}", folder.display());
    }
    text
}

/// Ranges of all scalars and of the magnitudes of all forces over the poses.
fn contacts_table(found: &Found) -> String {
    let table_of = &found.evaluation.table;
    let mut rows = Vec::new();
    let mut row = |name: String, values: Vec<f64>| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let last = values.last().copied().unwrap_or(f64::NAN);
        rows.push(vec![name, number(low), number(high), number(last)]);
    };
    for label in table_of.labels().iter().filter(|l| l.contains(".casting.")) {
        let column = |axis: &str| {
            let stem = label.strip_suffix("contact_force_x")?;
            table_of.column(&format!("{stem}contact_force_{axis}"))
        };
        if let (Some(x), Some(y), Some(z)) = (column("x"), column("y"), column("z")) {
            let norm = x.iter().zip(&y).zip(&z).map(|((x, y), z)| (x * x + y * y + z * z).sqrt()).collect();
            row(label.trim_end_matches("_x").to_string(), norm);
        } else if (label.ends_with("area") || label.ends_with("_pressure"))
            && let Some(values) = table_of.column(label)
        {
            row(label.clone(), values);
        }
    }
    let header =
        [("quantity (SI)", Align::Left), ("minimum", Align::Right), ("maximum", Align::Right), ("last", Align::Right)];
    table(&header, &rows)
}

/// All quantities of contacts; for ligaments the largest difference among the straight ones, and among those that may
/// wrap.
fn differences_table(found: &Found) -> String {
    let row = |name: String, d: &Difference| {
        let range = format!("{} to {}", number(d.range.0), number(d.range.1));
        let relative = d.relative_mean().map_or(String::new(), |r| format!("{:.3}", 100.0 * r));
        vec![name, size(d.mean), relative, size(d.rms), size(d.worst), range]
    };
    let of_contacts = found.differences.iter().filter(|d| d.quantity.contains(".casting."));
    let mut rows: Vec<_> = of_contacts.map(|d| row(d.quantity.clone(), d)).collect();
    for (wraps, which) in [(false, "are straight"), (true, "may wrap")] {
        for what in LIGAMENT {
            let members = || found.differences.iter().filter(|d| is_ligament(found, d, what, wraps));
            let worst = members().max_by(|a, b| a.worst.total_cmp(&b.worst));
            let count = members().count();
            rows.extend(worst.map(|d| row(format!("worst of {count} ligaments that {which}: {}", d.quantity), d)));
        }
    }
    let header = [
        ("quantity (SI)", Align::Left),
        ("mean", Align::Right),
        ("% of maximum", Align::Right),
        ("RMS", Align::Right),
        ("worst", Align::Right),
        ("recorded", Align::Left),
    ];
    table(&header, &rows)
}

fn is_ligament(found: &Found, d: &Difference, what: &str, wraps: bool) -> bool {
    let Some((name, quantity)) = d.quantity.split_once('.') else { return false };
    quantity == what && found.wrapping.iter().any(|w| w == name) == wraps
}

/// Results as one JSON object.
pub fn for_machines(found: &Found) -> Value {
    let evaluation = &found.evaluation;
    let labels = evaluation.table.labels().iter();
    let columns: Map<String, Value> =
        labels.map(|label| (label.clone(), json!(evaluation.table.column(label)))).collect();
    let elements = found.contacts.iter().map(|c| (c.name.clone(), json!(c.pair.elements().elements.len())));
    json!({
        "status": "ok",
        "poses": evaluation.table.rows().len(),
        "elements": elements.collect::<Map<_, _>>(),
        "ligaments": found.ligaments,
        "ligaments_that_may_wrap": found.wrapping,
        "remarks": evaluation.remarks,
        "seconds_per_pose": evaluation.seconds / evaluation.table.rows().len().max(1) as f64,
        "differences": found.differences.iter().map(difference_json).collect::<Vec<_>>(),
        "columns": columns,
    })
}

fn difference_json(d: &Difference) -> Value {
    json!({
        "quantity": d.quantity,
        "mean": d.mean,
        "rms": d.rms,
        "worst": d.worst,
        "recorded": [d.range.0, d.range.1],
        "count": d.count,
    })
}
