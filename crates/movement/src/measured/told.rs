//! What is found in a trial while it is read.

use crate::error::MovementError;
use wolff_verdict::{Finding, Severity};

/// Findings about a trial; errors refuse it, unless the user insists.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The findings in the order of their discovery.
    pub findings: Vec<Finding>,
    /// Whether errors do not refuse the trial.
    pub insist: bool,
}

impl Told {
    /// Adds findings that were not made before.
    pub fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
    }

    /// Adds notes, such as those of a reader of files.
    pub fn notes(&mut self, texts: &[String]) {
        self.add(texts.iter().map(|text| Finding::note(text, "")));
    }

    /// Refuses the trial if there are errors and the user does not insist.
    pub fn gate(&self) -> Result<(), MovementError> {
        let errors: Vec<Finding> = self.findings.iter().filter(|f| f.severity == Severity::Error).cloned().collect();
        if errors.is_empty() || self.insist { Ok(()) } else { Err(MovementError::Refused(errors)) }
    }
}
