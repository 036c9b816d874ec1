use faer::Mat;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;
use wolff_fem::ElementKind;
use wolff_fem::craig_bampton::craig_bampton;
use wolff_fem::generate::grid;
use wolff_fem::integrals::inertia_integrals;
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_flexbody::InertiaIntegrals;
use wolff_flexbody::inertia::axial;

use crate::{SHANK, assemble, assembled, assert_close, isotropic, shank};

fn rigid(mesh: &wolff_fem::TetMesh, density: f64) -> InertiaIntegrals {
    let system = assembled(mesh, &isotropic(density));
    inertia_integrals(mesh, &system.mass, Mat::zeros(3 * mesh.nodes().len(), 0).as_ref()).unwrap()
}

/// A box off the origin, straight edges: exact.
#[test]
fn box_equals_closed_form() {
    let (sides, corner) = (Vector3::new(0.02, 0.03, 0.12), Vector3::new(0.5, -0.2, 0.1));
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let mesh = grid(kind, [2, 2, 3], false, |s| corner + sides.component_mul(&Vector3::from(s))).unwrap();
        let integrals = rigid(&mesh, 1900.0);
        let mass = 1900.0 * sides.product();
        let centre = corner + sides / 2.0;
        let own = Matrix3::from_diagonal(&sides.component_mul(&sides)) * (mass / 12.0);
        assert_close(integrals.mass, mass, 1e-13 * mass);
        assert!((integrals.first - centre * mass).amax() < 1e-13 * mass);
        assert!((integrals.second - own - centre * centre.transpose() * mass).amax() < 1e-13 * mass);
    }
}

/// A tube of curved elements: the error falls with the fourth power of the size of its faces, or faster.
#[test]
fn tube_approaches_closed_form() {
    let [length, inner, outer] = SHANK;
    let mass = 1900.0 * PI * (outer * outer - inner * inner) * length;
    let across = mass * (inner * inner + outer * outer) / 4.0;
    let expected = Matrix3::from_diagonal(&Vector3::new(across, across, mass * length * length / 3.0));
    let errors = [8, 16].map(|around| {
        let integrals = rigid(&shank([1, around, 4]).0, 1900.0);
        assert!((integrals.first - Vector3::z() * integrals.mass * length / 2.0).amax() < 1e-12 * mass);
        let mass_error = (integrals.mass / mass - 1.0).abs();
        mass_error.max((integrals.second - expected).amax() / expected.amax())
    });
    assert!(errors[0] < 2e-3 && errors[1] < errors[0] / 14.0, "{errors:?}");
}

#[test]
fn orthonormal_free_modes_have_unit_mass_and_no_momentum() {
    let (mesh, materials, ends) = shank([1, 8, 6]);
    let system = assemble(&mesh, &materials).unwrap();
    let modes = craig_bampton(&mesh, &system, &ends, 8, &ModeOptions::default()).unwrap().orthonormalise().unwrap();
    let integrals = inertia_integrals(&mesh, &system.mass, modes.shapes.as_ref()).unwrap();
    assert_eq!(integrals.modes(), 14);
    let identity = nalgebra::DMatrix::identity(14, 14);
    assert!((integrals.modal_mass() - identity).amax() < 1e-10);
    // Against rigid modes of unit mass: √m and √J.
    let (linear, angular) = (integrals.mass.sqrt(), integrals.second.trace().sqrt());
    for (s, b) in integrals.S.iter().zip(&integrals.B) {
        assert!(s.norm() < 1e-9 * linear && axial(b).norm() < 1e-9 * angular, "{} {}", s.norm(), axial(b).norm());
    }
    // C_ij and C_ji are each other's transpose.
    let n = integrals.modes();
    let transposed = |i: usize, j: usize| (integrals.C[i * n + j] - integrals.C[j * n + i].transpose()).amax();
    assert!((0..n * n).all(|k| transposed(k / n, k % n) < 1e-12));
}

/// The shapes of rigid motions are known: `S = m e`, `B = ∫ X (e × X)ᵀ dm`, whatever the mesh.
#[test]
fn integrals_of_known_shapes() {
    let mesh = shank([1, 8, 4]).0.mapped(|x| x + Vector3::new(0.1, -0.2, 0.3)).unwrap();
    let system = assembled(&mesh, &isotropic(1900.0));
    let turn = Vector3::new(0.3, 0.7, -0.4);
    let dof = |x: &Vector3<f64>| [turn, turn.cross(x)];
    let shapes = Mat::from_fn(3 * mesh.nodes().len(), 2, |dof_index, mode| {
        dof(&mesh.nodes()[dof_index / 3])[mode][dof_index % 3]
    });
    let plain = rigid(&mesh, 1900.0);
    // The rigid motions are refused as modes, with the reason.
    let refused = inertia_integrals(&mesh, &system.mass, shapes.as_ref()).unwrap_err().to_string();
    assert!(refused.contains("rigid motions"), "{refused}");
    // One more shape, quadratic in x, whose integrals follow from third moments by symmetry of the tube about its axis.
    let bent = Mat::from_fn(3 * mesh.nodes().len(), 1, |i, _| {
        let x = mesh.nodes()[i / 3];
        if i % 3 == 0 { x.z * x.z } else { 0.0 }
    });
    let integrals = inertia_integrals(&mesh, &system.mass, bent.as_ref()).unwrap();
    // Straight along z, so z² is interpolated exactly.
    assert_close(integrals.S[0].x, plain.second[(2, 2)], 1e-12 * plain.second[(2, 2)]);
    assert_close(integrals.B[0][(1, 0)], -0.2 * plain.second[(2, 2)], 1e-10 * plain.second[(2, 2)]);
}

#[test]
fn parts_of_different_meshes_are_refused() {
    let (mesh, materials, _) = shank([1, 8, 4]);
    let system = assemble(&mesh, &materials).unwrap();
    assert!(inertia_integrals(&shank([1, 8, 3]).0, &system.mass, Mat::zeros(3, 0).as_ref()).is_err());
    let modes = vibration_modes(&mesh, &system, &Default::default(), 2, &ModeOptions::default()).unwrap();
    let mut shapes = modes.shapes;
    shapes[(5, 1)] = f64::NAN;
    assert!(inertia_integrals(&mesh, &system.mass, shapes.as_ref()).is_err());
}
