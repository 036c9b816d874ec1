use faer::Mat;
use nalgebra::Vector3;
use wolff_fem::average::{AverageInterface, MeanMotion};
use wolff_fem::craig_bampton::craig_bampton;
use wolff_fem::dofs::{Constraints, DofMap};
use wolff_fem::modes::{ModeOptions, modes_below, vibration_modes};
use wolff_fem::solve::{Loads, Statics};
use wolff_fem::{ElementKind, TetMesh};

use crate::{assert_close, assert_relative, reference_bar};

/// A static answer through another path through the same factor: condition number times rounding.
const EXACT: f64 = 1e-9;

fn end(mesh: &TetMesh) -> (Vector3<f64>, Vec<usize>, Vec<f64>) {
    let nodes = mesh.node_set("end").unwrap().to_vec();
    // Uneven weights and a reference point off the face, so that nothing hides behind symmetry.
    let weights = nodes.iter().map(|&node| 1.0 + (node % 5) as f64).collect();
    (Vector3::new(0.003, -0.002, 0.13), nodes, weights)
}

fn averaged_end(mesh: &TetMesh, constraints: Constraints) -> Constraints {
    let (reference, nodes, weights) = end(mesh);
    constraints.average("end", reference, &nodes, &weights)
}

#[test]
fn a_rigid_motion_is_its_own_mean_and_forces_keep_their_resultant() {
    let (mesh, _) = reference_bar(ElementKind::Tet10);
    let (reference, nodes, weights) = end(&mesh);
    let interface = AverageInterface { name: "end".into(), reference, nodes, weights };
    let mean = MeanMotion::new(&mesh, &interface).unwrap();
    let (shift, turn) = (Vector3::new(0.3, -0.2, 0.7), Vector3::new(-0.4, 0.9, 0.1));
    let rigid = |x: &Vector3<f64>| shift + turn.cross(&(x - reference));
    let u: Vec<f64> = mesh.nodes().iter().flat_map(|x| rigid(x).iter().copied().collect::<Vec<_>>()).collect();
    let motion = mean.motion(&u);
    for i in 0..3 {
        assert_close(motion[i], shift[i], 1e-13);
        assert_close(motion[3 + i], turn[i], 1e-12);
    }
    let load = [10.0, -3.0, 5.0, 0.2, -0.7, 0.4];
    let mut forces = vec![0.0; u.len()];
    mean.add_forces(&load, &mut forces);
    let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
    for (x, f) in mesh.nodes().iter().zip(forces.chunks_exact(3)) {
        let f = Vector3::from_column_slice(f);
        (force, moment) = (force + f, moment + (x - reference).cross(&f));
    }
    for i in 0..3 {
        assert_close(force[i], load[i], 1e-12);
        assert_close(moment[i], load[3 + i], 1e-12);
    }
}

/// A bar in tension contracts by ν σ/E. A rigid end forbids it; an averaging one does not.
#[test]
fn averaging_leaves_the_end_free_to_contract() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let (nodes, pull) = (mesh.node_set("end").unwrap(), [0.0, 0.0, 1000.0, 0.0, 0.0, 0.0]);
    let top = Vector3::new(0.0, 0.0, 0.12);
    let width = |constraints: Constraints| {
        let constraints = constraints.clamp(mesh.node_set("start").unwrap());
        let mut loads = Loads::none(&mesh, 1);
        loads.interface[0] = pull;
        let solution = Statics::new(&mesh, &system, &constraints).unwrap().solve(&loads).unwrap();
        let side = |sign: f64| {
            let on_side = |&&node: &&usize| mesh.nodes()[node].x * sign > 0.0099;
            let side: Vec<f64> = nodes.iter().filter(on_side).map(|&node| solution.displacement[3 * node]).collect();
            side.iter().sum::<f64>() / side.len() as f64
        };
        side(1.0) - side(-1.0)
    };
    let free: f64 = -0.3 * 1000.0 / (0.02 * 0.02) / 17e9 * 0.02;
    assert!(width(Constraints::default().tie("end", top, nodes)).abs() < 1e-9 * free.abs());
    // Weights are each node's share of a uniform pull, so that the end is in uniform tension, far from the clamp.
    let on_end = |&n: &usize| mesh.nodes()[n].z > 0.12 - 1e-9;
    let faces: Vec<_> = mesh.boundary().unwrap().into_iter().filter(|f| f.nodes.iter().all(on_end)).collect();
    let mut uniform = Loads::none(&mesh, 0);
    uniform.add_traction(&mesh, &faces, &Vector3::z());
    let weights: Vec<f64> = nodes.iter().map(|&node| uniform.nodal[3 * node + 2].max(0.0)).collect();
    assert_close(width(Constraints::default().average("end", top, nodes, &weights)), free, 0.01 * free.abs());
}

