use std::collections::HashMap;

use nalgebra::{Vector2, Vector3};
use wolff_bone::parametric::{Bone, BoneKind, BoneSolid, Density, Landmark, Sex, Side, length_from_stature};
use wolff_fem::assembly::assemble;
use wolff_fem::dofs::Constraints;
use wolff_fem::element::tet10;
use wolff_fem::material::{CORTICAL_DENSITY, Material, MaterialField};
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::quality::quality;
use wolff_fem::section::{section_of_faces, section_properties};
use wolff_fem::solve::{Loads, Statics, strain_at};
use wolff_fem::{ElementKind, FemError, TetMesh};

use crate::{assert_close, assert_relative};

const KINDS: [BoneKind; 3] = [BoneKind::SHANK_TUBE, BoneKind::Tibia, BoneKind::Femur];

/// Sums over thousands of elements, relative.
const ROUNDING: f64 = 1e-11;

fn male(kind: BoneKind) -> Bone {
    Bone::new(kind, Sex::Male)
}

/// Fraction; total and cortical area, mm²; I_AP, I_ML, I_xz, mm⁴; centroid anterior and lateral, mm. Mean CT sections
/// of 17 adults of 1.74 m and taller.
const CT_SECTIONS: [(f64, [f64; 5], [f64; 2]); 4] = [
    (0.25, [846.1, 399.8, 58488.0, 31326.0, 8736.0], [10.5, 0.9]),
    (0.50, [554.7, 403.7, 31437.0, 18533.0, 4001.0], [7.6, 0.9]),
    (0.62, [483.1, 360.3, 21625.0, 15789.0, 3457.0], [4.6, 2.2]),
    (0.75, [464.7, 288.6, 15890.0, 14667.0, 1659.0], [1.5, 2.2]),
];

/// Areas, moments and centroid of a horizontal section of a mesh in mm.
fn cut_mm(solid: &BoneSolid, height: f64) -> ([f64; 5], [f64; 2]) {
    let (point, axes) = (Vector3::new(0.0, height, 0.0), [Vector3::z(), Vector3::x()]);
    let bone = section_properties(&solid.mesh, &point, axes).unwrap();
    let whole = section_of_faces(&solid.mesh, &solid.outer_faces().unwrap(), &point, axes).unwrap();
    let m = bone.second_moments * 1e12;
    let values = [whole.area * 1e6, bone.area * 1e6, m[(1, 1)], m[(0, 0)], m[(0, 1)]];
    (values, [1e3 * bone.centroid.x, 1e3 * bone.centroid.z])
}

#[test]
fn sections_cut_from_the_tibia_are_those_of_ct() {
    let bone = male(BoneKind::Tibia);
    let solid = bone.build().unwrap();
    for (fraction, expected, centroid) in CT_SECTIONS {
        let (values, at) = cut_mm(&solid, -fraction * bone.length);
        // The product moment is measured against the larger moment: its own size says nothing about bending.
        let mut error: Vec<f64> = values.iter().zip(&expected).map(|(v, e)| v / e - 1.0).collect();
        error[4] = (values[4] - expected[4]) / expected[2];
        assert!(error.iter().all(|e| e.abs() < 0.01), "{fraction}: {values:?} against {expected:?}");
        // A tenth of the standard deviation between persons is 0.2 mm.
        assert_close(at[0], centroid[0], 0.05);
        assert_close(at[1], centroid[1], 0.05);
    }
    let middle = bone.centroid(0.5).unwrap();
    assert!((middle - Vector3::new(7.6e-3, -0.5 * bone.length, 0.9e-3)).norm() < 1e-12);
}

#[test]
fn landmarks_of_the_tibia_are_near_those_of_one_ct_section() {
    let bone = male(BoneKind::Tibia);
    let centroid = bone.centroid(0.5).unwrap();
    // One person's section against the mean of 17: 1.5 mm is a tenth of its size.
    for (landmark, x, z) in [
        (Landmark::AnteriorCrest, 15.97, 6.40),
        (Landmark::Anteromedial, 9.03, -6.68),
        (Landmark::MedialBorder, -3.62, -14.03),
        (Landmark::Posterior, -14.75, -0.06),
    ] {
        let at = (bone.landmark(landmark, 0.5).unwrap().point - centroid) * 1e3;
        assert!(Vector2::new(at.x - x, at.z - z).norm() < 1.5, "{landmark:?} at {at:?} mm");
    }
}

