//! Muscles of OpenSim's classes.

use crate::path::Paths;
use crate::{ForceKind, OpensimError, OpensimModel, Unconverted, hill};
use wolff_formats::osim::OsimMuscle;
use wolff_motion::{ActuatorKind, MuscleSpec};
use wolff_muscle::path::Construction;

impl OpensimModel {
    /// The same model whose paths bend over surfaces by the given construction; converted models have
    /// [`Construction::OpenSim`].
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

/// Converts a muscle into the model, or lists the reason why it is not supported.
pub(crate) fn convert(
    paths: &Paths<'_>,
    name: &str,
    muscle: &OsimMuscle,
    out: &mut OpensimModel,
) -> Result<(), OpensimError> {
    let path = match paths.convert(name, &muscle.path)? {
        Ok(path) => path,
        Err(reason) => {
            out.unconverted.push(Unconverted::new(&muscle.class, name, reason));
            return Ok(());
        }
    };
    let Some(curves) = hill::curves(name, muscle)? else {
        out.unconverted.push(Unconverted::new(&muscle.class, name, "muscles of this class are not supported"));
        return Ok(());
    };
    if let Some(reason) = hill::differs(muscle) {
        out.approximate.push(Unconverted::new(&muscle.class, name, reason));
    }
    let parameters = hill::parameters(muscle);
    let least = muscle.min_control.unwrap_or(0.0).max(parameters.min_activation);
    out.muscles.push(MuscleSpec {
        name: name.into(),
        path,
        parameters,
        curves,
        activation: hill::activation(muscle),
        ignore_activation_dynamics: muscle.ignore_activation_dynamics,
        control: [least, muscle.max_control.unwrap_or(1.0)],
    });
    Ok(())
}