#[test]
fn reduced_static_response_equals_the_full_model() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let bottom = mesh.node_set("start").unwrap();
    let reduced = averaged_end(&mesh, Constraints::default().tie("start", Vector3::zeros(), bottom));
    let reduced = craig_bampton(&mesh, &system, &reduced, 3, &ModeOptions::default()).unwrap();
    let full = Statics::new(&mesh, &system, &averaged_end(&mesh, Constraints::default().clamp(bottom))).unwrap();
    for load in [[10.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 3.0, -100.0, 0.2, 0.0, 0.1]] {
        let mut loads = Loads::none(&mesh, 1);
        loads.interface[0] = load;
        let expected = full.solve(&loads).unwrap();
        let mut forces = vec![0.0; reduced.stiffness.nrows()];
        forces[reduced.interface(1)].copy_from_slice(&load);
        let q = reduced.static_response(&forces, reduced.interface(0)).unwrap();
        let u = &reduced.basis * Mat::from_fn(q.len(), 1, |i, _| q[i]);
        let size = expected.displacement.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        for (dof, expected) in expected.displacement.iter().enumerate() {
            assert_close(u[(dof, 0)], *expected, EXACT * size);
        }
        let motion = &q[reduced.interface(1)];
        for (value, expected) in motion.iter().zip(expected.interface[0]) {
            let scale = expected.abs().max(size);
            assert_close(*value, expected, EXACT * scale);
        }
    }
}

/// With no rigid interface at all, the interior stiffness is singular and only the averages hold it.
#[test]
fn a_body_held_by_averages_alone_has_six_rigid_motions_and_converging_frequencies() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let free = vibration_modes(&mesh, &system, &Constraints::default(), 4, &ModeOptions::default()).unwrap();
    let start = mesh.node_set("start").unwrap();
    let constraints = Constraints::default().average("start", Vector3::zeros(), start, &vec![1.0; start.len()]);
    let constraints = averaged_end(&mesh, constraints);
    let options = ModeOptions { verify: true, ..ModeOptions::default() };
    let frequencies = |fixed: usize| {
        let modes = craig_bampton(&mesh, &system, &constraints, fixed, &options).unwrap().orthonormalise().unwrap();
        assert_eq!(modes.interface_shapes.nrows(), 12);
        assert!(modes.removed.iter().all(|lambda| lambda.abs() < 1e-8 * modes.eigenvalues[0]), "{:?}", modes.removed);
        modes.frequencies()
    };
    // With all modes that the twelve means leave, nothing is lost and nothing stiffens the ends.
    let (few, many) = (frequencies(4), frequencies(3 * mesh.nodes().len() - 12));
    for mode in 0..4 {
        let exact = free.frequencies()[mode];
        assert!(many[mode] >= exact * (1.0 - 1e-10) && many[mode] <= few[mode] * (1.0 + 1e-10));
    }
    assert_relative(&many[..4], &free.frequencies(), 1e-8);
    assert_eq!(modes_below(&mesh, &system, &constraints, 0.5 * free.frequencies()[0]).unwrap(), 6);
}

#[test]
fn unfit_averages_are_refused() {
    let (mesh, _) = reference_bar(ElementKind::Tet4);
    let nodes = mesh.node_set("end").unwrap();
    let refuse = |constraints: Constraints, word: &str| {
        let message = DofMap::new(&mesh, &constraints).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let average =
        |nodes: &[usize], weights: &[f64]| Constraints::default().average("end", Vector3::zeros(), nodes, weights);
    let ones = vec![1.0; nodes.len()];
    refuse(average(nodes, &ones[1..]), "weights for");
    refuse(average(&nodes[..2], &ones[..2]), "rotation undetermined");
    refuse(average(&[nodes[0], nodes[0], nodes[1]], &ones[..3]), "comes twice");
    refuse(average(&[nodes[0], nodes[1], 9999], &ones[..3]), "no node 9999");
    refuse(average(&nodes[..3], &[1.0, -1.0, 1.0]), "not negative");
    refuse(average(&nodes[..3], &[0.0; 3]), "no node has a weight");
    refuse(average(nodes, &ones).tie("rigid", Vector3::zeros(), nodes), "also belongs");
}
