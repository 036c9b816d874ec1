//! All findings and judged quantities of an analysis.

use crate::finding::{Finding, Severity};
use crate::limit::Limit;
use serde::Serialize;

/// How far a result can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every judged quantity is within its limits.
    #[default]
    Ok,
    /// A result exists, but a quantity is beyond its limit or an input was refused and used all the same.
    Doubtful,
    /// There is no valid result.
    Failed,
}

impl Verdict {
    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Doubtful => "doubtful",
            Verdict::Failed => "failed",
        }
    }
}

/// A quantity of a result and the limit that it was compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The quantity in words, such as `marker error RMS`.
    pub quantity: String,
    /// Its unit.
    pub unit: String,
    /// Its value in that unit.
    pub value: f64,
    /// The limit of values that are ok, in that unit.
    pub limit: f64,
    /// Whether the value must be at least the limit; otherwise at most.
    pub at_least: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Reason or source of the limit.
    pub source: String,
    /// What to do where the verdict is not ok.
    pub remedy: String,
}

impl Judged {
    /// What is beyond the limit and by how much: `marker error RMS is 31 mm, limit 20 mm`.
    pub fn message(&self) -> String {
        let bound = if self.at_least { "at least" } else { "at most" };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        // a value beyond the limit is not shown as equal to it
        let digits = (3..9).find(|n| significant(self.value, *n) != significant(self.limit, *n));
        let digits = digits.filter(|_| self.verdict != Verdict::Ok).unwrap_or(3);
        let (value, limit) = (significant(self.value, digits), significant(self.limit, 3));
        let source = if self.source.is_empty() { String::new() } else { format!(" ({})", self.source) };
        format!("{} is {value}{unit}, expected {bound} {limit}{unit}{source}", self.quantity)
    }
}

/// A number with some significant digits; large numbers with all digits before the decimal point.
pub(crate) fn significant(x: f64, digits: i32) -> String {
    if !x.is_finite() || x == 0.0 {
        return format!("{x}");
    }
    let exponent = x.abs().log10().floor() as i32;
    match exponent {
        -4..=7 => {
            let text = format!("{x:.*}", (digits - 1 - exponent).max(0) as usize);
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
        }
        _ => format!("{x:.*e}", (digits - 1).max(0) as usize),
    }
}

/// Findings about the input and judged quantities of the result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judgement {
    /// Findings about the input, in the order of their discovery.
    pub findings: Vec<Finding>,
    /// Judged quantities.
    pub judged: Vec<Judged>,
}

impl Judgement {
    /// Adds findings about the input.
    pub fn found(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    /// Compares a quantity with its limits.
    pub fn judge(&mut self, quantity: &str, unit: &str, value: f64, limit: &Limit, remedy: &str) -> Verdict {
        let verdict = limit.verdict(value);
        self.judged.push(Judged {
            quantity: quantity.into(),
            unit: unit.into(),
            value,
            limit: limit.doubtful,
            at_least: limit.at_least,
            verdict,
            source: limit.source.clone(),
            remedy: remedy.into(),
        });
        verdict
    }

    /// The worst verdict on any quantity. Errors of the input, which were overridden, make a result doubtful; notes and
    /// warnings about the input are reported and do not change the verdict.
    pub fn verdict(&self) -> Verdict {
        let of_input = match self.errors().next() {
            Some(_) => Verdict::Doubtful,
            None => Verdict::Ok,
        };
        self.judged.iter().map(|j| j.verdict).fold(of_input, Ord::max)
    }

    /// Errors of the input, for which it is refused unless the user insists.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|f| f.severity == Severity::Error)
    }

    /// Everything that a reader must be told, the worst first: quantities beyond their limits, then findings; notes are
    /// left out.
    pub fn warnings(&self) -> Vec<String> {
        let mut beyond: Vec<&Judged> = self.judged.iter().filter(|j| j.verdict != Verdict::Ok).collect();
        beyond.sort_by_key(|j| std::cmp::Reverse(j.verdict));
        let mut findings: Vec<&Finding> = self.findings.iter().filter(|f| f.severity > Severity::Note).collect();
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        let judged = beyond.into_iter().map(|j| format!("{}: {}; {}", j.verdict.word(), j.message(), j.remedy));
        judged.chain(findings.into_iter().map(Finding::text)).collect()
    }

    /// Notes about the input.
    pub fn notes(&self) -> Vec<String> {
        self.findings.iter().filter(|f| f.severity == Severity::Note).map(Finding::text).collect()
    }
}
