//! Factorisations against nalgebra and against their definitions.

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use wolff_numerics::dense::{
    Lu, PivotedCholesky, cholesky_in_place, cholesky_solve, solve_lower, solve_lower_transpose,
};

/// Rounding of an n = 8 solve with condition numbers up to about 1e4.
const SOLVE: f64 = 1e-10;

fn matrix(n: usize, m: usize) -> impl Strategy<Value = DMatrix<f64>> {
    prop::collection::vec(-1.0..1.0, n * m).prop_map(move |v| DMatrix::from_vec(n, m, v))
}

/// Pseudo-inverse of a semidefinite matrix by its eigenvectors (nalgebra's SVD loses half the digits on some rank-deficient
/// matrices).
fn pseudo_inverse(a: &DMatrix<f64>) -> DMatrix<f64> {
    let eigen = a.clone().symmetric_eigen();
    let inverted = eigen.eigenvalues.map(|x| if x > 1e-9 { 1.0 / x } else { 0.0 });
    &eigen.eigenvectors * DMatrix::from_diagonal(&inverted) * eigen.eigenvectors.transpose()
}

proptest! {
    #[test]
    fn lu_solves_like_nalgebra(a in matrix(8, 8), b in prop::collection::vec(-1.0..1.0, 8)) {
        let a = a + DMatrix::identity(8, 8) * 0.5;
        prop_assume!(a.singular_values().min() > 1e-3);
        let mut lu = Lu::new(8);
        lu.factor(&a).unwrap();
        let mut x = b.clone();
        lu.solve(&mut x);
        let expected = a.lu().solve(&DVector::from_vec(b)).unwrap();
        prop_assert!((DVector::from_vec(x) - expected).amax() < SOLVE);
    }

    #[test]
    fn cholesky_solves_like_nalgebra(a in matrix(8, 8), b in prop::collection::vec(-1.0..1.0, 8)) {
        let spd = &a * a.transpose() + DMatrix::identity(8, 8) * 0.1;
        let mut l = spd.clone();
        cholesky_in_place(&mut l).unwrap();
        let expected = spd.clone().cholesky().unwrap();
        prop_assert!((l.lower_triangle() - expected.l()).amax() < SOLVE);
        let mut x = b.clone();
        cholesky_solve(&l, &mut x);
        prop_assert!((DVector::from_vec(x) - expected.solve(&DVector::from_vec(b))).amax() < SOLVE);
    }

    #[test]
    fn pivoted_cholesky_gives_the_pseudo_inverse(factor in matrix(7, 4), b in prop::collection::vec(-1.0..1.0, 7)) {
        prop_assume!(factor.singular_values().min() > 0.05);
        let a = &factor * factor.transpose();
        let mut pivoted = PivotedCholesky::new(7);
        prop_assert_eq!(pivoted.factor(&a, 1e-12).unwrap(), 4);
        let mut x = b.clone();
        pivoted.solve_least_norm(&mut x);
        let inverse = pseudo_inverse(&a);
        let b = DVector::from_vec(b);
        // two solves with LᵀL: rounding grows with the square of the condition number, here at most about 1e4
        let rounding = 10.0 * f64::EPSILON * (a.norm() * inverse.norm()).powi(2);
        let error = (DVector::from_vec(x) - &inverse * &b).norm();
        prop_assert!(error < rounding * inverse.norm() * b.norm() + 1e-14, "{error:e}");
    }
}

#[test]
fn triangular_solves_use_the_leading_block() {
    let l = DMatrix::from_row_slice(3, 3, &[2.0, 9.0, 9.0, 1.0, 4.0, 9.0, 7.0, 7.0, 7.0]);
    let mut x = [4.0, 10.0];
    solve_lower(&l, &mut x);
    assert_eq!(x, [2.0, 2.0]);
    let mut x = [4.0, 8.0];
    solve_lower_transpose(&l, &mut x);
    assert_eq!(x, [1.0, 2.0]);
}

#[test]
fn full_rank_pivoted_cholesky_inverts() {
    let a = DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 0.5, 1.0, 9.0, -2.0, 0.5, -2.0, 5.0]);
    let mut pivoted = PivotedCholesky::new(3);
    assert_eq!(pivoted.factor(&a, 1e-12).unwrap(), 3);
    let mut x = [1.0, -2.0, 0.3];
    pivoted.solve_least_norm(&mut x);
    let back = a * DVector::from_row_slice(&x);
    assert!((back - DVector::from_row_slice(&[1.0, -2.0, 0.3])).amax() < 1e-14);
}

#[test]
fn singular_and_indefinite_matrices_are_refused() {
    let mut lu = Lu::new(2);
    assert!(lu.factor(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 4.0])).is_err());
    assert!(lu.factor(&DMatrix::from_row_slice(2, 2, &[f64::NAN, 2.0, 2.0, 4.0])).is_err());
    assert!(cholesky_in_place(&mut DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0])).is_err());
    let mut pivoted = PivotedCholesky::new(2);
    assert!(pivoted.factor(&DMatrix::from_row_slice(2, 2, &[f64::NAN, 0.0, 0.0, 1.0]), 1e-12).is_err());
    assert_eq!(pivoted.factor(&DMatrix::zeros(2, 2), 1e-12).unwrap(), 0);
}
