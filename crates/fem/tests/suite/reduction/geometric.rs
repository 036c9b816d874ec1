use std::f64::consts::PI;

use faer::Mat;
use nalgebra::{DMatrix, Vector3, Vector6};
use wolff_fem::ElementKind;
use wolff_fem::dofs::Constraints;
use wolff_fem::element::geometric::geometric_stiffness;
use wolff_fem::generate::bar;
use wolff_fem::geometric::modal_geometric_stiffness;
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::solve::{Loads, Statics};

use crate::{assembled, assert_close, distort};

/// The second-order work of a stress in a linear field `u = H x` is `V H : (H σ)`, whatever the element.
#[test]
fn work_of_a_uniform_stress_in_a_linear_field_is_exact() {
    let stress = Vector6::new(3e6, -2e6, 1e6, 4e5, -7e5, 2e5);
    let sigma = nalgebra::Matrix3::new(3e6, 4e5, 2e5, 4e5, -2e6, -7e5, 2e5, -7e5, 1e6);
    let h = nalgebra::Matrix3::new(0.1, 0.4, -0.3, 0.2, -0.5, 0.7, 0.6, 0.15, -0.2);
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let mesh = bar(kind, 1.0, 1.0, 1, 1).unwrap().mapped(distort).unwrap();
        let mut work = 0.0;
        for element in mesh.elements() {
            let x: Vec<Vector3<f64>> = element.iter().map(|&node| mesh.nodes()[node]).collect();
            let mut k = [0.0; 55];
            assert!(geometric_stiffness(kind, &x, &stress, &mut k));
            for a in 0..x.len() {
                for b in 0..=a {
                    let twice = if a == b { 1.0 } else { 2.0 };
                    work += twice * k[a * (a + 1) / 2 + b] * (h * x[a]).dot(&(h * x[b]));
                }
            }
        }
        let exact = mesh.volume() * (h * sigma).component_mul(&h).sum();
        // Curved elements: the rule is exact for ∫ ∇N dV, not for its square.
        let tolerance = if kind == ElementKind::Tet4 { 1e-12 } else { 1e-2 };
        assert_close(work, exact, tolerance * exact.abs());
    }
}

/// Euler's cantilever, `P = π² E I / (4 L²)`, within 1 %: the shear of a column 25 times as long as wide takes 0.1 %.
#[test]
fn slender_column_buckles_at_eulers_load() {
    let (width, length, young) = (0.02, 0.5, 17e9);
    let mesh = bar(ElementKind::Tet10, width, length, 1, 12).unwrap();
    let material = Material { elasticity: Elasticity::Isotropic { young, poisson: 0.0 }, density: 2000.0 };
    let system = assembled(&mesh, &material);
    let clamped = Constraints::default().clamp(mesh.node_set("start").unwrap());
    let on_end = |&n: &usize| mesh.nodes()[n].z > length - 1e-9;
    let end: Vec<_> = mesh.boundary().unwrap().into_iter().filter(|f| f.nodes.iter().all(on_end)).collect();
    let mut loads = Loads::none(&mesh, 0);
    loads.add_traction(&mesh, &end, &Vector3::new(0.0, 0.0, -1.0 / width.powi(2)));
    let push = Statics::new(&mesh, &system, &clamped).unwrap().solve(&loads).unwrap();
    let modes = vibration_modes(&mesh, &system, &clamped, 10, &ModeOptions::default()).unwrap();
    let field = MaterialField::uniform(&mesh, &material).unwrap();
    let geometric = modal_geometric_stiffness(&mesh, &field, &push.displacement, modes.shapes.as_ref()).unwrap();
    // (Ω² + P K_g) y = 0 with the unit push: 1/P is the largest eigenvalue of -Ω⁻¹ K_g Ω⁻¹.
    let omega: Vec<f64> = modes.eigenvalues.iter().map(|lambda| lambda.sqrt()).collect();
    let scaled = DMatrix::from_fn(10, 10, |i, j| -geometric[(i, j)] / omega[i] / omega[j]);
    assert!((&scaled - scaled.transpose()).amax() < 1e-12 * scaled.amax());
    let load = 1.0 / scaled.symmetric_eigenvalues().max();
    let euler = PI.powi(2) * young * width.powi(4) / 12.0 / (4.0 * length.powi(2));
    assert_close(load, euler, 0.01 * euler);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mesh = bar(ElementKind::Tet4, 1.0, 1.0, 1, 1).unwrap();
    let field = MaterialField::uniform(&mesh, &Material::cortical_bone()).unwrap();
    let n = 3 * mesh.nodes().len();
    let run = |u: &[f64], rows: usize| modal_geometric_stiffness(&mesh, &field, u, Mat::zeros(rows, 1).as_ref());
    assert!(run(&vec![0.0; n], n).is_ok());
    assert!(run(&vec![0.0; n - 1], n).is_err());
    assert!(run(&vec![0.0; n], n + 3).is_err());
    assert!(run(&vec![f64::NAN; n], n).is_err());
}
