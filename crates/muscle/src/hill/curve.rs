//! Smooth curves from quintic Bézier corners.

use crate::error::{MuscleError, require};

/// A value with its derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Value.
    pub value: f64,
    /// Derivative with respect to the argument.
    pub slope: f64,
}

/// A point of a curve with the slope it passes through with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// Abscissa.
    pub x: f64,
    /// Value.
    pub y: f64,
    /// Slope.
    pub slope: f64,
}

impl Knot {
    /// A knot.
    pub const fn new(x: f64, y: f64, slope: f64) -> Self {
        Knot { x, y, slope }
    }
}

/// A C²-smooth curve through knots: between two of them a quintic Bézier corner, outside the straight continuation.
///
/// The control points of a corner are both ends, and twice each the points that lie the fraction c on the way from the
/// ends to where the end tangents cross. Tangents and curvature at the ends are those of straight lines, so corners
/// join smoothly.
///
/// Source: Millard, Uchida, Seth and Delp, J Biomech Eng 135, 2013, "Flexing computational muscle", appendix; OpenSim's
/// `SmoothSegmentedFunctionFactory`. Limits: the tangents of neighbouring knots must cross between them (a corner, not
/// an S).
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothCurve {
    corners: Vec<Corner>,
    first: Knot,
    last: Knot,
}

/// Control abscissae and ordinates: end, towards the crossing from it, from the other end, other end.
#[derive(Clone, Debug, PartialEq)]
struct Corner {
    x: [f64; 4],
    y: [f64; 4],
    /// Parameters at evenly spaced abscissae, from which others are sought.
    start: [f64; STARTS + 1],
}

/// Intervals between the abscissae whose parameters are stored: from there two steps of Newton's method are enough.
const STARTS: usize = 32;

impl SmoothCurve {
    /// Joins knots with increasing abscissae; `curviness` from 0 (straight chords) to 1 (close to the tangents), one a
    /// corner.
    pub fn new(name: &str, knots: &[Knot], curviness: &[f64]) -> Result<Self, MuscleError> {
        let corners: Result<Vec<_>, _> =
            knots.windows(2).zip(curviness).map(|(k, c)| Corner::new(name, &k[0], &k[1], *c)).collect();
        let corners = corners?;
        match (knots.first(), knots.last()) {
            (Some(first), Some(last)) if knots.len() > 1 && corners.len() + 1 == knots.len() => {
                Ok(SmoothCurve { corners, first: *first, last: *last })
            }
            _ => Err(MuscleError::Rule {
                object: name.into(),
                rule: format!(
                    "{} knots and {} values of curviness; a curve needs two knots or more and one curviness between \
                     each two",
                    knots.len(),
                    curviness.len()
                ),
            }),
        }
    }

    /// Value and slope at `x`.
    pub fn evaluate(&self, x: f64) -> Slope {
        let straight = |k: &Knot| Slope { value: k.y + k.slope * (x - k.x), slope: k.slope };
        if x <= self.first.x {
            return straight(&self.first);
        }
        match self.corners.iter().find(|c| x < c.x[3]) {
            Some(corner) => corner.evaluate(x),
            None => straight(&self.last),
        }
    }

    /// Value at `x`.
    pub fn value(&self, x: f64) -> f64 {
        self.evaluate(x).value
    }
}

/// A step of Newton's method after which nothing is left.
const NEWTON_ENDS: f64 = 1e-9;

/// Slopes closer than this have no crossing (the square root of the rounding unit).
const PARALLEL: f64 = 1.5e-8;

impl Corner {
    fn new(name: &str, a: &Knot, b: &Knot, curviness: f64) -> Result<Self, MuscleError> {
        require((0.0..=1.0).contains(&curviness), name, "curviness", curviness, "must be from 0 to 1")?;
        require(b.x > a.x, name, "abscissa of a knot", b.x, "must be greater than that of the knot before")?;
        let c = 0.1 + 0.8 * curviness;
        let across = a.slope - b.slope;
        let x = if across.abs() > PARALLEL {
            (b.y - a.y - b.x * b.slope + a.x * a.slope) / across
        } else {
            0.5 * (a.x + b.x)
        };
        let rule = "must lie between its knots, or the curve turns back; change slopes or positions of the knots";
        require(x >= a.x && x <= b.x, name, "abscissa where the tangents of two knots cross", x, rule)?;
        let y = b.y + (x - b.x) * b.slope;
        let mut corner = Corner {
            x: [a.x, a.x + c * (x - a.x), b.x + c * (x - b.x), b.x],
            y: [a.y, a.y + c * (y - a.y), b.y + c * (y - b.y), b.y],
            start: std::array::from_fn(|i| i as f64 / STARTS as f64),
        };
        corner.start = corner.start.map(|share| corner.parameter_from(a.x + share * (b.x - a.x), share));
        Ok(corner)
    }

    fn evaluate(&self, x: f64) -> Slope {
        let u = self.parameter(x);
        let [value, dy] = bezier(&self.y, u);
        let [_, dx] = bezier(&self.x, u);
        // the parametrisation stands still only at ends whose control point is the crossing itself
        let slope = if dx > 0.0 { dy / dx } else { 0.0 };
        Slope { value, slope }
    }

    /// The parameter of an abscissa between the ends.
    fn parameter(&self, x: f64) -> f64 {
        let along = STARTS as f64 * (x - self.x[0]) / (self.x[3] - self.x[0]);
        let i = (along as usize).min(STARTS - 1);
        let share = along - i as f64;
        self.parameter_from(x, self.start[i] + share * (self.start[i + 1] - self.start[i]))
    }

    /// The parameter of an abscissa sought from `u`: Newton's method kept inside a shrinking bracket, since x(u) is
    /// monotone.
    fn parameter_from(&self, x: f64, mut u: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let [value, slope] = bezier(&self.x, u);
            let off = value - x;
            if off > 0.0 {
                high = u
            } else {
                low = u
            }
            let newton = u - off / slope;
            let inside = newton > low && newton < high;
            let next = if inside { newton } else { 0.5 * (low + high) };
            let step = (next - u).abs();
            // what a step of Newton's leaves is of the order of its square
            if step <= 1e-15 || (inside && step <= NEWTON_ENDS) {
                return next;
            }
            u = next;
        }
        u
    }
}

/// Quintic Bézier value with control points `p0 p1 p1 p2 p2 p3`, and its derivative with respect to `u`.
fn bezier(p: &[f64; 4], u: f64) -> [f64; 2] {
    let w = 1.0 - u;
    let (u2, w2) = (u * u, w * w);
    let (u4, w4, both) = (u2 * u2, w2 * w2, u2 * w2);
    let value =
        w4 * (w * p[0] + 5.0 * u * p[1]) + 10.0 * both * (w * p[1] + u * p[2]) + u4 * (5.0 * w * p[2] + u * p[3]);
    let slope = 5.0 * ((p[1] - p[0]) * w4 + 6.0 * (p[2] - p[1]) * both + (p[3] - p[2]) * u4);
    [value, slope]
}

/// `exp(x)` with its derivative, continued along the tangent beyond 50, so that no muscle state overflows.
pub(super) fn growth(x: f64) -> Slope {
    const STRAIGHT_FROM: f64 = 50.0;
    let slope = x.min(STRAIGHT_FROM).exp();
    Slope { value: slope * (1.0 + (x - STRAIGHT_FROM).max(0.0)), slope }
}
