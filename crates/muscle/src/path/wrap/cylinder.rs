//! Cylinders: helices.

use super::circle::{Sense, TangentPath, tangent_path};
use super::{Construction, Problem, Touch, Wrapping};
use crate::path::Quadrant;
use std::f64::consts::PI;
use wolff_spatial::Vec3;

/// Tangents and the helix between them.
///
/// Seen along the axis the path is two tangents and an arc; unrolled, it is a straight line: the height grows in
/// proportion to the developed length `s1 + r θ + s2`. The path is the shortest for its sense of rotation.
///
/// With a wanted half the sense is the one whose touching points are in that half, and a segment that passes beside the
/// cylinder on that half is left alone. Source of that rule: OpenSim 4, class `WrapCylinder`.
pub(super) fn touch(problem: &Problem, radius: f64, length: f64) -> Touch {
    let ends = Ends::of(problem, radius);
    if ends.d[0] < radius || ends.d[1] < radius {
        return Touch::Inside;
    }
    let through = ends.passes_through();
    let (choice, beside) = match &problem.quadrant {
        None if !through => return Touch::Not,
        None => (ends.short_way(), false),
        Some(quadrant) => match ends.wanted_way(quadrant, through) {
            Some(choice) => choice,
            None => return Touch::Not,
        },
    };
    let wrapping = match problem.construction {
        Construction::OpenSim if problem.alone => ends.planar(&choice),
        _ => ends.helix(choice.sense),
    };
    let beyond = |r: &Vec3| r.z.abs() > 0.5 * length;
    if beyond(&wrapping.r1) && beyond(&wrapping.r2) {
        return Touch::Not;
    }
    if beside { Touch::Beside(wrapping) } else { Touch::Through(wrapping) }
}

/// A way around, and whether OpenSim lays its plane over the side away from the segment.
struct Choice {
    sense: Sense,
    far: bool,
}

/// Both ends in polar coordinates about the axis.
struct Ends {
    p: [Vec3; 2],
    /// Distances from the axis.
    d: [f64; 2],
    /// Polar angle of the first end.
    phi: f64,
    /// Polar angle of the second from the first, -π to π.
    theta: f64,
    radius: f64,
}

impl Ends {
    fn of(problem: &Problem, radius: f64) -> Self {
        let p = [problem.p1, problem.p2];
        let [a, b] = p;
        let theta = (a.x * b.y - a.y * b.x).atan2(a.x * b.x + a.y * b.y);
        // a segment through the very axis takes the side of the nearby pose
        let central = theta.abs() > PI - 1e-9;
        let theta = match problem.hint {
            Some(h) if central && (a.x * h.y - a.y * h.x) * theta < 0.0 => -theta,
            _ => theta,
        };
        Ends { p, d: p.map(|p| p.x.hypot(p.y)), phi: a.y.atan2(a.x), theta, radius }
    }

    /// Where the segment's line is closest to the axis, as a fraction of the segment; none where they are parallel.
    fn closest(&self) -> Option<f64> {
        let d = self.p[1] - self.p[0];
        let across = d.x * d.x + d.y * d.y;
        (across > 1e-12 * d.norm_squared()).then(|| -(self.p[0].x * d.x + self.p[0].y * d.y) / across)
    }

    /// Whether the segment passes the axis closer than the radius between its ends.
    fn passes_through(&self) -> bool {
        self.closest().is_some_and(|t| {
            let near = self.p[0] + (self.p[1] - self.p[0]) * t;
            t > 0.0 && t < 1.0 && near.x.hypot(near.y) < self.radius
        })
    }

    fn short_way(&self) -> Choice {
        Choice { sense: if self.theta >= 0.0 { Sense::Positive } else { Sense::Negative }, far: false }
    }

    fn tangents(&self, sense: Sense) -> TangentPath {
        tangent_path(self.radius, self.d[0], self.d[1], self.theta, sense)
    }

    /// Touching points of the tangents, still at the heights of the ends.
    fn flat(&self, sense: Sense) -> [Vec3; 2] {
        let t = self.tangents(sense);
        let at = |phi: f64, z: f64| {
            let angle = self.phi + phi;
            Vec3::new(self.radius * angle.cos(), self.radius * angle.sin(), z)
        };
        [at(t.phi1, self.p[0].z), at(t.phi2, self.p[1].z)]
    }

