//! `wolff verify`: comparison of results with reference solutions.

use crate::args::Verify;
use crate::failure::Failure;
use crate::output::{self, Align, size, table};
use serde_json::{Value, json};
use std::process::ExitCode;
use wolff_report::digits::compared;
use wolff_report::json::Stopwatch;
use wolff_verify::VerifyItem;

/// Runs the command.
pub fn verify(args: &Verify) -> Result<ExitCode, Failure> {
    let watch = Stopwatch::start();
    let bar = output::progress_bar("verify", args.json);
    let items = wolff_verify::verify(args.only.as_deref(), &mut |fraction| output::advance(&bar, fraction));
    bar.finish_and_clear();
    if let (Some(pattern), true) = (&args.only, items.is_empty()) {
        return Err(Failure::NoSuchProblem(pattern.clone()));
    }
    let failed = items.iter().filter(|item| !item.pass).count();
    let passed = items.len() - failed;
    if args.json {
        let status = if failed == 0 { "ok" } else { "failed" };
        let list: Vec<Value> = items.iter().map(item_json).collect();
        let results = json!({ "passed": passed, "failed": failed, "items": list });
        output::print_json(&output::command_json("verify", status, results, &watch.stop(0.0)))?;
    } else {
        output::print(&format!("{}\n{passed} passed, {failed} failed\n", for_people(&items)))?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn item_json(item: &VerifyItem) -> Value {
    json!({
        "id": item.id,
        "value": item.value,
        "reference": item.reference,
        "tolerance": item.tolerance,
        "pass": item.pass,
        "source": item.source,
    })
}

fn for_people(items: &[VerifyItem]) -> String {
    let row = |item: &VerifyItem| {
        vec![
            item.id.to_string(),
            compared(item.value, item.tolerance),
            compared(item.reference, item.tolerance),
            size(item.value - item.reference),
            size(item.tolerance),
            if item.pass { "pass" } else { "FAIL" }.into(),
        ]
    };
    let header = [
        ("problem", Align::Left),
        ("value", Align::Right),
        ("reference", Align::Right),
        ("difference", Align::Right),
        ("tolerance", Align::Right),
        ("verdict", Align::Left),
    ];
    let rows: Vec<_> = items.iter().map(row).collect();
    format!("{}\n{}", table(&header, &rows), sources(items))
}

/// The sources of the references, one row per problem.
fn sources(items: &[VerifyItem]) -> String {
    let problem = |item: &VerifyItem| item.id.split('.').next().unwrap_or_default().to_string();
    let mut rows: Vec<_> = items.iter().map(|item| vec![problem(item), item.source.clone()]).collect();
    rows.sort();
    rows.dedup();
    table(&[("problem", Align::Left), ("source of the references", Align::Left)], &rows)
}
