//! A pull along the line between two points.

use super::{ForceElement, Instant, Loads};
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
    /// Tension [N] as a sum of functions.
    pub fn new(name: &str, a: Frame, b: Frame, tension: Vec<TimeFunction>) -> Self {
        LineForce { name: name.into(), a, b, tension }
    }

    /// Tension [N] at time `t`.
    pub fn tension(&self, t: f64) -> f64 {
        self.tension.iter().map(|f| f.value(t)).sum()
    }
}

impl ForceElement for LineForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let (p_A, p_B) = (at.point(&self.a), at.point(&self.b));
        let d = p_B - p_A;
        let length = d.norm();
        if length == 0.0 {
            return;
        }
        let pull = d * (self.tension(at.t) / length);
        out.force_at(self.a.body, &p_A, pull);
        out.force_at(self.b.body, &p_B, -pull);
    }
}
