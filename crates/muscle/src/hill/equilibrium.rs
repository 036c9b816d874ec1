//! The fibre length at which fibre and tendon pull equally.

use super::{HillMuscle, HillState};
use wolff_numerics::root::newton_bracketed;

/// How an equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Fibre and tendon pull equally.
    Balanced,
    /// The muscle is so short that the fibre is at its shortest length; the tendon is slack or pulls less than the
    /// fibre would.
    ShortestFibre,
    /// An argument was not a finite number and was replaced by zero or the nearest that is.
    NotFinite,
}

/// A fibre in equilibrium with its tendon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium {
    /// The muscle there.
    pub state: HillState,
    /// How it was found.
    pub status: Status,
    /// Fibre force along the tendon minus tendon force \[N\].
    pub residual: f64,
}

impl HillMuscle {
    /// Equilibrium at an activation and a muscle length \[m\] with the fibre at rest; the tendon takes the lengthening
    /// speed \[m/s\]. With a rigid tendon the fibre takes it.
    ///
    /// On the bracket from the shortest fibre to the one with a slack tendon the force balance changes sign, so
    /// Newton's method inside it finds a root for any input; where it has several (long fibres on compliant tendons),
    /// the one that Newton's method reaches from a tendon strained by one percent is taken, as in OpenSim.
    pub fn equilibrium(&self, activation: f64, length: f64, speed: f64) -> Equilibrium {
        let mut found = self.tame_equilibrium(self.clamp_activation(tame(activation)), tame(length), tame(speed));
        if !(activation.is_finite() && length.is_finite() && speed.is_finite()) {
            found.status = Status::NotFinite;
        }
        found
    }

    /// The same for numbers within bounds.
    fn tame_equilibrium(&self, a: f64, length: f64, speed: f64) -> Equilibrium {
        if self.parameters.rigid_tendon {
            let state = self.state(a, self.shortest, length, speed);
            let status = if state.clamped { Status::ShortestFibre } else { Status::Balanced };
            return Equilibrium { state, status, residual: 0.0 };
        }
        let found = self.balanced_length(a, length);
        let status = if found.is_some() { Status::Balanced } else { Status::ShortestFibre };
        let l = found.unwrap_or(self.shortest);
        let cosine = self.pennation.cosine(l);
        let pull = self.curves.tendon((length - l * cosine) / self.parameters.tendon_slack_length).value;
        let state = self.assemble(a, l, 0.0, length, speed, pull.max(0.0), found.is_none());
        Equilibrium { state, status, residual: state.fibre_force() * cosine - state.tendon_force }
    }

    /// The balanced fibre length; none where even the shortest fibre pulls harder than the tendon.
    fn balanced_length(&self, a: f64, length: f64) -> Option<f64> {
        let slack = self.parameters.tendon_slack_length;
        let (low, high) = (self.shortest, self.pennation.fibre((length - slack).max(0.0)));
        if high <= low || self.off_balance(a, low, length).0 >= 0.0 {
            return None;
        }
        let start = self.pennation.fibre((length - 1.01 * slack).max(0.0));
        let start = if start > low && start < high { start } else { 0.5 * (low + high) };
        let ends = 1e-15 * self.parameters.optimal_fibre_length;
        Some(newton_bracketed(|l| self.off_balance(a, l, length), start, (low, high), ends))
    }

    /// Fibre minus tendon force over F0, along the tendon, of a fibre of length `l` at rest; and its derivative with
    /// respect to `l` \[1/m\].
    fn off_balance(&self, a: f64, l: f64, length: f64) -> (f64, f64) {
        let p = &self.parameters;
        let (l0, slack) = (p.optimal_fibre_length, p.tendon_slack_length);
        let (x, cosine) = (l / l0, self.pennation.cosine(l));
        let tendon = self.curves.tendon((length - l * cosine) / slack);
        let (active, passive) = (self.curves.active(x), self.curves.passive(x));
        let fv = self.curves.velocity(0.0).value;
        let force = a * active.value * fv + passive.value;
        let fibre_slope = (a * active.slope * fv + passive.slope) / l0;
        let slope = fibre_slope * cosine + force * self.pennation.cosine_slope(l) + tendon.slope / (slack * cosine);
        (force * cosine - tendon.value, slope)
    }
}

/// Keeps numbers within what can be squared; NaN counts as zero.
fn tame(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(-1e6, 1e6) }
}
