//! Limits of a quantity.

use crate::judgement::Verdict;

/// Limits of a quantity: beyond the first it is doubtful, beyond the second it has failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Values up to this one are ok.
    pub doubtful: f64,
    /// Values beyond this one have failed; infinite where a quantity can only be doubtful.
    pub failed: f64,
    /// Whether small values are bad, as of a correlation.
    pub at_least: bool,
    /// Reason or source of the limits.
    pub source: String,
}

impl Limit {
    /// A quantity that must be small.
    pub fn at_most(doubtful: f64, failed: f64) -> Self {
        Self { doubtful, failed, at_least: false, source: String::new() }
    }

    /// A quantity that must be large.
    pub fn at_least(doubtful: f64, failed: f64) -> Self {
        Self { doubtful, failed, at_least: true, source: String::new() }
    }

    /// The same limits with their reason or source.
    pub fn because(self, source: impl Into<String>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// The verdict on a value; a value that is not a number has failed.
    pub fn verdict(&self, value: f64) -> Verdict {
        let within = |limit: f64| if self.at_least { value >= limit } else { value <= limit };
        match value.is_finite() {
            true if within(self.doubtful) => Verdict::Ok,
            true if within(self.failed) => Verdict::Doubtful,
            _ => Verdict::Failed,
        }
    }
}
