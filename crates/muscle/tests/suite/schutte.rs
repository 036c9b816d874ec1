//! Schutte's curves: tables and hyperbolas.

use crate::support::*;
use wolff_muscle::hill::SchutteCurves;

#[test]
fn tables_and_hyperbolas_have_their_values() {
    let c = SchutteCurves::new().unwrap();
    close(c.active(0.86125).value, 0.95, 1e-12, 1.0);
    close(c.tendon(1.0103).value, 0.161, 1e-12, 1.0);
    assert_eq!(c.tendon(0.9).value, 0.0);
    close(c.passive(1.5).value, 1.0, 1e-14, 1.0);
    close(c.velocity(0.0).value, 1.0, 1e-14, 1.0);
    close(c.velocity(-1.0).value, 0.0, 1e-14, 1.0);
    assert!(c.velocity(100.0).value < 1.4);
}

#[test]
fn slopes_are_derivatives() {
    let c = SchutteCurves::new().unwrap();
    slope_is_derivative(|x| c.active(x), &[0.3, 0.7, 1.1, 1.55], 1e-7);
    slope_is_derivative(|x| c.tendon(x), &[1.005, 1.03], 1e-5);
    slope_is_derivative(|x| c.velocity(x), &[-1.5, -0.5, 0.4], 1e-7);
}

#[test]
fn tables_that_are_none_are_refused() {
    let good: (&[f64], &[f64]) = (&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.5]);
    assert!(SchutteCurves::with_tables("old", good, Some(good), good).is_ok());
    assert!(SchutteCurves::with_tables("old", (&[0.0, 0.0], &[1.0, 2.0]), None, good).is_err());
    assert!(SchutteCurves::with_tables("old", good, None, (&[0.0, 1.0], &[f64::NAN, 2.0])).is_err());
}
