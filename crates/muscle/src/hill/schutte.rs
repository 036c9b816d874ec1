//! Curves of Schutte's muscle.

use super::curve::{Slope, growth};
use crate::error::MuscleError;
use wolff_numerics::{CubicSpline, EndCondition};

/// Curves of Schutte's muscle as OpenSim's older models have it.
///
/// ```text
/// f_pe = exp(8 (l-1))/e⁴                                   unless a table is given
/// f_v = k (1+v)/(k - v)                                    shortening,  k = 0.15
/// f_v = (s + 1.4 v)/(s + v)                                lengthening, s = 0.13 k/(k+1)
/// ```
/// Active and tendon force are cubic splines through tables; damping β of the parameters is 0.1. Source: OpenSim's
/// class `Schutte1993Muscle_Deprecated`. Limits: velocity beyond the greatest shortening one continues along the
/// tangent.
#[derive(Clone, Debug, PartialEq)]
pub struct SchutteCurves {
    active: CubicSpline,
    passive: Option<CubicSpline>,
    tendon: CubicSpline,
}

const ACTIVE: ([f64; 21], [f64; 21]) = (
    [
        -5.307692, -4.307692, -1.923077, -0.884615, -0.269231, 0.230769, 0.461538, 0.52725, 0.62875, 0.71875, 0.86125,
        1.045, 1.2175, 1.43875, 1.5, 1.615385, 2.0, 2.961538, 3.692308, 5.461538, 9.901902,
    ],
    [
        0.012188, 0.021899, 0.036466, 0.052493, 0.075312, 0.114158, 0.157859, 0.226667, 0.636667, 0.856667, 0.95,
        0.993333, 0.77, 0.246667, 0.193821, 0.133252, 0.072683, 0.044417, 0.036341, 0.021899, 0.007332,
    ],
);
const TENDON: ([f64; 17], [f64; 17]) = (
    [
        -10.0, -0.002, -0.001, 0.0, 0.00131, 0.00281, 0.00431, 0.00581, 0.00731, 0.00881, 0.0103, 0.0118, 0.0123, 9.2,
        9.201, 9.202, 20.0,
    ],
    [
        0.0, 0.0, 0.0, 0.0, 0.0108, 0.0257, 0.0435, 0.0652, 0.0915, 0.123, 0.161, 0.208, 0.227, 345.0, 345.0, 345.0,
        345.0,
    ],
);
const SHORTENING: f64 = 0.15;
const LENGTHENING: f64 = 0.13 * SHORTENING / (SHORTENING + 1.0);
const GREATEST: f64 = 1.4;

impl SchutteCurves {
    /// OpenSim's default tables.
    pub fn new() -> Result<Self, MuscleError> {
        SchutteCurves::with_tables("Schutte's muscle", (&ACTIVE.0, &ACTIVE.1), None, (&TENDON.0, &TENDON.1))
    }

    /// Tables (abscissae, values) of active force over fibre length, passive force over fibre length if not
    /// exponential, and tendon force over strain.
    pub fn with_tables(
        name: &str,
        active: (&[f64], &[f64]),
        passive: Option<(&[f64], &[f64])>,
        tendon: (&[f64], &[f64]),
    ) -> Result<Self, MuscleError> {
        let spline = |table: (&[f64], &[f64])| {
            let ends = end_slopes(table.0, table.1);
            CubicSpline::new(table.0, table.1, ends)
                .map_err(|e| MuscleError::Rule { object: name.into(), rule: e.to_string() })
        };
        Ok(SchutteCurves {
            active: spline(active)?,
            passive: passive.map(spline).transpose()?,
            tendon: spline(tendon)?,
        })
    }

    /// Active force at length `l` over the optimal one.
    pub fn active(&self, l: f64) -> Slope {
        not_negative(&self.active, l)
    }

    /// Passive fibre force.
    pub fn passive(&self, l: f64) -> Slope {
        match &self.passive {
            Some(table) => not_negative(table, l),
            None => {
                let grown = growth(8.0 * (l - 1.0) - 4.0);
                Slope { value: grown.value, slope: 8.0 * grown.slope }
            }
        }
    }

    /// Tendon force at length `l` over the slack length.
    pub fn tendon(&self, l: f64) -> Slope {
        if l <= 1.0 { Slope { value: 0.0, slope: 0.0 } } else { not_negative(&self.tendon, l - 1.0) }
    }

    /// Force multiplier at velocity `v` over the greatest one.
    pub fn velocity(&self, v: f64) -> Slope {
        if v <= 0.0 {
            let from = v.max(-1.0);
            let d = SHORTENING - from;
            let slope = SHORTENING * (SHORTENING + 1.0) / (d * d);
            Slope { value: SHORTENING * (1.0 + from) / d + slope * (v - from), slope }
        } else {
            let d = LENGTHENING + v;
            Slope { value: (LENGTHENING + GREATEST * v) / d, slope: LENGTHENING * (GREATEST - 1.0) / (d * d) }
        }
    }
}

/// A spline cut off at zero; straight outside its table.
fn not_negative(spline: &CubicSpline, x: f64) -> Slope {
    let (first, last) = match spline.knots() {
        [first, .., last] => (*first, *last),
        _ => (x, x),
    };
    let inside = x.clamp(first, last);
    let at = spline.evaluate(inside);
    let value = at.value + at.d1 * (x - inside);
    if value > 0.0 { Slope { value, slope: at.d1 } } else { Slope { value: 0.0, slope: 0.0 } }
}

/// Ends with the third derivative of the cubic through the four points next to them, as OpenSim's splines have; natural
/// ones for shorter tables. Source: Forsythe, Malcolm and Moler, Computer Methods for Mathematical Computations, 1977,
/// chapter 4.
fn end_slopes(x: &[f64], y: &[f64]) -> EndCondition {
    let n = x.len();
    if n < 4 || y.len() != n || !x.windows(2).all(|w| w[0] < w[1]) {
        return EndCondition::Natural;
    }
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let d: Vec<f64> = (0..n - 1).map(|i| (y[i + 1] - y[i]) / h[i]).collect();
    let second = |i: usize| (d[i + 1] - d[i]) / (x[i + 2] - x[i]);
    let third = |i: usize| (second(i + 1) - second(i)) / (x[i + 3] - x[i]);

    // a sixth of the second derivatives: h_{i-1} s_{i-1} + 2 (h_{i-1} + h_i) s_i + h_i s_{i+1} = d_i - d_{i-1}
    let mut diagonal: Vec<f64> = (0..n).map(|i| if i == 0 { -h[0] } else { -h[i - 1] }).collect();
    let mut s: Vec<f64> = vec![0.0; n];
    for i in 1..n - 1 {
        diagonal[i] = 2.0 * (h[i - 1] + h[i]);
        s[i] = d[i] - d[i - 1];
    }
    s[0] = h[0] * h[0] * third(0);
    s[n - 1] = -h[n - 2] * h[n - 2] * third(n - 4);
    for i in 1..n {
        let w = h[i - 1] / diagonal[i - 1];
        diagonal[i] -= w * h[i - 1];
        s[i] -= w * s[i - 1];
    }
    s[n - 1] /= diagonal[n - 1];
    for i in (0..n - 1).rev() {
        s[i] = (s[i] - h[i] * s[i + 1]) / diagonal[i];
    }
    EndCondition::Clamped {
        first: d[0] - h[0] * (s[1] + 2.0 * s[0]),
        last: d[n - 2] + h[n - 2] * (s[n - 2] + 2.0 * s[n - 1]),
    }
}
