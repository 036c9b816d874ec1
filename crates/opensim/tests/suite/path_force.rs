//! Ligaments and springs along paths: laws, energy, and OpenSim's ligament.

use crate::data::model;
use wolff_multibody::System;
use wolff_multibody::force::LigamentLaw;
use wolff_numerics::TimeFunction;
use wolff_numerics::function::PiecewiseLinear;
use wolff_opensim::{ForceKind, PathLaw};

fn laws() -> [PathLaw; 3] {
    let law = LigamentLaw { stiffness: 2000.0, transition_strain: 0.06, damping: 0.003 };
    let curve: TimeFunction = PiecewiseLinear::new(&[0.0, 1.0, 2.0], &[0.0, 0.0, 3.0]).unwrap().into();
    [
        PathLaw::Blankevoort { law, slack_length: 0.1 },
        PathLaw::Curve { curve, scale: 500.0, slack_length: 0.1 },
        PathLaw::Spring { stiffness: 1e4, dissipation: 0.5, rest_length: 0.1 },
    ]
}

/// Tension is the derivative of the energy.
#[test]
fn energy_belongs_to_the_tension() {
    for law in laws() {
        for length in [0.09, 0.102, 0.105, 0.106, 0.12] {
            let h = 1e-6;
            let slope = (law.energy(length + h) - law.energy(length - h)) / (2.0 * h);
            assert!((slope - law.elastic(length)).abs() < 1e-4, "{law:?} at {length}: {slope}");
        }
        assert_eq!(law.tension(0.09, 1.0), 0.0);
    }
    assert_eq!(laws()[2].tension(0.11, 0.2), 1e4 * (0.11 - 0.1) * 1.1);
    assert_eq!(laws()[2].tension(0.11, -10.0), 0.0);
}

/// OpenSim 4.6: 970 N at the very length of 0.04 m, whose ratio is 1.
#[test]
fn ligaments_with_a_curve_of_their_own() {
    let Some((converted, model)) = model("opensim-core/Scale/toyLigamentModel.osim") else { return };
    assert_eq!(model.forces().len(), 4);
    let internal = converted.forces.iter().find(|f| f.name == "internalLigament").unwrap();
    let ForceKind::Path { law, .. } = &internal.kind else { panic!("a path") };
    assert!((law.elastic(0.04 * (1.0 + 1e-12)) - 970.0).abs() < 1e-6);
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    assert!(model.forces().iter().all(|f| f.potential_energy(&at).is_finite()));
}

#[test]
fn what_is_no_ligament_is_refused() {
    let Some((mut converted, _)) = model("opensim-core/Scale/toyLigamentModel.osim") else { return };
    let ForceKind::Path { law: PathLaw::Curve { slack_length, .. }, .. } = &mut converted.forces[0].kind else {
        panic!("a path")
    };
    *slack_length = f64::NAN;
    assert!(converted.build().unwrap_err()[0].to_string().contains("slack length is NaN"));
}
