//! Muscles of a reference motion, and the range of their forces.

use wolff_motion::static_optimization::rigid_tendon_forces;
use wolff_muscle::hill::Activation;
use wolff_muscle::{HillMuscle, Path};

/// A muscle whose reference is computed.
#[derive(Clone, Debug)]
pub struct ReferenceMuscle {
    /// Where it runs on the rigid model.
    pub path: Path,
    /// Greatest force [N].
    pub max_force: f64,
    /// Fibre and tendon, which bound its force; none: any force from zero to the greatest.
    pub fibre: Option<ReferenceFibre>,
}

/// Fibre and tendon of such a muscle.
#[derive(Clone, Debug)]
pub struct ReferenceFibre {
    /// The muscle.
    pub muscle: HillMuscle,
    /// From excitation to activation, which bounds how fast its force may change; none: as fast as may be.
    pub dynamics: Option<Activation>,
    /// Part of the path that is neither fibre nor tendon [m].
    pub rigid_length: f64,
}

impl ReferenceMuscle {
    /// Least and greatest force [N] at a length [m] and its rate [m/s]: what static optimisation has to choose between.
    ///
    /// Of a Hill muscle the force in equilibrium with the least activation, and that of its fibre with full activation
    /// in equilibrium, but moving as if the tendon did not stretch any further (own choice; never below the first). Of
    /// a muscle whose fibre is known but whose force may change at once, none and the active force behind a rigid
    /// tendon, as static optimisation of a recorded motion has it.
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

    /// Least and greatest share of that range after a time `h` [s] from a share `before`.
    ///
    /// Of a Hill muscle those that activation dynamics let it come to: a muscle relaxes in some 50 ms.
    pub(super) fn reach(&self, before: f64, h: f64) -> [f64; 2] {
        let Some(ReferenceFibre { muscle, dynamics: Some(dynamics), .. }) = &self.fibre else { return [0.0, 1.0] };
        let least = muscle.parameters().min_activation;
        let activation = least + (1.0 - least) * before;
        [least, 1.0].map(|u| (dynamics.step(activation, u, h).value - least) / (1.0 - least))
    }
}
