use crate::support::{Known, Random, WHOLE, coarser, load, moved};
use wolff_anatomy::Side;
use wolff_geometry::TriangleMesh;
use wolff_morphology::{BoneKind, Given, Morphology, find};
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Verdict;

fn shape(mesh: &TriangleMesh) -> Morphology {
    find(mesh, &Given::default()).unwrap()
}

fn degrees(a: &Vec3, b: &Vec3) -> f64 {
    a.angle(b).to_degrees()
}

fn axis(found: &Morphology, i: usize) -> Vec3 {
    found.axes.column(i).into()
}

/// Kind, side, up and front of every whole bone; the frame of the file is known only roughly: a leg lies turned by up
/// to 20°, and a femur leans by 10°.
#[test]
fn whole_bones_are_recognised() {
    for Known { path, kind, side, anterior, up } in WHOLE {
        let Some(mesh) = load(path) else { return };
        let found = shape(&mesh);
        assert_eq!((found.kind, found.side), (kind, side), "{path}: {:?}", found.remarks);
        let apart = [degrees(&axis(&found, 0), &anterior), degrees(&axis(&found, 1), &up)];
        assert!(apart[0] < 20.0 && apart[1] < 15.5, "{path}: {apart:?}");
        assert!((found.axes.determinant() - 1.0).abs() < 1e-9);
        assert!(found.confidence.side > 0.3 && found.confidence.end > 0.3, "{path}: {:?}", found.confidence);
        assert!(!found.landmarks.is_empty() && !found.patches.is_empty());
        println!("{path}: {:?}, to the axes of the file {apart:.1?}°", found.remarks);
    }
}

/// Any pose, unit and mirror image gives the same frame on the bone, and a mirror image the other side.
#[test]
fn the_frame_goes_with_the_bone() {
    let mut random = Random::new(1);
    for known in &WHOLE[..4] {
        let Some(mesh) = load(known.path) else { return };
        let first = shape(&mesh);
        for mirror in [1.0, -1.0, 1.0] {
            let scale = 10_f64.powf(1.5 * random.next());
            let turn = random.rotation() * Mat3::from_diagonal(&Vec3::new(mirror, 1.0, 1.0));
            let shift = random.vector() * 1e3;
            let found = shape(&moved(&mesh, &(turn * scale), &shift));
            assert_eq!(found.kind, known.kind);
            assert_eq!(found.side, if mirror > 0.0 { known.side } else { known.side.opposite() });
            for (i, sign) in [(0, 1.0), (1, 1.0), (2, mirror)] {
                let expected = turn * axis(&first, i) * sign;
                let apart = degrees(&axis(&found, i), &expected);
                assert!(apart < 0.01, "{} axis {i} mirror {mirror} scale {scale}: {apart}°", known.path);
            }
            let origin = turn * first.origin * scale + shift;
            assert!((found.origin - origin).norm() < 1e-4 * found.length, "{}", known.path);
            for (a, b) in first.landmarks.iter().zip(&found.landmarks) {
                let expected = turn * a.position * scale + shift;
                assert!((b.position - expected).norm() < 1e-3 * found.length, "{} {}", known.path, a.name);
            }
            assert_eq!(first.patches.len(), found.patches.len());
        }
    }
}

/// Coarse and noisy surfaces, cut into cells of 4 mm (a patella: 2 mm) and shaken by 0.3 mm.
#[test]
fn coarse_and_noisy_surfaces_give_nearly_the_same_frame() {
    for known in &WHOLE[..4] {
        let Some(mesh) = load(known.path) else { return };
        let first = shape(&mesh);
        let cell = if known.kind == BoneKind::Patella { 2.0 } else { 4.0 };
        let found = shape(&coarser(&mesh, cell, 0.3));
        assert_eq!((found.kind, found.side), (known.kind, known.side));
        let apart = [0, 1].map(|i| degrees(&axis(&first, i), &axis(&found, i)));
        assert!(apart[0] < 5.0 && apart[1] < 2.0, "{}: {apart:?}", known.path);
    }
}

