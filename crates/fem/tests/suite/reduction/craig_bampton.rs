use faer::Mat;
use nalgebra::Vector3;
use wolff_fem::craig_bampton::{CraigBampton, craig_bampton};
use wolff_fem::dofs::Constraints;
use wolff_fem::generate::tube;
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::solve::{Loads, Statics, strain_at};
use wolff_fem::{ElementKind, TetMesh};

use crate::{assembled, assert_close, assert_relative, isotropic, reference_bar};

/// Independent reference: dense matrices of the same meshes, frequencies and static response good to 1e-8.
const REFERENCE: f64 = 1e-8;

fn rigid_faces(mesh: &TetMesh) -> Constraints {
    Constraints::default().tie("start", Vector3::zeros(), mesh.node_set("start").unwrap()).tie(
        "end",
        Vector3::new(0.0, 0.0, 0.12),
        mesh.node_set("end").unwrap(),
    )
}

fn reduce(kind: ElementKind, fixed_modes: usize) -> (TetMesh, CraigBampton) {
    let (mesh, system) = reference_bar(kind);
    let reduced = craig_bampton(&mesh, &system, &rigid_faces(&mesh), fixed_modes, &ModeOptions::default()).unwrap();
    (mesh, reduced)
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn frequencies_of_the_bars_equal_reference() {
    for line in include_str!("../../data/craig_bampton.txt").lines().skip(1) {
        let parts: Vec<&str> = line.split('|').collect();
        let case: Vec<&str> = parts[0].split_whitespace().collect();
        let kind = if case[0] == "tet4" { ElementKind::Tet4 } else { ElementKind::Tet10 };
        let (mesh, system) = reference_bar(kind);
        let interfaces = match case[1] {
            "rigid" => rigid_faces(&mesh),
            _ => ["start", "end"].iter().fold(Constraints::default(), |c, set| c.retain(mesh.node_set(set).unwrap())),
        };
        let modes: usize = case[2].parse().unwrap();
        let reduced = craig_bampton(&mesh, &system, &interfaces, modes, &ModeOptions::default()).unwrap();
        let fixed: Vec<f64> =
            reduced.fixed_interface.iter().map(|lambda| lambda.sqrt() / std::f64::consts::TAU).collect();
        assert_relative(&fixed, &numbers(parts[1]), REFERENCE);
        let flexible = reduced.orthonormalise().unwrap();
        let expected = numbers(parts[2]);
        assert_relative(&flexible.frequencies()[..expected.len()], &expected, REFERENCE);
    }
}

#[test]
fn static_response_to_interface_loads_is_exact_without_fixed_modes() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let (mesh, reduced) = reduce(kind, 0);
        let (_, system) = reference_bar(kind);
        let supported = Constraints::default().clamp(mesh.node_set("start").unwrap()).tie(
            "end",
            Vector3::new(0.0, 0.0, 0.12),
            mesh.node_set("end").unwrap(),
        );
        let statics = Statics::new(&mesh, &system, &supported).unwrap();
        for load in [[10.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 3.0, -100.0, 0.2, 0.0, 0.1]] {
            let mut loads = Loads::none(&mesh, 1);
            loads.interface[0] = load;
            let full = statics.solve(&loads).unwrap();
            let mut forces = vec![0.0; 12];
            forces[reduced.interface(1)].copy_from_slice(&load);
            let q = reduced.static_response(&forces, reduced.interface(0)).unwrap();
            let u = &reduced.basis * Mat::from_fn(12, 1, |i, _| q[i]);
            let size = full.displacement.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for dof in 0..u.nrows() {
                assert_close(u[(dof, 0)], full.displacement[dof], REFERENCE * size);
            }
        }
    }
}

#[test]
fn compression_of_the_linear_bar_equals_reference() {
    let (mesh, reduced) = reduce(ElementKind::Tet4, 4);
    let mut forces = vec![0.0; 16];
    forces[reduced.interface(1).start + 2] = -100.0;
    let q = reduced.static_response(&forces, reduced.interface(0)).unwrap();
    let tip = &q[reduced.interface(1)];
    for (value, expected) in
        tip[..3].iter().zip([-2.0654122256270197e-07, -2.065412225626669e-07, -1.7066547032765925e-06])
    {
        assert_close(*value, expected, REFERENCE * 1.7e-6);
    }
    let u = &reduced.basis * Mat::from_fn(16, 1, |i, _| q[i]);
    let strain = strain_at(&mesh, 96, [0.25; 3], u.col_as_slice(0)).unwrap();
    let expected = [
        4.413406601708603e-06,
        4.412902565631379e-06,
        -1.4717142618010305e-05,
        1.8354340232190017e-09,
        5.997775641755892e-10,
        -5.852713470672608e-09,
    ];
    for (value, expected) in strain.iter().zip(expected) {
        assert_close(*value, expected, REFERENCE * 1.5e-5);
    }
}

