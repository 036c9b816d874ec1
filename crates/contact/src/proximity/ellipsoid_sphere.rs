//! Ellipsoid and sphere, by the point of the ellipsoid nearest to the sphere's centre.

use super::Proximity;
use wolff_spatial::{Pose, Vec3};

/// Ellipsoid A and sphere B: `depth = R - distance`, the distance being negative for a centre inside the ellipsoid.
pub(super) fn ellipsoid_sphere(
    (X_GA, semi_axes): (&Pose, &Vec3),
    (c, radius): (&Vec3, f64),
    warm: Option<Vec3>,
) -> Proximity {
    let c_A = X_GA.inverse_point(c);
    let hint = warm.map(|normal| X_GA.R.tr_mul(&normal));
    let (x, normal_A) = nearest_point_on_ellipsoid(semi_axes, &c_A, hint);
    let normal = X_GA.R * normal_A;
    Proximity {
        depth: radius - normal_A.dot(&(c_A - x)),
        normal,
        point_a: X_GA.point(&x),
        point_b: c - normal * radius,
    }
}

/// Point of the ellipsoid `Σ (x_i/s_i)² = 1` nearest to `y`, and the outward unit normal there.
///
/// ```text
/// x_i = s_i² y_i/(s_i² + t),   p_i = s_i y_i/(s_i² + t),   |p| = 1,   t > -s_min²
/// ```
///
/// s semi-axes \[m\], y any point inside or outside \[m\]. The root t is found by Newton on `1/|p(t)|`, which is
/// concave and increasing, from the left: monotonic, about five iterations. With `τ = t/s_min² + 1` the pole sits at
/// zero and nothing cancels. On the plane of symmetry deep inside, where the nearest point is one of two, the side of
/// `hint` is taken, or the positive one.
///
/// Source: the secular equation as in Eberly, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid,
/// 2013; the iteration of Moré and Sorensen, Computing a trust region step, 1983.
pub fn nearest_point_on_ellipsoid(semi_axes: &Vec3, y: &Vec3, hint: Option<Vec3>) -> (Vec3, Vec3) {
    let least = semi_axes.min();
    let ratio = semi_axes / least;
    // s_i²/s_min² - 1 = (s_i - s_min)(s_i + s_min)/s_min²
    let excess = (ratio - Vec3::repeat(1.0)).component_mul(&(ratio + Vec3::repeat(1.0)));
    let scaled = y.component_div(semi_axes);
    let weight = ratio.component_mul(&ratio).component_mul(&scaled);

    // p(τ) = weight/(τ + excess); the shortest axes alone bound τ from below
    let mut tau = (0..3).filter(|&i| excess[i] == 0.0).fold(0.0, |sum: f64, i| sum.hypot(weight[i]));
    let divide = |x: f64, tau: f64, i: usize| if x == 0.0 { 0.0 } else { x / (tau + excess[i]) };
    let p_at = |tau: f64| Vec3::from_fn(|i, _| divide(weight[i], tau, i));
    let mut p = p_at(tau);
    for _ in 0..100 {
        let norm = p.norm();
        if norm <= 1.0 + 2.0 * f64::EPSILON {
            break;
        }
        // Newton on 1/|p| = 1: -d|p|/dτ = Σ p_i²/(τ + excess_i)/|p|
        let slope = (0..3).map(|i| divide(p[i] * p[i], tau, i)).sum::<f64>();
        let step = norm * norm * (norm - 1.0) / slope;
        if step <= f64::EPSILON * tau {
            break;
        }
        tau += step;
        p = p_at(tau);
    }
    finish(semi_axes, &excess, p, hint)
}

/// Completes a root at the pole (τ = 0) along the shortest axis, and turns `p` into point and normal.
fn finish(semi_axes: &Vec3, excess: &Vec3, mut p: Vec3, hint: Option<Vec3>) -> (Vec3, Vec3) {
    let missing = 1.0 - p.norm_squared();
    let shortest = (0..3).find(|&i| excess[i] == 0.0).unwrap_or(0);
    if missing > 1e-12 && p[shortest] == 0.0 {
        let side = hint.map_or(1.0, |h| if h[shortest] < 0.0 { -1.0 } else { 1.0 });
        p[shortest] = side * missing.sqrt();
    }
    let p = p.normalize();
    (p.component_mul(semi_axes), p.component_div(semi_axes).normalize())
}
