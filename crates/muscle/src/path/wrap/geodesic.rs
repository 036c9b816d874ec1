//! The shortest path from point to point over an ellipsoid.

use super::Wrapping;
use wolff_spatial::Vec3;

/// The geodesic that leaves the tangent from `p1` and ends in the tangent to `p2`, starting from a nearby path; none
/// where Newton's method does not settle.
///
/// Unknowns are the place ψ on the horizon seen from `p1` and the arc s. Shooting `x'' = -λ n` from there along the
/// tangent must end so that `p2 - x` has no part along the surface's normal nor across the path:
///
/// ```text
/// n_i = x_i/a_i²,   λ = Σ (x'_i/a_i)² / |n|²
/// ```
/// Source: geodesics of an implicit surface, do Carmo, Differential Geometry of Curves and Surfaces, 1976. Limits: the
/// path found is the stationary one next to the guess, which is not the shortest of all beyond a conjugate point;
/// around the rim of a disc (half axes 1 to 5) one path in ten thousand does not settle.
pub(super) fn shortest(a: &Vec3, p1: &Vec3, p2: &Vec3, guess: &Wrapping) -> Option<Wrapping> {
    let horizon = Horizon::seen_from(a, p1)?;
    let (mut psi, mut arc) = (horizon.place_of(&guess.r1), guess.arc);
    let shoot = |psi: f64, arc: f64| Shot::new(a, p1, p2, horizon.at(psi), arc);
    let mut shot = shoot(psi, arc)?;
    for _ in 0..ROUNDS {
        if shot.miss.norm() <= SETTLED {
            return Some(Wrapping { r1: shot.r1, r2: shot.r2, arc });
        }
        let by_psi = (shoot(psi + STEP, arc)?.miss - shoot(psi - STEP, arc)?.miss) / (2.0 * STEP);
        let step = nalgebra::Matrix2::from_columns(&[by_psi, shot.by_arc]).lu().solve(&(-shot.miss))?;
        // halve steps that do not help
        let mut scale = 1.0;
        loop {
            let (next_psi, next_arc) = (psi + scale * step.x, arc + scale * step.y);
            if let Some(next) =
                shoot(next_psi, next_arc).filter(|n| next_arc >= 0.0 && n.miss.norm() < shot.miss.norm())
            {
                (psi, arc, shot) = (next_psi, next_arc, next);
                break;
            }
            scale *= 0.5;
            if scale < 1e-6 {
                return (shot.miss.norm() <= ACCEPTED).then_some(Wrapping { r1: shot.r1, r2: shot.r2, arc });
            }
        }
    }
    None
}

/// Lengths here are over the mean half axis.
const ROUNDS: usize = 30;
const SETTLED: f64 = 1e-12;
const ACCEPTED: f64 = 1e-9;
const STEP: f64 = 1e-5;
/// Steps of the classical Runge-Kutta method an eighth of a turn.
const DENSITY: f64 = 12.0;

/// Points whose tangents pass through the eye: in coordinates over the half axes a circle.
struct Horizon {
    a: Vec3,
    centre: Vec3,
    e1: Vec3,
    e2: Vec3,
}

impl Horizon {
    fn seen_from(a: &Vec3, eye: &Vec3) -> Option<Self> {
        let eye = eye.component_div(a);
        let d2 = eye.norm_squared();
        let radius = Some(1.0 - 1.0 / d2).filter(|r| *r > 0.0)?.sqrt();
        let out = eye.normalize();
        let mut axis = Vec3::zeros();
        axis[out.abs().imin()] = 1.0;
        let e1 = out.cross(&axis).normalize();
        Some(Horizon { a: *a, centre: eye / d2, e1: e1 * radius, e2: out.cross(&e1) * radius })
    }

    fn at(&self, psi: f64) -> Vec3 {
        (self.centre + self.e1 * psi.cos() + self.e2 * psi.sin()).component_mul(&self.a)
    }

    fn place_of(&self, x: &Vec3) -> f64 {
        let y = x.component_div(&self.a);
        y.dot(&self.e2).atan2(y.dot(&self.e1))
    }
}

/// A geodesic of given start and length.
struct Shot {
    r1: Vec3,
    r2: Vec3,
    /// Parts of `p2 - r2` along the normal and across the path.
    miss: nalgebra::Vector2<f64>,
    /// Derivative of `miss` with respect to the length: only the turning of the normal counts.
    by_arc: nalgebra::Vector2<f64>,
}

impl Shot {
    fn new(a: &Vec3, p1: &Vec3, p2: &Vec3, r1: Vec3, arc: f64) -> Option<Self> {
        let start = (r1 - p1).try_normalize(0.0)?;
        let (r2, along) = trace(a, r1, start, arc);
        let gradient = r2.component_div(a).component_div(a);
        let normal = gradient.try_normalize(0.0)?;
        let change = along.component_div(a).component_div(a);
        let turning = (change - normal * normal.dot(&change)) / gradient.norm();
        let rest = p2 - r2;
        let miss = nalgebra::Vector2::new(normal.dot(&rest), normal.cross(&along).dot(&rest));
        let by_arc = nalgebra::Vector2::new(turning.dot(&rest), turning.cross(&along).dot(&rest));
        (miss.x.is_finite() && miss.y.is_finite()).then_some(Shot { r1, r2, miss, by_arc })
    }
}

/// Follows a geodesic over a length: end and direction.
fn trace(a: &Vec3, mut x: Vec3, mut v: Vec3, arc: f64) -> (Vec3, Vec3) {
    let acceleration = |x: &Vec3, v: &Vec3| {
        let n = x.component_div(a).component_div(a);
        n * (-v.component_div(a).norm_squared() / n.norm_squared())
    };
    let turn = arc / a.min();
    let steps = (DENSITY * turn / std::f64::consts::FRAC_PI_4).clamp(4.0, 400.0).ceil();
    let h = arc / steps;
    for _ in 0..steps as usize {
        let a1 = acceleration(&x, &v);
        let v2 = v + a1 * (0.5 * h);
        let a2 = acceleration(&(x + v * (0.5 * h)), &v2);
        let v3 = v + a2 * (0.5 * h);
        let a3 = acceleration(&(x + v2 * (0.5 * h)), &v3);
        let v4 = v + a3 * h;
        let a4 = acceleration(&(x + v3 * h), &v4);
        x += (v + v2 * 2.0 + v3 * 2.0 + v4) * (h / 6.0);
        v += (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
    }
    (x, v)
}
