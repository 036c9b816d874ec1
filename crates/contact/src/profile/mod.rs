//! Plane curves that touch: the outline of a bone in the sagittal plane.
//!
//! | file | subject |
//! |---|---|
//! | this one | a cubic spline through points, with a material side |
//! | [`search`] | the common normal of two profiles |

pub mod search;

pub use search::ProfilePair;

use crate::error::ContactError;
use nalgebra::Vector2;
use wolff_numerics::{CubicSpline, EndCondition, LocalSlopes};

/// Fewest points of a profile.
const FEWEST_POINTS: usize = 4;

/// Samples for the global search: this many for each point, within limits.
const SAMPLES_PER_POINT: usize = 4;
const SAMPLE_LIMITS: [usize; 2] = [48, 160];

/// How a profile runs between its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Continuous curvature; may swing beyond its points where they turn sharply or are far apart.
    #[default]
    Smooth,
    /// Continuous tangent, curvature with jumps; does not swing.
    Local(LocalSlopes),
}

/// A cubic spline `(x(s), y(s))` through points in the xy plane of its frame, s the length of the chords \[m\].
///
/// Walking along the points, the material is on the left hand; the outward normal is `(y', -x')/|r'|`. A closed profile
/// is a periodic spline and is turned around if its points run clockwise. An open one is a natural spline (no curvature
/// at the ends) that continues along its end tangents, so position, tangent and curvature are continuous everywhere;
/// with local slopes the curvature jumps at the points.
///
/// Limits: natural ends bend less than the curve they were taken from, so measured profiles should reach a few points
/// beyond where they touch.
#[derive(Clone, Debug)]
pub struct Profile {
    x: CubicSpline,
    y: CubicSpline,
    length: f64,
    closed: bool,
    samples: Vec<Sample>,
    smallest_radius: f64,
}

/// A point of a profile with derivatives by s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position \[m\].
    pub position: Vector2<f64>,
    /// First derivative \[-\].
    pub d1: Vector2<f64>,
    /// Second derivative \[1/m\].
    pub d2: Vector2<f64>,
}

impl CurvePoint {
    /// Outward unit normal.
    pub fn normal(&self) -> Vector2<f64> {
        Vector2::new(self.d1.y, -self.d1.x) / self.d1.norm()
    }

    /// Curvature \[1/m\], positive where the material is convex.
    pub fn curvature(&self) -> f64 {
        self.d1.perp(&self.d2) / self.d1.norm().powi(3)
    }
}

/// A point for the global search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub s: f64,
    pub position: Vector2<f64>,
    pub normal: Vector2<f64>,
}

impl Profile {
    /// Open profile through at least four points \[m\], material on the left hand.
    pub fn open(points: &[[f64; 2]]) -> Result<Self, ContactError> {
        Self::interpolated(points, false, Interpolation::Smooth)
    }

    /// Profile through at least four points \[m\] with this interpolation.
    pub fn interpolated(points: &[[f64; 2]], closed: bool, between: Interpolation) -> Result<Self, ContactError> {
        check_points(points)?;
        let mut around = points.to_vec();
        if closed {
            if signed_area(points) < 0.0 {
                around.reverse();
            }
            around.extend(around.first().copied());
        }
        Self::through(&around, closed, between)
    }

    /// Closed profile through at least four points \[m\]; the first is not repeated at the end.
    pub fn closed(points: &[[f64; 2]]) -> Result<Self, ContactError> {
        Self::interpolated(points, true, Interpolation::Smooth)
    }

