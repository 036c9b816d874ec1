//! A muscle as a servo on its length.

use super::muscle::MuscleLength;
use crate::model::track::Track;
use wolff_multibody::stiff::Push;
use wolff_muscle::ServoGains;

/// A servo on the length of a muscle.
///
/// ```text
/// F = clip(F_ff(t) + k_p (l - l_ref(t)) + k_d (l' - l_ref'(t)) + k_i ∫ (l - l_ref) dt, 0, F_max)
/// ```
#[derive(Clone, Debug)]
pub struct ServoLaw {
    /// Feed-forward force \[N\].
    pub feed_forward: Option<Track>,
    /// Gains.
    pub gains: ServoGains,
    /// Integral of the length error \[m s\].
    pub integral: f64,
}

impl ServoLaw {
    /// A servo with zero integral.
    pub fn new(feed_forward: Option<Track>, gains: ServoGains) -> Self {
        ServoLaw { feed_forward, gains, integral: 0.0 }
    }

    pub(super) fn push(&self, seen: &MuscleLength, max_force: f64) -> Push {
        let ahead = self.feed_forward.as_ref().map_or(0.0, |f| f.value(seen.t));
        let g = &self.gains;
        let tension =
            ahead + g.proportional * seen.error() + g.derivative * seen.error_rate() + g.integral * self.integral;
        // a tension acts against an increase of the length
        Push::spring(-tension, g.proportional, g.derivative).within(-max_force, 0.0)
    }

    pub(super) fn settle(&mut self, seen: &MuscleLength, h: f64) {
        self.integral += h * seen.error();
    }
}
