//! One scalar constraint: its value, rate, Jacobian row and acceleration term.

use crate::dynamics::bias::point_acceleration;
use crate::force::Instant;
use crate::model::Frame;
use wolff_numerics::TimeFunction;
use wolff_spatial::{Force, Motion, Vec3};

/// A scalar condition.
#[derive(Clone, Debug)]
pub enum Row {
    /// `e · (p_A - p_B) = 0`, `e` fixed in ground.
    GroundOffset {
        /// First frame.
        a: Frame,
        /// Second frame.
        b: Frame,
        /// Direction.
        e: Vec3,
    },
    /// `e · (p_B - p_A) = 0`, `e` fixed in A (components in A's frame).
    BodyOffset {
        /// First frame.
        a: Frame,
        /// Second frame.
        b: Frame,
        /// Direction.
        e: Vec3,
    },
    /// `x · y = 0`, `x` fixed in A and `y` in B (components in their frames).
    Perpendicular {
        /// First frame.
        a: Frame,
        /// Second frame.
        b: Frame,
        /// Axis on A.
        x: Vec3,
        /// Axis on B.
        y: Vec3,
    },
    /// `|p_B - p_A| - length = 0`.
    Distance {
        /// First frame.
        a: Frame,
        /// Second frame.
        b: Frame,
        /// Distance \[m\].
        length: f64,
    },
    /// `q_dependent - f(q_independent) = 0`; indices of speeds.
    Coupler {
        /// Dependent coordinate.
        dependent: usize,
        /// Independent coordinate.
        independent: usize,
        /// Function.
        function: TimeFunction,
    },
    /// `Σ factor q - f(t) = 0`; indices of speeds.
    Driver {
        /// Coordinates with factors.
        terms: Vec<(usize, f64)>,
        /// Function of time.
        function: TimeFunction,
    },
}

/// Value, rate and right-hand side of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowValues {
    /// `φ`.
    pub phi: f64,
    /// `φ'`.
    pub phi_dot: f64,
    /// `γ = -(J' v + ∂²φ/∂t² ...)`, so that `J a = γ`.
    pub gamma: f64,
}

/// What a row between two bodies is made of: unit forces about each tree's point, value, and acceleration for constant
/// speeds.
struct Pair {
    bodies: [usize; 2],
    forces: [Force; 2],
    phi: f64,
    bias: f64,
}

impl Row {
    /// Evaluates the row and fills its Jacobian; `A` are the bodies' bias accelerations.
    pub(crate) fn evaluate(&self, at: &Instant<'_>, A: &[Motion], jacobian: &mut [f64]) -> RowValues {
        jacobian.fill(0.0);
        match self {
            Row::Coupler { dependent, independent, function } => {
                let f = function.evaluate(at.coordinate(*independent));
                let v = at.speed(*independent);
                jacobian[*dependent] += 1.0;
                jacobian[*independent] -= f.d1;
                RowValues {
                    phi: at.coordinate(*dependent) - f.value,
                    phi_dot: at.speed(*dependent) - f.d1 * v,
                    gamma: f.d2 * v * v,
                }
            }
            Row::Driver { terms, function } => {
                let f = function.evaluate(at.t);
                let mut values = RowValues { phi: -f.value, phi_dot: -f.d1, gamma: f.d2 };
                for &(i, factor) in terms {
                    jacobian[i] += factor;
                    values.phi += factor * at.coordinate(i);
                    values.phi_dot += factor * at.speed(i);
                }
                values
            }
            _ => self.evaluate_pair(at, A, jacobian),
        }
    }

    fn evaluate_pair(&self, at: &Instant<'_>, A: &[Motion], jacobian: &mut [f64]) -> RowValues {
        let Some(pair) = self.pair(at, Some(A)) else { return RowValues { phi: 0.0, phi_dot: 0.0, gamma: 0.0 } };
        let mut phi_dot = 0.0;
        for (body, force) in pair.bodies.into_iter().zip(pair.forces) {
            phi_dot += at.kin.bodies[body].V.dot(&force);
            at.kin.powers(at.model, body, &force, |k, power| jacobian[k] += power);
        }
        RowValues { phi: pair.phi, phi_dot, gamma: -pair.bias }
    }

    /// Adds `scale` times the row's unit forces.
    pub(crate) fn add_forces(&self, at: &Instant<'_>, scale: f64, F: &mut [Force], tau: &mut [f64]) {
        match self {
            Row::Coupler { dependent, independent, function } => {
                tau[*dependent] += scale;
                tau[*independent] -= scale * function.evaluate(at.coordinate(*independent)).d1;
            }
            Row::Driver { terms, .. } => {
                for &(i, factor) in terms {
                    tau[i] += scale * factor;
                }
            }
            _ => {
                if let Some(pair) = self.pair(at, None) {
                    for (body, force) in pair.bodies.into_iter().zip(pair.forces) {
                        F[body] += force * scale;
                    }
                }
            }
        }
    }