/// `V - E + F` of the surface, after checking that every edge joins exactly two faces.
fn euler_characteristic(solid: &BoneSolid) -> i64 {
    let faces = solid.mesh.boundary().unwrap();
    let (mut edges, mut corners) = (HashMap::new(), std::collections::HashSet::new());
    for face in &faces {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (face.nodes[a], face.nodes[b]);
            *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
            corners.insert(a);
        }
    }
    assert!(edges.values().all(|&turns| turns == 0), "an edge is not shared by two faces of opposite sense");
    assert_eq!(2 * edges.len(), 3 * faces.len());
    corners.len() as i64 - edges.len() as i64 + faces.len() as i64
}

/// `∮ x·n dA / 3` over curved faces by a rule of degree 4 (Dunavant 1985), exact for six-node faces.
fn enclosed_volume(solid: &BoneSolid) -> f64 {
    let (a, b) = (0.445948490915965, 0.091576213509771);
    let (wa, wb) = (0.223381589678011 / 2.0, 0.109951743655322 / 2.0);
    let points = [[a, a], [1.0 - 2.0 * a, a], [a, 1.0 - 2.0 * a], [b, b], [1.0 - 2.0 * b, b], [b, 1.0 - 2.0 * b]];
    let weights = [wa, wa, wa, wb, wb, wb];
    let mut flux = 0.0;
    for face in solid.mesh.boundary().unwrap() {
        let x: Vec<Vector3<f64>> = face.nodes.iter().map(|&node| solid.mesh.nodes()[node]).collect();
        for ([u, v], weight) in points.into_iter().zip(weights) {
            let w = 1.0 - u - v;
            let shape =
                [w * (2.0 * w - 1.0), u * (2.0 * u - 1.0), v * (2.0 * v - 1.0), 4.0 * w * u, 4.0 * u * v, 4.0 * v * w];
            let by_u = [1.0 - 4.0 * w, 4.0 * u - 1.0, 0.0, 4.0 * (w - u), 4.0 * v, -4.0 * v];
            let by_v = [1.0 - 4.0 * w, 0.0, 4.0 * v - 1.0, -4.0 * u, 4.0 * u, 4.0 * (w - v)];
            let sum = |n: [f64; 6]| n.iter().zip(&x).map(|(n, x)| x * *n).sum::<Vector3<f64>>();
            flux += weight * sum(shape).dot(&sum(by_u).cross(&sum(by_v)));
        }
    }
    flux / 3.0
}

#[test]
fn bones_are_closed_and_well_shaped_at_the_default_size() {
    // A tube is a torus; the others are a sphere with a spherical hollow.
    for (kind, euler, shape, jacobian) in
        [(KINDS[0], 0, 0.4, 0.75), (KINDS[1], 4, 0.13, 0.5), (KINDS[2], 4, 0.12, 0.12)]
    {
        let solid = male(kind).build().unwrap();
        let dof = 3 * solid.mesh.nodes().len();
        assert!((16_000..=18_000).contains(&dof), "{kind:?} has {dof} dof");
        let report = quality(&solid.mesh);
        assert!(report.is_sound() && report.worst_shape > shape, "{kind:?}: {report:?}");
        assert!(worst_jacobian(&solid) > jacobian, "{kind:?}: {}", worst_jacobian(&solid));
        assert_eq!(euler_characteristic(&solid), euler);
        assert_relative(&[enclosed_volume(&solid)], &[solid.mesh.volume()], ROUNDING);
        let parts = solid.set_volume("cortical").unwrap() + solid.set_volume("trabecular").unwrap();
        assert_relative(&[parts], &[solid.mesh.volume()], ROUNDING);
    }
}

/// The smallest `det J / (6 V)` over nodes and quadrature points of the elements: 1 for straight edges.
fn worst_jacobian(solid: &BoneSolid) -> f64 {
    let tables = solid.mesh.kind().tables();
    let mut worst = f64::INFINITY;
    for element in solid.mesh.elements() {
        let x: Vec<Vector3<f64>> = element.iter().map(|&node| solid.mesh.nodes()[node]).collect();
        let volume: f64 = tables.mass.iter().map(|p| p.weight * p.jacobian(&x).determinant()).sum();
        for point in tables.nodes.iter().chain(&tables.stiffness) {
            worst = worst.min(point.jacobian(&x).determinant() / (6.0 * volume));
        }
    }
    worst
}

