//! Muscles: path, Hill parameters and curves by names, and what is computed with on a built model.

use crate::path::Paths;
use crate::{ActuatorKind, ForceKind, Left, OpensimError, OpensimModel, hill};
use wolff_formats::osim::OsimMuscle;
use wolff_multibody::Model;
use wolff_muscle::hill::Activation;
use wolff_muscle::path::{Construction, PathSpec};
use wolff_muscle::{Curves, HillMuscle, HillParameters, MuscleError, Path};

/// A muscle as the file has it, by names of bodies and coordinates.
#[derive(Clone, Debug)]
pub struct MuscleSpec {
    /// Name.
    pub name: String,
    /// Class in the file, such as `Thelen2003Muscle`.
    pub class: String,
    /// Its way.
    pub path: PathSpec,
    /// Strength, lengths, pennation; whether the tendon is rigid.
    pub parameters: HillParameters,
    /// Curves of its class.
    pub curves: Curves,
    /// From excitation to activation.
    pub activation: Activation,
    /// Whether activation is the excitation itself.
    pub ignore_activation_dynamics: bool,
    /// Least and greatest control; the least is not below the least activation, as in OpenSim.
    pub control: [f64; 2],
}

/// A muscle of a built model: where it runs and how hard it pulls.
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

impl OpensimModel {
    /// All muscles for a built model, or everything that is wrong with them.
    pub fn resolve_muscles(&self, model: &Model) -> Result<Vec<Muscle>, Vec<MuscleError>> {
        let mut errors = Vec::new();
        let mut muscles = Vec::with_capacity(self.muscles.len());
        for spec in &self.muscles {
            match spec.resolve(model) {
                Ok(muscle) => muscles.push(muscle),
                Err(e) => errors.push(e),
            }
        }
        if errors.is_empty() { Ok(muscles) } else { Err(errors) }
    }

    /// The same model whose paths bend over surfaces by the given construction; converted models have [`Construction::OpenSim`].
    pub fn with_construction(mut self, construction: Construction) -> Self {
        let of_muscles = self.muscles.iter_mut().map(|m| &mut m.path);
        let of_forces = self.forces.iter_mut().filter_map(|f| match &mut f.kind {
            ForceKind::Path { path, .. } => Some(path.as_mut()),
            _ => None,
        });
        let of_actuators = self.actuators.iter_mut().filter_map(|a| match &mut a.kind {
            ActuatorKind::Path(path) => Some(path.as_mut()),
            _ => None,
        });
        for path in of_muscles.chain(of_forces).chain(of_actuators) {
            path.construction = construction;
        }
        self
    }
}

/// Converts a muscle into the model, or lists why it cannot be.
pub(crate) fn convert(
    paths: &Paths<'_>,
    name: &str,
    muscle: &OsimMuscle,
    out: &mut OpensimModel,
) -> Result<(), OpensimError> {
    let path = match paths.convert(name, &muscle.path)? {
        Ok(path) => path,
        Err(reason) => {
            out.left.push(Left::new(&muscle.class, name, reason));
            return Ok(());
        }
    };
    let Some(curves) = hill::curves(name, muscle)? else {
        out.left.push(Left::new(&muscle.class, name, "muscles of this class are not read"));
        return Ok(());
    };
    if let Some(reason) = hill::differs(muscle) {
        out.approximate.push(Left::new(&muscle.class, name, reason));
    }
    let parameters = hill::parameters(muscle);
    let least = muscle.min_control.unwrap_or(0.0).max(parameters.min_activation);
    out.muscles.push(MuscleSpec {
        name: name.into(),
        class: muscle.class.clone(),
        path,
        parameters,
        curves,
        activation: hill::activation(muscle),
        ignore_activation_dynamics: muscle.ignore_activation_dynamics,
        control: [least, muscle.max_control.unwrap_or(1.0)],
    });
    Ok(())
}
