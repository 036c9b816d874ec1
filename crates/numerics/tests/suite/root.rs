//! Scalar roots.

use proptest::prelude::*;
use wolff_numerics::root::{brent, newton_bracketed};

use super::assert_close;

#[test]
fn known_roots() {
    assert_close(brent(|x| Ok(x.cos() - x), 0.0, 1.0, 1e-15).unwrap(), 0.739_085_133_215_160_6, 1e-15);
    // a ninefold root is only found to the ninth root of the smallest number
    assert_close(brent(|x| Ok((x - 0.3).powi(9)), -1.0, 2.0, 1e-12).unwrap(), 0.3, 1e-12);
    assert_close(brent(|x| Ok(if x < 0.7 { -1.0 } else { 5.0 }), 0.0, 1.0, 1e-12).unwrap(), 0.7, 1e-12);
}

/// A slope tells the way where it can; where it leads out of the bracket, or is none, halving does.
#[test]
fn newton_stays_in_its_bracket() {
    let cosine = |x: f64| (x - x.cos(), 1.0 + x.sin());
    assert_close(newton_bracketed(cosine, 0.2, (0.0, 1.0), 1e-15), 0.739_085_133_215_160_6, 1e-15);
    // Newton's own way from 3 leads to ever larger numbers
    let arctangent = |x: f64| ((x - 0.3).atan(), 1.0 / (1.0 + (x - 0.3).powi(2)));
    assert_close(newton_bracketed(arctangent, 3.0, (-5.0, 5.0), 1e-15), 0.3, 1e-15);
    let jump = |x: f64| (if x < 0.7 { -1.0 } else { 5.0 }, 0.0);
    assert_close(newton_bracketed(jump, 0.5, (0.0, 1.0), 1e-12), 0.7, 1e-12);
}

#[test]
fn smooth_roots_are_found_fast() {
    let mut calls = 0;
    let root = brent(
        |x| {
            calls += 1;
            Ok(x.exp() - 2.0)
        },
        -4.0,
        4.0,
        1e-14,
    );
    assert_close(root.unwrap(), std::f64::consts::LN_2, 1e-14);
    // bisection would take 50
    assert!(calls < 16, "{calls} evaluations");
}

#[test]
fn bad_brackets_are_refused() {
    assert!(brent(|x| Ok(x * x + 1.0), -1.0, 1.0, 1e-12).is_err());
    assert!(brent(|_| Ok(f64::NAN), -1.0, 1.0, 1e-12).is_err());
}

proptest! {
    #[test]
    fn cubics(r in -0.9..0.9_f64, a in 0.0..5.0_f64) {
        let root = brent(|x| Ok((x - r) * (1.0 + a * x * x)), -1.0, 1.0, 1e-13).unwrap();
        prop_assert!((root - r).abs() < 1e-12);
    }
}
