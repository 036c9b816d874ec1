//! Text and JSON on standard output; warnings and progress on standard error.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::io::{ErrorKind, Write};
pub use wolff_report::digits::{number, plain, size};

/// Prints text. A closed pipe (`wolff list | head -1`) is not a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::Output),
    }
}

/// Prints one JSON object.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// Shows a warning; it is lost if standard error is closed.
pub fn warn(text: &str) {
    let _ = writeln!(std::io::stderr(), "warning: {text}");
}

/// A spinner on standard error, drawn only on a terminal.
pub fn spinner(what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(what.to_string());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// A progress bar on the terminal for work whose completed fraction is known; hidden if `quiet`.
pub fn progress_bar(what: &str, quiet: bool) -> ProgressBar {
    const STEPS: u64 = 1000;
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(STEPS).with_message(what.to_string());
    match ProgressStyle::with_template("{msg} [{wide_bar}] {percent:>3} % {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Moves a bar to a fraction of its length.
pub fn advance(bar: &ProgressBar, fraction: f64) {
    let steps = bar.length().unwrap_or(0) as f64;
    bar.set_position((fraction.clamp(0.0, 1.0) * steps) as u64);
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// Rows below a header in aligned columns, separated by two spaces; empty without rows.
pub fn table(header: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let titles: Vec<String> = header.iter().map(|(title, _)| title.to_string()).collect();
    let lines = || std::iter::once(&titles).chain(rows);
    let width = |i: usize| lines().filter_map(|line| line.get(i)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();

    let mut out = String::new();
    for line in lines() {
        let cells: Vec<String> = line
            .iter()
            .zip(header.iter().zip(&widths))
            .map(|(cell, ((_, align), &width))| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            })
            .collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}
