//! `wolff bench`: speed, beside other programs where they are installed.

use crate::args::Bench;
use crate::failure::Failure;
use crate::output::{self, Align, table};
use serde_json::{Value, json};
use std::process::ExitCode;
use wolff_study::bench::BenchRow;

/// Runs the command.
pub fn bench(args: &Bench) -> Result<ExitCode, Failure> {
    let report = wolff_study::bench::run(args.large, args.only.as_deref());
    if args.json {
        let rows: Vec<Value> = report.rows.iter().map(row_json).collect();
        output::print_json(&json!({ "rows": rows, "remarks": report.remarks }))?;
    } else {
        let remarks: String = report.remarks.iter().map(|remark| format!("{remark}\n")).collect();
        output::print(&format!("{}\n{remarks}", for_people(&report.rows)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row_json(row: &BenchRow) -> Value {
    let peer = row.peer.as_ref().map(|(name, value)| json!({ "name": name, "value": value }));
    json!({ "name": row.name, "unit": row.unit, "value": row.value, "peer": peer, "ratio": row.ratio })
}

fn for_people(rows: &[BenchRow]) -> String {
    let line = |row: &BenchRow| {
        let (peer, value) = match &row.peer {
            Some((name, value)) => (name.clone(), format!("{value:.3}")),
            None => (String::new(), String::new()),
        };
        let ratio = row.ratio.map(|r| format!("{r:.2}")).unwrap_or_default();
        vec![row.name.to_string(), format!("{:.3}", row.value), row.unit.to_string(), peer, value, ratio]
    };
    let header = [
        ("work", Align::Left),
        ("wolff", Align::Right),
        ("unit", Align::Left),
        ("peer", Align::Left),
        ("theirs", Align::Right),
        ("theirs / ours", Align::Right),
    ];
    table(&header, &rows.iter().map(line).collect::<Vec<_>>())
}
