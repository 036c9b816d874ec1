//! Inertia integrals.

use nalgebra::DMatrix;
use wolff_flexbody::{FlexBody, InertiaIntegrals};
use wolff_spatial::Vec3;

fn three_masses() -> (Vec<f64>, Vec<Vec3>) {
    let at =
        vec![Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 0.0, 3.0), Vec3::new(1.0, 1.0, 1.0)];
    (vec![1.0, 2.0, 0.5, 0.7], at)
}

/// Mass, centre and inertia of point masses, by hand.
#[test]
fn point_masses() {
    let (m, x) = three_masses();
    let none = vec![DMatrix::zeros(3, 0); 4];
    let body =
        FlexBody::new("body", InertiaIntegrals::lumped(&m, &x, &none).unwrap(), DMatrix::zeros(0, 0), vec![], vec![]);
    let p = body.unwrap().mass_properties();
    let mass: f64 = m.iter().sum();
    let com = x.iter().zip(&m).map(|(x, m)| x * *m).sum::<Vec3>() / mass;
    assert!((p.com - com).amax() < 1e-14 && (p.mass - mass).abs() < 1e-14);
    let about_z: f64 = x.iter().zip(&m).map(|(x, m)| m * ((x.x - com.x).powi(2) + (x.y - com.y).powi(2))).sum();
    assert!((p.inertia[(2, 2)] - about_z).abs() < 1e-13);
}

/// A translation of the whole body is no deformation: the set with the rigid motions is dependent and refused.
#[test]
fn rigid_modes_are_refused() {
    let (m, x) = three_masses();
    let translation = vec![DMatrix::from_column_slice(3, 1, &[1.0, 0.0, 0.0]); 4];
    let integrals = InertiaIntegrals::lumped(&m, &x, &translation).unwrap();
    let message = FlexBody::new("body", integrals, DMatrix::identity(1, 1), vec![], vec![]).unwrap_err().to_string();
    assert!(message.contains("not independent"), "{message}");
}

/// `D = 2 ζ ω` on orthonormal modes, and the ratio holds for any basis of the same space.
#[test]
fn damping_ratio_does_not_depend_on_the_basis() {
    let (m, x) = three_masses();
    let shape = |k: usize| DMatrix::from_fn(3, 2, |i, j| ((3 * k + i) as f64 * (1.3 + j as f64)).sin());
    let shapes: Vec<_> = (0..4).map(shape).collect();
    let stiffness = DMatrix::from_row_slice(2, 2, &[50.0, 8.0, 8.0, 70.0]);
    let damped = |T: &DMatrix<f64>| {
        let shapes: Vec<_> = shapes.iter().map(|s| s * T).collect();
        let integrals = InertiaIntegrals::lumped(&m, &x, &shapes).unwrap();
        let body = FlexBody::new("body", integrals, T.transpose() * &stiffness * T, vec![], vec![]).unwrap();
        body.with_damping_ratios(&[0.3, 0.3]).unwrap().damping
    };
    let T = DMatrix::from_row_slice(2, 2, &[1.0, 0.4, -0.2, 0.9]);
    let (plain, changed) = (damped(&DMatrix::identity(2, 2)), damped(&T));
    assert!((T.transpose() * plain * T - &changed).amax() < 1e-11 * changed.amax());
}
