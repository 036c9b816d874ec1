//! The moments that lack force.

use nalgebra::DMatrix;
use wolff_motion::SharingProblem;
use wolff_motion::shortfall::shortfalls;

/// Three moments, two muscles: the third moment has no muscle. It alone is named, although the muscles are too weak.
#[test]
fn a_row_without_muscles_is_named_first() {
    let A = DMatrix::from_row_slice(3, 2, &[10.0, 0.0, 0.0, 10.0, 0.0, 0.0]);
    let problem = SharingProblem { A, b: vec![5.0, 50.0, -3.0], lower: vec![0.0; 2], upper: vec![1.0; 2] };
    let found = shortfalls(&problem);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].row == 2 && found[0].unactuated && (found[0].amount - 3.0).abs() < 1e-12);
}

/// A muscle of 10 N m cannot produce 50 N m: that row lacks 40 N m, the others nothing.
#[test]
fn the_weak_row_is_named_with_what_it_lacks() {
    let A = DMatrix::from_row_slice(3, 3, &[10.0, 0.0, 0.0, 0.0, 10.0, 0.0, 2.0, 0.0, 20.0]);
    let problem = SharingProblem { A, b: vec![5.0, 50.0, 8.0], lower: vec![0.0; 3], upper: vec![1.0; 3] };
    let found = shortfalls(&problem);
    assert_eq!(found.iter().map(|s| s.row).collect::<Vec<_>>(), [1], "{found:?}");
    assert!((found[0].amount - 40.0).abs() < 0.5 && !found[0].unactuated, "{found:?}");
}

/// A muscle over two joints is too weak for both of its moments: one row carries the shortfall, not both.
#[test]
fn few_rows_carry_the_shortfall() {
    let A = DMatrix::from_row_slice(2, 3, &[30.0, 0.0, 8.0, 0.0, 0.5, 8.0]);
    let problem = SharingProblem { A, b: vec![20.0, 30.0], lower: vec![0.0; 3], upper: vec![1.0; 3] };
    let found = shortfalls(&problem);
    assert_eq!(found[0].row, 1, "{found:?}");
    assert!(found.iter().skip(1).all(|s| s.amount < 0.1 * found[0].amount), "{found:?}");
}
