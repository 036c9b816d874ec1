//! Speed compared with other programs, where these are installed: `wolff-bench [--large] [--only PART] [--json]`.

use serde_json::{Value, json};
use std::process::ExitCode;
use wolff_bench::{BenchReport, BenchRow};

const HELP: &str = "Measures speed and compares it with other programs, where these are installed.

  wolff-bench [--large] [--only PART] [--json]

  --large      include the largest mesh, 300 000 degrees of freedom: takes a minute and 3 GB
  --only PART  run only the parts whose name contains PART: chain, ball, knee, gait, flexible
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
    let Some(options) = read(std::env::args().skip(1)) else {
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
    json!({ "rows": report.rows.iter().map(row).collect::<Vec<_>>(), "remarks": report.remarks })
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
    report.remarks.iter().fold(text + "\n", |text, remark| text + remark + "\n")
}
