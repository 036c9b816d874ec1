//! Slopes of cubic splines from neighbouring points only, which do not overshoot as those of smooth splines do.

use crate::error::{NumericsError, require_finite};
use crate::spline::{CubicSpline, check_period, check_table};

/// How the slope at a knot follows from the secants around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalSlopes {
    /// Weighted harmonic mean of both secants, zero at a turn: the spline rises and falls where its points do. Source:
    /// Fritsch and Butland, SIAM J Sci Stat Comput 5, 1984, with the ends of Fritsch and Carlson, SIAM J Numer Anal 17,
    /// 1980.
    ShapePreserving,
    /// Secants weighted by how little they change on the other side; follows straight pieces exactly. Source: Akima,
    /// J ACM 17, 1970.
    Akima,
}

impl CubicSpline {
    /// Interpolates at least two points with strictly increasing abscissae by piecewise cubics with these slopes:
    /// continuous slope, second derivative with jumps at the knots. A periodic spline wraps around; its last value must
    /// equal the first.
    pub fn local(knots: &[f64], values: &[f64], kind: LocalSlopes, periodic: bool) -> Result<Self, NumericsError> {
        check_table(knots, values)?;
        if periodic {
            check_period(values)?;
        }
        let h: Vec<f64> = knots.windows(2).map(|w| w[1] - w[0]).collect();
        let secants: Vec<f64> = values.windows(2).zip(&h).map(|(w, h)| (w[1] - w[0]) / h).collect();
        let slopes = match kind {
            LocalSlopes::ShapePreserving => shape_preserving(&h, &secants, periodic),
            LocalSlopes::Akima => akima(&secants, periodic),
        };
        require_finite("slopes of the spline", &slopes)?;
        Ok(Self::from_slopes(knots, values, slopes, periodic))
    }
}

/// Slopes by harmonic means, with three-point ends.
fn shape_preserving(h: &[f64], s: &[f64], periodic: bool) -> Vec<f64> {
    let n = s.len();
    if n == 1 {
        return vec![if periodic { 0.0 } else { s[0] }; 2];
    }
    let inner = |i: usize, k: usize| harmonic((h[i], s[i]), (h[k], s[k]));
    let mut slopes: Vec<f64> = vec![0.0; n + 1];
    for i in 1..n {
        slopes[i] = inner(i - 1, i);
    }
    if periodic {
        slopes[0] = inner(n - 1, 0);
        slopes[n] = slopes[0];
    } else {
        slopes[0] = three_points((h[0], s[0]), (h[1], s[1]));
        slopes[n] = three_points((h[n - 1], s[n - 1]), (h[n - 2], s[n - 2]));
    }
    slopes
}

/// `(w_1 + w_2)/(w_1/s_1 + w_2/s_2)`, w_1 = 2 h_2 + h_1, w_2 = h_2 + 2 h_1; zero where the secants differ in sign.
fn harmonic((h1, s1): (f64, f64), (h2, s2): (f64, f64)) -> f64 {
    if s1 * s2 <= 0.0 {
        return 0.0;
    }
    let (w1, w2) = (2.0 * h2 + h1, h2 + 2.0 * h1);
    (w1 + w2) / (w1 / s1 + w2 / s2)
}

/// Slope at an end of the parabola through the last three points, limited so that it makes no turn.
fn three_points((h0, s0): (f64, f64), (h1, s1): (f64, f64)) -> f64 {
    let slope = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if slope * s0 <= 0.0 {
        0.0
    } else if s0 * s1 < 0.0 && slope.abs() > 3.0 * s0.abs() {
        3.0 * s0
    } else {
        slope
    }
}

/// Akima's slopes; two secants beyond each end continue the differences, or the other end's in a period.
fn akima(s: &[f64], periodic: bool) -> Vec<f64> {
    let n = s.len();
    if n == 1 {
        return vec![if periodic { 0.0 } else { s[0] }; 2];
    }
    let mut m = vec![0.0; n + 4];
    m[2..n + 2].copy_from_slice(s);
    if periodic {
        (m[0], m[1], m[n + 2], m[n + 3]) = (s[n - 2], s[n - 1], s[0], s[1]);
    } else {
        m[1] = 2.0 * m[2] - m[3];
        m[0] = 2.0 * m[1] - m[2];
        m[n + 2] = 2.0 * m[n + 1] - m[n];
        m[n + 3] = 2.0 * m[n + 2] - m[n + 1];
    }
    let slope = |i: usize| {
        let (before, after) = ((m[i + 1] - m[i]).abs(), (m[i + 3] - m[i + 2]).abs());
        // four secants in two equal pairs have no preference
        let equal = before + after <= 1e-9 * m[i..i + 4].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if equal { 0.5 * (m[i + 1] + m[i + 2]) } else { (after * m[i + 1] + before * m[i + 2]) / (before + after) }
    };
    (0..=n).map(slope).collect()
}
