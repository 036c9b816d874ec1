//! Prints our results beside recorded ones: `validate FOLDER [--json] [--allow-missing]`.
//!
//! Exit code 1 where a result is worse than its bound, and where recorded trials are missing, unless `--allow-missing`
//! is given: then only the trials that are there are compared. Exit code 2 for arguments that are not understood.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_validation::manifest::{describe, missing};
use wolff_validation::table::{summary, table};
use wolff_validation::{Records, ValidationRow, Verdict, validate};

/// What was typed.
struct Arguments {
    folder: PathBuf,
    json: bool,
    allow_missing: bool,
}

fn main() -> ExitCode {
    let Some(arguments) = read_arguments(std::env::args().skip(1)) else {
        eprintln!("usage: validate FOLDER [--json] [--allow-missing]");
        return ExitCode::from(2);
    };
    let absent = missing(&arguments.folder);
    if !absent.is_empty() {
        eprint!("{}", describe(&arguments.folder, &absent));
        if !arguments.allow_missing {
            return ExitCode::FAILURE;
        }
    }
    let mut rows = validate(&Records::new(&arguments.folder));
    // comparisons with absent trials fail; they have been listed above
    rows.retain(|r| absent.is_empty() || r.verdict != Verdict::Failed);
    if arguments.json {
        let all: Vec<Value> = rows.iter().map(object).collect();
        println!("{:#}", Value::Array(all));
    } else {
        print!("{}", table(&rows));
        println!("{}", summary(&rows));
    }
    if rows.iter().any(ValidationRow::is_step_back) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read_arguments(words: impl Iterator<Item = String>) -> Option<Arguments> {
    let (mut folder, mut json, mut allow_missing) = (None, false, false);
    for word in words {
        match word.as_str() {
            "--json" => json = true,
            "--allow-missing" => allow_missing = true,
            other if other.starts_with("--") || folder.is_some() => return None,
            other => folder = Some(PathBuf::from(other)),
        }
    }
    folder.map(|folder| Arguments { folder, json, allow_missing })
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
