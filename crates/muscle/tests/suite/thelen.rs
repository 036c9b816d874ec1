//! Thelen's curves: closed forms, joined without jumps.

use crate::support::*;
use wolff_muscle::hill::ThelenCurves;

#[test]
fn curves_have_their_defining_values() {
    let c = ThelenCurves::default();
    close(c.active(1.0).value, 1.0, 1e-15, 1.0);
    close(c.passive(1.6).value, 1.0, 1e-14, 1.0);
    close(c.tendon(1.04).value, 1.0, 1e-14, 1.0);
    close(c.velocity(0.0).value, 1.0, 1e-15, 1.0);
    close(c.velocity(-1.0).value, 0.0, 1e-15, 1.0);
}

/// Value and slope are continuous where formulas change; the toe of the tendon ends at 0.609 of its strain.
#[test]
fn pieces_join_smoothly() {
    let c = ThelenCurves::default();
    let join = |f: &dyn Fn(f64) -> f64, x: f64, tolerance: f64| close(f(x - 1e-9), f(x + 1e-9), tolerance, 1.0);
    let toe = 1.0 + 0.609 * 0.04;
    join(&|x| c.tendon(x).value, toe, 1e-6);
    join(&|x| c.velocity(x).value, 0.0, 1e-7);
    join(&|x| c.velocity(x).slope, -1.0, 1e-7);
}

#[test]
fn slopes_are_derivatives() {
    let c = ThelenCurves::default();
    slope_is_derivative(|x| c.active(x), &[0.5, 0.9, 1.3], 1e-8);
    slope_is_derivative(|x| c.passive(x), &[0.9, 1.1, 1.5], 1e-8);
    slope_is_derivative(|x| c.tendon(x), &[0.99, 1.01, 1.03, 1.05], 1e-7);
    slope_is_derivative(|x| c.velocity(x), &[-1.5, -0.6, -0.1, 0.05, 0.3, 2.0], 1e-7);
}

#[test]
fn wrong_shapes_are_refused() {
    for c in [
        ThelenCurves { tendon_strain: 0.0, ..ThelenCurves::default() },
        ThelenCurves { lengthening_force: 1.0, ..ThelenCurves::default() },
        ThelenCurves { straight_from: 0.5, ..ThelenCurves::default() },
    ] {
        assert!(c.check("muscle").is_err());
    }
}
