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
/// The integral stands still while the force is clipped and the error would carry it further (conditional integration,
/// Åström and Hägglund, Advanced PID Control, 2006, section 3.5).
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

    /// Tension before it is clipped \[N\].
    fn requested(&self, seen: &MuscleLength) -> f64 {
        let ahead = self.feed_forward.as_ref().map_or(0.0, |f| f.value(seen.t));
        let g = &self.gains;
        ahead + g.proportional * seen.error() + g.derivative * seen.error_rate() + g.integral * self.integral
    }

    pub(super) fn push(&self, seen: &MuscleLength, max_force: f64) -> Push {
        let ServoGains { proportional, derivative, .. } = self.gains;
        // a tension acts against an increase of the length
        Push::spring(-self.requested(seen), proportional, derivative).within(-max_force, 0.0)
    }

    /// Integrates the error over a step, except where the tension is clipped already and the error would carry it
    /// further: a slack muscle would otherwise have to undo the integral of a whole swing before it can pull.
    pub(super) fn settle(&mut self, seen: &MuscleLength, max_force: f64, h: f64) {
        let (requested, error) = (self.requested(seen), seen.error());
        let clipped = (requested <= 0.0 && error < 0.0) || (requested >= max_force && error > 0.0);
        if !clipped {
            self.integral += h * error;
        }
    }
}