/// The origin of the femur of an OpenSim model is its hip centre.
#[test]
fn the_hip_centre_is_that_of_the_model() {
    let Some(mesh) = load("data/knee-tka-dm/mesh/Femur.stl") else { return };
    let found = shape(&mesh);
    let hip = found.joint("hip").unwrap();
    assert!(hip.position.norm() < 0.005, "{:?}", hip.position);
    assert!((hip.radius.unwrap() - 0.024).abs() < 0.003);
    assert_eq!(found.to_metres, 1.0);
}

#[test]
fn joints_of_a_tibia_lie_on_its_ends() {
    let Some(mesh) = load("data/bones/bodyparts3d/tibia_r_FMA24477.stl") else { return };
    let found = shape(&mesh);
    let (knee, ankle) = (found.joint("knee").unwrap().position, found.joint("ankle").unwrap().position);
    assert!((knee - ankle).norm() > 0.9 * found.length && (knee - ankle).norm() < found.length);
    let malleolus = found.in_bone(&found.landmark("medial_malleolus").unwrap());
    assert!(malleolus.z < found.in_bone(&ankle).z && malleolus.y < found.in_bone(&ankle).y);
    assert!(found.in_bone(&found.landmark("tibial_tuberosity").unwrap()).x > 25.0);
    assert_eq!(found.to_metres, 1e-3);
    assert_eq!(found.judgement.verdict(), Verdict::Ok, "{:?}", found.judgement.warnings());
}

/// In the axes of the patient the frame is checked: a bone with its head towards the feet is wrong.
#[test]
fn the_axes_of_the_patient_check_the_frame() {
    let Some(mesh) = load("data/synthetic-ct/bone_lps.stl") else { return };
    let lps = Given { lps: true, ..Given::default() };
    assert_eq!(find(&mesh, &lps).unwrap().judgement.verdict(), Verdict::Ok);
    let turned = moved(&mesh, &Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0)), &Vec3::zeros());
    let found = find(&turned, &lps).unwrap();
    assert_eq!(found.judgement.verdict(), Verdict::Failed);
    assert!(found.judgement.warnings().join(" ").contains("patient"));
}

#[test]
fn the_user_goes_before_the_shape() {
    let Some(mesh) = load("data/bones/bodyparts3d/tibia_r_FMA24477.stl") else { return };
    let left = find(&mesh, &Given { side: Some(Side::Left), ..Given::default() }).unwrap();
    assert_eq!(left.side, Side::Left);
    assert!(left.judgement.warnings().join(" ").contains("side"), "{:?}", left.judgement.warnings());
    let femur = find(&mesh, &Given { kind: Some(BoneKind::Femur), ..Given::default() }).unwrap();
    assert_eq!(femur.kind, BoneKind::Femur);
    assert!(femur.judgement.warnings().join(" ").contains("nearer to a tibia"));
    let down = find(&mesh, &Given { up: Some(-Vec3::z()), ..Given::default() }).unwrap();
    assert!(axis(&down, 1).z < 0.0);
    let zero = Given { up: Some(Vec3::zeros()), anterior: Some(Vec3::zeros()), ..Given::default() };
    assert!(find(&mesh, &zero).is_ok());
}

/// A part of a bone is not recognised, and it says so.
#[test]
fn a_part_of_a_bone_is_doubtful() {
    let Some(mesh) = load("data/knee-lenhart/mesh/lenhart2015-R-tibia-bone.stl") else { return };
    let found = shape(&mesh);
    assert!(found.judgement.verdict() >= Verdict::Doubtful);
    let (up, anterior) = (Some(Vec3::y()), Some(Vec3::x()));
    let given = Given { kind: Some(BoneKind::Tibia), side: Some(Side::Right), up, anterior, lps: false };
    let found = find(&mesh, &given).unwrap();
    assert_eq!((found.kind, found.side), (BoneKind::Tibia, Side::Right));
    assert!(axis(&found, 1).y > 0.8, "{:?}", found.axes);
    assert!(found.judgement.verdict() >= Verdict::Doubtful);
}

