//! Errors in a study: all of them at once, each with its place in the text.

use std::ops::Range;

/// One error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The error: object, value and violated rule.
    pub message: String,
    /// Its place in [`StudyError::text`] \[bytes\].
    pub span: Range<usize>,
    /// The remedy.
    pub help: Option<String>,
}

/// A study that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", summary(file, text, diagnostics))]
pub struct StudyError {
    /// Name of the file, or `--set` for values given in addition to it.
    pub file: String,
    /// The text the spans point into.
    pub text: String,
    /// The errors in the order of the text, never empty.
    pub diagnostics: Vec<Diagnostic>,
}

impl StudyError {
    /// Sorts the errors by place and limits every span to the text.
    pub fn new(file: &str, text: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        for d in &mut diagnostics {
            d.span = inside(text, &d.span);
        }
        diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
        diagnostics.dedup();
        StudyError { file: file.into(), text: text.into(), diagnostics }
    }
}

/// The span limited to whole characters of the text.
fn inside(text: &str, span: &Range<usize>) -> Range<usize> {
    let clip = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = clip(span.start);
    start..clip(span.end).max(start)
}

/// One line per error: `file:line: message (help)`.
fn summary(file: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let line = 1 + text.bytes().take(d.span.start).filter(|&b| b == b'\n').count();
        let help = d.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
        format!("{file}:{line}: {}{help}", d.message)
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}
