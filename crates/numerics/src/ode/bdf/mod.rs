//! Variable-order, variable-step backward differentiation for stiff systems.
//!
//! Numerical differentiation formulas on backward differences with quasi-constant steps:
//!
//! ```text
//! Σ_{m=1..k} γ̃_m ∇^m y_{n+1} - κ_k γ_k (y_{n+1} - y⁰_{n+1}) = h f(t_{n+1}, y_{n+1}),   γ_k = Σ_{j=1..k} 1/j
//! ```
//!
//! solved for the correction `d = y_{n+1} - y⁰_{n+1}` by a modified Newton iteration with a finite-difference Jacobian
//! that is kept as long as the iteration converges. The local error is `(κ_k γ_k + 1/(k+1)) d`.
//!
//! Sources: Shampine and Reichelt, The MATLAB ODE suite, SIAM J Sci Comput 18, 1997; Byrne and Hindmarsh, A
//! polyalgorithm for the numerical solution of ordinary differential equations, ACM TOMS 1, 1975.
//! Limits: orders 4 and 5 are not A-stable; strongly oscillating stiff modes cost many steps.

mod differences;
mod newton;
mod stepper;

pub(super) use stepper::Bdf;

/// Highest order of the family that is stable enough for general use.
const MAX_ORDER: usize = 5;

/// κ_k of Shampine and Reichelt, table 1.
const KAPPA: [f64; MAX_ORDER + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// `γ_k = Σ_{j ≤ k} 1/j`.
const GAMMA: [f64; MAX_ORDER + 1] = [0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

/// `α_k = (1 - κ_k) γ_k`: `c = h/α_k` multiplies the Jacobian.
fn alpha(order: usize) -> f64 {
    (1.0 - KAPPA[order]) * GAMMA[order]
}

/// Factor from the (k+1)-th difference to the local error of order k.
fn error_constant(order: usize) -> f64 {
    KAPPA[order] * GAMMA[order] + 1.0 / (order as f64 + 1.0)
}
