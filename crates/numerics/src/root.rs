//! Roots of a scalar function inside a bracket.

use crate::error::{NumericsError, input_error};

/// Root of a continuous function between `a` and `b`, where it has opposite signs.
///
/// Brent's method: inverse quadratic interpolation and secants, with bisection whenever they converge slowly; at most
/// about `log2(|b - a| / tolerance)²` evaluations, usually fewer than ten. The result lies within
/// `tolerance + 2 ε |x|` of a sign change.
///
/// Source: Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4.
pub fn brent(
    mut f: impl FnMut(f64) -> Result<f64, NumericsError>,
    a: f64,
    b: f64,
    tolerance: f64,
) -> Result<f64, NumericsError> {
    let (fa, fb) = (f(a)?, f(b)?);
    brent_bracketed(f, (a, fa), (b, fb), tolerance)
}

/// Root of a function that grows from below zero at `low` to above zero at `high`, from its value and slope: Newton's
/// method from `start`, with bisection wherever it would leave what is known to hold the root. Ends when `x` changes by
/// `tolerance` or less.
pub fn newton_bracketed(
    mut f: impl FnMut(f64) -> (f64, f64),
    start: f64,
    (mut low, mut high): (f64, f64),
    tolerance: f64,
) -> f64 {
    let mut x = start;
    for _ in 0..MAX_ITERATIONS {
        let (value, slope) = f(x);
        if value > 0.0 {
            high = x
        } else {
            low = x
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let change = (next - x).abs();
        x = next;
        if change <= tolerance {
            break;
        }
    }
    x
}

/// [`brent`] when the function values at the ends of the bracket are known already.
pub fn brent_bracketed(
    mut f: impl FnMut(f64) -> Result<f64, NumericsError>,
    (mut a, mut fa): (f64, f64),
    (mut b, mut fb): (f64, f64),
    tolerance: f64,
) -> Result<f64, NumericsError> {
    check_bracket((a, fa), (b, fb))?;

    // b is the best estimate, [b, c] always brackets, a is the previous b
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut previous_step = step;
    for _ in 0..MAX_ITERATIONS {
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let tol = 2.0 * f64::EPSILON * b.abs() + 0.5 * tolerance;
        let half = 0.5 * (c - b);
        if half.abs() <= tol || fb == 0.0 {
            return Ok(b);
        }

        // interpolate where it has been shrinking the bracket, bisect elsewhere
        let candidate = interpolated_step((a, fa), (b, fb), (c, fc));
        let fast = previous_step.abs() >= tol && fa.abs() > fb.abs();
        let inside = |s: f64| s * half.signum() > 0.0 && s.abs() < (1.5 * half.abs() - 0.5 * tol);
        match candidate {
            Some(s) if fast && inside(s) && s.abs() < 0.5 * previous_step.abs() => {
                previous_step = step;
                step = s;
            }
            _ => {
                step = half;
                previous_step = half;
            }
        }

        (a, fa) = (b, fb);
        b += if step.abs() > tol { step } else { tol.copysign(half) };
        fb = finite(b, f(b)?)?;
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            previous_step = step;
        }
    }
    Ok(b)
}

/// Enough for bisection of any finite bracket of doubles interleaved with failed interpolations.
const MAX_ITERATIONS: usize = 300;

/// Secant (two distinct points) or inverse quadratic (three) step from `b`.
fn interpolated_step((a, fa): (f64, f64), (b, fb): (f64, f64), (c, fc): (f64, f64)) -> Option<f64> {
    let s = fb / fa;
    let (p, q) = if a == c {
        ((c - b) * s, s - 1.0)
    } else {
        let (r, u) = (fb / fc, fa / fc);
        (s * (u * (u - r) * (c - b) - (b - a) * (r - 1.0)), (1.0 - u) * (r - 1.0) * (s - 1.0))
    };
    let step = p / q;
    step.is_finite().then_some(step)
}

fn check_bracket((a, fa): (f64, f64), (b, fb): (f64, f64)) -> Result<(), NumericsError> {
    finite(a, fa)?;
    finite(b, fb)?;
    if fa * fb > 0.0 {
        return Err(input_error(
            "bracket of a root",
            format!("[{a}, {b}] with values {fa:e} and {fb:e}"),
            "the function must have opposite signs at the ends; widen or move the bracket",
        ));
    }
    Ok(())
}

fn finite(x: f64, fx: f64) -> Result<f64, NumericsError> {
    if fx.is_finite() {
        Ok(fx)
    } else {
        Err(input_error(
            format!("function value at x = {x}"),
            fx,
            "a root finder needs finite values on the whole bracket",
        ))
    }
}