    fn through(points: &[[f64; 2]], closed: bool, between: Interpolation) -> Result<Self, ContactError> {
        let mut knots = vec![0.0];
        for (k, w) in points.windows(2).enumerate() {
            let chord = (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1]);
            if chord == 0.0 {
                return Err(refused(format!("points {} and {} are the same; take one of them out", k + 1, k + 2)));
            }
            knots.push(knots[k] + chord);
        }
        let length = knots[knots.len() - 1];
        let column = |i: usize| points.iter().map(|p| p[i]).collect::<Vec<f64>>();
        let ends = if closed { EndCondition::Periodic } else { EndCondition::Natural };
        let spline = |values: &[f64]| match between {
            Interpolation::Smooth => CubicSpline::new(&knots, values, ends),
            Interpolation::Local(kind) => CubicSpline::local(&knots, values, kind, closed),
        };
        let mut profile = Profile {
            x: spline(&column(0))?,
            y: spline(&column(1))?,
            length,
            closed,
            samples: Vec::new(),
            smallest_radius: length,
        };
        profile.refuse_crossings(&knots)?;
        profile.sample(points.len());
        Ok(profile)
    }

    /// Refuses a spline that crosses itself, looked for on a polygon with two sides for each chord.
    fn refuse_crossings(&self, knots: &[f64]) -> Result<(), ContactError> {
        let halves = knots.windows(2).flat_map(|w| [w[0], 0.5 * (w[0] + w[1])]);
        let corners: Vec<_> = halves.chain([self.length]).map(|s| self.point(s).position).collect();
        let sides: Vec<_> = corners.windows(2).map(|w| (w[0], w[1])).collect();
        for (i, first) in sides.iter().enumerate() {
            let neighbour = |j: usize| self.closed && i == 0 && j + 1 == sides.len();
            let other = sides.iter().enumerate().skip(i + 2).find(|(j, side)| !neighbour(*j) && cross(first, side));
            if let Some((j, _)) = other {
                let (a, b) = (i / 2 + 1, j / 2 + 1);
                return Err(refused(format!(
                    "it crosses itself between points {a} and {} and points {b} and {}; give the points in order",
                    a + 1,
                    b + 1
                )));
            }
        }
        Ok(())
    }

    fn sample(&mut self, points: usize) {
        let count = (SAMPLES_PER_POINT * points).clamp(SAMPLE_LIMITS[0], SAMPLE_LIMITS[1]);
        let last = if self.closed { count } else { count - 1 };
        let sharpest = |profile: &Profile, s: f64| 1.0 / profile.point(s).curvature().abs();
        for k in 0..count {
            let s = self.length * k as f64 / last as f64;
            let point = self.point(s);
            self.samples.push(Sample { s, position: point.position, normal: point.normal() });
            self.smallest_radius = self.smallest_radius.min(sharpest(self, s));
        }
    }

    /// Position and derivatives at chord length `s` \[m\]; a closed profile goes around, an open one continues
    /// straight.
    pub fn point(&self, s: f64) -> CurvePoint {
        let inside = if self.closed { s } else { s.clamp(0.0, self.length) };
        let (x, y) = (self.x.evaluate(inside), self.y.evaluate(inside));
        let d1 = Vector2::new(x.d1, y.d1);
        let position = Vector2::new(x.value, y.value) + d1 * (s - inside);
        // NaN stays NaN, so that a broken state is seen
        let straight = inside != s && !s.is_nan();
        let d2 = if straight { Vector2::zeros() } else { Vector2::new(x.d2, y.d2) };
        CurvePoint { position, d1, d2 }
    }

    /// Length of the chords \[m\]: the range of s.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Whether the end meets the beginning.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Smallest radius of curvature at the samples \[m\], at most the length.
    pub fn smallest_radius(&self) -> f64 {
        self.smallest_radius
    }

    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

fn refused(rule: String) -> ContactError {
    ContactError::Profile { rule }
}

fn check_points(points: &[[f64; 2]]) -> Result<(), ContactError> {
    if points.len() < FEWEST_POINTS {
        return Err(refused(format!("{} points, at least {FEWEST_POINTS} are needed", points.len())));
    }
    match points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(k) => Err(refused(format!("point {} is {:?}; both coordinates must be finite numbers", k + 1, points[k]))),
        None => Ok(()),
    }
}

/// Area \[m²\], positive counter-clockwise.
fn signed_area(points: &[[f64; 2]]) -> f64 {
    let next = points.iter().cycle().skip(1);
    0.5 * points.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>()
}

type Side = (Vector2<f64>, Vector2<f64>);

/// Whether two line segments cross.
fn cross(a: &Side, b: &Side) -> bool {
    let side = |p: &Side, q: &Vector2<f64>| (p.1 - p.0).perp(&(q - p.0));
    side(a, &b.0) * side(a, &b.1) < 0.0 && side(b, &a.0) * side(b, &a.1) < 0.0
}
