//! Excitations with which Hill muscles reach the tensions of static optimisation.

use super::reference::cycle_times;
use crate::error::MovementError;
use crate::model::track::Track;
use wolff_muscle::HillMuscle;
use wolff_muscle::hill::Activation;

/// Excitation of a Hill muscle over a cycle with which it follows its reference tension.
#[derive(Clone, Debug)]
pub struct TrackingExcitation {
    /// Excitation.
    pub excitation: Track,
    /// Initial activation and fibre length \[m\].
    pub start: (f64, f64),
    /// Part of the path that is neither fibre nor tendon \[m\].
    pub rigid_length: f64,
    /// Where the muscle cannot reach its reference tension.
    pub limits: Limits,
}

/// Where a muscle cannot reach its reference tension.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Fraction of the time in which full activation gives less than the reference tension, by more than 2 % of the
    /// maximum isometric force.
    pub too_weak: f64,
    /// Maximum force that is missing then \[N\].
    pub missing: f64,
    /// Fraction of the time in which minimum activation gives more than the reference tension, by more than 2 % of the
    /// maximum isometric force.
    pub too_taut: f64,
    /// Maximum excess force then \[N\].
    pub excess: f64,
}

/// Reference tension and length of one muscle, sampled at the same times.
#[derive(Clone, Copy, Debug)]
pub struct TensionReference<'a> {
    /// Tension \[N\].
    pub tension: &'a Track,
    /// Length of the path \[m\].
    pub length: &'a Track,
    /// Time of a cycle \[s\].
    pub period: f64,
    /// Number of samples per cycle.
    pub samples: usize,
}

/// The excitation under which a muscle pulls with the reference tension at the reference length.
///
/// ```text
/// F = max(F_reference, F_least(L)),   l_T = l_Ts f_T⁻¹(F/F0),   l cos α = L - l_T
/// a = clip((F/(F0 cos α) - f_pe(l) - β v)/(f_al(l) f_v(v)), a_min, 1),    v = l'/(v_max l0)
/// u = clip(u with a' = (u - a)/τ(a, u), a_min, 1)
/// ```
/// F_least is the force of the muscle at rest with minimum activation: the length of an unloaded tendon is not defined.
/// Rates l' and a' are central differences over the samples; a is a_min where the reference force is hardly above
/// F_least. The force range of static optimisation assumes a tendon of constant length ([`super::ReferenceMuscle`]), so
/// that a may be clipped: see [`Limits`].
pub fn track_excitation(
    muscle: &HillMuscle,
    dynamics: &Activation,
    rigid_length: f64,
    reference: TensionReference<'_>,
) -> Result<TrackingExcitation, MovementError> {
    let (name, least) = (muscle.name(), muscle.parameters().min_activation);
    let times = cycle_times(reference.period, reference.samples);
    let track = |values: &[f64]| Track::cyclic_values(name, reference.period, values);
    let mut limits = Limits::default();
    let share = 1.0 / reference.samples.max(1) as f64;
    let slight = NEGLIGIBLE_FORCE * muscle.parameters().max_isometric_force;

    let (mut forces, mut fibres) = (Vec::new(), Vec::new());
    let mut above_rest = Vec::new();
    for t in &times {
        let (length, tension) = (reference.length.value(*t) - rigid_length, reference.tension.value(*t));
        let resting = muscle.equilibrium(least, length, 0.0).state.tendon_force;
        let excess = resting - tension;
        limits.excess = limits.excess.max(excess);
        if excess > slight {
            limits.too_taut += share;
        }
        above_rest.push(-excess);
        forces.push(tension.max(resting));
        fibres.push(muscle.fibre_under(tension.max(resting), length));
    }
    let fibre = track(&fibres)?;
    let mut activations = Vec::new();
    for ((t, force), above_rest) in times.iter().zip(&forces).zip(&above_rest) {
        let (l, rate) = fibre.at(*t);
        let needed = muscle.activation_for(*force, l, rate);
        // a fibre at its minimum length would be excited without effect for an almost zero force
        let idle = needed > 1.0 && *above_rest <= slight;
        let needed = if idle { least } else { needed };
        let missing = if needed > 1.0 { force - muscle.force_for(1.0, l, rate) } else { 0.0 };
        limits.missing = limits.missing.max(missing);
        if missing > slight {
            limits.too_weak += share;
        }
        activations.push(needed.clamp(least, 1.0));
    }
    let activation = track(&activations)?;
    let excite = |t: &f64| {
        let (a, rate) = activation.at(*t);
        dynamics.excitation_for(a, rate).clamp(least, 1.0)
    };
    let excitation = track(&times.iter().map(excite).collect::<Vec<_>>())?;
    Ok(TrackingExcitation { excitation, start: (activation.value(0.0), fibre.value(0.0)), rigid_length, limits })
}

/// Force errors below this fraction of the maximum isometric force are ignored: about twice the force of minimum
/// activation.
const NEGLIGIBLE_FORCE: f64 = 0.02;
