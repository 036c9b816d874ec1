//! What was found in an input or a result.

use serde::Serialize;
use std::fmt;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For information; results are as accurate as without it.
    Note,
    /// Results may be less accurate.
    Warning,
    /// Results would be wrong: the input is refused, unless the user insists.
    Error,
}

impl Severity {
    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something that was found: what and where, by how much, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Severity.
    pub severity: Severity,
    /// What was found and where, with numbers and the rule that it breaks.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl Finding {
    /// A note.
    pub fn note(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Note, message: message.into(), remedy: remedy.into() }
    }

    /// A warning.
    pub fn warning(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, message: message.into(), remedy: remedy.into() }
    }

    /// An error.
    pub fn error(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), remedy: remedy.into() }
    }

    /// Message and remedy as one text, without the severity.
    pub fn text(&self) -> String {
        if self.remedy.is_empty() { self.message.clone() } else { format!("{}; {}", self.message, self.remedy) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.word(), self.text())
    }
}

/// Number of names that [`grouped`] lists.
const LISTED: usize = 6;

/// Names as one text: all of a few, otherwise the number and the first ones.
pub fn grouped(names: &[&str]) -> String {
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len() {
        0..=LISTED => list(names),
        n => format!("{} and {} more", list(&names[..LISTED]), n - LISTED),
    }
}
