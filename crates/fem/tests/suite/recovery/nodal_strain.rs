use faer::Mat;
use nalgebra::{DMatrix, Rotation3, Vector3, Vector6};
use wolff_fem::recovery::{Recovery, StrainOperator};
use wolff_fem::strain::rotated;

use crate::{distort, field, shank};

const GRADIENT: [[f64; 3]; 3] = [[1e-3, 2e-4, -3e-4], [5e-4, -2e-3, 7e-4], [-1e-4, 4e-4, 3e-3]];

fn linear(x: &Vector3<f64>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| 0.1 + (0..3).map(|j| GRADIENT[i][j] * x[j]).sum::<f64>())
}

fn linear_strain() -> Vector6<f64> {
    let g = GRADIENT;
    Vector6::new(g[0][0], g[1][1], g[2][2], g[0][1] + g[1][0], g[1][2] + g[2][1], g[2][0] + g[0][2])
}

/// A linear field has its strain at every node, without jumps, on a distorted curved mesh.
#[test]
fn uniform_strain_is_recovered_exactly() {
    let mesh = shank([1, 8, 4]).0.mapped(distort).unwrap();
    let recovery = Recovery::new(&mesh);
    let u = field(&mesh, linear);
    let twice = Mat::from_fn(u.len(), 2, |i, j| u[i] * (1 + j) as f64);
    let nodes: Vec<usize> = (0..mesh.nodes().len()).step_by(7).collect();
    let nodal = recovery.nodal(&nodes, twice.as_ref()).unwrap();
    for (row, &node) in nodes.iter().enumerate() {
        let strain = nodal.strain.view((6 * row, 1), (6, 1)).into_owned();
        assert!((&strain - linear_strain() * 2.0).amax() < 1e-12);
        assert!(nodal.jump[(row, 0)] < 1e-12);
        assert!((recovery.operator(node).unwrap().apply(&u) - linear_strain()).amax() < 1e-12);
    }
    let inside = StrainOperator::in_element(&mesh, 3, [0.2, 0.3, 0.1]).unwrap();
    assert!((inside.apply(&u) - linear_strain()).amax() < 1e-12);
    let axes = Rotation3::from_euler_angles(0.2, 0.5, -1.0);
    let turned = inside.rotated(axes.matrix()).apply(&u);
    assert!((turned - rotated(&linear_strain(), axes.matrix())).amax() < 1e-15 * 10.0);
}

/// The operator of a node and the recovery of all nodes are two ways to the same numbers.
#[test]
fn operator_and_recovery_agree() {
    let mesh = shank([1, 8, 4]).0;
    let recovery = Recovery::new(&mesh);
    let shapes = Mat::from_fn(3 * mesh.nodes().len(), 3, |i, j| (0.7 * i as f64 + 1.3 * j as f64).sin());
    let nodal = recovery.nodal(&[5, 100], shapes.as_ref()).unwrap();
    for (row, node) in [5, 100].into_iter().enumerate() {
        let strain: DMatrix<f64> = recovery.operator(node).unwrap().apply_all(shapes.as_ref());
        assert!((nodal.strain.rows(6 * row, 6) - &strain).amax() < 1e-12 * strain.amax());
    }
    assert!(nodal.jump[(1, 0)] > 1e-3 * nodal.strain.amax());
}

/// The jump is an estimate of the error: both fall with the size of the elements, at least quadratically.
#[test]
fn jump_falls_with_the_error() {
    let measured = [8, 16].map(|along| {
        let mesh = shank([1, 16, along]).0;
        let recovery = Recovery::new(&mesh);
        let u = field(&mesh, |x| Vector3::new(0.0, 0.0, (9.0 * x.z).sin()));
        let shapes = Mat::from_fn(u.len(), 1, |i, _| u[i]);
        let nodes: Vec<usize> = (0..mesh.nodes().len()).collect();
        let nodal = recovery.nodal(&nodes, shapes.as_ref()).unwrap();
        let exact = |node: usize| 9.0 * (9.0 * mesh.nodes()[node].z).cos();
        let error = nodes.iter().map(|&node| (nodal.strain[(6 * node + 2, 0)] - exact(node)).powi(2)).sum::<f64>();
        (nodal.jump.norm() / (nodes.len() as f64).sqrt(), (error / nodes.len() as f64).sqrt())
    });
    let [(coarse_jump, coarse_error), (fine_jump, fine_error)] = measured;
    // Strains of quadratic elements: second order at nodes.
    assert!(fine_error < coarse_error / 3.5 && fine_jump < coarse_jump / 3.5, "{measured:?}");
}

#[test]
fn what_does_not_exist_is_refused() {
    let mesh = shank([1, 8, 4]).0;
    let recovery = Recovery::new(&mesh);
    let none = Mat::<f64>::zeros(3 * mesh.nodes().len(), 0);
    assert!(recovery.operator(mesh.nodes().len()).is_err());
    assert!(recovery.nodal(&[mesh.nodes().len()], none.as_ref()).is_err());
    assert!(recovery.nodal(&[0], Mat::<f64>::zeros(3, 1).as_ref()).is_err());
    assert_eq!(recovery.nodal(&[0, 1], none.as_ref()).unwrap().strain.shape(), (12, 0));
    assert_eq!(recovery.nodal(&[], none.as_ref()).unwrap().strain.shape(), (0, 0));
    assert!(StrainOperator::in_element(&mesh, mesh.element_count(), [0.25; 3]).is_err());
    let around = recovery.neighbours(0);
    assert!(around.contains(&0) && around.len() >= 10 && around.is_sorted());
    assert!(recovery.neighbours(mesh.nodes().len()).is_empty());
}
