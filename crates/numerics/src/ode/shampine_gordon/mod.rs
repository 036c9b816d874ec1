//! Adams methods of variable step and variable order: predict, evaluate, correct, evaluate.
//!
//! The derivative is kept as modified divided differences on the grid of the last steps, so the step may change at
//! every step at the cost of a few dozen scalar operations:
//!
//! ```text
//! predict  p = y_n + h Σ_{i=1..k} g_i φ*_i,                     φ*_i = β_i φ_i
//! correct  y_{n+1} = p + h g_{k+1} (f(t_{n+1}, p) - φ^p_1)
//! ```
//!
//! with `φ_i` proportional to the divided difference of order `i - 1` of `f`. The corrector has order `k + 1` (local
//! extrapolation); the error that is controlled is that of order `k`. Order and step start at one and a small value;
//! both grow in every step of the first phase, afterwards the order goes where the estimated error is smallest.
//!
//! Sources: Shampine and Gordon, Computer Solution of Ordinary Differential Equations, Freeman 1975 (subroutine STEP);
//! Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., section III.5.
//! Limits: two evaluations a step, so it is at its best where an evaluation is expensive and the motion smooth; each
//! discontinuity costs a new start at order one.

mod coefficients;
mod stepper;

pub(super) use stepper::AdamsVariable;

/// Highest order of the predictor.
pub(crate) const MAX_ORDER: usize = 12;

/// Differences and coefficients are counted from one, and go up to `MAX_ORDER + 2`.
const SIZE: usize = MAX_ORDER + 3;

/// `γ*_k` for equal steps with the sign reversed, from index one: factor from the difference of order `k` to the local
/// error of order `k`. Values of STEP, which are those of the recursion rounded to three digits.
const ERROR_CONSTANT: [f64; SIZE] = [
    0.0, 0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.00936, 0.00789, 0.00679, 0.00592, 0.00524, 0.00468, 0.0,
];
