//! A bone from a mesh that somebody else made.

use crate::tibia;
use nalgebra::Rotation3;
use wolff_bone::BoneError;
use wolff_bone::parametric::Side;
use wolff_bone::person::GivenBone;
use wolff_fem::material::Material;
use wolff_spatial::Vec3;

fn turn() -> Rotation3<f64> {
    Rotation3::from_euler_angles(1.2, 0.3, -2.4)
}

/// The coarse tibia, turned, moved and in millimetres.
fn given(forward: Option<Vec3>, scale: [f64; 3]) -> Result<GivenBone, BoneError> {
    let mesh = tibia().mesh.mapped(|x| turn() * x * 1e3 + Vec3::new(50.0, -80.0, 700.0)).unwrap();
    Ok(GivenBone { scale, ..GivenBone::with_faces(&mesh, Side::Right, forward)? })
}

/// Volume and mass stay, whatever the shank; the section is the same to a thousandth; what was done is told.
#[test]
fn a_mesh_keeps_its_size() {
    let cortical = Material::cortical_bone();
    for shank in [0.4476, 0.40] {
        let (solid, told) = given(None, [1.0; 3]).unwrap().solid(shank, 0.42, &cortical).unwrap();
        assert!((solid.mesh.volume() / tibia().mesh.volume() - 1.0).abs() < 1e-9);
        let mass: f64 = solid.mesh.volumes().enumerate().map(|(k, v)| v * solid.materials.density(k)).sum();
        assert!((mass / (tibia().mesh.volume() * cortical.density) - 1.0).abs() < 1e-3, "{mass} kg");
        assert!((solid.ends.length() - tibia().length).abs() < 1e-9 && solid.length == shank);
        let [a, b] = [&solid, tibia()].map(|s| s.section(0.5).unwrap());
        assert!((a.area / b.area - 1.0).abs() < 1e-3, "{} {}", a.area, b.area);
        let [a, b] = [&solid, tibia()].map(|s| s.shaft_offset(0.25).unwrap());
        // as near as forward is found
        assert!((a[0] - b[0]).abs() < 3e-4 && (a[1] - b[1]).abs() < 6e-4, "{a:?} {b:?}");
        assert!(told[0].contains("right tibia has 420 mm") && told[0].contains("keeps its size"), "{told:?}");
        assert!(told[1].contains("millimetres") && told[2].contains("forward is"), "{told:?}");
        assert_eq!(told.iter().any(|t| t.contains("longer than the shank")), shank < 0.42, "{told:?}");
    }
}

/// Scales are applied axis by axis where asked for, and told; a bone of another size than the person's is told of
/// with the remedy.
#[test]
fn scales_are_asked_for() {
    let cortical = Material::cortical_bone();
    let (solid, told) = given(None, [0.9, 1.1, 1.0]).unwrap().solid(0.43, 0.378, &cortical).unwrap();
    assert!((solid.ends.length() - 0.378).abs() < 1e-9);
    assert!((solid.mesh.volume() / tibia().mesh.volume() - 0.99).abs() < 1e-6);
    assert!(told[0].contains("scaled by 0.9 along") && told.len() == 3, "{told:?}");
    let (_, told) = given(None, [1.0; 3]).unwrap().solid(0.43, 0.35, &cortical).unwrap();
    assert!(told[3].contains("+20 %") && told[3].contains("tibia_scale_along=0.833"), "{told:?}");
    assert!(given(None, [3.0, 1.0, 1.0]).unwrap().solid(0.43, 0.35, &cortical).is_err());
}

/// A direction that is given is taken; one along the bone is refused.
#[test]
fn forward_may_be_given() {
    let cortical = Material::cortical_bone();
    let bone = given(Some(turn() * Vec3::x()), [1.0; 3]).unwrap();
    let (solid, told) = bone.solid(tibia().length, 0.42, &cortical).unwrap();
    assert!(!told.iter().any(|t| t.contains("forward is")), "{told:?}");
    for (a, b) in solid.mesh.nodes().iter().zip(tibia().mesh.nodes()) {
        assert!((a - b).norm() < 1e-9, "{a:?} {b:?}");
    }
    assert!(given(Some(turn() * Vec3::y()), [1.0; 3]).is_err());
}

/// A mesh without the sets of its joint faces is refused with the way to make them.
#[test]
fn missing_sets_are_told_with_the_remedy() {
    let mesh = wolff_fem::generate::bar(wolff_fem::ElementKind::Tet4, 0.02, 0.4, 1, 5).unwrap();
    let message = GivenBone::with_faces(&mesh, Side::Right, None).unwrap_err().to_string();
    assert!(["`proximal`", "start", "physical surfaces", "*NSET"].iter().all(|w| message.contains(w)), "{message}");
}
