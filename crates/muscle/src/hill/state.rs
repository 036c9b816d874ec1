//! Forces, velocities and powers of a muscle at one instant.

use super::{HillMuscle, Slope};

/// A muscle at one instant; forces in N, lengths in m, velocities in m/s, powers in W.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HillState {
    /// Activation within its bounds.
    pub activation: f64,
    /// Fibre length.
    pub fibre_length: f64,
    /// Fibre velocity, lengthening positive.
    pub fibre_velocity: f64,
    /// Cosine of the pennation angle.
    pub cosine: f64,
    /// Tendon length.
    pub tendon_length: f64,
    /// Tendon velocity.
    pub tendon_velocity: f64,
    /// Force of the contraction along the fibre.
    pub active_force: f64,
    /// Elastic force of the fibre.
    pub passive_force: f64,
    /// Viscous force of the fibre.
    pub damping_force: f64,
    /// Force of the tendon: what the muscle pulls with.
    pub tendon_force: f64,
    /// Whether the fibre is at its shortest length and stays there: a slack tendon does not pull it out.
    pub clamped: bool,
}

impl HillState {
    /// Force along the fibre \[N\].
    pub fn fibre_force(&self) -> f64 {
        self.active_force + self.passive_force + self.damping_force
    }

    /// Power that the contraction gives, minus what its damping takes \[W\].
    pub fn active_power(&self) -> f64 {
        -(self.active_force + self.damping_force) * self.fibre_velocity
    }

    /// Power that the elastic part of the fibre gives \[W\].
    pub fn passive_power(&self) -> f64 {
        -self.passive_force * self.fibre_velocity
    }

    /// Power that the tendon gives \[W\].
    pub fn tendon_power(&self) -> f64 {
        -self.tendon_force * self.tendon_velocity
    }

    /// Power that the whole muscle gives to the bones \[W\].
    pub fn muscle_power(&self, lengthening_speed: f64) -> f64 {
        -self.tendon_force * lengthening_speed
    }
}

/// Derivatives of fibre velocity and tendon force for implicit integrators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreRates {
    /// ∂(fibre velocity)/∂(fibre length) \[1/s\].
    pub velocity_by_fibre: f64,
    /// ∂(fibre velocity)/∂(muscle length) \[1/s\].
    pub velocity_by_length: f64,
    /// ∂(fibre velocity)/∂(activation) \[m/s\].
    pub velocity_by_activation: f64,
    /// ∂(tendon force)/∂(fibre length) \[N/m\].
    pub force_by_fibre: f64,
    /// ∂(tendon force)/∂(muscle length) \[N/m\].
    pub force_by_length: f64,
}

/// The part of the fibre's force that depends on velocity, over F0, with its derivatives.
pub(super) struct Viscous {
    pub value: f64,
    pub by_velocity: f64,
    pub by_active: f64,
    pub by_activation: f64,
}

impl HillMuscle {
    /// Force and fibre velocity of the state variables `(activation, fibre length)` at a muscle length and lengthening
    /// speed. With a rigid tendon the fibre length follows from the muscle length and the argument is not used.
    pub fn state(&self, activation: f64, fibre_length: f64, length: f64, speed: f64) -> HillState {
        let a = self.clamp_activation(activation);
        if self.parameters.rigid_tendon {
            return self.rigid_state(a, length, speed);
        }
        // unlike max, this lets a NaN through to where it is seen
        let l = if fibre_length < self.shortest { self.shortest } else { fibre_length };
        let cosine = self.pennation.cosine(l);
        let tendon_length = length - l * cosine;
        let pull = self.curves.tendon(tendon_length / self.parameters.tendon_slack_length).value;
        let x = l / self.parameters.optimal_fibre_length;
        let (active, passive) = (self.curves.active(x).value, self.curves.passive(x).value);
        let v = self.velocity_for(a, active, self.curves.wanted(pull / cosine - passive));
        // shorter than the shortest: held there until the tendon pulls it out
        let clamped = fibre_length < self.shortest || (fibre_length <= self.shortest && v <= 0.0);
        let v = if clamped { 0.0 } else { v };
        self.assemble(a, l, v, length, speed, pull, clamped)
    }

    /// A muscle whose tendon keeps its slack length; where it buckles (a muscle too short) there is no force.
    fn rigid_state(&self, a: f64, length: f64, speed: f64) -> HillState {
        let slack = self.parameters.tendon_slack_length;
        let along = length - slack;
        let l = self.pennation.fibre(along.max(0.0)).max(self.shortest);
        let buckled = along < 0.0 || l <= self.shortest;
        let cosine = self.pennation.cosine(l);
        let v = if buckled { 0.0 } else { speed * cosine / self.velocity_unit() };
        let mut state = self.assemble(a, l, v, length, speed, 0.0, buckled);
        if buckled {
            return state;
        }
        // damping may not turn the pull into a push
        if state.fibre_force() < 0.0 {
            state.damping_force = -state.active_force - state.passive_force;
        }
        state.tendon_force = state.fibre_force() * cosine;
        state.tendon_velocity = 0.0;
        state
    }

