//! Computed numbers and their references.

use super::table::{Numbers, Table};
use serde::Serialize;
use std::error::Error;

/// Why a problem could not be completed.
pub(super) type Failure = Box<dyn Error>;

/// A computed number and its reference.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyItem {
    /// `problem.case.quantity`.
    pub id: String,
    /// The value computed by Wolff.
    pub value: f64,
    /// The reference value.
    pub reference: f64,
    /// Maximum acceptable difference, absolute.
    pub tolerance: f64,
    /// Whether the difference is within the tolerance.
    pub pass: bool,
    /// Source of the reference, or the reason why there is no value.
    pub source: String,
}

/// A comparison without a name.
struct Pair {
    value: f64,
    reference: f64,
    tolerance: f64,
}

impl Pair {
    /// Difference divided by the tolerance; infinite for a NaN. A tolerance of zero requires equality.
    fn badness(&self) -> f64 {
        let difference = (self.value - self.reference).abs();
        match difference {
            0.0 => 0.0,
            _ if difference.is_nan() => f64::INFINITY,
            _ => difference / self.tolerance,
        }
    }
}

/// Items of a problem while they are collected.
pub(super) struct Items {
    items: Vec<VerifyItem>,
    problem: &'static str,
    source: String,
}

impl Items {
    /// An empty collection.
    pub fn new(problem: &'static str) -> Self {
        Items { items: Vec::new(), problem, source: String::new() }
    }

    /// Sets the source of the references of the following items.
    pub fn cite(&mut self, source: &str) {
        self.source = source.into();
    }

    /// Compares one number with an absolute tolerance.
    pub fn check(&mut self, id: &str, value: f64, reference: f64, tolerance: f64) {
        self.items.push(VerifyItem {
            id: format!("{}.{id}", self.problem),
            value,
            reference,
            tolerance,
            // false for a NaN
            pass: (value - reference).abs() <= tolerance,
            source: self.source.clone(),
        });
    }

    /// Compares one number with a tolerance relative to the reference.
    pub fn relative(&mut self, id: &str, value: f64, reference: f64, tolerance: f64) {
        self.check(id, value, reference, tolerance * reference.abs());
    }

    /// Compares many numbers of one kind, each with `tolerance(reference)`, and stores the worst.
    pub fn worst(&mut self, id: &str, pairs: impl IntoIterator<Item = (f64, f64)>, tolerance: impl Fn(f64) -> f64) {
        let pair = |(value, reference)| Pair { value, reference, tolerance: tolerance(reference) };
        self.worst_of(id, pairs.into_iter().map(pair));
    }

    /// Compares two lists of the same length number by number, and stores the worst.
    pub fn lists(&mut self, id: &str, values: &[f64], references: &[f64], tolerance: impl Fn(f64) -> f64) {
        if values.len() != references.len() {
            return self.failed(id, &format!("{} values for {} references", values.len(), references.len()));
        }
        self.worst(id, values.iter().copied().zip(references.iter().copied()), tolerance);
    }

    /// Compares every number of a list with the result of `value` for its name.
    pub fn named(
        &mut self,
        case: &str,
        references: &Numbers,
        tolerance: impl Fn(&str, f64) -> f64,
        value: impl Fn(&str) -> Option<f64>,
    ) {
        for (name, &reference) in references {
            self.maybe(&format!("{case}.{name}"), value(name), reference, tolerance(name, reference));
        }
    }

    /// Compares every number of a table with the result of `value` for its row and column: each number of the last row
    /// separately, the rows before together by columns (`q.beta` and `q.Theta` are both of the kind `q`).
    pub fn history(
        &mut self,
        case: &str,
        references: &Table,
        tolerance: impl Fn(&str, f64) -> f64,
        value: impl Fn(usize, &str) -> Option<f64>,
    ) {
        let Some(last) = references.rows.len().checked_sub(1) else {
            return self.failed(case, "there are no references");
        };
        let mut kinds: Vec<(&str, Vec<Pair>)> = Vec::new();
        for (row, column, reference) in references.cells() {
            let (ours, tolerance) = (value(row, column), tolerance(column, reference));
            if row == last {
                self.maybe(&format!("{case}{column}"), ours, reference, tolerance);
                continue;
            }
            let kind = column.split('.').next().unwrap_or(column);
            let pair = Pair { value: ours.unwrap_or(f64::NAN), reference, tolerance };
            match kinds.iter_mut().find(|(name, _)| *name == kind) {
                Some((_, pairs)) => pairs.push(pair),
                None => kinds.push((kind, vec![pair])),
            }
        }
        for (kind, pairs) in kinds {
            self.worst_of(&format!("{case}{kind}.history"), pairs);
        }
    }

    /// A number that could not be computed counts as failed.
    pub fn failed(&mut self, id: &str, why: &str) {
        let cited = std::mem::replace(&mut self.source, format!("not computed: {why}"));
        self.check(id, f64::NAN, 0.0, 0.0);
        self.source = cited;
    }

    fn maybe(&mut self, id: &str, value: Option<f64>, reference: f64, tolerance: f64) {
        match value {
            Some(value) => self.check(id, value, reference, tolerance),
            None => self.failed(id, "unknown quantity"),
        }
    }

    fn worst_of(&mut self, id: &str, pairs: impl IntoIterator<Item = Pair>) {
        let worst = pairs.into_iter().max_by(|a, b| a.badness().total_cmp(&b.badness()));
        match worst {
            Some(Pair { value, reference, tolerance }) => self.check(id, value, reference, tolerance),
            None => self.failed(id, "there are no references"),
        }
    }
}

impl IntoIterator for Items {
    type Item = VerifyItem;
    type IntoIter = std::vec::IntoIter<VerifyItem>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}
