//! Restitution of the Hunt-Crossley family, exactly.
//!
//! ```text
//! m δ'' = -K δ^n (1 + a u),   u = δ'/v0
//! ```
//!
//! separates into `u du/(1 + a u) = -(K/(m v0²)) δ^n dδ`, so along the whole collision
//!
//! ```text
//! K δ^(n+1) / ((n+1) m v0²) = H(1) - H(u),   H(u) = u/a - ln(1 + a u)/a² = u² h(a u),   h(x) = (x - ln(1+x))/x²
//! ```
//!
//! The bodies part at `δ = 0` with `u = -e`: `H(-e) = H(1)`, that is `a (1 + e) = ln((1 + a)/(1 - a e))`. With
//! `θ = a (1 + e)` both unknowns become explicit and monotonic in θ:
//!
//! ```text
//! a(θ) = (θ - 1 + exp(-θ)) / (1 - exp(-θ)),      e(θ) = (1 - (1 + θ) exp(-θ)) / (θ - 1 + exp(-θ))
//! ```
//!
//! e falls from 1 (θ = 0, a = 0) towards 0 (θ → ∞, a → ∞); K, n, m and v0 play no part.
//! The first integral is due to Hunt and Crossley (1975); eq. 4.24 of Gonthier et al. (2004) is the same condition.

use crate::error::{ContactError, not_negative, require};
use wolff_numerics::root::brent;

/// Smallest restitution for which a damping factor that grows as `1/c_r` is accepted.
pub const MIN_RESTITUTION: f64 = 1e-6;

/// Restitution `e = -δ'(end)/v0` of `F = K δ^n (1 + a δ'/v0)` for damping factor `a` ≥ 0 \[-\]. Accurate to a few ulp.
pub fn true_restitution(a: f64) -> Result<f64, ContactError> {
    not_negative("true restitution", "damping factor a [-]", a)?;
    if a == 0.0 {
        return Ok(1.0);
    }
    // a < θ = a (1 + e) ≤ 2 a; the margin covers rounding at both ends
    let theta = brent(|theta| Ok(damping_of(theta) - a), a * (1.0 - 1e-12), a * (2.0 + 1e-12), 0.0)?;
    Ok(restitution_of(theta))
}

/// Damping factor `a` \[-\] whose [`true_restitution`] is `e`, for `e` from [`MIN_RESTITUTION`] to 1 (`a = 0`).
///
/// For `e → 0` the factor grows as `1/e`: a perfectly plastic collision needs infinite damping and is refused.
pub fn exact_damping_factor(e: f64) -> Result<f64, ContactError> {
    require(
        (MIN_RESTITUTION..=1.0).contains(&e),
        "exact damping factor",
        "restitution [-]",
        e,
        "must be between 1e-6 and 1: the damping factor grows as 1/e and is infinite at 0; use a small value such as \
         0.01",
    )?;
    if e == 1.0 {
        return Ok(0.0);
    }
    // e(θ) < 1/(θ - 1) bounds θ from above; the margin covers rounding where both are one
    let theta = brent(|theta| Ok(restitution_of(theta) - e), 0.0, (1.0 + 1.0 / e) * (1.0 + 1e-12), 0.0)?;
    Ok(damping_of(theta))
}

/// `a(θ)`.
fn damping_of(theta: f64) -> f64 {
    if theta == 0.0 {
        return 0.0;
    }
    exponential_remainder(theta) / -(-theta).exp_m1()
}

/// `e(θ)`.
fn restitution_of(theta: f64) -> f64 {
    if theta == 0.0 {
        return 1.0;
    }
    let numerator = if theta < SERIES_BELOW {
        alternating_series(theta, |k| (k - 1.0) / k)
    } else {
        1.0 - (1.0 + theta) * (-theta).exp()
    };
    numerator / exponential_remainder(theta)
}

/// `θ - 1 + exp(-θ)` without cancellation.
fn exponential_remainder(theta: f64) -> f64 {
    if theta < SERIES_BELOW { alternating_series(theta, |k| 1.0 / k) } else { theta + (-theta).exp_m1() }
}

/// Below this θ the closed forms lose more than one digit and the series are used.
const SERIES_BELOW: f64 = 1.0;

/// `Σ_{k≥2} (-1)^k factor(k) θ^k/(k-1)!` for θ ≤ 1: the 18th term is below 1e-16 of the first.
fn alternating_series(theta: f64, factor: impl Fn(f64) -> f64) -> f64 {
    let mut power = -1.0; // (-1)^k θ^k/(k-1)! at k = 1 over θ
    let mut sum = 0.0;
    for k in 2..20 {
        power *= -theta / f64::from(k - 1);
        sum += factor(f64::from(k)) * power;
    }
    sum * theta
}

/// `h(x) = (x - ln(1+x))/x²` for x > -1; `h(0) = 1/2`.
pub(crate) fn log_remainder(x: f64) -> f64 {
    if x.abs() > 0.1 {
        return (x - x.ln_1p()) / (x * x);
    }
    // Σ (-x)^k/(k+2); the 16th term is below 1e-16
    (0..16).rev().fold(0.0, |sum, k| 1.0 / f64::from(k + 2) - x * sum)
}

/// `g(y) = w/y` where `w - ln(1+w) = y²/2`, w with the sign of y; `g(0) = 1`.
///
/// Gives the speed at a known energy: `u = y g(a y)` solves `H(u) = y²/2` on the branch of y's sign. Small |y|:
/// `w = y + y²/3 + y³/36 - y⁴/270 + …` (DLMF 8.12.12); elsewhere Newton on `L = ln(1+w)`, `exp(L) - 1 - L = y²/2`,
/// convex with the root approached from outside.
pub(crate) fn speed_factor(y: f64) -> f64 {
    if y.abs() < 0.03 {
        const C: [f64; 7] =
            [1.0, 1.0 / 3.0, 1.0 / 36.0, -1.0 / 270.0, 1.0 / 4320.0, 1.0 / 17010.0, -139.0 / 5_443_200.0];
        return C.iter().rev().fold(0.0, |sum, c| c + y * sum);
    }
    let half = 0.5 * y * y;
    // start beyond the root, seen from zero
    let mut L = if y > 0.0 {
        y.min((1.0 + half + y).ln())
    } else if y > -2.0 {
        y - 0.25 * y * y
    } else {
        -half - 1.0
    };
    // quadratic convergence: after a step of 1e-9 the error is below rounding
    for _ in 0..60 {
        let slope = L.exp_m1();
        let step = (slope - L - half) / slope;
        L -= step;
        if step.abs() <= 1e-9 * L.abs() {
            break;
        }
    }
    L.exp_m1() / y
}
