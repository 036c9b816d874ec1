//! The reference of a walk: its inverse dynamics on the floor shared among the muscles of a rigid person.

use super::role::{Role, tissues};
use super::{HillPupil, Lesson, OnFloor, PassiveRest, Pupil, StageSettings, TeachSettings, Timing, teach};
use crate::error::WalkError;
use crate::model::{Cast, floor_of};
use crate::reference::walk::{InverseWalk, ReferenceWalk};
use wolff_anatomy::muscles::Fibre;
use wolff_anatomy::{HumanMuscle, MuscleSet};
use wolff_muscle::Path;
use wolff_muscle::hill::{Activation, Curves, HillMuscle, HillParameters, MillardCurves, MillardShape};

/// Teaches a walk to the muscles of a rigid person; of Hill muscles no more is asked than fibres and activation dynamics allow, of others no more than
/// their fibres do where [`StageSettings::fibres`] asks for it.
pub fn rehearse(
    walk: &ReferenceWalk,
    rigid: &Cast,
    muscles: &MuscleSet,
    settings: &StageSettings,
) -> Result<Lesson, WalkError> {
    let floor = floor_of(&rigid.model, &walk.skeleton.contacts, &settings.floor, settings.pad_radii)?;
    let mut inverse = OnFloor::new(InverseWalk::new(walk, &rigid.model)?, floor);
    let names = rigid.model.coordinate_names();
    let is_carried = |name: &&String| matches!(Role::of(name, settings.upper_muscles), Role::Muscles(_));
    let timing = Timing::Cycle { period: walk.constants.cycle_time, advance: walk.constants.stride() };
    let tissues = match settings.passive {
        PassiveRest::Standing => tissues(names, settings),
        PassiveRest::None | PassiveRest::Wanted => vec![],
    };
    let teaching = TeachSettings {
        timing,
        samples: settings.samples,
        balanced: names.iter().filter(is_carried).cloned().collect(),
        reserve: settings.reserve,
        tissues,
    };
    let pupil = |(path, m): (&Path, &HumanMuscle)| {
        let fibre = m.fibre.as_ref().filter(|_| settings.hill.is_some() || settings.fibres);
        let fibre = fibre.map(|f| {
            let (muscle, rigid_length) = (hill_muscle(m, f)?, f.rigid_length);
            // servos follow at once, Hill muscles as their activation does
            let dynamics = settings.hill.map(|_| DYNAMICS);
            Ok::<_, WalkError>(HillPupil { muscle, dynamics, rigid_length })
        });
        Ok(Pupil { path: path.clone(), max_force: m.max_force, fibre: fibre.transpose()? })
    };
    let pupils: Vec<Pupil> = rigid.paths.iter().zip(&muscles.muscles).map(pupil).collect::<Result<_, WalkError>>()?;
    teach(&mut inverse, &pupils, &teaching)
}

/// From excitation to activation: Thelen's law with OpenSim's constants.
pub(super) const DYNAMICS: Activation = Activation::FIRST_ORDER;

/// A Hill muscle with Millard's curves and OpenSim's constants.
pub(super) fn hill_muscle(muscle: &HumanMuscle, fibre: &Fibre) -> Result<HillMuscle, WalkError> {
    let parameters = HillParameters {
        pennation_angle: fibre.pennation,
        ..HillParameters::new(muscle.max_force, fibre.optimal_length, fibre.slack_length)
    };
    let curves = Curves::Millard(Box::new(MillardCurves::new(&muscle.name, &MillardShape::default())?));
    Ok(HillMuscle::new(&muscle.name, parameters, curves)?)
}
