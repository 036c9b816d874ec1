use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};
use wolff_fem::element::quadrature::{WeightedPoint, degree_1, degree_5};
use wolff_fem::element::{add_mass, add_stiffness, tet10};
use wolff_fem::material::Elasticity;
use wolff_fem::{ElementKind, TetMesh};

use crate::{assert_close, assert_matrix_close, distort, parse_matrix, unit_corners};

/// Exact rationals against quadrature in double precision.
const EXACT: f64 = 1e-12;

fn stiffness(kind: ElementKind, x: &[Vector3<f64>], d: &Matrix6<f64>) -> DMatrix<f64> {
    let mut blocks = [Matrix3::zeros(); 55];
    assert!(add_stiffness(kind, x, d, &mut blocks));
    DMatrix::from_fn(3 * x.len(), 3 * x.len(), |i, j| {
        let (a, b) = (i / 3, j / 3);
        if a >= b { blocks[a * (a + 1) / 2 + b][(i % 3, j % 3)] } else { blocks[b * (b + 1) / 2 + a][(j % 3, i % 3)] }
    })
}

fn mass(kind: ElementKind, x: &[Vector3<f64>], density: f64) -> DMatrix<f64> {
    let mut lower = [0.0; 55];
    add_mass(kind, x, density, &mut lower);
    DMatrix::from_fn(x.len(), x.len(), |i, j| {
        let (a, b) = (i.max(j), i.min(j));
        lower[a * (a + 1) / 2 + b]
    })
}

fn with_middles(corners: Vec<Vector3<f64>>) -> Vec<Vector3<f64>> {
    let middles = tet10::EDGES.map(|(a, b)| 0.5 * (corners[a] + corners[b]));
    corners.into_iter().chain(middles).collect()
}

/// `∫ x^i y^j z^k` over the reference element is `i! j! k! / (i + j + k + 3)!`.
#[test]
fn quadrature_is_exact_to_its_degree_and_no_further() {
    let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
    let worst = |rule: &[WeightedPoint], degree: i32| {
        let mut worst = 0.0f64;
        for i in 0..=degree {
            for j in 0..=degree - i {
                let k = degree - i - j;
                let exact = factorial(i) * factorial(j) * factorial(k) / factorial(degree + 3);
                let sum: f64 = rule.iter().map(|(p, w)| w * p[0].powi(i) * p[1].powi(j) * p[2].powi(k)).sum();
                worst = worst.max((sum - exact).abs() / exact);
            }
        }
        worst
    };
    for (rule, degree) in [(degree_1(), 1), (degree_5(), 5)] {
        for exact in 0..=degree {
            assert!(worst(&rule, exact) < 1e-13, "{} points, degree {exact}", rule.len());
        }
        assert!(worst(&rule, degree + 1) > 1e-6);
    }
}

#[test]
fn unit_elements_equal_exact_rationals() {
    let d = Elasticity::Isotropic { young: 1.0, poisson: 0.25 }.stiffness().unwrap();
    let k4 = stiffness(ElementKind::Tet4, &unit_corners(), &d);
    assert_matrix_close(&k4, &parse_matrix(include_str!("../../data/tet4_unit_stiffness.txt")), EXACT);
    let m4 = mass(ElementKind::Tet4, &unit_corners(), 1.0);
    let expected = DMatrix::from_fn(4, 4, |i, j| if i == j { 1.0 / 60.0 } else { 1.0 / 120.0 });
    assert_matrix_close(&m4, &expected, EXACT);

    let x = with_middles(unit_corners());
    let k10 = stiffness(ElementKind::Tet10, &x, &d);
    assert_matrix_close(&k10, &parse_matrix(include_str!("../../data/tet10_unit_stiffness.txt")), EXACT);
    assert_close(k10.trace(), 46.0 / 5.0, EXACT);
    let m10 = mass(ElementKind::Tet10, &x, 1.0);
    assert_matrix_close(&m10, &parse_matrix(include_str!("../../data/tet10_unit_mass.txt")), EXACT);
}

#[test]
fn general_transversely_isotropic_element_equals_reference() {
    let elasticity = Elasticity::TransverselyIsotropic {
        young_axial: 17.0,
        young_transverse: 10.0,
        shear_axial: 5.0,
        poisson_axial: 0.3,
        poisson_transverse: 3.0 / 7.0,
    };
    let x = [[0.1, -0.2, 0.3], [1.2, 0.1, 0.0], [0.4, 1.0, 0.1], [0.3, 0.2, 1.4]].map(Vector3::from);
    let k = stiffness(ElementKind::Tet4, &x, &elasticity.stiffness().unwrap());
    assert_matrix_close(&k, &parse_matrix(include_str!("../../data/tet4_general_stiffness.txt")), EXACT);
    assert_close(k.trace(), 24.926203225687214, 24.9 * EXACT);
    assert_close(mass(ElementKind::Tet4, &x, 2.0)[(0, 0)], 0.04883333333333333, EXACT);
}

#[test]
fn rigid_motion_of_a_curved_element_costs_no_energy_and_has_its_mass() {
    let x: Vec<_> = with_middles(unit_corners()).iter().map(distort).collect();
    let d = Elasticity::Isotropic { young: 1.0, poisson: 0.25 }.stiffness().unwrap();
    let k = stiffness(ElementKind::Tet10, &x, &d);
    let spin = Vector3::new(0.3, -0.2, 0.5);
    let rigid: Vec<f64> =
        x.iter().flat_map(|x| (Vector3::new(1.0, 2.0, -1.0) + spin.cross(x)).as_slice().to_vec()).collect();
    let force = &k * nalgebra::DVector::from_vec(rigid);
    assert!(force.amax() < 1e-14 * k.amax() * 10.0, "{:e}", force.amax());
    let mesh = TetMesh::new(ElementKind::Tet10, x.clone(), (0..10).collect()).unwrap();
    assert_close(mass(ElementKind::Tet10, &x, 2.0).sum(), 2.0 * mesh.volume(), 1e-14);
}

#[test]
fn strain_of_a_quadratic_field_is_exact_in_a_straight_element() {
    let corners: Vec<_> =
        [[0.1, -0.2, 0.3], [1.2, 0.1, 0.0], [0.4, 1.0, 0.1], [0.3, 0.2, 1.4]].map(Vector3::from).into();
    let x = with_middles(corners);
    let u: Vec<_> = x.iter().map(|x| Vector3::new(x.x * x.y, x.z * x.z, x.x * x.z - x.y)).collect();
    let at = [0.2, 0.3, 0.1];
    let point = ElementKind::Tet10.sample(at, 0.0);
    let p: Vector3<f64> = x.iter().zip(point.shape).map(|(x, n)| x * n).sum();
    let strain = point.strain(&x, &u).unwrap();
    let expected = [p.y, 0.0, p.x, p.x, 2.0 * p.z - 1.0, p.z];
    for (value, expected) in strain.iter().zip(expected) {
        assert_close(*value, expected, 1e-13);
    }
}

#[test]
fn folded_element_has_no_stiffness() {
    let mut x = unit_corners();
    x.swap(1, 2);
    assert!(!add_stiffness(ElementKind::Tet4, &x, &Matrix6::identity(), &mut [Matrix3::zeros(); 55]));
}
