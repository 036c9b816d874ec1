//! The tests of the crate, one module per source file.

mod mesh;
mod recovery;
mod reduction;
mod solver;
mod system;

use nalgebra::{DMatrix, Vector3};
use wolff_fem::assembly::{Assembled, assemble};
use wolff_fem::dofs::Constraints;
use wolff_fem::generate::{bar, tube};
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::{ElementKind, TetMesh};

/// The isotropic bone of the independent reference solutions: 17 GPa, 0.3.
fn isotropic(density: f64) -> Material {
    Material { elasticity: Elasticity::Isotropic { young: 17e9, poisson: 0.3 }, density }
}

/// `K` and `M` of a mesh of one material.
fn assembled(mesh: &TetMesh, material: &Material) -> Assembled {
    assemble(mesh, &MaterialField::uniform(mesh, material).unwrap()).unwrap()
}

/// The explicit bars of the independent reference solution for reduction: 20 by 20 by 120 mm, 2000 kg/m³.
fn reference_bar(kind: ElementKind) -> (TetMesh, Assembled) {
    let (across, along) = if kind == ElementKind::Tet4 { (2, 8) } else { (1, 5) };
    let mesh = bar(kind, 0.02, 0.12, across, along).unwrap();
    let system = assembled(&mesh, &isotropic(2000.0));
    (mesh, system)
}

/// Length, inner and outer radius of the shank, m.
const SHANK: [f64; 3] = [0.421, 0.027, 0.037];

/// A shank-sized tube along z of isotropic bone, 1900 kg/m³, with rigid ends `knee` (z = 0) and `ankle`.
fn shank(cells: [usize; 3]) -> (TetMesh, MaterialField, Constraints) {
    let [length, inner, outer] = SHANK;
    let mesh = tube(ElementKind::Tet10, length, inner, outer, cells).unwrap();
    let materials = MaterialField::uniform(&mesh, &isotropic(1900.0)).unwrap();
    let ends = Constraints::default().tie("knee", Vector3::zeros(), mesh.node_set("start").unwrap()).tie(
        "ankle",
        Vector3::new(0.0, 0.0, length),
        mesh.node_set("end").unwrap(),
    );
    (mesh, materials, ends)
}

/// A transverse force of 500 N at the ankle, held by force and moment at the knee: in equilibrium.
const TIP_LOAD: [[f64; 6]; 2] = [[-500.0, 0.0, 0.0, 0.0, -500.0 * SHANK[0], 0.0], [500.0, 0.0, 0.0, 0.0, 0.0, 0.0]];

/// Beam theory: `F (L/2) R / (E I)` at mid length on the outer fibre.
const TIP_STRAIN: f64 = 217.220e-6;

/// Mesh displacements of a field.
fn field(mesh: &TetMesh, u: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Vec<f64> {
    mesh.nodes().iter().flat_map(|x| <[f64; 3]>::from(u(x))).collect()
}

/// The four reference corners of a tetrahedron.
fn unit_corners() -> Vec<Vector3<f64>> {
    vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()]
}

/// A square matrix of numbers or fractions, one row per line.
fn parse_matrix(text: &str) -> DMatrix<f64> {
    let number = |word: &str| match word.split_once('/') {
        Some((top, bottom)) => top.parse::<f64>().unwrap() / bottom.parse::<f64>().unwrap(),
        None => word.parse().unwrap(),
    };
    let rows = text.lines().count();
    DMatrix::from_row_iterator(rows, rows, text.split_whitespace().map(number))
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} differs from {expected} by more than {tolerance:e}");
}

fn assert_matrix_close(value: &DMatrix<f64>, expected: &DMatrix<f64>, relative: f64) {
    let error = (value - expected).amax() / expected.amax();
    assert!(error <= relative, "relative difference {error:e} exceeds {relative:e}");
}

/// A smooth distortion of space without reflection, for meshes a few units large.
fn distort(x: &Vector3<f64>) -> Vector3<f64> {
    let (s, t) = ((1.3 * x.y + 0.4).sin(), (0.9 * x.x - 0.7 * x.z).cos());
    x + 0.12 * Vector3::new(s, t, 0.5 * s * t)
}

fn assert_relative(values: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        let error = (value / expected - 1.0).abs();
        assert!(error <= relative, "{value} differs from {expected} by {error:e}, more than {relative:e}");
    }
}
