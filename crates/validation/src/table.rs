//! Rows as people read them.

use crate::{ValidationRow, Verdict};

/// Three digits; whole numbers as such.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == x.trunc() && size < 1e4 {
        format!("{x}")
    } else if (1e-2..1e4).contains(&size) {
        format!("{x:.*}", (2 - size.log10().floor() as i32).max(0) as usize)
    } else {
        format!("{x:.2e}")
    }
}

/// All rows, lined up.
pub fn table(rows: &[ValidationRow]) -> String {
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

/// How many rows are how good.
pub fn summary(rows: &[ValidationRow]) -> String {
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
