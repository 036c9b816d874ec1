//! A pull along the line between two points.

use super::{ForceElement, Instant, Loads, Stretch, distance_and_rate, pull_together};
use crate::model::Frame;
use wolff_numerics::TimeFunction;

/// A tension that is a given function of time, `Σ f_k(t)`, pulling two points together: a muscle whose force is known.
///
/// Limits: no direction, and so no force, where the points meet; a negative tension pushes.
#[derive(Clone, Debug)]
pub struct LineForce {
    name: String,
    a: Frame,
    b: Frame,
    tension: Vec<TimeFunction>,
}

impl LineForce {
    /// Tension \[N\] as a sum of functions.
    pub fn new(name: &str, a: Frame, b: Frame, tension: Vec<TimeFunction>) -> Self {
        LineForce { name: name.into(), a, b, tension }
    }

    /// Tension \[N\] at time `t`.
    pub fn tension(&self, t: f64) -> f64 {
        self.tension.iter().map(|f| f.value(t)).sum()
    }
}

impl ForceElement for LineForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        pull_together(at, (&self.a, &self.b), self.tension(at.t), out);
    }

    fn stretch(&self, at: &Instant<'_>) -> Option<Stretch> {
        let (length, rate) = distance_and_rate(at, (&self.a, &self.b));
        Some(Stretch { length, rate, tension: self.tension(at.t) })
    }
}