    /// The unit forces of a row between bodies; none for rows on coordinates.
    fn pair(&self, at: &Instant<'_>, A: Option<&[Motion]>) -> Option<Pair> {
        match self {
            Row::GroundOffset { a, b, e } => Some(ground_offset(at, A, a, b, e)),
            Row::BodyOffset { a, b, e } => Some(body_offset(at, A, a, b, e)),
            Row::Perpendicular { a, b, x, y } => Some(perpendicular(at, A, a, b, x, y)),
            Row::Distance { a, b, length } => Some(distance(at, A, a, b, *length)),
            Row::Coupler { .. } | Row::Driver { .. } => None,
        }
    }
}

/// A point on a body with its velocity and bias acceleration.
struct Point {
    /// From the tree's reference point.
    r: Vec3,
    p: Vec3,
    v: Vec3,
    a: Vec3,
}

fn point(at: &Instant<'_>, A: Option<&[Motion]>, frame: &Frame) -> Point {
    let p = at.point(frame);
    let a = A.map_or(Vec3::zeros(), |A| point_acceleration(at.kin, frame.body, &A[frame.body], &p));
    Point { r: p - at.kin.bodies[frame.body].origin, p, v: at.point_velocity(frame.body, &p), a }
}

/// A direction fixed on a body, with its rate and second rate for constant speeds.
fn direction(at: &Instant<'_>, A: Option<&[Motion]>, frame: &Frame, e_F: &Vec3) -> [Vec3; 3] {
    let body = &at.kin.bodies[frame.body];
    let e = body.X_GB.R * (frame.X_BF.R * e_F);
    let rate = body.V.w.cross(&e);
    let alpha = A.map_or(Vec3::zeros(), |A| A[frame.body].w);
    [e, rate, alpha.cross(&e) + body.V.w.cross(&rate)]
}

fn ground_offset(at: &Instant<'_>, A: Option<&[Motion]>, a: &Frame, b: &Frame, e: &Vec3) -> Pair {
    let (pa, pb) = (point(at, A, a), point(at, A, b));
    Pair {
        bodies: [a.body, b.body],
        forces: [Force::through(&pa.r, *e), Force::through(&pb.r, -e)],
        phi: e.dot(&(pa.p - pb.p)),
        bias: e.dot(&(pa.a - pb.a)),
    }
}

fn body_offset(at: &Instant<'_>, A: Option<&[Motion]>, a: &Frame, b: &Frame, e_A: &Vec3) -> Pair {
    let (pa, pb) = (point(at, A, a), point(at, A, b));
    let [e, e1, e2] = direction(at, A, a, e_A);
    let d = pb.p - pa.p;
    Pair {
        bodies: [a.body, b.body],
        // the reaction passes through B's point on both bodies
        forces: [Force::through(&(pa.r + d), -e), Force::through(&pb.r, e)],
        phi: e.dot(&d),
        bias: e2.dot(&d) + 2.0 * e1.dot(&(pb.v - pa.v)) + e.dot(&(pb.a - pa.a)),
    }
}

fn perpendicular(at: &Instant<'_>, A: Option<&[Motion]>, a: &Frame, b: &Frame, x_A: &Vec3, y_B: &Vec3) -> Pair {
    let [x, x1, x2] = direction(at, A, a, x_A);
    let [y, y1, y2] = direction(at, A, b, y_B);
    let couple = x.cross(&y);
    Pair {
        bodies: [a.body, b.body],
        forces: [Force::new(couple, Vec3::zeros()), Force::new(-couple, Vec3::zeros())],
        phi: x.dot(&y),
        bias: x2.dot(&y) + 2.0 * x1.dot(&y1) + x.dot(&y2),
    }
}

fn distance(at: &Instant<'_>, A: Option<&[Motion]>, a: &Frame, b: &Frame, length: f64) -> Pair {
    let (pa, pb) = (point(at, A, a), point(at, A, b));
    let (d, rate) = (pb.p - pa.p, pb.v - pa.v);
    let now = d.norm();
    // where the points meet there is no direction; any serves to push them apart
    let u = if now > 0.0 { d / now } else { Vec3::x() };
    let across = rate.norm_squared() - u.dot(&rate).powi(2);
    Pair {
        bodies: [a.body, b.body],
        forces: [Force::through(&pa.r, -u), Force::through(&pb.r, u)],
        phi: now - length,
        bias: u.dot(&(pb.a - pa.a)) + if now > 0.0 { across / now } else { 0.0 },
    }
}
