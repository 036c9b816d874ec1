//! Rings: a cylinder along the tube where the segment passes closest.

use super::{Construction, Problem, Touch, Wrapping, cylinder};
use crate::path::Quadrant;
use wolff_spatial::{Mat3, Pose, Vec3};

/// The path through the hole of a ring: over a cylinder of the tube's radius that touches the circle in the middle of
/// the tube at the point closest to the segment, on the side of the hole.
///
/// With a wanted half the closest point must be on it. Source: OpenSim 4, class `WrapTorus`. OpenSim looks for the
/// closest point with the ring's radius doubled in its equation; its construction here does the same, from both ends of
/// the segment. Limits: the tube is not bent, so the path is right where it covers a small part of the ring.
pub(super) fn touch(problem: &Problem, ring: f64, tube: f64) -> Touch {
    let Some(on_ring) = closest_on_ring(problem, ring) else { return Touch::Not };
    let X_TC = tube_frame(&on_ring);
    let straight = Problem {
        quadrant: Some(Quadrant { axis: 0, positive: true }),
        hint: problem.hint.map(|h| X_TC.inverse_point(&h)),
        p1: X_TC.inverse_point(&problem.p1),
        p2: X_TC.inverse_point(&problem.p2),
        ..*problem
    };
    match cylinder::touch(&straight, tube, f64::INFINITY) {
        Touch::Beside(w) | Touch::Through(w) => {
            Touch::Beside(Wrapping { r1: X_TC.point(&w.r1), r2: X_TC.point(&w.r2), arc: w.arc })
        }
        Touch::Not | Touch::Inside => Touch::Not,
    }
}

/// Whether the segment crosses the disc that the ring encloses: the path is threaded there and needs the ring nowhere
/// else.
pub(super) fn threads(p1: &Vec3, p2: &Vec3, ring: f64) -> bool {
    let t = p1.z / (p1.z - p2.z);
    let p = p1 + (p2 - p1) * t;
    p1.z * p2.z < 0.0 && p.x.hypot(p.y) < ring
}

/// Frame of the cylinder: at the ring's point, x to the middle of the hole, z along the ring.
fn tube_frame(on_ring: &Vec3) -> Pose {
    let x = -on_ring.normalize();
    let y = -Vec3::z();
    Pose::new(Mat3::from_columns(&[x, y, x.cross(&y)]), *on_ring)
}

/// Point of the ring closest to the segment, on the wanted half; none where there is none.
fn closest_on_ring(problem: &Problem, ring: f64) -> Option<Vec3> {
    let (p1, p2) = (problem.p1, problem.p2);
    let candidates = match problem.construction {
        Construction::OpenSim => [walk(&p1, &p2, 2.0 * ring), walk(&p2, &p1, 2.0 * ring)],
        Construction::Shortest => [Some(scan(&p1, &p2, ring)), None],
    };
    let distance = |p: &Vec3| (p.x.hypot(p.y) - ring).hypot(p.z);
    let wanted = |p: &Vec3| problem.quadrant.is_none_or(|q| q.contains(p));
    let nearest = candidates
        .into_iter()
        .flatten()
        .filter(|p| wanted(p) && p.x.hypot(p.y) > 0.0)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(Vec3::new(nearest.x, nearest.y, 0.0) * (ring / nearest.x.hypot(nearest.y)))
}

/// Where the line from `p1` to `p2` is at a stationary distance from a ring, found by Newton's method from `p1`.
fn walk(p1: &Vec3, p2: &Vec3, ring: f64) -> Option<Vec3> {
    let n = (p2 - p1).try_normalize(0.0)?;
    let at = |u: f64| p1 + n * u;
    // half the derivative of the squared distance, and its derivative
    let slope = |u: f64| {
        let p = at(u);
        let (rho, along) = (p.x.hypot(p.y), p.x * n.x + p.y * n.y);
        let across = n.x * n.x + n.y * n.y;
        (p.dot(&n) - ring * along / rho, 1.0 - ring * (across / rho - along * along / rho.powi(3)))
    };
    let (mut u, mut trust) = (0.0, 0.2_f64);
    for _ in 0..200 {
        let (g, dg) = slope(u);
        let step = (-g / dg).clamp(-trust, trust);
        if !step.is_finite() || step.abs() < 1e-12 {
            break;
        }
        if slope(u + step).0.abs() < g.abs() { u += step } else { trust = 0.25 * step.abs() }
    }
    Some(at(u)).filter(|p| p.iter().all(|x| x.is_finite()))
}

/// Point of the segment closest to a ring: the best of some samples, then bisection of the slope of the distance
/// between the neighbours.
fn scan(p1: &Vec3, p2: &Vec3, ring: f64) -> Vec3 {
    const SAMPLES: usize = 24;
    let d = p2 - p1;
    let at = |t: f64| p1 + d * t;
    let distance = |t: f64| {
        let p = at(t);
        (p.x.hypot(p.y) - ring).powi(2) + p.z * p.z
    };
    let width = 1.0 / SAMPLES as f64;
    let (mut best, mut least) = (0.0, f64::INFINITY);
    for t in (0..=SAMPLES).map(|k| k as f64 * width) {
        let here = distance(t);
        if here < least {
            (best, least) = (t, here);
        }
    }
    let (mut low, mut high) = ((best - width).max(0.0), (best + width).min(1.0));
    let slope = |t: f64| {
        let p = at(t);
        let (rho, along) = (p.x.hypot(p.y), p.x * d.x + p.y * d.y);
        p.dot(&d) - ring * along / rho
    };
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { high = middle } else { low = middle }
    }
    at(0.5 * (low + high))
}