#[test]
fn linear_and_finer_bones_are_sound_too() {
    for kind in KINDS {
        let linear = Bone { element: ElementKind::Tet4, ..male(kind) }.build().unwrap();
        let finer = Bone { density: Density::default_for(kind).refined(2), element: ElementKind::Tet4, ..male(kind) };
        let finer = finer.build().unwrap();
        let curved = male(kind).build().unwrap();
        // Chords lose volume in proportion to the square of the size of an element.
        let error = |solid: &BoneSolid| 1.0 - solid.mesh.volume() / curved.mesh.volume();
        let order = (error(&linear) / error(&finer)).log2();
        assert!((1.6..2.4).contains(&order), "{kind:?}: order {order}");
    }
}

#[test]
fn left_is_the_mirror_image_of_right() {
    for kind in [BoneKind::Tibia, BoneKind::Femur] {
        let right = male(kind);
        let left = Bone { side: Side::Left, ..right };
        let (a, b) = (right.build().unwrap(), left.build().unwrap());
        let mirror = |x: &Vector3<f64>| Vector3::new(x.x, x.y, -x.z);
        assert!(a.mesh.nodes().iter().zip(b.mesh.nodes()).all(|(a, b)| mirror(a) == *b));
        assert_eq!(a.mesh.node_sets(), b.mesh.node_sets());
        let (p, q) = (right.surface_site(0.4, 0.7).unwrap(), left.surface_site(0.4, 0.7).unwrap());
        assert_eq!([mirror(&p.point), mirror(&p.normal), mirror(&p.axis)], [q.point, q.normal, q.axis]);
    }
}

#[test]
fn sections_scale_with_the_chosen_power_of_the_length() {
    for kind in [BoneKind::Tibia, BoneKind::Femur] {
        let base = male(kind);
        let volume = |bone: &Bone| bone.build().unwrap().mesh.volume();
        let longer = base.stretched(1.1 * base.length, 1.0);
        assert_relative(&[volume(&longer) / volume(&base)], &[1.1f64.powi(3)], 1e-12);
        let area = |n: f64| base.stretched(1.1 * base.length, n).section(0.5).unwrap().outer.area();
        assert_relative(
            &[area(0.0), area(1.5)],
            &[1.0, 1.1f64.powi(3)].map(|k| k * base.section(0.5).unwrap().outer.area()),
            1e-12,
        );
    }
}

#[test]
fn lengths_follow_stature() {
    let length = |kind, sex, stature| length_from_stature(kind, sex, stature).unwrap();
    // Trotter and Gleser: stature = 2.52 · 40.23 cm + 78.62 cm.
    assert_close(length(BoneKind::Tibia, Sex::Male, 1.80), 0.402_301_6, 1e-6);
    assert_close(length(BoneKind::Tibia, Sex::Female, 1.65), 0.356_793_1, 1e-6);
    assert_eq!(length(BoneKind::SHANK_TUBE, Sex::Male, 1.7), 0.421);
    // The solid is as long as the regression says: greatest length of the femur.
    let solid = male(BoneKind::Femur).build().unwrap();
    let heights = solid.mesh.nodes().iter().map(|x| x.y);
    let greatest = heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min);
    assert_relative(&[greatest], &[(1.80 - 0.6141) / 2.38], 3e-3);
    assert!(length_from_stature(BoneKind::Tibia, Sex::Male, 180.0).is_err());
    assert!(length_from_stature(BoneKind::Tibia, Sex::Male, f64::NAN).is_err());
}

