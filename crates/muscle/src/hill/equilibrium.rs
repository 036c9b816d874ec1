//! The fibre length at which fibre and tendon pull equally.

use super::{HillMuscle, HillState};

/// How an equilibrium was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Fibre and tendon pull equally.
    Balanced,
    /// The muscle is so short that the fibre is at its shortest length; the tendon is slack or pulls less than the fibre would.
    ShortestFibre,
}

/// A fibre in equilibrium with its tendon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium {
    /// The muscle there.
    pub state: HillState,
    /// How it was found.
    pub status: Status,
    /// Fibre force along the tendon minus tendon force [N].
    pub residual: f64,
}

/// A trial length of the fibre.
struct Trial {
    /// Fibre minus tendon force over F0, along the tendon.
    off: f64,
    /// Its derivative with respect to the fibre length [1/m].
    slope: f64,
    /// Fibre velocity over `v_max l0` of an even stretch.
    velocity: f64,
}

impl HillMuscle {
    /// Equilibrium at an activation, a muscle length [m] and a lengthening speed [m/s].
    ///
    /// The fibre's velocity is the one with which fibre and tendon, as two springs in series, share the lengthening; at rest it is
    /// zero. On the bracket from the shortest fibre to the one with a slack tendon the force balance changes sign, so Newton's
    /// method inside it finds a root for any input; where it has several (long fibres on compliant tendons), the one that
    /// Newton's method reaches from a tendon strained by one percent is taken, as in OpenSim.
    pub fn equilibrium(&self, activation: f64, length: f64, speed: f64) -> Equilibrium {
        let a = self.clamp_activation(activation);
        let (length, speed) = (tame(length), tame(speed));
        if self.parameters.rigid_tendon {
            let state = self.state(a, self.shortest, length, speed);
            let status = if state.clamped { Status::ShortestFibre } else { Status::Balanced };
            return Equilibrium { state, status, residual: 0.0 };
        }
        match self.balanced_length(a, length, speed) {
            Some((l, trial)) => {
                let mut state = self.state(a, l, length, speed);
                let residual = self.parameters.max_isometric_force * trial.off;
                self.set_velocity(&mut state, trial.velocity, speed);
                Equilibrium { state, status: Status::Balanced, residual }
            }
            None => {
                let mut state = self.state(a, self.shortest, length, speed);
                state.clamped = true;
                self.set_velocity(&mut state, 0.0, speed);
                state.tendon_velocity = speed;
                let residual = state.fibre_force() * state.cosine - state.tendon_force;
                Equilibrium { state, status: Status::ShortestFibre, residual }
            }
        }
    }

    /// The balanced fibre length; none where even the shortest fibre pulls harder than the tendon.
    fn balanced_length(&self, a: f64, length: f64, speed: f64) -> Option<(f64, Trial)> {
        let slack = self.parameters.tendon_slack_length;
        let mut low = self.shortest;
        let mut high = self.pennation.fibre((length - slack).max(0.0));
        if high <= low || self.trial(a, low, length, speed, 0.0).off >= 0.0 {
            return None;
        }
        let start = self.pennation.fibre((length - 1.01 * slack).max(0.0));
        let mut l = if start > low && start < high { start } else { 0.5 * (low + high) };
        let mut trial = self.trial(a, l, length, speed, 0.0);
        for _ in 0..200 {
            if trial.off > 0.0 {
                high = l
            } else {
                low = l
            }
            let newton = l - trial.off / trial.slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let step = (next - l).abs();
            l = next;
            trial = self.trial(a, l, length, speed, trial.velocity);
            if step <= 1e-15 * self.parameters.optimal_fibre_length || trial.off == 0.0 {
                break;
            }
        }
        Some((l, trial))
    }

    /// Force balance at fibre length `l`; `velocity` is the last known one.
    fn trial(&self, a: f64, l: f64, length: f64, speed: f64, velocity: f64) -> Trial {
        let p = &self.parameters;
        let (l0, slack) = (p.optimal_fibre_length, p.tendon_slack_length);
        let (x, cosine) = (l / l0, self.pennation.cosine(l));
        let tendon = self.curves.tendon((length - l * cosine) / slack);
        let (active, passive) = (self.curves.active(x), self.curves.passive(x));
        let scale = self.curves.velocity_scale(a).value;
        let stiff = tendon.slope / slack;
        let mut v = if speed == 0.0 { 0.0 } else { velocity };
        let (mut force, mut slope) = (0.0, 0.0);
        // the velocity depends on the fibre's stiffness, which depends on the velocity
        for _ in 0..SHARING {
            let fv = self.curves.velocity(v / scale).value;
            force = a * active.value * fv + passive.value + self.damping() * v;
            let fibre_slope = (a * active.slope * fv + passive.slope) / l0;
            slope = fibre_slope * cosine + force * self.pennation.cosine_slope(l);
            let along = slope * cosine;
            let share = if tendon.value > 0.0 && (along + stiff).abs() > 1e-12 { stiff / (along + stiff) } else { 0.0 };
            let next = share * speed * cosine / self.velocity_unit();
            let change = (next - v).abs();
            v = next.clamp(-MOST, MOST);
            if change < 1e-14 {
                break;
            }
        }
        Trial { off: force * cosine - tendon.value, slope: slope + stiff / cosine, velocity: v }
    }

    /// Puts a fibre velocity (over `v_max l0`) and the forces that go with it into a state.
    fn set_velocity(&self, state: &mut HillState, v: f64, speed: f64) {
        let force = self.parameters.max_isometric_force;
        let x = state.fibre_length / self.parameters.optimal_fibre_length;
        let scale = self.curves.velocity_scale(state.activation).value;
        state.fibre_velocity = v * self.velocity_unit();
        state.tendon_velocity = speed - state.fibre_velocity / state.cosine;
        state.active_force =
            force * state.activation * self.curves.active(x).value * self.curves.velocity(v / scale).value;
        state.damping_force = force * self.damping() * v;
    }
}

/// Rounds of the velocity's own equation.
const SHARING: usize = 50;
/// Greatest velocity over `v_max l0` in an equilibrium.
const MOST: f64 = 10.0;

/// Keeps lengths and speeds within what can be squared; NaN counts as zero.
fn tame(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(-1e6, 1e6) }
}