    /// Fills a state; `v` and `pull` over their units.
    pub(super) fn assemble(
        &self,
        a: f64,
        l: f64,
        v: f64,
        length: f64,
        speed: f64,
        pull: f64,
        clamped: bool,
    ) -> HillState {
        let force = self.parameters.max_isometric_force;
        let x = l / self.parameters.optimal_fibre_length;
        let scale = self.curves.velocity_scale(a).value;
        let cosine = self.pennation.cosine(l);
        let fibre_velocity = v * self.velocity_unit();
        HillState {
            activation: a,
            fibre_length: l,
            fibre_velocity,
            cosine,
            tendon_length: length - l * cosine,
            tendon_velocity: speed - if clamped { 0.0 } else { fibre_velocity / cosine },
            active_force: force * a * self.curves.active(x).value * self.curves.velocity(v / scale).value,
            passive_force: force * self.curves.passive(x).value,
            damping_force: force * self.damping() * v,
            tendon_force: force * pull,
            clamped,
        }
    }

    /// `a f_al f_v(v) + β v` with its derivatives.
    pub(super) fn viscous(&self, a: f64, active: f64, v: f64) -> Viscous {
        let scale = self.curves.velocity_scale(a);
        let fv = self.curves.velocity(v / scale.value);
        let by_velocity = a * active * fv.slope / scale.value;
        Viscous {
            value: a * active * fv.value + self.damping() * v,
            by_velocity: by_velocity + self.damping(),
            by_active: a * fv.value,
            by_activation: active * fv.value - by_velocity * v * scale.slope / scale.value,
        }
    }

    /// The fibre velocity over `v_max l0` at which `a f_al f_v(v) + β v` is `force`: Newton's method from rest, kept
    /// between the velocities that are known to be too small and too great, as the sum grows with v.
    ///
    /// Without damping and away from all active force nothing resists: the velocity is then bounded by [`FASTEST`].
    pub(crate) fn velocity_for(&self, a: f64, active: f64, force: f64) -> f64 {
        let (mut low, mut high) = (-FASTEST, FASTEST);
        let mut v = 0.0_f64;
        for _ in 0..200 {
            let at = self.viscous(a, active, v);
            let error = at.value - force;
            if error > 0.0 {
                high = v
            } else {
                low = v
            }
            if high <= -FASTEST || low >= FASTEST || error == 0.0 {
                return v;
            }
            // from where the curve is flat a step may lead anywhere
            let reach = 1.0 + v.abs();
            let newton = (v - error / at.by_velocity).clamp(v - reach, v + reach);
            let inside = newton >= low && newton <= high && newton != v;
            let next = if inside { newton } else { 0.5 * (low + high) };
            let step = (next - v).abs() / (1.0 + next.abs());
            // what a step of Newton's leaves is of the order of its square
            if (inside && step <= NEWTON_ENDS) || step <= f64::EPSILON {
                return next;
            }
            v = next;
        }
        v
    }

    /// Derivatives of [`HillMuscle::state`] for an elastic tendon; zero velocities' where the fibre is clamped.
    ///
    /// With `G = P(v, a, f_al) - (f_T/cos α - f_pe) = 0`, P the velocity-dependent force: `∂v/∂x = -G_x/G_v`.
    pub fn fibre_rates(&self, state: &HillState) -> FibreRates {
        let p = &self.parameters;
        let (l0, slack, force) = (p.optimal_fibre_length, p.tendon_slack_length, p.max_isometric_force);
        let (l, cosine) = (state.fibre_length, state.cosine);
        let x = l / l0;
        let tendon = self.curves.tendon(state.tendon_length / slack);
        let stiffness = tendon.slope / slack;
        let cosine_slope = self.pennation.cosine_slope(l);
        // the part of the fibre along the tendon grows by 1/cos
        let (force_by_fibre, force_by_length) = (-stiffness / cosine, stiffness);
        let mut rates = FibreRates {
            velocity_by_fibre: 0.0,
            velocity_by_length: 0.0,
            velocity_by_activation: 0.0,
            force_by_fibre: force * force_by_fibre,
            force_by_length: force * force_by_length,
        };
        if state.clamped {
            return rates;
        }
        let active: Slope = self.curves.active(x);
        let at = self.viscous(state.activation, active.value, state.fibre_velocity / self.velocity_unit());
        let wanted_by_fibre = force_by_fibre / cosine
            - tendon.value * cosine_slope / (cosine * cosine)
            - self.curves.passive(x).slope / l0;
        let per = self.velocity_unit() / at.by_velocity;
        rates.velocity_by_fibre = per * (wanted_by_fibre - at.by_active * active.slope / l0);
        rates.velocity_by_length = per * force_by_length / cosine;
        rates.velocity_by_activation = -per * at.by_activation;
        rates
    }
}

/// Greatest velocity over `v_max l0` that is looked for.
const FASTEST: f64 = 1e6;
/// A relative step of Newton's method after which nothing is left.
const NEWTON_ENDS: f64 = 1e-9;
