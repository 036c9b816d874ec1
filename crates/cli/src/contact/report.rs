//! Results as text and as JSON.

use super::Found;
use crate::output::{Align, number, size, table};
use serde_json::{Value, json};
use std::fmt::Write as _;
use wolff_analyses::contact_poses::{Difference, Extremes, extremes};

/// Quantities of a ligament in the text.
const LIGAMENT: [&str; 3] = ["length", "strain", "force_total"];

/// Results as text.
pub fn for_people(found: &Found) -> String {
    let evaluation = &found.evaluation;
    let poses = evaluation.table.rows().len();
    let mut text = format!("poses: {poses}, contacts: {}, ligaments: {}\n", found.contacts.len(), found.ligaments);
    let _ = write!(text, "\nLargest values over the poses:\n{}", contacts_table(found));
    if !found.differences.is_empty() {
        let _ = write!(text, "\nComputed minus recorded:\n{}", differences_table(found));
    }
    let _ = writeln!(text, "\n{} ms per pose", size(1e3 * evaluation.seconds / poses.max(1) as f64));
    text
}

/// The largest values of every contact and its parts.
fn contacts_table(found: &Found) -> String {
    let row = |name: String, deepest: String, e: &Extremes| {
        let numbers = [e.force, 1e-6 * e.peak_pressure, 1e-6 * e.mean_pressure, 1e6 * e.area].map(number);
        [vec![name], numbers.to_vec(), vec![deepest]].concat()
    };
    let mut rows = Vec::new();
    for (contact, e) in found.contacts.iter().zip(extremes(&found.contacts, &found.evaluation)) {
        rows.push(row(e.name.clone(), size(100.0 * e.deepest), &e));
        let parts = &contact.pair.elements().compartments;
        for part in parts.iter().filter(|_| parts.len() > 1) {
            let of_part = Extremes::of_patch(&found.evaluation, &e.name, &part.name);
            rows.push(row(format!("  {}", part.name), String::new(), &of_part));
        }
    }
    let header = [
        ("contact", Align::Left),
        ("force [N]", Align::Right),
        ("peak [MPa]", Align::Right),
        ("mean [MPa]", Align::Right),
        ("area [mm²]", Align::Right),
        ("overlap [%]", Align::Right),
    ];
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

/// Results in addition to those of the contacts, as the entries of a JSON object.
pub fn for_machines(found: &Found) -> [(String, Value); 3] {
    [
        ("ligaments".into(), found.ligaments.into()),
        ("ligaments_that_may_wrap".into(), json!(found.wrapping)),
        ("differences".into(), found.differences.iter().map(difference_json).collect()),
    ]
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
