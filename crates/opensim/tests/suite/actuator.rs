//! Ideal actuators of force set files.

use crate::data::{model, shared};
use wolff_motion::ActuatorKind;
use wolff_multibody::System;
use wolff_opensim::setup::{self, Setup};

/// Unit loads of pelvis forces and reserve moments: on the right coordinates, of the right size.
#[test]
fn reserves_of_a_walk() {
    let name = "gait1992-pipeline/residual_reduction_algorithm/model_adjusted.osim";
    let (Some((mut converted, model)), Some(file)) =
        (model(name), shared("gait1992-pipeline/model/reserve_actuators.xml"))
    else {
        return;
    };
    let Setup::Actuators(set) = setup::read_file(&file).unwrap().setup else { panic!("actuators") };
    converted.actuators.extend(wolff_opensim::actuators(&set));
    assert_eq!(converted.actuators.len(), set.actuators.len());
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    let mut tau = vec![0.0; model.nv()];
    for spec in &converted.actuators {
        let actuator = spec.resolve(&model).unwrap();
        actuator.unit_generalized(&at, &mut tau);
        match &spec.kind {
            ActuatorKind::Coordinate(coordinate) => {
                let i = model.coordinate_index(coordinate).unwrap();
                assert!(tau.iter().enumerate().all(|(k, x)| *x == f64::from(u8::from(k == i))), "{}", spec.name);
            }
            ActuatorKind::Point { direction, .. } => {
                // the pelvis translations are ground axes
                for (axis, name) in ["pelvis_tx", "pelvis_ty", "pelvis_tz"].iter().enumerate() {
                    let i = model.coordinate_index(name).unwrap();
                    assert!((tau[i] - direction[axis]).abs() < 1e-14, "{}", spec.name);
                }
            }
            _ => assert!(tau.iter().any(|x| *x != 0.0)),
        }
    }
}

#[test]
fn an_actuator_of_nothing_is_refused() {
    let Some((mut converted, model)) = model("opensim-core/Scale/toyLigamentModel.osim") else { return };
    let nowhere = setup::Actuator {
        name: "reserve".into(),
        applies: true,
        optimal_force: 1.0,
        control: [-1.0, 1.0],
        kind: setup::ActuatorKind::Coordinate("elbow".into()),
    };
    converted
        .actuators
        .extend(wolff_opensim::actuators(&setup::ActuatorSet { name: "set".into(), actuators: vec![nowhere] }));
    assert!(converted.actuators[0].resolve(&model).unwrap_err().to_string().contains("`elbow`"));
}