/// The mesh of a man's tibia has the CT mean scaled to his stature, areas with its square and second moments with its
/// fourth power; a woman's bone is smaller than a man's of her stature.
#[test]
fn sections_follow_stature_and_sex() {
    for stature in [1.65, 1.77, 1.90] {
        let bone = Bone::of_person(BoneKind::Tibia, Sex::Male, stature).unwrap();
        assert_eq!(bone.length, length_from_stature(BoneKind::Tibia, Sex::Male, stature).unwrap());
        let solid = bone.build().unwrap();
        let scale = stature / 1.80;
        for (fraction, expected, _) in CT_SECTIONS {
            let (values, _) = cut_mm(&solid, -fraction * bone.length);
            let powers = [2, 2, 4, 4, 4];
            let scaled: Vec<f64> = expected.iter().zip(powers).map(|(e, n)| e * scale.powi(n)).collect();
            let mut error: Vec<f64> = values.iter().zip(&scaled).map(|(v, e)| v / e - 1.0).collect();
            error[4] = (values[4] - scaled[4]) / scaled[2];
            assert!(error.iter().all(|e| e.abs() < 0.01), "{stature} {fraction}: {values:?} against {scaled:?}");
        }
    }
    let [man, woman] = [Sex::Male, Sex::Female].map(|sex| Bone::of_person(BoneKind::Tibia, sex, 1.70).unwrap());
    assert_relative(&[woman.breadth / man.breadth], &[0.974], 1e-3);
    assert_relative(&[Bone::of_person(BoneKind::Femur, Sex::Female, 1.65).unwrap().breadth], &[0.893], 1e-12);
    assert!(Bone::of_person(BoneKind::Tibia, Sex::Male, f64::NAN).is_err());
}

#[test]
fn ends_of_women_are_those_published() {
    let breadth = |kind, fraction| {
        let bone = Bone::new(kind, Sex::Female);
        let side = |landmark| bone.landmark(landmark, fraction).unwrap().point;
        1e3 * (side(Landmark::Medial) - bone.surface_site(fraction, std::f64::consts::FRAC_PI_2).unwrap().point).norm()
    };
    // Cheng et al. 2009 and Terzidis et al. 2012, women; both are several per cent smaller than men of their studies.
    assert_relative(&[breadth(BoneKind::Tibia, 0.0)], &[68.8], 0.02);
    assert_relative(&[breadth(BoneKind::Femur, 0.98)], &[78.5], 0.02);
}

#[test]
fn joint_centres_lie_in_the_middle_of_the_ends() {
    let tibia = male(BoneKind::Tibia);
    assert!(tibia.centroid(0.0).unwrap().norm() < 1e-12);
    assert!((tibia.centroid(1.0).unwrap() + Vector3::y() * tibia.length).norm() < 1e-12);
    let solid = male(BoneKind::Femur).build().unwrap();
    // The cap of the head lies on a sphere about the origin.
    for &node in solid.mesh.node_set("proximal").unwrap() {
        assert_close(solid.mesh.nodes()[node].norm(), 0.02305, 1e-5);
    }
}

#[test]
fn bowed_and_leaning_femur_has_the_published_angles() {
    let femur = male(BoneKind::Femur);
    let head = Vector3::zeros();
    let (top, bottom) = (femur.centroid(0.28).unwrap(), femur.centroid(0.72).unwrap());
    let shaft = (bottom - top).normalize();
    let on_neck = femur.centroid(0.06).unwrap();
    let angle = (on_neck - head).angle(&(-shaft)).to_degrees();
    assert_close(angle, 124.7, 1.0);
    // Asked of surgeons as the angle of mechanical and anatomical axes: 5 to 7 degrees.
    assert_close(shaft.angle(&-Vector3::y()).to_degrees(), 6.0, 1.0);
    // The middle of the shaft lies before the line of its ends by the bow: c² / 8R = 16 mm for the whole shaft.
    let middle = femur.centroid(0.5).unwrap();
    let bow = (middle - top) - shaft * shaft.dot(&(middle - top));
    assert!(bow.x > 5e-3 && bow.x < 16e-3, "bow {bow:?}");
}

#[test]
fn bones_weigh_what_skeletons_do() {
    // Mineralised bone of the reference man: 5.5 kg (ICRP 89, 2002). Femora and tibiae hold about three tenths of it.
    // A fifth of the filling is bone.
    let bone_mass = |kind| {
        let solid = male(kind).build().unwrap();
        let [wall, filling] = ["cortical", "trabecular"].map(|set| solid.set_volume(set).unwrap());
        CORTICAL_DENSITY * (wall + 0.2 * filling)
    };
    let (tibia, femur) = (bone_mass(BoneKind::Tibia), bone_mass(BoneKind::Femur));
    let share = 2.0 * (tibia + femur) / 5.5;
    assert!((0.25..0.40).contains(&share), "{share} of the skeleton: tibia {tibia}, femur {femur} kg");
    assert!((1.3..2.2).contains(&(femur / tibia)));
}