    /// The way over the wanted half and whether the segment passes beside the cylinder; none where nothing is to be
    /// done.
    fn wanted_way(&self, quadrant: &Quadrant, through: bool) -> Option<(Choice, bool)> {
        let inside = self.p.map(|p| quadrant.contains(&p));
        let mandatory = (inside[0] || inside[1]) && through;
        if (inside[0] || inside[1]) && !through {
            let near = self.p[0] + (self.p[1] - self.p[0]) * self.closest()?;
            if inside[0] == inside[1] || quadrant.contains(&near) {
                return None;
            }
        }
        let (positive, negative) = (self.flat(Sense::Positive), self.flat(Sense::Negative));
        let positive_is_longer = angle_between(&positive) > angle_between(&negative);
        let [from_positive, from_negative] = [positive[0], negative[0]].map(|r| quadrant.contains(&r));
        let [to_positive, to_negative] = [positive[1], negative[1]].map(|r| quadrant.contains(&r));
        // touching points in the wanted half decide, those of the first end before those of the second
        let (sense, far) = if from_positive != from_negative {
            (from_positive, from_positive == positive_is_longer)
        } else if from_positive || to_negative || to_positive {
            let sense = !to_negative;
            (sense, sense == positive_is_longer)
        } else {
            (positive_is_longer, true)
        };
        let sense = if sense { Sense::Positive } else { Sense::Negative };
        Some((Choice { sense, far }, !mandatory))
    }

    /// The shortest path of a sense.
    fn helix(&self, sense: Sense) -> Wrapping {
        let t = self.tangents(sense);
        let bent = self.radius * t.arc;
        let developed = t.s1 + bent + t.s2;
        let rise = self.p[1].z - self.p[0].z;
        let slope = if developed > 0.0 { rise / developed } else { 0.0 };
        let [mut r1, mut r2] = self.flat(sense);
        r1.z = self.p[0].z + slope * t.s1;
        r2.z = self.p[1].z - slope * t.s2;
        Wrapping { r1, r2, arc: bent.hypot(slope * bent) }
    }

    /// OpenSim's touching points: on the tangents' lines of contact where they meet the plane through both ends and a
    /// point of the surface beside the segment.
    fn planar(&self, choice: &Choice) -> Wrapping {
        let [p1, p2] = self.p;
        let [mut r1, mut r2] = self.flat(choice.sense);
        let fraction = self.d[0] / (self.d[0] + self.d[1]);
        let middle = p1 + (p2 - p1) * fraction;
        let foot = Vec3::new(0.0, 0.0, middle.z);
        let up = Vec3::z().cross(&(p1 - foot).cross(&(p2 - foot)));
        if let Some(up) = up.try_normalize(1e-300) {
            let towards = if (up.dot(&(middle - foot)) >= 0.0) != choice.far { up } else { -up };
            let apex = foot + towards * self.radius;
            let normal = (p1 - apex).cross(&(p2 - apex));
            for (r, own, other) in [(&mut r1, &p1, &p2), (&mut r2, &p2, &p1)] {
                slide(r, &normal, own, other);
            }
        }
        let angle = angle_between(&[r1, r2]);
        let radial = |r: &Vec3| Vec3::new(r.x, r.y, 0.0);
        let outward = radial(&r1) + radial(&r2);
        let [f1, f2] = self.flat(choice.sense);
        let long = outward.dot(&((f1 - p1) + (f2 - p2))) < 0.0;
        let turn = if long { 2.0 * PI - angle } else { angle };
        Wrapping { r1, r2, arc: (self.radius * turn).hypot(r2.z - r1.z) }
    }
}

/// Slides `r` along the axis into the plane through `own` with `normal`, if it then lies nearer to the other end than
/// its own does.
fn slide(r: &mut Vec3, normal: &Vec3, own: &Vec3, other: &Vec3) {
    // OpenSim looks 10 m up and down only, and not where the plane is parallel to the axis
    if (20.0 * normal.z).abs() < 1e-5 * normal.norm() || other.z == 0.0 {
        return;
    }
    let z = own.z - (normal.x * (r.x - own.x) + normal.y * (r.y - own.y)) / normal.z;
    if (z - r.z).abs() <= 10.0 && (z - other.z).abs() < (own.z - other.z).abs() {
        r.z = z;
    }
}

/// Angle between two points seen from the axis, 0 to π.
fn angle_between(r: &[Vec3; 2]) -> f64 {
    let [a, b] = r;
    (a.x * b.y - a.y * b.x).abs().atan2(a.x * b.x + a.y * b.y)
}
