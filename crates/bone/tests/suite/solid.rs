//! Solids between joint centres.

use crate::{LENGTH, coarse, tibia};
use nalgebra::Rotation3;
use std::sync::Arc;
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex, Side, length_from_stature};
use wolff_bone::person::{Ends, GivenBone, JointMarks, Solid, in_person};
use wolff_bone::segment::ShaftSection;
use wolff_fem::material::Material;
use wolff_spatial::Vec3;

/// The built-in tibia has the offsets of 17 CT tibiae (10.5, 7.6 and 1.5 mm anterior, 0.9, 0.9 and 2.2 lateral) at
/// the length of a man of 1.80 m; the mesh may differ by the flatness of its elements.
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

/// A mesh, turned and moved, comes back in its own size, and lies in a longer shank by its ends.
#[test]
fn registered_by_its_own_ends() {
    let turn = Rotation3::from_euler_angles(0.4, -1.1, 2.0);
    let shift = Vec3::new(0.12, -0.03, 0.9);
    let place = |x: &Vec3| turn * x + shift;
    let strange = tibia().mesh.mapped(place).unwrap();
    let marks = JointMarks {
        proximal: place(&Vec3::zeros()),
        distal: place(&Vec3::new(0.0, -LENGTH, 0.0)),
        anterior: turn * Vec3::new(1.0, 0.3, 0.0),
    };
    let cortical = Material::cortical_bone();
    let given = GivenBone {
        kind: BoneKind::Tibia,
        side: Side::Right,
        mesh: Arc::new(strange),
        materials: None,
        marks,
        scale: [1.0; 3],
        remarks: Vec::new(),
        method: Vec::new(),
    };
    let solid = Solid::registered(&given, &cortical).unwrap();
    for (a, b) in solid.mesh.nodes().iter().zip(tibia().mesh.nodes()) {
        assert!((a - b).norm() < 1e-12);
    }
    let laid = solid.clone().in_segment(1.1 * LENGTH).unwrap();
    assert!((laid.mesh.volume() / solid.mesh.volume() - 1.0).abs() < 1e-12);
    let [knee, ankle] = laid.ends.gaps(laid.length);
    assert!((knee + ankle - 0.1 * LENGTH).abs() < 1e-12 && (knee / ankle - 24.4 / 15.0).abs() < 1e-9);
    for (a, b) in laid.mesh.nodes().iter().zip(solid.mesh.nodes()) {
        assert!((a - b + Vec3::y() * knee).norm() < 1e-12);
    }
    let mut along = given.clone();
    along.marks.anterior = given.marks.proximal - given.marks.distal;
    assert!(Solid::registered(&along, &cortical).is_err());
    // a femur has its head in the hip centre, whatever the thigh
    let femur = Solid::registered(&GivenBone { kind: BoneKind::Femur, ..given }, &cortical).unwrap();
    let laid = femur.in_segment(1.1 * LENGTH).unwrap();
    assert!(laid.ends.gaps(laid.length)[0].abs() < 1e-12 && laid.joints == ["hip", "knee"]);
    assert!(solid.in_segment(f64::NAN).is_err());
}

/// Fractions are those of the bone: sections, offsets, bow and gauges do not change when it is laid into a shank;
/// each axis is scaled on its own.
#[test]
fn fractions_belong_to_the_bone() {
    let bone = tibia();
    let laid = bone.clone().in_segment(0.48).unwrap();
    let [knee, _] = laid.ends.gaps(0.48);
    for fraction in [0.25, 0.5, 0.75] {
        let (a, b) = (bone.section(fraction).unwrap(), laid.section(fraction).unwrap());
        assert!((a.area / b.area - 1.0).abs() < 1e-9);
        assert!((a.centroid - b.centroid - Vec3::y() * knee).norm() < 1e-9);
    }
    let [a, b] = [bone, &laid].map(|solid| solid.with_shaft_offset(0.005, 0.0).unwrap());
    for (a, b) in a.mesh.nodes().iter().zip(b.mesh.nodes()) {
        assert!((a - b - Vec3::y() * knee).norm() < 1e-9);
    }
    let wide = bone.clone().scaled([0.9, 1.2, 1.1]).unwrap();
    let (a, b) = (bone.section(0.5).unwrap(), wide.section(0.5).unwrap());
    assert!((b.area / a.area - 1.2 * 1.1).abs() < 1e-9 && (wide.length / LENGTH - 0.9).abs() < 1e-12);
    assert!(bone.clone().scaled([1.0, f64::NAN, 1.0]).is_err());
}

