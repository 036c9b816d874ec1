//! Tangents from two points to a circle, in its plane: the core of every surface here.

use std::f64::consts::TAU;

/// Way around a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// From the first axis of the plane to the second.
    Positive,
    /// Against it.
    Negative,
}

/// The tangent path from a point at polar coordinates `(d1, 0)` to one at `(d2, theta)` around a circle of radius `r`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TangentPath {
    /// Polar angle of the first touching point \[rad\].
    pub phi1: f64,
    /// Polar angle of the second.
    pub phi2: f64,
    /// Angle between them along the way, 0 to 2π \[rad\].
    pub arc: f64,
    /// Length of the first tangent \[m\].
    pub s1: f64,
    /// Length of the second.
    pub s2: f64,
}

/// ```text
/// cos α_i = r / d_i,  s_i² = d_i² - r²,  φ1 = ±α1,  φ2 = θ ∓ α2,  arc = ±(φ2 - φ1) mod 2π
/// ```
/// Points on the circle itself are their own touching points. Limits: d1, d2 >= r but for rounding.
pub(super) fn tangent_path(r: f64, d1: f64, d2: f64, theta: f64, sense: Sense) -> TangentPath {
    let alpha = |d: f64| (r / d).clamp(-1.0, 1.0).acos();
    let tangent = |d: f64| (d * d - r * r).max(0.0).sqrt();
    let sign = if sense == Sense::Positive { 1.0 } else { -1.0 };
    let (phi1, phi2) = (sign * alpha(d1), theta - sign * alpha(d2));
    TangentPath { phi1, phi2, arc: (sign * (phi2 - phi1)).rem_euclid(TAU), s1: tangent(d1), s2: tangent(d2) }
}
