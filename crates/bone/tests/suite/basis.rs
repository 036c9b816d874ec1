//! Few modes with which gauges are right.

use crate::{recipe, tibia};
use wolff_bone::segment::Basis;

/// All modes answer as the whole mesh does, rounding apart; fewer keep what was asked for, and plain truncation is
/// worse.
#[test]
fn gauges_are_as_exact_as_asked() {
    let mut recipe = recipe(tibia());
    recipe.basis = Basis::All;
    recipe.check = true;
    let all = recipe.make().unwrap();
    assert!(all.report.reduction_error.unwrap() < 1e-8, "{:?}", all.report.reduction_error);
    assert!(all.report.gauge_error < 1e-12);
    recipe.check = false;
    let mut counts = Vec::new();
    for error in [1e-4, 3e-5, 1e-5] {
        recipe.basis = Basis::Gauges { vibrations: 4, error };
        let few = recipe.make().unwrap();
        let count = few.body.modes();
        println!("{error:e}: {count} of {} modes, {:.1e}", all.body.modes(), few.report.gauge_error);
        assert!(few.report.gauge_error <= error && count < all.body.modes());
        recipe.basis = Basis::Lowest(count);
        let lowest = recipe.make().unwrap();
        println!("   lowest {count}: {:.1e} {}", lowest.report.gauge_error, lowest.report.worst_load);
        assert!(lowest.report.gauge_error > few.report.gauge_error);
        counts.push(count);
    }
    assert!(counts.is_sorted(), "{counts:?}");
}

/// Modes are orthonormal, have no momentum, are critically damped, and the lowest are vibrations of the body with all
/// modes.
#[test]
fn modes_are_free_and_orthonormal() {
    let mut recipe = recipe(tibia());
    let few = recipe.make().unwrap();
    recipe.basis = Basis::All;
    let all = recipe.make().unwrap();
    let body = &few.body;
    let n = body.modes();
    let unit = nalgebra::DMatrix::<f64>::identity(n, n);
    assert!((body.inertia.modal_mass() - &unit).amax() < 1e-9);
    assert!(body.inertia.S.iter().all(|s| s.norm() < 1e-8));
    for i in 0..n {
        let omega = body.stiffness[(i, i)].sqrt();
        assert!((body.damping[(i, i)] / (2.0 * omega) - 1.0).abs() < 1e-9);
    }
    for (a, b) in few.report.frequencies.iter().zip(&all.report.frequencies).take(3) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    }
}
