//! One line of the table.

use wolff_motion::MotionError;

/// What a comparison came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No worse than the limit.
    Within,
    /// Worse than the limit.
    Beyond,
    /// Measured only: there is no limit to hold it against.
    Measured,
    /// Nothing could be compared; the note says why.
    Failed,
}

impl Verdict {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Within => "within",
            Verdict::Beyond => "BEYOND",
            Verdict::Measured => "-",
            Verdict::Failed => "FAILED",
        }
    }
}

/// How one of our results compares with a recorded one.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationRow {
    /// Whose record it is.
    pub trial: String,
    /// What is compared.
    pub quantity: String,
    /// The difference, or what else the quantity says; NaN where there is none.
    pub value: f64,
    /// Its unit; empty for ratios.
    pub unit: &'static str,
    /// What the value is wished not to exceed.
    pub limit: Option<f64>,
    /// Where the limit comes from.
    pub source: &'static str,
    /// What the value was when this was written, with room for other machines: more than that is a step back.
    pub bound: Option<f64>,
    /// Value against limit.
    pub verdict: Verdict,
    /// Where the worst is, which part of a trial was taken, what is known to be wrong with the record.
    pub note: String,
}

impl ValidationRow {
    /// A value without limit.
    pub fn measured(trial: &str, quantity: &str, value: f64, unit: &'static str) -> Self {
        ValidationRow {
            trial: trial.into(),
            quantity: quantity.into(),
            value,
            unit,
            limit: None,
            source: "",
            bound: None,
            verdict: Verdict::Measured,
            note: String::new(),
        }
    }

    /// A comparison that did not come about.
    pub fn failed(trial: &str, quantity: &str, cause: &MotionError) -> Self {
        let row = Self::measured(trial, quantity, f64::NAN, "").noted(cause.to_string());
        ValidationRow { verdict: Verdict::Failed, ..row }
    }

    /// With a limit and where it comes from. A NaN is beyond every limit.
    pub fn limited(self, limit: f64, source: &'static str) -> Self {
        let verdict = if self.value <= limit { Verdict::Within } else { Verdict::Beyond };
        ValidationRow { limit: Some(limit), source, verdict, ..self }
    }

    /// With the bound that it must keep.
    pub fn bounded(self, bound: f64) -> Self {
        ValidationRow { bound: Some(bound), ..self }
    }

    /// With a remark, after those that are there.
    pub fn noted(mut self, note: impl AsRef<str>) -> Self {
        if !self.note.is_empty() && !note.as_ref().is_empty() {
            self.note.push_str("; ");
        }
        self.note.push_str(note.as_ref());
        self
    }

    /// Whether this is a step back: above the bound, no number, or nothing at all.
    pub fn is_step_back(&self) -> bool {
        self.verdict == Verdict::Failed || self.bound.is_some_and(|bound| !(self.value <= bound))
    }
}
