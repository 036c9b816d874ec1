//! Muscles of a reference motion, and the range of their forces.

use wolff_motion::static_optimization::rigid_tendon_forces;
use wolff_muscle::hill::Activation;
use wolff_muscle::{HillMuscle, Path};

/// A muscle whose reference is computed.
#[derive(Clone, Debug)]
pub struct ReferenceMuscle {
    /// Path on the rigid model.
    pub path: Path,
    /// Maximum force \[N\].
    pub max_force: f64,
    /// Fibre and tendon, which limit its force; `None`: any force from zero to the maximum.
    pub fibre: Option<ReferenceFibre>,
}

/// Fibre and tendon of such a muscle.
#[derive(Clone, Debug)]
pub struct ReferenceFibre {
    /// The muscle.
    pub muscle: HillMuscle,
    /// Activation dynamics, which limits the rate of change of its force; `None`: no limit.
    pub dynamics: Option<Activation>,
    /// Part of the path that is neither fibre nor tendon \[m\].
    pub rigid_length: f64,
}

impl ReferenceMuscle {
    /// Minimum and maximum force \[N\] at a length \[m\] and its rate [m/s]: the range for static optimisation.
    ///
    /// For a Hill muscle: the equilibrium force with minimum activation, and the force with full activation at the
    /// equilibrium fibre length, with the fibre velocity for a tendon of constant length (chosen here; never below the
    /// minimum). For a muscle with known fibre but without activation dynamics: zero, and the active force with a rigid
    /// tendon, as in static optimisation of a recorded motion.
    pub(super) fn range(&self, length: f64, rate: f64) -> [f64; 2] {
        let Some(ReferenceFibre { muscle, rigid_length, dynamics }) = &self.fibre else { return [0.0, self.max_force] };
        let length = length - rigid_length;
        if dynamics.is_none() {
            let [active, _] = rigid_tendon_forces(muscle, length, rate);
            return [0.0, active.max(0.0)];
        }
        let least = muscle.equilibrium(muscle.parameters().min_activation, length, 0.0).state.tendon_force;
        let full = muscle.equilibrium(1.0, length, 0.0).state;
        [least, muscle.force_for(1.0, full.fibre_length, rate * full.cosine).max(least)]
    }

    /// Minimum and maximum fraction of that range after a time `h` \[s\] from a fraction `before`.
    ///
    /// For a Hill muscle these follow from activation dynamics: a muscle relaxes in about 50 ms.
    pub(super) fn reach(&self, before: f64, h: f64) -> [f64; 2] {
        let Some(ReferenceFibre { muscle, dynamics: Some(dynamics), .. }) = &self.fibre else { return [0.0, 1.0] };
        let least = muscle.parameters().min_activation;
        let activation = least + (1.0 - least) * before;
        [least, 1.0].map(|u| (dynamics.step(activation, u, h).value - least) / (1.0 - least))
    }
}
