//! Text and JSON on standard output; warnings and progress on standard error.

use crate::failure::Failure;
pub use crate::table::{Align, table};
use crate::table::{width, wrapped};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wolff_files::text::{self, printable};
pub use wolff_report::digits::{number, size};
use wolff_report::json::Timing;

/// Prints text; characters that control the terminal are shown as `\u{1b}`. A closed pipe (`wolff list | head -1`) is
/// not a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(printable(text).as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::Output),
    }
}

/// Prints one JSON object.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    // JSON escapes control characters of ASCII only
    let is_left = |c: char| text::is_control(c) && c != '\n';
    let escaped: String = format!("{value:#}\n").chars().fold(String::new(), |mut all, c| {
        match is_left(c) {
            true => _ = write!(all, "\\u{:04x}", u32::from(c)),
            false => all.push(c),
        }
        all
    });
    print(&escaped)
}

/// Shows a warning; it is lost if standard error is closed.
pub fn warn(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", prose(&format!("warning: {}", printable(text))));
}

/// Shows a note; it is lost if standard error is closed.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", prose(&format!("note: {}", printable(text))));
}

/// The text wrapped to the terminal, where words and numbers would be torn at its edge, or to the variable `COLUMNS`;
/// in a pipe without it as it is.
fn prose(text: &str) -> String {
    match std::io::stderr().is_terminal() || std::env::var_os("COLUMNS").is_some() {
        true => wrapped(text, width(), 2).join("\n"),
        false => text.into(),
    }
}

/// Text for standard output in lines that end as given: wrapped where it goes to a terminal or where the variable
/// `COLUMNS` is set, in a pipe as it is. Lines that continue another one are indented.
pub fn lines(text: &str, indent: usize) -> String {
    match std::io::stdout().is_terminal() || std::env::var_os("COLUMNS").is_some() {
        true => wrapped(text, width(), indent).into_iter().map(|line| line + "\n").collect(),
        false => format!("{text}\n"),
    }
}

/// The common JSON object of a command that has results of its own form, such as a list.
pub fn command_json(command: &str, status: &str, results: Value, timing: &Timing) -> Value {
    json!({ "command": command, "status": status, "results": results, "warnings": [], "timing": timing })
}

/// A spinner on standard error, drawn only on a terminal.
pub fn spinner(what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(what.to_string());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A progress bar on the terminal for work whose completed fraction is known; hidden if `quiet`.
pub fn progress_bar(what: &str, quiet: bool) -> ProgressBar {
    const STEPS: u64 = 1000;
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(STEPS).with_message(what.to_string());
    match ProgressStyle::with_template("{msg} [{wide_bar}] {percent:>3} %, {elapsed} elapsed, {eta} left") {
        Ok(style) => {
            let bar = bar.with_style(style);
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        }
        Err(_) => bar,
    }
}

/// A progress bar that moves on within a stage whose own progress is not known: towards the begin of the next one, at
/// the pace of the stages before, and slower the longer it takes.
pub struct CreepingBar {
    bar: ProgressBar,
    /// Where the stage began and where the next one begins, and when it began.
    stage: Arc<Mutex<(f64, f64, Instant)>>,
}

/// A bar for work in stages; hidden if `quiet`.
pub fn creeping_bar(what: &str, quiet: bool) -> CreepingBar {
    /// Least time that a stage is taken to need.
    const SHORT: Duration = Duration::from_secs(5);
    let begin = Instant::now();
    let (bar, stage) = (progress_bar(what, quiet), Arc::new(Mutex::new((0.0, 0.0, begin))));
    if !bar.is_hidden() {
        let (bar, stage) = (bar.clone(), stage.clone());
        std::thread::spawn(move || {
            while !bar.is_finished() {
                let (from, to, since) = *stage.lock().unwrap_or_else(PoisonError::into_inner);
                let pace = (since - begin).as_secs_f64() / f64::max(from, 1e-3);
                let expected = (pace * (to - from)).max(SHORT.as_secs_f64());
                advance(&bar, to - (to - from) / (1.0 + since.elapsed().as_secs_f64() / expected));
                std::thread::sleep(Duration::from_millis(500));
            }
        });
    }
    CreepingBar { bar, stage }
}

impl CreepingBar {
    /// A stage begins or moves on: the finished part of the work now and at the begin of the next stage.
    pub fn stage(&self, message: &str, part: f64, next: f64) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        // a bar never goes back
        let shown = self.bar.position() as f64 / self.bar.length().unwrap_or(1).max(1) as f64;
        if part > shown || self.bar.message() != message {
            let part = part.max(shown);
            *stage = (part, next.max(part), Instant::now());
            self.bar.set_message(message.to_string());
            advance(&self.bar, part);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Moves a bar to a fraction of its length.
pub fn advance(bar: &ProgressBar, fraction: f64) {
    let steps = bar.length().unwrap_or(0) as f64;
    bar.set_position((fraction.clamp(0.0, 1.0) * steps) as u64);
}
