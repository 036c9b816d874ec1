//! A step of the fibre in time, implicit in its length.

use super::HillMuscle;
use wolff_numerics::root::newton_bracketed;

/// A fibre at the end of a step, with what an implicit integrator of the bones has to know of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreStep {
    /// Fibre length \[m\].
    pub fibre_length: f64,
    /// Force of the tendon \[N\].
    pub tendon_force: f64,
    /// ∂(tendon force)/∂(muscle length at the end of the step) \[N/m\].
    pub force_by_length: f64,
    /// ∂(tendon force)/∂(activation at the end of the step) \[N\].
    pub force_by_activation: f64,
}

/// Balance of a trial length of the fibre.
struct Trial {
    /// Fibre minus tendon force over F0, along the tendon.
    off: f64,
    /// Its derivative with respect to the fibre length \[1/m\].
    slope: f64,
    /// The same with respect to activation.
    by_activation: f64,
    /// Tendon force over F0.
    pull: f64,
    /// Its derivative with respect to the tendon length \[1/m\].
    stiffness: f64,
    cosine: f64,
}

/// Change of the fibre over its optimal length after which nothing is left.
const NEWTON_ENDS: f64 = 1e-13;

impl HillMuscle {
    /// The fibre after a step of `h` \[s\] by the backward Euler rule, from the length `before` \[m\], at the
    /// activation and muscle length \[m\] of the end of the step.
    ///
    /// ```text
    /// g(l) = (a f_al(l) f_v(w) + f_pe(l) + β w) cos α(l) - f_T(L - l cos α) = 0,    w = (l - l_before)/(h v_max l0)
    /// ∂l/∂x = -g_x/g_l,    ∂F/∂L = F0 f_T' (1 - ∂l/∂L / cos α),    ∂F/∂a = -F0 f_T' ∂l/∂a / cos α
    /// ```
    /// symbols as in [`crate::hill`]; the derivatives are those of the implicit function. Newton's method within a
    /// bracket: the longer of the fibre before and the one with a slack tendon pulls harder than the tendon. A fibre
    /// that would become shorter than its shortest stays there. First order in h.
    ///
    /// Limits: g grows with l only while h is short against the time in which the descending limb of f_al runs away (β
    /// and f_v see to that up to 5 ms with OpenSim's β of 0.1). The tendon is elastic whatever the parameters say. An
    /// argument that is NaN gives NaN back.
    pub fn fibre_step(&self, activation: f64, before: f64, length: f64, h: f64) -> FibreStep {
        if (activation + before + length + h).is_nan() {
            let nan = f64::NAN;
            return FibreStep { fibre_length: nan, tendon_force: nan, force_by_length: nan, force_by_activation: nan };
        }
        let a = self.clamp_activation(activation);
        let slack = self.parameters.tendon_slack_length;
        let (low, high) = (self.shortest, self.pennation.fibre((length - slack).max(0.0)).max(before));
        let trial = |l: f64| self.step_trial(a, before, l, length, h);
        let shortest = trial(low);
        if high <= low || shortest.off >= 0.0 {
            return self.step_end(&shortest, low, true);
        }
        let balance = |l: f64| {
            let Trial { off, slope, .. } = trial(l);
            (off, slope)
        };
        let ends = NEWTON_ENDS * self.parameters.optimal_fibre_length;
        let l = newton_bracketed(balance, before.clamp(low, high), (low, high), ends);
        self.step_end(&trial(l), l, false)
    }

    fn step_trial(&self, a: f64, before: f64, l: f64, length: f64, h: f64) -> Trial {
        let (l0, slack) = (self.parameters.optimal_fibre_length, self.parameters.tendon_slack_length);
        let (x, cosine) = (l / l0, self.pennation.cosine(l));
        let per_length = 1.0 / (h * self.velocity_unit());
        let tendon = self.curves.tendon((length - l * cosine) / slack);
        let (active, passive) = (self.curves.active(x), self.curves.passive(x));
        let viscous = self.viscous(a, active.value, (l - before) * per_length);
        let fibre = viscous.value + passive.value;
        let fibre_slope = viscous.by_velocity * per_length + (viscous.by_active * active.slope + passive.slope) / l0;
        let stiffness = tendon.slope / slack;
        Trial {
            off: fibre * cosine - tendon.value,
            // the part of the fibre along the tendon grows by 1/cos
            slope: fibre_slope * cosine + fibre * self.pennation.cosine_slope(l) + stiffness / cosine,
            by_activation: viscous.by_activation * cosine,
            pull: tendon.value,
            stiffness,
            cosine,
        }
    }

    fn step_end(&self, trial: &Trial, fibre_length: f64, held: bool) -> FibreStep {
        let F0 = self.parameters.max_isometric_force;
        let (by_length, by_activation) =
            if held { (0.0, 0.0) } else { (trial.stiffness / trial.slope, -trial.by_activation / trial.slope) };
        FibreStep {
            fibre_length,
            tendon_force: F0 * trial.pull,
            force_by_length: F0 * trial.stiffness * (1.0 - by_length / trial.cosine),
            force_by_activation: -F0 * trial.stiffness * by_activation / trial.cosine,
        }
    }
}
