use crate::support::{Random, load, moved};
use wolff_geometry::TriangleMesh;
use wolff_morphology::{Given, Morphology, RegisterOptions, find, register};
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Verdict;

fn bone(path: &str) -> Option<(TriangleMesh, Morphology)> {
    let mesh = load(path)?;
    let found = find(&mesh, &Given::default()).unwrap();
    Some((mesh, found))
}

/// Points of a bone come back on its mirror image of another size.
#[test]
fn a_mirror_image_gets_the_same_points() {
    let Some((mesh, found)) = bone("data/bones/bodyparts3d/tibia_r_FMA24477.stl") else { return };
    let map = Random::new(9).rotation() * Mat3::from_diagonal(&Vec3::new(-1.2e-3, 1.2e-3, 1.2e-3));
    let other = moved(&mesh, &map, &Vec3::new(0.3, 0.1, -2.0));
    let there = find(&other, &Given::default()).unwrap();
    let points: Vec<Vec3> = found.landmarks.iter().map(|l| l.position).collect();
    let options = RegisterOptions { rounds: 5, ..RegisterOptions::default() };
    let carried = register((&mesh, &found), (&other, &there), &points, &options).unwrap();
    for (point, carried) in points.iter().zip(&carried.points) {
        let expected = map * point + Vec3::new(0.3, 0.1, -2.0);
        assert!((carried - expected).norm() < 2e-4, "{expected:?} {carried:?}");
    }
    assert!((carried.scale - 1.2e-3).abs() < 1e-5);
}

/// From one person's femur to another's the surfaces come closer with every step, and landmarks near landmarks.
#[test]
fn surfaces_come_closer_with_every_step() {
    let Some((mesh, found)) = bone("data/bones/bodyparts3d/femur_r_FMA24474.stl") else { return };
    let Some((other, there)) = bone("data/bones/femur-tet/femur.msh") else { return };
    let names = ["greater_trochanter", "medial_epicondyle", "lateral_epicondyle"];
    let points = names.map(|name| found.landmark(name).unwrap());
    let carried = register((&mesh, &found), (&other, &there), &points, &RegisterOptions::default()).unwrap();
    let [frames, surfaces, smooth] = carried.distances;
    println!("{:?} scale {}", carried.distances, carried.scale);
    assert!(surfaces.rms <= frames.rms && smooth.rms < surfaces.rms && smooth.rms < 2.0, "{:?}", carried.distances);
    for (name, point) in names.iter().zip(&carried.points) {
        let apart = (there.landmark(name).unwrap() - point).norm();
        println!("{name}: {apart:.1} mm");
        assert!(apart < 15.0, "{name}: {apart} mm");
    }
}

#[test]
fn bones_of_two_kinds_are_refused() {
    let Some((mesh, found)) = bone("data/bones/bodyparts3d/patella_r_FMA24486.stl") else { return };
    let other = Morphology { kind: wolff_morphology::BoneKind::Fibula, ..found.clone() };
    let error = register((&mesh, &found), (&mesh, &other), &[], &RegisterOptions::default()).unwrap_err();
    assert!(error.to_string().contains("one kind"));
}

/// From frames that do not fit, a bone does not shrink to a point of the other; what has no counterpart is told.
#[test]
fn a_wrong_frame_does_not_shrink_the_bone() {
    let Some((mesh, found)) = bone("data/bones/bodyparts3d/tibia_r_FMA24477.stl") else { return };
    let points: Vec<Vec3> = found.landmarks.iter().map(|l| l.position).collect();
    for shift in [0.05, 0.3, 0.9] {
        let origin = found.origin - Vec3::from(found.axes.column(1)) * shift * found.length;
        let wrong = Morphology { origin, ..found.clone() };
        let carried = register((&mesh, &found), (&mesh, &wrong), &points, &RegisterOptions::default()).unwrap();
        let [frames, ..] = carried.distances;
        assert!(frames.rms > 0.0 && carried.from_surface.len() == points.len());
        let is_told = carried.judgement.verdict() != Verdict::Ok;
        assert!((carried.scale - 1.0).abs() < 0.05 || is_told, "{shift}: scale {} {carried:?}", carried.scale);
    }
}

/// Both ways give inverse sizes, and what is carried there and back comes back.
#[test]
fn there_and_back_is_nearly_nothing() {
    let Some((mesh, found)) = bone("data/bones/bodyparts3d/femur_r_FMA24474.stl") else { return };
    let Some((other, there)) = bone("data/bones/femur-tet/femur.msh") else { return };
    let points: Vec<Vec3> = found.landmarks.iter().map(|l| l.position).collect();
    let options = RegisterOptions::default();
    let out = register((&mesh, &found), (&other, &there), &points, &options).unwrap();
    let back = register((&other, &there), (&mesh, &found), &out.points, &options).unwrap();
    assert!((out.scale * back.scale - 1.0).abs() < 0.01, "{} {}", out.scale, back.scale);
    let mean = points.iter().zip(&back.points).map(|(a, b)| (a - b).norm()).sum::<f64>() / points.len() as f64;
    assert!(mean < 1.5, "{mean} mm");
}
