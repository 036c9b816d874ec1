//! A bone in the file of a flexible body.

use crate::tibia;
use nalgebra::Rotation3;
use wolff_bone::parametric::Side;
use wolff_bone::person::kept::{given_bone, solid_mesh};
use wolff_fem::material::Material;
use wolff_spatial::Vec3;

/// Mesh, sets and materials come back, and the bone is placed as it was.
#[test]
fn a_kept_bone_is_the_same() {
    let bone = tibia();
    let ends = [Vec3::zeros(), Vec3::new(0.0, -bone.length, 0.0)];
    let kept = solid_mesh(("tibia", Side::Right), &bone.mesh, &bone.materials, ends);
    kept.check().unwrap();
    let given = given_bone(&kept).unwrap();
    assert_eq!((given.word(), given.side), ("tibia", Side::Right));
    assert!(given.mesh.nodes() == bone.mesh.nodes() && given.mesh.elements().eq(bone.mesh.elements()));
    assert!(given.mesh.node_sets() == bone.mesh.node_sets());
    let (solid, _) = given.solid(bone.length, bone.length, &Material::cortical_bone()).unwrap();
    for element in [0, 5, bone.mesh.element_count() - 1] {
        assert!((solid.materials.density(element) - bone.materials.density(element)).abs() < 1e-12);
        let (a, b) = (solid.materials.stiffness(element), bone.materials.stiffness(element));
        assert!((a - b).norm() < 1e-9 * b.norm());
    }
    let patella = wolff_flexbody::SolidMesh { bone: "patella".into(), ..kept };
    assert!(given_bone(&patella).unwrap_err().to_string().contains("give a tibia or a femur"));
}

/// Materials turn with a bone: a turned bone in its segment is the one that was not turned.
#[test]
fn materials_turn_with_the_bone() {
    let bone = tibia();
    let turn = Rotation3::from_euler_angles(0.7, -0.4, 1.9);
    let mesh = bone.mesh.mapped(|x| turn * x).unwrap();
    let ends = [Vec3::zeros(), turn * Vec3::new(0.0, -bone.length, 0.0)];
    let mut given =
        given_bone(&solid_mesh(("tibia", Side::Right), &mesh, &bone.materials.turned(&turn), ends)).unwrap();
    given.marks.anterior = turn * Vec3::x();
    let (solid, _) = given.solid(bone.length, bone.length, &Material::cortical_bone()).unwrap();
    let (a, b) = (solid.materials.stiffness(3), bone.materials.stiffness(3));
    assert!((a - b).norm() < 1e-9 * b.norm(), "{a} {b}");
    assert!((solid.mesh.nodes()[7] - bone.mesh.nodes()[7]).norm() < 1e-12);
}
