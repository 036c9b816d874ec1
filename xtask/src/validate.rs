//! `cargo xtask validate`: our results beside those that OpenSim recorded.

use serde_json::{Value, json};
use std::time::Instant;
use wolff_motion::validation::{Records, ValidationRow, Verdict, validate as compare};

/// Prints all rows; false when one is worse than its bound. Without records there is nothing to say.
pub fn validate(as_json: bool) -> bool {
    let folder = crate::root().join("../shared/data");
    if !folder.is_dir() {
        println!("{}", if as_json { "[]" } else { "skipped: there are no recorded trials in ../shared/data" });
        return true;
    }
    let start = Instant::now();
    let rows = compare(&Records::new(folder));
    if as_json {
        let all: Vec<Value> = rows.iter().map(object).collect();
        println!("{:#}", Value::Array(all));
    } else {
        print!("{}", table(&rows));
        println!("{}", summary(&rows));
        println!("{:.0} s; times are those of this build, the dev profile.", start.elapsed().as_secs_f64());
    }
    !rows.iter().any(ValidationRow::is_step_back)
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

/// Three digits; whole numbers as such.
fn number(x: f64) -> String {
    let size = x.abs();
    if x == x.trunc() && size < 1e4 {
        format!("{x}")
    } else if (1e-2..1e4).contains(&size) {
        format!("{x:.*}", (2 - size.log10().floor() as i32).max(0) as usize)
    } else {
        format!("{x:.2e}")
    }
}

fn table(rows: &[ValidationRow]) -> String {
    const HEAD: [&str; 9] = ["trial", "quantity", "value", "unit", "limit", "from", "bound", "verdict", "note"];
    let optional = |x: Option<f64>| x.map(number).unwrap_or_default();
    let cells = |row: &ValidationRow| {
        let verdict = if row.is_step_back() { "WORSE THAN BEFORE" } else { row.verdict.word() };
        [
            row.trial.clone(),
            row.quantity.clone(),
            number(row.value),
            row.unit.into(),
            optional(row.limit),
            row.source.into(),
            optional(row.bound),
            verdict.into(),
            row.note.clone(),
        ]
    };
    let lines: Vec<[String; 9]> = std::iter::once(HEAD.map(String::from)).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 9] = std::array::from_fn(width);
    let mut text = String::new();
    for line in &lines {
        let padded = line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn summary(rows: &[ValidationRow]) -> String {
    let count = |verdict| rows.iter().filter(|r| r.verdict == verdict).count();
    let worse = rows.iter().filter(|r| r.is_step_back()).count();
    format!(
        "\n{} within their limits, {} beyond, {} measured only, {} failed; {worse} worse than their bounds.",
        count(Verdict::Within),
        count(Verdict::Beyond),
        count(Verdict::Measured),
        count(Verdict::Failed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(
            [0.0, 1.0, 0.2, 0.0123456, 123.456, 4e-9, f64::NAN].map(number).join(" "),
            "0 1 0.200 0.0123 123 4.00e-9 NaN"
        );
    }

    #[test]
    fn rows_are_lined_up_and_those_that_got_worse_are_named() {
        let good = ValidationRow::measured("walk", "angles", 0.1, "deg").limited(0.2, "goal").bounded(0.15);
        let bad = ValidationRow::measured("run", "angles", 0.3, "deg").bounded(0.15).noted("hip");
        let text = table(&[good, bad]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].find("quantity"), lines[2].find("angles"));
        assert!(lines[1].ends_with("within") && lines[2].contains("WORSE THAN BEFORE"), "{text}");
    }
}