/// The built-in tibia of the reference man in his shank: length after Trotter and Gleser, mid-shaft sections of the
/// CT mean at his stature to 3 %, cut from the mesh; a femur takes the length of the thigh and keeps the breadths of
/// its stature.
#[test]
fn bones_of_the_reference_man() {
    let (stature, shank, thigh) = (1.77_f64, 0.4476, 0.4292);
    let cortical = Material::cortical_bone();
    let bone = |kind| Bone::of_person(kind, Sex::Male, stature).unwrap();
    let (solid, told) = in_person(&bone(BoneKind::Tibia), shank, &cortical).unwrap();
    assert!(told.is_empty() && solid.length == shank);
    assert!((solid.ends.length() - 0.390_397).abs() < 1e-6);
    let [knee, ankle] = solid.ends.gaps(shank);
    assert!((knee - 0.035_4).abs() < 1e-4 && (ankle - 0.021_8).abs() < 1e-4, "{knee} {ankle}");
    let section = ShaftSection::cut(&solid, 0.5).unwrap();
    let [larger, smaller] = section.second_moments;
    let ours = [1e6 * section.area, 1e12 * larger, 1e12 * smaller, 1e12 * section.torsion_constant.unwrap()];
    // mean of 17 adults, taken for a stature of 1.80 m: area in mm², moments in mm⁴
    let ratio = stature / 1.80;
    let ct = [403.7 * ratio.powi(2), 32577.0 * ratio.powi(4), 17393.0 * ratio.powi(4), 40306.0 * ratio.powi(4)];
    for (name, (ours, ct)) in ["area", "I max", "I min", "J"].iter().zip(ours.iter().zip(ct)) {
        println!("{name}: {ours:.1}, CT {ct:.1} ({:+.2} %)", 100.0 * (ours / ct - 1.0));
        assert!((ours / ct - 1.0).abs() < 0.03, "{name} {ours} {ct}");
    }
    let (femur, _) = in_person(&bone(BoneKind::Femur), thigh, &cortical).unwrap();
    assert_eq!(femur.ends, Ends::whole(thigh));
    let ratio = femur.section(0.5).unwrap().area / Solid::femur(thigh, Side::Right).unwrap().section(0.5).unwrap().area;
    // breadths 1.77 / 1.80 instead of 0.4292 / 0.4530; the same cuts lean a little differently
    assert!((ratio / (0.983_333_f64 / 0.947_5).powi(2) - 1.0).abs() < 0.01, "{ratio}");
}

/// A skeleton that does not go with the stature: the bone is shortened or lengthened to what its shank can hold, and
/// that is told.
#[test]
fn odd_shanks_are_told_of() {
    let cortical = Material::cortical_bone();
    let density = Density { around: 6, wall: 1, layers: [4, 6, 6, 4] };
    let bone = Bone { density, ..Bone::of_person(BoneKind::Tibia, Sex::Female, 1.80).unwrap() };
    let (short, told) = in_person(&bone, 0.35, &cortical).unwrap();
    assert!((short.ends.length() - 0.35).abs() < 1e-12 && told[0].contains("350 mm"), "{told:?}");
    let (long, told) = in_person(&bone, 0.60, &cortical).unwrap();
    assert!((long.ends.length() - 0.45).abs() < 1e-12 && told[0].contains("stature"), "{told:?}");
    for (a, b) in [short, long].iter().zip([bone; 2]).map(|(s, b)| (s.section(0.5).unwrap().area, b)) {
        let cortex = b.section(0.5).map(|s| s.outer.area() - s.inner.area()).unwrap();
        assert!((a / cortex - 1.0).abs() < 0.05);
    }
    let (wide, told) = in_person(&bone, 0.50, &cortical).unwrap();
    assert!((wide.ends.length() - bone.length).abs() < 1e-12 && told[0].contains("keeps its length"), "{told:?}");
    assert!(in_person(&bone, f64::NAN, &cortical).is_err() && in_person(&bone, 0.0, &cortical).is_err());
}

/// A femur hangs between hip and knee.
#[test]
fn a_femur_has_other_joints() {
    let femur = Solid::femur(0.42, Side::Right).unwrap();
    assert_eq!(femur.joints, ["hip", "knee"]);
    assert!(femur.section(0.5).unwrap().area > 2e-4);
}
