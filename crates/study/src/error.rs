//! Mistakes in a study: all of them at once, each with its place in the text.

use std::ops::Range;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong: the object, the value and the rule it breaks.
    pub message: String,
    /// Bytes of [`StudyError::text`] it is about.
    pub span: Range<usize>,
    /// How to put it right.
    pub help: Option<String>,
}

/// A study that cannot be run as written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", summary(file, text, diagnostics))]
pub struct StudyError {
    /// Name of the file, or `--set` for values given beside it.
    pub file: String,
    /// The text the spans point into.
    pub text: String,
    /// The mistakes in the order of the text, never empty.
    pub diagnostics: Vec<Diagnostic>,
}

impl StudyError {
    /// Sorts the mistakes by place and keeps every span inside the text.
    pub fn new(file: &str, text: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        for d in &mut diagnostics {
            d.span = inside(text, &d.span);
        }
        diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
        diagnostics.dedup();
        StudyError { file: file.into(), text: text.into(), diagnostics }
    }
}

/// The span cut to whole characters of the text.
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

/// One line for each mistake: `file:line: message (help)`.
fn summary(file: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let line = 1 + text.bytes().take(d.span.start).filter(|&b| b == b'\n').count();
        let help = d.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
        format!("{file}:{line}: {}{help}", d.message)
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}
