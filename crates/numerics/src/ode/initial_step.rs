//! The first step of adaptive methods.

use super::problem::Problem;
use crate::error::OdeError;

/// Estimates a first step for a method of the given error order, not longer than `h_limit`.
///
/// Compares the sizes of `y`, `f` and a difference quotient of `f` so that an Euler step of this length is about as
/// wrong as the tolerance allows.
///
/// Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., section II.4.
pub(super) fn initial_step(
    p: &mut Problem,
    order: usize,
    t: f64,
    y: &[f64],
    f: &[f64],
    work: [&mut [f64]; 2],
) -> Result<f64, OdeError> {
    let h_max = p.options.h_max;
    if let Some(h) = p.options.h_init {
        return Ok(h.min(h_max));
    }
    let [y1, f1] = work;
    let (d0, d1) = (p.norm(y, y, y), p.norm(f, y, y));
    let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
    let h0 = h0.min(h_max);

    // explicit Euler step to see how fast f changes; a failure there means: be careful
    for i in 0..y.len() {
        y1[i] = y[i] + h0 * f[i];
    }
    if let Err(cause) = p.rhs(t + h0, h0, y1, f1) {
        if cause.is_final() {
            return Err(cause);
        }
        return Ok((1e-3 * h0).max(p.smallest_step(t)));
    }
    for i in 0..y.len() {
        f1[i] -= f[i];
    }
    let d2 = p.norm(f1, y, y) / h0;
    let largest = d1.max(d2);
    let h1 = if largest <= 1e-15 { (1e-3 * h0).max(1e-6) } else { (0.01 / largest).powf(1.0 / (order as f64 + 1.0)) };
    // a step in which f changes by its own size may throw the stages into another regime, where no error shows
    let h2 = if d1 > 0.0 && d2 > 0.0 { d1 / d2 } else { f64::INFINITY };
    Ok((100.0 * h0).min(h1).min(h2).min(h_max).max(p.smallest_step(t)))
}
