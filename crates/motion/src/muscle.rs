//! Muscles: path, Hill parameters and curves by names, and muscles resolved for a built model.

use wolff_multibody::Model;
use wolff_muscle::hill::Activation;
use wolff_muscle::path::PathSpec;
use wolff_muscle::{Curves, HillMuscle, HillParameters, MuscleError, Path};

/// A muscle by names of bodies and coordinates.
#[derive(Clone, Debug)]
pub struct MuscleSpec {
    /// Name.
    pub name: String,
    /// Its path.
    pub path: PathSpec,
    /// Strength, lengths, pennation; whether the tendon is rigid.
    pub parameters: HillParameters,
    /// Curves of its class.
    pub curves: Curves,
    /// Activation dynamics.
    pub activation: Activation,
    /// Whether activation is the excitation itself.
    pub ignore_activation_dynamics: bool,
    /// Minimum and maximum control; the minimum is not below the minimum activation, as in OpenSim.
    pub control: [f64; 2],
}

/// A muscle of a built model: its path and its force.
#[derive(Clone, Debug)]
pub struct Muscle {
    /// Its path.
    pub path: Path,
    /// Fibre and tendon.
    pub hill: HillMuscle,
}

impl MuscleSpec {
    /// The muscle for a model with these bodies and coordinates.
    pub fn resolve(&self, model: &Model) -> Result<Muscle, MuscleError> {
        Ok(Muscle {
            path: Path::new(&self.path, model)?,
            hill: HillMuscle::new(&self.name, self.parameters.clone(), self.curves.clone())?,
        })
    }
}
