//! Solids between joint centres.

use crate::{LENGTH, coarse, tibia};
use nalgebra::Rotation3;
use wolff_fem::bone::{BoneKind, Sex, Side, length_from_stature};
use wolff_fem::material::Material;
use wolff_spatial::Vec3;
use wolff_walk::bone::{JointMarks, Solid};

/// The built-in tibia has the offsets of 17 CT tibiae (10.5, 7.6 and 1.5 mm anterior, 0.9, 0.9 and 2.2 lateral) at the length
/// of a man of 1.80 m; the mesh may differ by the flatness of its elements.
#[test]
fn shaft_lies_where_ct_has_it() {
    const MESH: f64 = 0.15e-3;
    let length = length_from_stature(BoneKind::Tibia, Sex::Male, 1.80).unwrap();
    let solid = Solid::tibia(length, Side::Right).unwrap();
    for (fraction, anterior, lateral) in [(0.25, 10.5e-3, 0.9e-3), (0.5, 7.6e-3, 0.9e-3), (0.75, 1.5e-3, 2.2e-3)] {
        let [a, l] = solid.shaft_offset(fraction).unwrap();
        println!("{fraction}: {:.2} mm anterior, {:.2} mm lateral", 1e3 * a, 1e3 * l);
        assert!((a - anterior).abs() < MESH && (l - lateral).abs() < MESH, "{a} {l}");
    }
}

/// The wanted offset is met, the joint faces stay, both sides alike.
#[test]
fn bowed_to_a_wanted_offset() {
    for side in [Side::Right, Side::Left] {
        let solid = coarse(side);
        let bowed = solid.with_shaft_offset(0.0052, -0.0017).unwrap();
        let [a, l] = bowed.shaft_offset(0.5).unwrap();
        // sections of curved faces are cut from chords
        assert!((a - 0.0052).abs() < 1e-5 && (l + 0.0017).abs() < 1e-5, "{a} {l}");
        for set in ["proximal", "distal"] {
            for &node in solid.mesh.node_set(set).unwrap() {
                assert!((solid.mesh.nodes()[node] - bowed.mesh.nodes()[node]).norm() < 1e-12);
            }
        }
        assert!(solid.with_shaft_offset(f64::NAN, 0.0).is_err());
    }
    let [right, left] = [Side::Right, Side::Left].map(|side| coarse(side).shaft_offset(0.3).unwrap());
    assert!((right[0] - left[0]).abs() < 1e-12 && (right[1] - left[1]).abs() < 1e-12);
}

/// A mesh in millimetres, turned and moved, comes back.
#[test]
fn registered_by_its_own_joint_centres() {
    let turn = Rotation3::from_euler_angles(0.4, -1.1, 2.0);
    let shift = Vec3::new(120.0, -30.0, 900.0);
    let place = |x: &Vec3| turn * x * 1e3 + shift;
    let strange = tibia().mesh.mapped(place).unwrap();
    let marks = JointMarks {
        proximal: place(&Vec3::zeros()),
        distal: place(&Vec3::new(0.0, -LENGTH, 0.0)),
        anterior: turn * Vec3::new(1.0, 0.3, 0.0),
    };
    let cortical = Material::cortical_bone();
    let solid = Solid::registered(&strange, &marks, LENGTH, Side::Right, &cortical).unwrap();
    for (a, b) in solid.mesh.nodes().iter().zip(tibia().mesh.nodes()) {
        assert!((a - b).norm() < 1e-12);
    }
    let longer = Solid::registered(&strange, &marks, 1.1 * LENGTH, Side::Right, &cortical).unwrap();
    let [a, b] = [&solid, &longer].map(|s| s.shaft_offset(0.5).unwrap()[0]);
    assert!((b / a - 1.1).abs() < 1e-9);
    let along = JointMarks { anterior: marks.proximal - marks.distal, ..marks };
    assert!(Solid::registered(&strange, &along, LENGTH, Side::Right, &cortical).is_err());
}

/// A femur hangs between hip and knee.
#[test]
fn a_femur_has_other_joints() {
    let femur = Solid::femur(0.42, Side::Right).unwrap();
    assert_eq!(femur.joints, ["hip", "knee"]);
    assert!(femur.section(0.5).unwrap().area > 2e-4);
}
