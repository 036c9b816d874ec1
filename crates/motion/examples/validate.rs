//! Prints our results beside those that OpenSim recorded, for the trials in a folder: `validate FOLDER [--json]`. Fails where one has become
//! worse than it was; without the folder there is nothing to say.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_motion::validation::table::{summary, table};
use wolff_motion::validation::{Records, ValidationRow, validate};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let as_json = arguments.next().as_deref() == Some("--json");
    if !folder.is_dir() {
        let skipped = format!("skipped: there are no recorded trials in {}", folder.display());
        println!("{}", if as_json { "[]" } else { &skipped });
        return ExitCode::SUCCESS;
    }
    let rows = validate(&Records::new(folder));
    if as_json {
        let all: Vec<Value> = rows.iter().map(object).collect();
        println!("{:#}", Value::Array(all));
    } else {
        print!("{}", table(&rows));
        println!("{}", summary(&rows));
    }
    if rows.iter().any(ValidationRow::is_step_back) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn object(row: &ValidationRow) -> Value {
    // NaN becomes null
    json!({
        "trial": row.trial,
        "quantity": row.quantity,
        "value": row.value,
        "unit": row.unit,
        "limit": row.limit,
        "source": row.source,
        "bound": row.bound,
        "verdict": format!("{:?}", row.verdict).to_lowercase(),
        "step_back": row.is_step_back(),
        "note": row.note,
    })
}
