//! Modes before they are made orthonormal, and single modes switched off.

use crate::{assert_close, assert_relative};
use wolff_bone::flexible::{
    FlexibleBody, FlexibleSource, InterfaceKind, MaterialChoice, Recipe, SolidSource, Solver, Way,
};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex};

/// The shank tube of 3 kg, held at both ends or free.
fn recipe(kind: InterfaceKind) -> Recipe {
    let density = Density { around: 12, wall: 1, layers: [4, 7, 7, 4] };
    let bone = Bone { density, ..Bone::new(BoneKind::SHANK_TUBE, Sex::Male) };
    let free = kind == InterfaceKind::Free;
    Recipe {
        solid: SolidSource::Bone(bone),
        material: MaterialChoice { name: "isotropic".into(), ..MaterialChoice::cortical() },
        mass: Some(3.0),
        interfaces: if free { Vec::new() } else { Recipe::bone_interfaces(&bone) },
        interface_kind: kind,
        points: Vec::new(),
        gauges: Vec::new(),
        solver: Solver::plain(6),
    }
}

/// Fixed-interface modes are those of a tube clamped at both ends: 768.61 Hz by 240 elements of a Timoshenko beam of an
/// independent program. A constraint mode moves its interface by one and holds the other.
#[test]
fn raw_modes_are_clamped_vibrations_and_unit_motions() {
    const CLAMPED: f64 = 768.612;
    let recipe = recipe(InterfaceKind::Rigid);
    let (mesh, materials) = recipe.solid().unwrap();
    let raw = recipe.raw_modes(&mesh, &materials).unwrap();
    assert_eq!(raw.modes.len(), 6 + 12);
    let hz: Vec<f64> = raw.modes.iter().filter_map(|mode| mode.frequency).collect();
    // rigid ends also keep the wall from contracting, which the beam does not
    assert_relative(&hz[..2], &[CLAMPED, CLAMPED], 0.02);
    assert_eq!(raw.surface.displacement.ncols(), 18);
    let place = |name: &str| raw.modes.iter().position(|mode| mode.name == name).unwrap();
    let (up, turned) = (place("proximal, displacement y"), place("distal, rotation z"));
    for (node, x) in raw.surface.positions.iter().enumerate() {
        let moved = |mode: usize| [0, 1, 2].map(|i| raw.surface.displacement[(3 * node + i, mode)]);
        let (proximal, distal) = (x.y.abs() < 1e-9, (x.y + 0.421).abs() < 1e-9);
        if proximal {
            moved(up).iter().zip([0.0, 1.0, 0.0]).for_each(|(u, e)| assert_close(*u, e, 1e-12));
            moved(turned).iter().for_each(|u| assert_close(*u, 0.0, 1e-12));
        }
        if distal {
            moved(up).iter().for_each(|u| assert_close(*u, 0.0, 1e-12));
            // z × (x, 0, z) = (0, x, 0)
            moved(turned).iter().zip([0.0, x.x, 0.0]).for_each(|(u, e)| assert_close(*u, e, 1e-12));
        }
        if proximal || distal {
            moved(0).iter().for_each(|u| assert_close(*u, 0.0, 1e-9));
        }
    }
}

#[test]
fn modes_that_are_switched_off_are_missing_and_the_others_stay() {
    let body = |disabled: &[usize]| FlexibleBody {
        name: "tube".into(),
        source: FlexibleSource::Solid(Box::new(recipe(InterfaceKind::Free))),
        way: Way::FloatingFrame,
        damping_ratio: 0.02,
        strain_energy: None,
        disabled: disabled.to_vec(),
        eta: Vec::new(),
        eta_dot: Vec::new(),
        cache: None,
    };
    let (all, some) = (body(&[]).make().unwrap(), body(&[2, 0]).make().unwrap());
    let hz = all.frequencies();
    assert_eq!((all.modes(), some.modes()), (6, 4));
    assert_relative(&some.frequencies(), &[hz[1], hz[3], hz[4], hz[5]], 1e-12);
    assert!(body(&[6]).make().unwrap_err().to_string().contains("mode 7"));
    assert!(body(&[0, 1, 2, 3, 4, 5]).make().unwrap_err().to_string().contains("all modes"));
}
