//! Dynamics of a motion as the commands `id`, `so`, `rra`, `reactions`, `muscle` and `cmc` compute it: inputs with
//! their checks, streamed tables, judged results and the content of the page.
//!
//! | file | subject |
//! |---|---|
//! | [`inputs`] | model, motion and loads from options and set-ups, with all findings |
//! | [`setups`] | set-up files of OpenSim |
//! | [`tables`] | tables that are written row by row |
//! | [`residuals`] | residual forces and moments, and their limits |
//! | [`figures`] | curves over the gait cycle with bands, and the table of 101 points |
//! | [`legs`] | angles, moments and ground forces of the legs |
//! | [`id`], [`so`], [`reactions`], [`rra`], [`muscle`], [`cmc`], [`forward`] | one command each |

pub mod cmc;
pub mod figures;
pub mod forward;
pub mod id;
pub mod inputs;
pub mod legs;
mod loads;
pub mod muscle;
pub mod reactions;
pub mod residuals;
pub mod rra;
pub mod samples;
pub mod setups;
pub mod so;
pub mod tables;

pub use inputs::{Loaded, Request, load};
pub use setups::FromSetup;
pub use tables::{Head, Tables};

use serde_json::{Map, Value, json};
use wolff_report::outcome::{Outcome, RunKind};

/// Progress of a computation: the number of instants that are done.
pub type Progress<'a> = &'a mut dyn FnMut(usize);

/// A finished analysis: its outcome, its tables and a text for the terminal.
pub struct Analysis {
    /// Results, judgement, page content.
    pub outcome: Outcome,
    /// The tables.
    pub tables: Tables,
    /// Results for the terminal.
    pub text: String,
}

/// The outcome of a command with what all have in common.
fn outcome(loaded: &Loaded, command: &str) -> Outcome {
    let mut results = Map::new();
    results.insert("model".into(), json!(loaded.title));
    results.insert("mass_kg".into(), json!(loaded.subject.mass()));
    results.insert("instants".into(), json!(loaded.times.len()));
    results.insert("time_range".into(), json!([loaded.times.first(), loaded.times.last()]));
    if let Some(stature) = loaded.stature {
        results.insert("stature_m".into(), json!(stature));
    }
    Outcome {
        kind: RunKind::Command,
        study: command.into(),
        results,
        judgement: loaded.judgement.clone(),
        method: loaded.method(),
        ..Outcome::default()
    }
}

/// Minimum and maximum of each column of the first table.
fn ranges(tables: &Tables) -> Value {
    Value::Object(tables.ranges().map(|(label, range)| (label.clone(), json!(range))).collect())
}

/// Rows of words and numbers in columns of equal width, two spaces apart, the first one to the left.
pub(crate) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<String>| {
        let cell = |(i, c): (usize, &String)| {
            if i == 0 { format!("{c:<w$}", w = widths[i]) } else { format!("{c:>w$}", w = widths[i]) }
        };
        format!("{}\n", row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// The range of each column of the first table as text.
fn ranges_text(tables: &Tables) -> String {
    let header = ["column (SI)", "minimum", "maximum"].map(String::from).to_vec();
    let row = |(label, [low, high]): (&String, [f64; 2])| {
        vec![label.clone(), wolff_report::digits::number(low), wolff_report::digits::number(high)]
    };
    columns(&std::iter::once(header).chain(tables.ranges().map(row)).collect::<Vec<_>>())
}
