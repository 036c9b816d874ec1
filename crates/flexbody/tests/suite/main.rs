//! Tests of the reduced flexible body, a file for each source file.

#![allow(non_snake_case)]

mod beam;
mod file;
mod gauge;
mod inertia;
mod measures;
mod select;
mod solid;
mod timoshenko;

use nalgebra::{DMatrix, Matrix6};
use wolff_flexbody::{FlexBody, Gauge, InertiaIntegrals, Node, SolidMesh, Surface};
use wolff_spatial::Vec3;

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} differs from {expected} by more than {tolerance:e}");
}

/// Numbers without pattern, the same every time.
fn number(k: usize) -> f64 {
    (0.37 * (k * k) as f64 + k as f64).sin()
}

fn matrix(rows: usize, columns: usize, seed: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |i, j| number(seed + 7 * i + 13 * j))
}

/// A body of point masses with `modes` modes, two nodes, two gauges and second-order displacements.
fn sample_body(modes: usize) -> FlexBody {
    let points = 4 + modes;
    let masses: Vec<f64> = (0..points).map(|k| 1.5 + number(k)).collect();
    let at: Vec<Vec3> = (0..points).map(|k| Vec3::new(number(k), number(k + 50), number(k + 90))).collect();
    let shapes: Vec<_> = (0..points).map(|k| matrix(3, modes, 100 * k)).collect();
    let mut inertia = InertiaIntegrals::lumped(&masses, &at, &shapes).unwrap();
    inertia.S2 = (0..modes * modes).map(|k| Vec3::new(number(k), number(k + 1), number(k + 2)) * 1e-3).collect();
    inertia.B2 = (0..modes * modes).map(|k| Vec3::new(number(k), 1.0, 2.0) * Vec3::z().transpose() * 1e-3).collect();
    let half = matrix(modes, modes, 3);
    let stiffness = &half * half.transpose();
    let node = |k: usize| {
        let mut node = Node::new(&format!("node{k}"), at[k], matrix(3, modes, 5 + k), matrix(3, modes, 6 + k));
        node.second = (0..modes * modes).map(|i| Vec3::new(number(i + k), 0.5, number(i))).collect();
        node.second_rotation = (0..modes * modes).map(|i| Vec3::new(number(i), number(i + k), 0.7)).collect();
        node
    };
    let gauge = |k: usize| Gauge {
        name: format!("gauge{k}"),
        position: at[k],
        axes: [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        strain: matrix(6, modes, 11 + k),
        elasticity: Matrix6::identity() * 1e10,
    };
    let body = FlexBody::new("sample", inertia, stiffness, vec![node(1), node(2)], vec![gauge(0), gauge(3)]).unwrap();
    body.with_damping_ratios(&vec![0.02; modes]).unwrap()
}

/// A surface of `m` nodes for `modes` modes.
/// A tetrahedron of one material.
fn sample_solid() -> SolidMesh {
    SolidMesh {
        bone: "tibia".into(),
        side: "left".into(),
        joints: [Vec3::zeros(), -Vec3::y()],
        nodes: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        nodes_per_element: 4,
        elements: vec![0, 1, 2, 3],
        node_sets: vec![("proximal".into(), vec![0, 2])],
        stiffness: vec![std::array::from_fn(number)],
        density: vec![1900.0],
        element_material: vec![0],
    }
}

fn sample_surface(m: usize, modes: usize) -> Surface {
    Surface {
        positions: (0..m).map(|k| Vec3::new(number(k), number(k + 50), number(k + 90))).collect(),
        triangles: (0..m as u32).map(|k| [k, (k + 1) % m as u32, (k + 2) % m as u32]).collect(),
        displacement: matrix(3 * m, modes, 1),
        strain: matrix(6 * m, modes, 2),
    }
}
