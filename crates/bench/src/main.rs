//! Speed compared with other programs, where these are installed: `wolff-bench [--large] [--only PART] [--json]`.

use serde_json::{Value, json};
use std::process::ExitCode;
use wolff_bench::{BenchReport, BenchRow, Table};

const HELP: &str = "Measures speed and compares it with other programs, where these are installed.

  wolff-bench [--large] [--only PART] [--json]

  --large      include the largest mesh, 300 000 degrees of freedom: takes a minute and 3 GB; and more
               bones and sizes for the meshers: takes half an hour
  --only PART  run only the parts whose name contains PART: chain, ball, knee, gait, flexible, mesh
  --json       print one JSON object

WOLFF_PEER_PYTHON is the path of the Python that has the other programs installed.
";

/// The command line.
#[derive(Default)]
struct Options {
    large: bool,
    only: Option<String>,
    json: bool,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, file, size, out] = &words[..]
        && first == "--mesh"
    {
        return make_mesh(file, size, out);
    }
    let Some(options) = read(words.into_iter()) else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    let report = wolff_bench::run(options.large, options.only.as_deref());
    if options.json {
        println!("{:#}", to_json(&report));
    } else {
        print!("{}", for_people(&report));
    }
    ExitCode::SUCCESS
}

/// The part `mesh` runs this program itself to make a mesh in a process of its own.
fn make_mesh(file: &str, size: &str, out: &str) -> ExitCode {
    let size = size.parse().map_err(|_| format!("`{size}` is no number"));
    match size.and_then(|size| wolff_bench::make_mesh(file.as_ref(), size, out.as_ref())) {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// The options; `None` if one is unknown.
fn read(mut words: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--large" => options.large = true,
            "--json" => options.json = true,
            "--only" => options.only = Some(words.next()?),
            _ => return None,
        }
    }
    Some(options)
}

fn to_json(report: &BenchReport) -> Value {
    let row = |row: &BenchRow| {
        let peer = row.peer.as_ref().map(|(name, value)| json!({ "name": name, "value": value }));
        json!({ "name": row.name, "unit": row.unit, "value": row.value, "peer": peer, "ratio": row.ratio })
    };
    let table = |t: &Table| json!({ "title": t.title, "columns": t.columns, "rows": t.rows });
    let tables: Vec<Value> = report.tables.iter().map(table).collect();
    json!({ "rows": report.rows.iter().map(row).collect::<Vec<_>>(), "tables": tables, "remarks": report.remarks })
}

fn for_people(report: &BenchReport) -> String {
    let width = report.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("{:width$}  {:>12} {:5} {:>12}  {:>8}  peer\n", "work", "wolff", "unit", "theirs", "ratio");
    for row in &report.rows {
        let (peer, value) = row
            .peer
            .as_ref()
            .map_or((String::new(), String::new()), |(name, value)| (name.clone(), format!("{value:.3}")));
        let ratio = row.ratio.map(|r| format!("{r:.2}")).unwrap_or_default();
        let line = format!("{:width$}  {:>12.3} {:5} {value:>12}  {ratio:>8}  {peer}", row.name, row.value, row.unit);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    report.tables.iter().for_each(|table| text += &shown(table));
    report.remarks.iter().fold(text + "\n", |text, remark| text + remark + "\n")
}

/// A table with columns as wide as their widest cells.
fn shown(table: &Table) -> String {
    let lines: Vec<&Vec<String>> = std::iter::once(&table.columns).chain(&table.rows).collect();
    let width = |k: usize| lines.iter().filter_map(|cells| cells.get(k)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let padded: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        format!("{}\n", padded.join("  "))
    };
    lines.into_iter().fold(format!("\n{}\n", table.title), |text, cells| text + &line(cells))
}
