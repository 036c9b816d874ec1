//! Verification problems with independently computed answers, built into the program.
//!
//! Each problem file runs the program's own studies or library calls and puts the numbers beside references that were computed by
//! other means: closed forms, elliptic functions, high-order integration of minimal coordinates. The references are in
//! `verify/*.json` with their origin.

use serde::Serialize;

/// A number of ours beside its reference.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyItem {
    /// `problem.case.quantity`.
    pub id: String,
    /// What Wolff computes.
    pub value: f64,
    /// What it should be.
    pub reference: f64,
    /// Largest acceptable difference, absolute.
    pub tolerance: f64,
    /// Whether the difference is within it.
    pub pass: bool,
    /// Where the reference comes from.
    pub source: String,
}

/// Items under collection.
pub(crate) struct Items {
    items: Vec<VerifyItem>,
    prefix: &'static str,
    source: String,
}

impl Items {
    /// Compares one number with an absolute tolerance.
    pub fn check(&mut self, id: &str, value: f64, reference: f64, tolerance: f64) {
        self.items.push(VerifyItem {
            id: format!("{}.{id}", self.prefix),
            value,
            reference,
            tolerance,
            // never for a NaN
            pass: (value - reference).abs() <= tolerance,
            source: self.source.clone(),
        });
    }

    /// Compares one number with a tolerance relative to the reference.
    pub fn relative(&mut self, id: &str, value: f64, reference: f64, tolerance: f64) {
        self.check(id, value, reference, tolerance * reference.abs());
    }

    /// Compares many numbers of one kind and keeps the worst, with `tolerance(reference)` for each.
    pub fn worst(&mut self, id: &str, pairs: impl IntoIterator<Item = (f64, f64)>, tolerance: impl Fn(f64) -> f64) {
        let badness = |(value, reference): (f64, f64)| {
            let ratio = (value - reference).abs() / tolerance(reference);
            if ratio.is_nan() { f64::INFINITY } else { ratio }
        };
        let worst = pairs.into_iter().max_by(|a, b| badness(*a).total_cmp(&badness(*b)));
        match worst {
            Some((value, reference)) => self.check(id, value, reference, tolerance(reference)),
            None => self.failed(id),
        }
    }

    /// A problem that could not be computed counts as a failed item.
    pub fn failed(&mut self, id: &str) {
        self.check(id, f64::NAN, 0.0, 0.0);
    }
}

/// A problem: name, origin of its references, and what to compute.
struct Problem {
    prefix: &'static str,
    source: &'static str,
    run: fn(&mut Items),
}

const PROBLEMS: [Problem; 0] = [];

/// Runs the problems whose items' names contain `only` (all without it).
pub fn verify(only: Option<&str>, progress: &mut dyn FnMut(f64)) -> Vec<VerifyItem> {
    let wanted = |id: &str| only.is_none_or(|part| id.contains(part));
    let mut found = Vec::new();
    for (done, problem) in PROBLEMS.iter().enumerate() {
        // a pattern that names another problem spares the run
        let names_other = PROBLEMS.iter().any(|p| p.prefix != problem.prefix && only.is_some_and(|o| o.starts_with(p.prefix)));
        if !names_other {
            let mut items = Items { items: Vec::new(), prefix: problem.prefix, source: problem.source.into() };
            (problem.run)(&mut items);
            found.extend(items.items.into_iter().filter(|item| wanted(&item.id)));
        }
        progress((done + 1) as f64 / PROBLEMS.len() as f64);
    }
    found
}