#[test]
fn folded_edges_become_straight_and_hopeless_meshes_are_refused() {
    let femur = |n| Bone { density: Density { around: 6, wall: 1, layers: [n; 4] }, ..male(BoneKind::Femur) };
    let solid = femur(3).build().unwrap();
    let straight = solid.mesh.elements().filter(|nodes| has_straight_edges(&solid, nodes)).count();
    assert!(straight > 0 && 10 * straight < solid.mesh.element_count(), "{straight} straight elements");
    assert_relative(&[enclosed_volume(&solid)], &[solid.mesh.volume()], ROUNDING);
    assert!(matches!(femur(1).build(), Err(FemError::Quality(_))));
}

fn has_straight_edges(solid: &BoneSolid, nodes: &[usize]) -> bool {
    let x = |i: usize| solid.mesh.nodes()[nodes[i]];
    tet10::EDGES.into_iter().enumerate().all(|(edge, (a, b))| (x(4 + edge) - 0.5 * (x(a) + x(b))).norm() < 1e-12)
}

#[test]
fn sites_lie_on_the_surface_with_outward_normals() {
    for kind in KINDS {
        let bone = male(kind);
        for angle in [-2.5, -1.0, 0.0, 0.6, 2.0, 3.1] {
            for fraction in [0.0, 0.3, 0.5, 0.9, 1.0] {
                let site = bone.surface_site(fraction, angle).unwrap();
                let outwards = site.point - bone.centroid(fraction).unwrap();
                assert!(site.normal.dot(&outwards) > 0.0);
                assert!(site.normal.dot(&site.axis).abs() < 1e-6 && site.axis.y > 0.0);
                assert_close(site.normal.norm(), 1.0, 1e-12);
            }
        }
        let site = bone.surface_site(0.5, 0.6).unwrap();
        let arm = site.point - bone.centroid(0.5).unwrap();
        if kind != BoneKind::Femur {
            assert_close(arm.z.atan2(arm.x), 0.6, 1e-9);
        }
    }
}

#[test]
fn sets_lie_where_their_names_say() {
    let bone = male(BoneKind::Tibia);
    let mesh = bone.build().unwrap().mesh;
    let positions = |set: &str| mesh.node_set(set).unwrap().iter().map(|&node| mesh.nodes()[node]).collect::<Vec<_>>();
    assert!(positions("proximal").iter().all(|x| x.y == 0.0));
    assert!(positions("distal").iter().all(|x| (x.y + bone.length).abs() < 1e-12));
    assert!(positions("midshaft").iter().all(|x| (x.y + 0.5 * bone.length).abs() < 1e-12));
    assert_eq!(positions("midshaft").len(), 24);
    let tuberosity = positions("tuberosity");
    assert!(tuberosity.len() >= 10 && tuberosity.iter().all(|x| x.x > 0.02));
    let soleal = positions("soleal_line");
    assert!(soleal.len() >= 20 && soleal.iter().all(|x| x.x < 0.0105));
    // It descends from lateral to medial.
    let mean = |upper: bool| {
        let half: Vec<f64> = soleal.iter().filter(|x| (x.y > -0.25 * bone.length) == upper).map(|x| x.z).collect();
        half.iter().sum::<f64>() / half.len() as f64
    };
    assert!(mean(true) > mean(false) + 5e-3);
}

/// The first flexible frequencies of a free bone, Hz.
fn frequencies(bone: &Bone, count: usize) -> Vec<f64> {
    let solid = bone.build().unwrap();
    let materials = solid.material_field(&Material::cortical_bone(), &Material::trabecular_bone()).unwrap();
    let system = assemble(&solid.mesh, &materials).unwrap();
    vibration_modes(&solid.mesh, &system, &Constraints::default(), count, &ModeOptions::default())
        .unwrap()
        .frequencies()
}

#[test]
fn first_bending_frequency_of_the_tibia_has_converged() {
    let coarse = Bone { density: Density { around: 12, wall: 1, layers: [3, 5, 6, 3] }, ..male(BoneKind::Tibia) };
    let middle = male(BoneKind::Tibia);
    let finer = Bone { density: Density { around: 18, wall: 1, layers: [9, 15, 16, 7] }, ..middle };
    let [a, b, c] = [coarse, middle, finer].map(|bone| frequencies(&bone, 3));
    assert!((b[0] / c[0] - 1.0).abs() < 0.005, "{} against {} Hz", b[0], c[0]);
    assert!((a[0] - c[0]).abs() > (b[0] - c[0]).abs());
}

