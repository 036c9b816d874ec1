//! Tubes with widened ends.

use crate::{assert_close, assert_relative};
use wolff_bone::flexible::{InterfaceKind, MaterialChoice, Recipe, SolidSource, Solver};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex, TubeEnd};
use wolff_fem::assembly::assemble;
use wolff_fem::dofs::Constraints;
use wolff_fem::modes::{ModeOptions, vibration_modes};

const PROXIMAL: TubeEnd = TubeEnd { inner: 0.030, outer: 0.045, part: 0.2 };
const DISTAL: TubeEnd = TubeEnd { inner: 0.031, outer: 0.042, part: 0.25 };

/// The shank tube with moderately widened ends.
fn flared() -> Bone {
    Bone { ends: Some([PROXIMAL, DISTAL]), ..Bone::new(BoneKind::SHANK_TUBE, Sex::Male) }
}

#[test]
fn radii_are_those_of_the_ends_and_the_shaft() {
    let bone = flared();
    for (fraction, [inner, outer]) in [
        (0.0, [0.030, 0.045]),
        (0.2, [0.027, 0.037]),
        (0.5, [0.027, 0.037]),
        (0.75, [0.027, 0.037]),
        (1.0, [0.031, 0.042]),
    ] {
        let section = bone.section(fraction).unwrap();
        assert_close(section.outer.radius, outer, 1e-12);
        assert_close(section.inner.radius, inner, 1e-12);
    }
    // between them the radii change monotonously
    let outer: Vec<f64> = (0..=20).map(|k| bone.section(0.01 * f64::from(k)).unwrap().outer.radius).collect();
    assert!(outer.windows(2).all(|w| w[1] <= w[0]), "{outer:?}");
}

/// Centre of mass, and the first three pairs of bending frequencies of 3 kg with 17 GPa, by an independent program:
/// 240 elements of a free Timoshenko beam of the same sections, shear coefficients after Cowper.
#[test]
fn a_flared_tube_vibrates_as_a_beam_of_its_sections() {
    const BEAM: [f64; 3] = [850.129, 1999.742, 3305.212];
    const CENTRE: f64 = 0.4859533;
    let recipe = Recipe {
        solid: SolidSource::Bone(flared()),
        material: MaterialChoice { name: "isotropic".into(), ..MaterialChoice::cortical() },
        mass: Some(3.0),
        interfaces: Vec::new(),
        interface_kind: InterfaceKind::Free,
        points: Vec::new(),
        gauges: Vec::new(),
        solver: Solver::plain(24),
    };
    let (mesh, materials) = recipe.solid().unwrap();
    let system = assemble(&mesh, &materials).unwrap();
    let modes = vibration_modes(&mesh, &system, &Constraints::default(), 24, &ModeOptions::default()).unwrap();
    let hz = modes.frequencies();
    // bending comes in pairs, as do waves around the wall, which a beam does not have
    let pairs: Vec<f64> = hz.windows(2).filter(|w| (w[1] / w[0] - 1.0).abs() < 1e-3).map(|w| w[0]).collect();
    assert_relative(&pairs[..2], &BEAM[..2], 0.02);
    assert!(pairs[2..].iter().any(|hz| (hz / BEAM[2] - 1.0).abs() < 0.02), "{hz:?}");
    let volumes: Vec<f64> = mesh.volumes().collect();
    let height = |element: &[usize]| element[..4].iter().map(|&n| mesh.nodes()[n].y).sum::<f64>() / 4.0;
    let moment: f64 = mesh.elements().zip(&volumes).map(|(e, v)| v * height(e)).sum();
    assert_close(-moment / volumes.iter().sum::<f64>() / 0.421, CENTRE, 1e-3);
}

#[test]
fn the_published_shank_can_be_meshed_at_every_fineness() {
    for factor in [1, 2] {
        let bone = Bone::flared_tube();
        let bone = Bone { density: Density::default_for(bone.kind).refined(factor), ..bone };
        bone.build().unwrap();
    }
}

#[test]
fn impossible_ends_are_refused_with_the_end() {
    let refused = |ends: [TubeEnd; 2], kind: BoneKind| {
        Bone { ends: Some(ends), ..Bone::new(kind, Sex::Male) }.build().unwrap_err().to_string()
    };
    let tube = BoneKind::SHANK_TUBE;
    assert!(refused([TubeEnd { inner: 0.05, ..PROXIMAL }, DISTAL], tube).contains("proximal end"));
    assert!(refused([PROXIMAL, TubeEnd { outer: f64::NAN, ..DISTAL }], tube).contains("distal end"));
    assert!(refused([PROXIMAL, TubeEnd { part: 0.6, ..DISTAL }], tube).contains("0.49"));
    assert!(refused([PROXIMAL, DISTAL], BoneKind::Tibia).contains("for tubes"));
}
