//! A Hill muscle whose excitation tracks a reference force and length.

use super::muscle::MuscleLength;
use crate::tracking::TrackingExcitation;
use wolff_multibody::stiff::Push;
use wolff_muscle::HillMuscle;
use wolff_muscle::hill::{Activation, FibreStep};

/// Gains of the stretch reflex of a [`HillLaw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReflexGains {
    /// Excitation per length error of one optimal fibre length.
    pub length: f64,
    /// Excitation per error of the lengthening rate of one optimal fibre length per second \[s\].
    pub speed: f64,
}

impl Default for ReflexGains {
    /// Chosen by trial simulations: with weaker gains the person falls, with stronger ones the ground force is wrong.
    fn default() -> Self {
        ReflexGains { length: 14.0, speed: 0.28 }
    }
}

/// A Hill muscle with an elastic tendon, excited by a tracking excitation and by a stretch reflex.
///
/// ```text
/// u  = clip(u_ff(t) + k_p (l - l_ref)/l0 + k_d (l' - l_ref')/l0, u_min, 1)
/// a' = (u - a)/τ(a, u)
/// F  = F0 f_T,    F0 (a f_al f_v + f_pe + β v) cos α = F0 f_T
/// ```
/// u excitation, u_ff the one that gives the tension of static optimisation ([`TrackingExcitation`]), l length of the
/// path \[m\], l_ref reference length, l0 optimal fibre length, k_p, k_d \[s\] gains, a activation, F tension \[N\],
/// the rest as in [`wolff_muscle::hill`].
///
/// A step is implicit in activation, fibre length and length of the path: the row of the step has the force at the
/// predicted length, with the stiffness and damping
///
/// ```text
/// dF/dl = ∂F/∂L + ∂F/∂a ∂a/∂u k_p/l0,    dF/dl' = ∂F/∂a ∂a/∂u k_d/l0
/// ```
/// of [`HillMuscle::fibre_step`] and [`Activation::step`]; once the step is solved, activation and fibre are updated at
/// the resulting length. Limits: the reflex has no delay; a real one has about 30 ms.
#[derive(Clone, Debug)]
pub struct HillLaw {
    /// Activation.
    pub activation: f64,
    /// Fibre length \[m\].
    pub fibre_length: f64,
    /// Excitation over the last step.
    pub excitation: f64,
    muscle: HillMuscle,
    dynamics: Activation,
    gains: ReflexGains,
    tracked: TrackingExcitation,
}

/// An excitation with its derivatives.
struct Excitation {
    value: f64,
    by_length: f64,
    by_rate: f64,
}

impl HillLaw {
    /// A muscle at the start of its tracking excitation.
    pub fn new(muscle: HillMuscle, dynamics: Activation, gains: ReflexGains, tracked: TrackingExcitation) -> Self {
        let (activation, fibre_length) = tracked.start;
        HillLaw { activation, fibre_length, excitation: activation, muscle, dynamics, gains, tracked }
    }

    /// The muscle.
    pub fn muscle(&self) -> &HillMuscle {
        &self.muscle
    }

    /// Its tracking excitation.
    pub fn tracked(&self) -> &TrackingExcitation {
        &self.tracked
    }

    fn excite(&self, seen: &MuscleLength) -> Excitation {
        let p = self.muscle.parameters();
        let [by_length, by_rate] = [self.gains.length, self.gains.speed].map(|gain| gain / p.optimal_fibre_length);
        let free = self.tracked.excitation.value(seen.t) + by_length * seen.error() + by_rate * seen.error_rate();
        let value = free.clamp(p.min_activation, 1.0);
        if value == free {
            Excitation { value, by_length, by_rate }
        } else {
            Excitation { value, by_length: 0.0, by_rate: 0.0 }
        }
    }

    /// Activation and fibre at the end of a step, and the generalised force along the length.
    fn step(&self, seen: &MuscleLength, h: f64) -> (f64, f64, FibreStep, Push) {
        let u = self.excite(seen);
        let a = self.dynamics.step(self.activation, u.value, h);
        let end = self.muscle.fibre_step(a.value, self.fibre_length, seen.length - self.tracked.rigid_length, h);
        let by_excitation = end.force_by_activation * a.slope;
        let stiffness = end.force_by_length + by_excitation * u.by_length;
        // a tension acts against an increase of the length
        let push = Push::spring(-end.tendon_force, stiffness, by_excitation * u.by_rate);
        (u.value, a.value, end, push.within(f64::NEG_INFINITY, 0.0))
    }

    /// Generalised force along its length in a step of `h` \[s\] that ends at the given length and rate.
    pub fn push(&self, seen: &MuscleLength, h: f64) -> Push {
        self.step(seen, h).3
    }

    /// Completes a step of `h` \[s\] that ends at the given length and rate.
    pub fn settle(&mut self, seen: &MuscleLength, h: f64) {
        let (excitation, activation, end, _) = self.step(seen, h);
        (self.excitation, self.activation, self.fibre_length) = (excitation, activation, end.fibre_length);
    }
}