/// Mean of the strains along y that the elements around a node give there.
fn axial_strain(mesh: &TetMesh, node: usize, displacement: &[f64]) -> f64 {
    let places = mesh
        .elements()
        .enumerate()
        .filter_map(|(element, nodes)| Some((element, nodes.iter().position(|&n| n == node)?)));
    let strains: Vec<f64> = places
        .map(|(element, local)| strain_at(mesh, element, tet10::NODES[local], displacement).unwrap()[1])
        .collect();
    strains.iter().sum::<f64>() / strains.len() as f64
}

#[test]
fn load_along_the_joint_line_bends_the_shaft_as_a_beam() {
    let bone = male(BoneKind::Tibia);
    let solid = bone.build().unwrap();
    let mesh = &solid.mesh;
    let system =
        assemble(mesh, &solid.material_field(&Material::cortical_bone(), &Material::trabecular_bone()).unwrap())
            .unwrap();
    let ankle = Vector3::new(0.0, -bone.length, 0.0);
    let joints = Constraints::default().clamp(mesh.node_set("proximal").unwrap()).tie(
        "ankle",
        ankle,
        mesh.node_set("distal").unwrap(),
    );
    let mut loads = Loads::none(mesh, 1);
    loads.interface[0][1] = 2000.0;
    let displacement = Statics::new(mesh, &system, &joints).unwrap().solve(&loads).unwrap().displacement;
    // σ = N/A + a x + b z with I (a, b) = N (x_F, z_F): the force passes behind and medial of the centroid.
    let cut = section_properties(mesh, &(0.5 * ankle), [Vector3::x(), Vector3::z()]).unwrap();
    let arm = Vector2::new(-cut.centroid.x, -cut.centroid.z);
    let bending = cut.second_moments.try_inverse().unwrap() * arm * -2000.0;
    let beam = |x: &Vector3<f64>| {
        (-2000.0 / cut.area + bending.x * (x.x - cut.centroid.x) + bending.y * (x.z - cut.centroid.z)) / 17e9
    };
    let ring = mesh.node_set("midshaft").unwrap();
    let expected: Vec<f64> = ring.iter().map(|&node| beam(&mesh.nodes()[node])).collect();
    let largest = expected.iter().fold(0.0f64, |a, e| a.max(e.abs()));
    // The shaft tapers and curves: beam theory itself errs by a few per cent.
    for (&node, expected) in ring.iter().zip(expected) {
        assert_close(axial_strain(mesh, node, &displacement), expected, 0.03 * largest);
    }
}

#[test]
fn tube_vibrates_as_the_tube_along_z() {
    let bone = frequencies(&male(BoneKind::SHANK_TUBE), 1)[0];
    let mesh = wolff_fem::generate::tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, 18, 26]).unwrap();
    let system = assemble(&mesh, &MaterialField::uniform(&mesh, &Material::cortical_bone()).unwrap()).unwrap();
    let same = vibration_modes(&mesh, &system, &Constraints::default(), 1, &ModeOptions::default()).unwrap();
    // Other diagonals, the same solid.
    assert_relative(&[bone], &[same.frequencies()[0]], 1e-3);
}

#[test]
fn impossible_bones_are_refused() {
    let tibia = male(BoneKind::Tibia);
    let bad = [
        Bone { length: f64::NAN, ..tibia },
        Bone { length: 40.2, ..tibia },
        Bone { breadth: f64::NAN, ..tibia },
        Bone { density: Density { around: 8, ..tibia.density }, ..tibia },
        Bone { density: Density { layers: [6, 0, 11, 5], ..tibia.density }, ..tibia },
        male(BoneKind::Tube { inner: 0.04, outer: 0.03 }),
        male(BoneKind::Tube { inner: 0.01, outer: f64::NAN }),
    ];
    for bone in bad {
        assert!(matches!(bone.build(), Err(FemError::Mesh(_))), "{bone:?}");
        assert!(bone.surface_site(0.5, 0.0).is_err());
    }
    assert!(tibia.section(1.01).is_err() && tibia.section(f64::NAN).is_err());
    assert!(tibia.surface_site(0.5, f64::INFINITY).is_err());
    assert!(male(BoneKind::Femur).landmark(Landmark::AnteriorCrest, 0.5).is_err());
    assert!("shin".parse::<Landmark>().is_err());
    assert_eq!("anteromedial".parse::<Landmark>().unwrap(), Landmark::Anteromedial);
}