#[test]
fn orthonormal_modes_have_unit_mass_and_no_rigid_part() {
    let (mesh, reduced) = reduce(ElementKind::Tet10, 8);
    let (_, system) = reference_bar(ElementKind::Tet10);
    let modes = reduced.orthonormalise().unwrap();
    assert_eq!(modes.eigenvalues.len(), 14);
    assert!(modes.removed.iter().all(|lambda| lambda.abs() < 1e-9 * modes.eigenvalues[0]), "{:?}", modes.removed);
    let momentum = system.mass.mul(modes.shapes.as_ref());
    let mass = modes.shapes.transpose() * &momentum;
    for i in 0..14 {
        for j in 0..14 {
            assert_close(mass[(i, j)], f64::from(u8::from(i == j)), 1e-9);
        }
        // No linear or angular momentum: Σ M φ = 0, Σ x × M φ = 0.
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (node, x) in mesh.nodes().iter().enumerate() {
            let p = Vector3::new(momentum[(3 * node, i)], momentum[(3 * node + 1, i)], momentum[(3 * node + 2, i)]);
            (linear, angular) = (linear + p, angular + x.cross(&p));
        }
        // Against the momentum of a rigid mode of unit modal mass, √m and √J: 0.3 and 0.02.
        assert!(linear.norm() < 1e-8 * 0.3 && angular.norm() < 1e-8 * 0.02, "{i}: {linear:?} {angular:?}");
    }
    // The interface rows are the motion of the face: its centre of area moves like its nodes.
    let end = mesh.node_set("end").unwrap();
    let mean = end.iter().map(|&node| modes.shapes[(3 * node, 0)]).sum::<f64>() / end.len() as f64;
    assert_close(modes.interface_shapes[(6, 0)], mean, 1e-10 * modes.shapes.norm_max());
}

#[test]
fn frequencies_fall_towards_the_full_model_as_modes_are_added() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let full = vibration_modes(&mesh, &system, &rigid_faces(&mesh), 6, &ModeOptions::default()).unwrap().frequencies();
    let mut last = vec![f64::INFINITY; 6];
    for fixed in [0, 4, 8, 16, 64, 243] {
        let frequencies = reduce(ElementKind::Tet10, fixed).1.orthonormalise().unwrap().frequencies();
        for mode in 0..6 {
            assert!(frequencies[mode] <= last[mode] * (1.0 + 1e-10), "{fixed} modes raise mode {mode}");
            assert!(frequencies[mode] >= full[mode] * (1.0 - 1e-10), "{fixed} modes undercut mode {mode}");
        }
        last = frequencies;
    }
    // With all 243 interior modes nothing is lost.
    assert_relative(&last[..6], &full, REFERENCE);
}

#[test]
fn what_cannot_be_reduced_is_refused() {
    let (mesh, system) = reference_bar(ElementKind::Tet4);
    let refuse = |interfaces: Constraints, word: &str| {
        let error = craig_bampton(&mesh, &system, &interfaces, 2, &ModeOptions::default());
        let message = error.map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refuse(Constraints::default(), "needs an interface");
    refuse(rigid_faces(&mesh).clamp(&[40]), "free");
    let one = Constraints::default().tie("start", Vector3::zeros(), mesh.node_set("start").unwrap());
    let rigid_only = craig_bampton(&mesh, &system, &one, 0, &ModeOptions::default()).unwrap();
    assert!(rigid_only.orthonormalise().unwrap_err().to_string().contains("6 rigid motions among 6"));
    let flexible = craig_bampton(&mesh, &system, &one, 3, &ModeOptions::default()).unwrap();
    assert_eq!(flexible.orthonormalise().unwrap().eigenvalues.len(), 3);
}

/// Sums are made in the order of the tree, whoever makes them; rigid and averaging ends take different roots.
#[test]
fn the_same_bytes_come_out_whatever_the_number_of_threads() {
    let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, 12, 20]).unwrap();
    let material = isotropic(2000.0);
    let (start, end) = (mesh.node_set("start").unwrap(), mesh.node_set("end").unwrap());
    let top = Vector3::new(0.0, 0.0, 0.421);
    let tied = Constraints::default().tie("start", Vector3::zeros(), start);
    for joints in [tied.clone().tie("end", top, end), tied.average("end", top, end, &vec![1.0; end.len()])] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let system = assembled(&mesh, &material);
                craig_bampton(&mesh, &system, &joints, 6, &ModeOptions::default()).unwrap()
            })
        };
        let (one, three) = (run(1), run(3));
        assert_eq!(one.basis, three.basis);
        assert_eq!(one.stiffness, three.stiffness);
        assert_eq!(one.mass, three.mass);
    }
}
