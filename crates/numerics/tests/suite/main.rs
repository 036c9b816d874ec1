//! The tests of the crate, one module per source file or folder.

mod allocation;
mod correlation;
mod dense;
mod filter;
mod filter_reference;
mod function;
mod mechanical;
mod newton;
mod ode;
mod root;
mod spline;

/// Observed order of convergence from errors at successively halved steps: the mean over the list.
fn observed_order(errors: &[f64]) -> f64 {
    let n = errors.len() - 1;
    (errors[0] / errors[n]).log2() / n as f64
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} differs from {expected} by more than {tolerance:e}");
}
