//! The reference of a walk: inverse dynamics on the floor, with moments distributed over the muscles of a rigid person.

use super::role::{Actuation, tissues};
use super::{
    ControllerSettings, OnFloor, ReferenceFibre, ReferenceMuscle, ReferenceSettings, Timing, TrackingReference,
    tracking_reference,
};
use crate::error::MovementError;
use crate::model::{MuscledModel, floor_of};
use crate::reference::walk::{InverseWalk, ReferenceWalk};
use wolff_anatomy::muscles::Fibre;
use wolff_anatomy::{CoordinateRole, HumanMuscle, MuscleSet, Skeleton};
use wolff_multibody::Model;
use wolff_muscle::Path;
use wolff_muscle::hill::{Activation, Curves, HillMuscle, HillParameters, MillardCurves, MillardShape};

/// Computes the reference trajectories of the muscles of a rigid person. The forces of Hill muscles are limited by
/// fibres and activation dynamics; those of other muscles by their fibres where [`ControllerSettings::fibres`] is set.
pub fn walk_reference(
    walk: &ReferenceWalk,
    rigid: &MuscledModel,
    muscles: &MuscleSet,
    settings: &ControllerSettings,
) -> Result<TrackingReference, MovementError> {
    let floor = floor_of(&rigid.model, &walk.skeleton.contacts, &settings.floor, settings.pad_radii)?;
    let mut inverse = OnFloor::new(InverseWalk::new(walk, &rigid.model)?, floor);
    let names = rigid.model.coordinate_names();
    let roles = model_roles(&walk.skeleton, &rigid.model);
    let is_carried =
        |role: &CoordinateRole| matches!(Actuation::of(*role, settings.upper_muscles), Actuation::Muscles(_));
    let timing = Timing::Cycle { period: walk.constants.cycle_time, advance: walk.constants.stride() };
    let tissues = tissues(&roles, settings)?;
    let reference_settings = ReferenceSettings {
        timing,
        samples: settings.samples,
        balanced: names.iter().zip(&roles).filter(|(_, role)| is_carried(role)).map(|(name, _)| name.clone()).collect(),
        roles,
        reserve: settings.reserve,
        tissues,
    };
    let muscle = |(path, m): (&Path, &HumanMuscle)| {
        let fibre = m.fibre.as_ref().filter(|_| settings.hill.is_some() || settings.fibres);
        let fibre = fibre.map(|f| {
            let (muscle, rigid_length) = (hill_muscle(m, f)?, f.rigid_length);
            // servos have no activation dynamics, Hill muscles have
            let dynamics = settings.hill.map(|_| DYNAMICS);
            Ok::<_, MovementError>(ReferenceFibre { muscle, dynamics, rigid_length })
        });
        Ok(ReferenceMuscle { path: path.clone(), max_force: m.max_force, fibre: fibre.transpose()? })
    };
    let reference_muscles: Vec<ReferenceMuscle> =
        rigid.paths.iter().zip(&muscles.muscles).map(muscle).collect::<Result<_, MovementError>>()?;
    tracking_reference(&mut inverse, &reference_muscles, &reference_settings)
}

/// Activation dynamics: Thelen's law with OpenSim's constants.
pub(super) const DYNAMICS: Activation = Activation::FIRST_ORDER;

/// A Hill muscle with Millard's curves and OpenSim's constants.
pub(super) fn hill_muscle(muscle: &HumanMuscle, fibre: &Fibre) -> Result<HillMuscle, MovementError> {
    let parameters = HillParameters {
        pennation_angle: fibre.pennation,
        ..HillParameters::new(muscle.max_force, fibre.optimal_length, fibre.slack_length)
    };
    let curves = Curves::Millard(Box::new(MillardCurves::new(&muscle.name, &MillardShape::default())?));
    Ok(HillMuscle::new(&muscle.name, parameters, curves)?)
}

/// Roles of the coordinates of a model that was made of a skeleton, in the order of the model.
fn model_roles(skeleton: &Skeleton, model: &Model) -> Vec<CoordinateRole> {
    let (names, roles) = (skeleton.coordinate_names(), skeleton.coordinate_roles());
    let role = |name: &String| names.iter().zip(&roles).find(|(own, _)| *own == name).map(|(_, role)| *role);
    let names = model.coordinate_names().iter();
    names.map(|name| role(name).unwrap_or_else(|| CoordinateRole::of_or_other(name))).collect()
}
