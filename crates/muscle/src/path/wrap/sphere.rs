//! Spheres: great circles.

use super::circle::{Sense, tangent_path};
use super::{Problem, Touch, Wrapping};
use wolff_spatial::Vec3;

/// Below this sine of the angle between segment and centre the plane of the path is undefined.
const CENTRAL: f64 = 1e-5;

/// Tangents and the great circle between them, in the plane of both ends and the centre.
///
/// With a wanted half the path goes over the far side of the centre where its detour points into that half; both ends
/// inside the half take the short way. Source of that rule: OpenSim 4, class `WrapSphere`. OpenSim counts an arc of
/// more than half a turn negative there; here it is what it is.
pub(super) fn touch(problem: &Problem, radius: f64) -> Touch {
    let (p1, p2) = (problem.p1, problem.p2);
    if p1.norm() < radius || p2.norm() < radius {
        return Touch::Inside;
    }
    if !passes_through(&p1, &p2, radius) {
        return Touch::Not;
    }
    let plane = Plane::of(problem);
    let near = plane.wrapping(radius, Sense::Positive);
    let Some(quadrant) = problem.quadrant else { return Touch::Through(near) };

    let inside = [quadrant.contains(&p1), quadrant.contains(&p2)];
    let wrapping = if inside == [true, true] {
        near
    } else {
        let far = plane.wrapping(radius, Sense::Negative);
        let detour = (far.r1 - p1) + (far.r2 - p2);
        if detour.dot(&quadrant.direction()) < 0.0 { near } else { far }
    };
    if inside == [false, false] { Touch::Beside(wrapping) } else { Touch::Through(wrapping) }
}

/// Whether the segment comes closer to the centre than `radius` between its ends.
fn passes_through(p1: &Vec3, p2: &Vec3, radius: f64) -> bool {
    let d = p2 - p1;
    let t = -p1.dot(&d) / d.norm_squared();
    t > 0.0 && t < 1.0 && (p1 + d * t).norm() < radius
}

/// The plane of both ends and the centre: `e1` towards the first end, `e2` on the side of the second.
struct Plane {
    e1: Vec3,
    e2: Vec3,
    d1: f64,
    d2: f64,
    theta: f64,
}

impl Plane {
    fn of(problem: &Problem) -> Plane {
        let (p1, p2) = (problem.p1, problem.p2);
        let (d1, d2) = (p1.norm(), p2.norm());
        let e1 = p1 / d1;
        let across = |v: Vec3| v - e1 * e1.dot(&v);
        // seen along the segment, the centre must be beside it; otherwise the side is free and the nearby pose decides
        let sine = (p1 - p2).normalize().cross(&(p2 / d2)).norm();
        let side = if sine >= CENTRAL {
            across(p2)
        } else {
            let wanted = problem.hint.or(problem.quadrant.map(|q| q.direction()));
            wanted.map(across).filter(|s| s.norm() > 1e-9 * d1).unwrap_or_else(|| across(least_axis(&e1)))
        };
        let e2 = side.normalize();
        Plane { e1, e2, d1, d2, theta: p2.dot(&e2).atan2(p2.dot(&e1)) }
    }

    fn wrapping(&self, radius: f64, sense: Sense) -> Wrapping {
        let path = tangent_path(radius, self.d1, self.d2, self.theta, sense);
        let at = |phi: f64| (self.e1 * phi.cos() + self.e2 * phi.sin()) * radius;
        Wrapping { r1: at(path.phi1), r2: at(path.phi2), arc: radius * path.arc }
    }
}

/// The coordinate axis most normal to a direction.
fn least_axis(e: &Vec3) -> Vec3 {
    let mut axis = Vec3::zeros();
    axis[e.map(f64::abs).imin()] = 1.0;
    axis
}
