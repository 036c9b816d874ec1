//! Smooth curves: pass through their knots, join without kinks, refuse what turns back.

use crate::support::*;
use wolff_muscle::hill::*;

fn curve() -> SmoothCurve {
    let knots = [Knot::new(0.0, 0.0, 0.0), Knot::new(1.0, 0.6, 1.5), Knot::new(2.0, 1.5, 0.3)];
    SmoothCurve::new("curve", &knots, &[0.5, 0.9]).unwrap()
}

#[test]
fn it_passes_its_knots_with_their_slopes_and_goes_on_straight() {
    let c = curve();
    for (x, y, slope) in [(0.0, 0.0, 0.0), (1.0, 0.6, 1.5), (2.0, 1.5, 0.3), (-3.0, 0.0, 0.0), (4.0, 2.1, 0.3)] {
        let at = c.evaluate(x);
        assert!((at.value - y).abs() < 1e-14 && (at.slope - slope).abs() < 1e-9, "{x}: {at:?}");
    }
}

#[test]
fn slopes_are_derivatives() {
    slope_is_derivative(|x| curve().evaluate(x), &[0.01, 0.2, 0.5, 0.9, 1.1, 1.6, 1.99, 3.0], 1e-8);
}

/// Corners join with zero curvature: the slope just beside a knot differs from the knot's by a second-order amount.
#[test]
fn corners_join_smoothly() {
    let off = |h: f64| (curve().evaluate(1.0 + h).slope - 1.5).abs() + (curve().evaluate(1.0 - h).slope - 1.5).abs();
    assert!(off(1e-3) < 1e-3 && off(1e-3) / off(5e-4) > 2.5, "{}", off(1e-3) / off(5e-4));
}

#[test]
fn nonsense_is_refused() {
    let refused = |knots: &[Knot], c: &[f64]| SmoothCurve::new("curve", knots, c).unwrap_err().to_string();
    let (a, b) = (Knot::new(0.0, 0.0, 0.0), Knot::new(1.0, 1.0, 0.1));
    assert!(refused(&[a, b], &[0.5]).contains("turns back"));
    assert!(refused(&[b, a], &[0.5]).contains("greater than"));
    assert!(refused(&[a], &[]).contains("two knots"));
    assert!(refused(&[a, Knot::new(1.0, 1.0, 2.0)], &[f64::NAN]).contains("0 to 1"));
}