/// A patella that was cut for an implant is too different from a whole one.
#[test]
fn a_patella_with_an_implant_is_doubtful() {
    let Some(mesh) = load("data/knee-tka-dm/mesh/patella.stl") else { return };
    let found = shape(&mesh);
    assert_eq!(found.kind, BoneKind::Patella);
    assert!(found.judgement.verdict() >= Verdict::Doubtful);
}

#[test]
fn what_is_no_bone_is_refused_or_doubtful() {
    let open = TriangleMesh::rectangle([0.1, 0.2], [4, 4]).unwrap();
    assert!(find(&open, &Given::default()).unwrap_err().to_string().contains("closed outer surface"));
    let brick = TriangleMesh::cuboid([0.05, 0.07, 0.4]).unwrap();
    let found = shape(&brick);
    assert!(found.judgement.verdict() >= Verdict::Doubtful && found.confidence.side < 0.05, "{:?}", found.confidence);
}

/// A bone that ends in a flat face says so; a whole one does not. What is cut at the joint that gives the axes keeps
/// those of its sections.
#[test]
fn a_cut_bone_is_told() {
    let Some(mesh) = load("data/bones/bodyparts3d/tibia_r_FMA24477.stl") else { return };
    let whole = shape(&mesh);
    assert!(!whole.judgement.warnings().join(" ").contains("flat face"));
    for (part, end) in [(0.9, "upper"), (0.1, "lower")] {
        let plane = whole.length * part;
        let low = mesh.vertices().iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let cut = |x: &Vec3| match end {
            "upper" => Vec3::new(x.x, x.y, x.z.min(low + plane)),
            _ => Vec3::new(x.x, x.y, x.z.max(low + plane)),
        };
        let vertices = mesh.vertices().iter().map(cut).collect();
        let rest = TriangleMesh::cleaned(vertices, mesh.triangles().to_vec(), false).unwrap().mesh;
        let found = find(&rest, &Given { kind: Some(BoneKind::Tibia), side: Some(Side::Right), ..Given::default() });
        let found = found.unwrap();
        let warnings = found.judgement.warnings().join("\n");
        assert!(warnings.contains(&format!("{end} end of the bone is one flat face")), "{end}: {warnings}");
        let apart = [0, 1].map(|i| degrees(&axis(&found, i), &axis(&whole, i)));
        assert!(apart[0] < 25.0 && apart[1] < 5.0, "{end}: {apart:?}");
    }
}

/// What is no bone of the leg, or a part of one, is refused with the options that help; what is said to be one is not.
#[test]
fn a_shape_that_is_not_recognised_is_an_error() {
    let Some(mesh) = load("data/knee-lenhart/mesh/lenhart2015-R-tibia-bone.stl") else { return };
    let errors = |given: &Given| find(&mesh, given).unwrap().judgement.errors().cloned().collect::<Vec<_>>();
    let found = errors(&Given::default());
    assert!(found.len() == 1 && found[0].message.contains("not recognised"), "{found:?}");
    assert!(found[0].remedy.contains("--bone"));
    assert!(errors(&Given { kind: Some(BoneKind::Tibia), ..Given::default() }).is_empty());
}

/// A frame that is given goes before a shape that says nothing.
#[test]
fn the_frame_of_a_part_is_what_is_given() {
    let Some(mesh) = load("data/knee-lenhart/mesh/lenhart2015-R-tibia-bone.stl") else { return };
    let (up, anterior) = (Some(Vec3::y()), Some(Vec3::x()));
    let found = find(&mesh, &Given { kind: Some(BoneKind::Tibia), side: Some(Side::Right), up, anterior, lps: false });
    let found = found.unwrap();
    let apart = [degrees(&axis(&found, 0), &Vec3::x()), degrees(&axis(&found, 1), &Vec3::y())];
    assert!(apart[0] < 20.0 && apart[1] < 20.0, "{apart:?}");
}
