//! Ellipsoids: geodesics, or OpenSim's plane sections.

use super::closest::closest_point;
use super::geodesic::shortest;
use super::section::Section;
use super::{Construction, Problem, Touch, Wrapping};
use crate::path::EllipsoidMethod;
use wolff_spatial::Vec3;

/// The path over an ellipsoid.
///
/// OpenSim lays a plane through both ends and a point of the surface, `guide`, beside the segment, and takes the
/// tangents and the arc in it. The shortest path starts from the shortest such section, or with a wanted half from
/// OpenSim's, and becomes a geodesic. Source: OpenSim 4, class `WrapEllipsoid`; the wanted half mirrors the guide.
/// Limits: ends seen from the centre in (nearly) the same direction are not bent.
pub(super) fn touch(problem: &Problem, radii: &Vec3) -> Touch {
    let scaled = Scaled::of(problem, radii);
    let inside = |p: &Vec3| p.component_div(&scaled.a).norm_squared() < 1.0 - INSIDE;
    if inside(&scaled.p1) || inside(&scaled.p2) {
        return Touch::Inside;
    }
    let same_direction = 1.0 - scaled.p1.normalize().dot(&scaled.p2.normalize()) < INSIDE;
    let Some(chord) = scaled.chord().filter(|_| !same_direction) else { return Touch::Not };
    let free = problem.construction == Construction::Shortest && problem.quadrant.is_none();
    let planar = if free { scaled.shortest_section(&chord) } else { scaled.section(&scaled.guide(problem, &chord)) };
    let Some(planar) = planar else { return Touch::Not };
    let found = match problem.construction {
        Construction::OpenSim => planar,
        Construction::Shortest => scaled.geodesic(&planar).unwrap_or(planar),
    };
    Touch::Through(found.scaled(1.0 / scaled.factor))
}

/// OpenSim's margin of the ellipsoid's equation and of the cosine between both ends.
const INSIDE: f64 = 1e-4;
/// Cosines of the angle to a coordinate axis between which OpenSim blends the axial plane and the fan.
const BLEND: [f64; 2] = [0.7073, 0.9];
/// Part of the chord at its ends over which the axial plane fades.
const FADE: f64 = 0.3;
/// Points on the chord that make the fan.
const FAN: usize = 300;
/// Planes through the segment among which the shortest section is looked for.
const PLANES: usize = 16;

/// Everything over the mean half axis, since OpenSim's tolerances mean that.
struct Scaled {
    factor: f64,
    a: Vec3,
    p1: Vec3,
    p2: Vec3,
}

/// Part of the segment inside the ellipsoid.
struct Chord {
    r1: Vec3,
    r2: Vec3,
}

/// Surface point that carries the plane.
struct Guide {
    point: Vec3,
    /// Weight of the fan in it.
    fan: f64,
    /// Whether it lies beside the chord and so tells the side; otherwise the path takes the short way.
    beside: bool,
}

impl Scaled {
    fn of(problem: &Problem, radii: &Vec3) -> Self {
        let factor = 3.0 / radii.sum();
        Scaled { factor, a: radii * factor, p1: problem.p1 * factor, p2: problem.p2 * factor }
    }

    /// Where the segment is inside; none where it misses.
    fn chord(&self) -> Option<Chord> {
        let (from, to) = (self.p1.component_div(&self.a), self.p2.component_div(&self.a));
        let d = to - from;
        let (aa, bb, cc) = (d.norm_squared(), d.dot(&from), from.norm_squared() - 1.0);
        let root = (bb * bb - aa * cc).max(0.0).sqrt();
        let (enter, leave) = ((-bb - root) / aa, (-bb + root) / aa);
        let inside = bb * bb >= aa * cc && enter > 0.0 && leave < 1.0;
        let at = |t: f64| self.p1 + (self.p2 - self.p1) * t;
        inside.then(|| Chord { r1: at(enter), r2: at(leave) })
    }

    /// The geodesic next to a path, shot from the first end or, where that does not settle, from the second.
    fn geodesic(&self, guess: &Wrapping) -> Option<Wrapping> {
        shortest(&self.a, &self.p1, &self.p2, guess)
            .or_else(|| shortest(&self.a, &self.p2, &self.p1, &guess.reversed()).map(|w| w.reversed()))
    }

    /// The path in the plane of a guide; none where there is no such plane.
    fn section(&self, guide: &Guide) -> Option<Wrapping> {
        let section = Section::through(&self.a, &self.p1, &self.p2, &guide.point, guide.beside)?;
        Some(section.wrapping(&self.a))
    }

    /// The shortest path in planes all around the segment. Directions start from the shortest axis and lie evenly on
    /// both sides, so that the way back is the same.
    fn shortest_section(&self, chord: &Chord) -> Option<Wrapping> {
        let along = (self.p2 - self.p1).normalize();
        let mut axis = Vec3::zeros();
        axis[self.a.imin()] = 1.0;
        let across = |v: Vec3| (v - along * along.dot(&v)).try_normalize(1e-6);
        let e = across(axis).or_else(|| across(axis.yzx()))?;
        let f = along.cross(&e);
        let mut best: Option<(f64, Wrapping)> = None;
        for k in 0..PLANES {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / PLANES as f64).sin_cos();
            let guide = Guide { point: chord.at(0.5) + e * cos + f * sin, fan: 0.0, beside: true };
            let Some(wrapping) = self.section(&guide) else { continue };
            let length = wrapping.length(&self.p1, &self.p2);
            if best.as_ref().is_none_or(|(least, _)| length < *least) {
                best = Some((length, wrapping));
            }
        }
        best.map(|(_, wrapping)| wrapping)
    }

    /// The surface point that the plane passes through, on the wanted half.
    fn guide(&self, problem: &Problem, chord: &Chord) -> Guide {
        let along = (self.p1 - self.p2).normalize();
        let guide = match problem.method {
            EllipsoidMethod::Midpoint => {
                Guide { point: closest_point(&self.a, &chord.at(0.5)), fan: 0.0, beside: true }
            }
            EllipsoidMethod::Axial => {
                let (point, t) = self.axial(chord, &along);
                Guide { point, fan: 0.0, beside: t > 0.0 && t < 1.0 }
            }
            EllipsoidMethod::Hybrid => self.hybrid(chord, &along),
        };
        let Some(quadrant) = problem.quadrant.filter(|q| !q.contains(&guide.point)) else { return guide };

        // mirror it, and draw it to the rim as far as the fan made it
        let axis = quadrant.axis;
        let mut point = guide.point;
        point[axis] = -point[axis];
        if guide.fan > 0.0 {
            point[axis] -= guide.fan * point[axis];
            point = closest_point(&self.a, &point);
        }
        Guide { point, fan: guide.fan, beside: true }
    }

    /// Closest point, in the coordinate plane that the chord is most normal to, to where the chord's line crosses it;
    /// with the place on the chord, 0 to 1 inside.
    fn axial(&self, chord: &Chord, along: &Vec3) -> (Vec3, f64) {
        let axis = along.abs().imax();
        let t = chord.r1[axis] / (chord.r1[axis] - chord.r2[axis]);
        let crossing = chord.at(t);
        let flat = |v: &Vec3| nalgebra::Vector2::new(v[(axis + 1) % 3], v[(axis + 2) % 3]);
        let found = closest_point(&flat(&self.a), &flat(&crossing));
        let mut point = Vec3::zeros();
        point[axis] = crossing[axis];
        (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (found.x, found.y);
        (point, t)
    }

    /// The axial point where the chord runs along a coordinate axis, the fan's where it is oblique, a blend between.
    fn hybrid(&self, chord: &Chord, along: &Vec3) -> Guide {
        let (axial, t) = self.axial(chord, along);
        let mut steepest = along.abs().max();
        if steepest > BLEND[0] {
            let fade = (t.min(1.0 - t) / FADE).clamp(0.0, 1.0);
            steepest = BLEND[0] + fade * (steepest - BLEND[0]);
        }
        if steepest >= BLEND[1] {
            return Guide { point: axial, fan: 0.0, beside: true };
        }
        let fan = closest_point(&self.a, &self.fan(chord));
        if steepest <= BLEND[0] {
            return Guide { point: fan, fan: 1.0, beside: true };
        }
        let weight = (steepest - BLEND[0]) / (BLEND[1] - BLEND[0]);
        let blend = axial * weight + fan * (1.0 - weight);
        Guide { point: closest_point(&self.a, &blend), fan: 1.0 - weight, beside: true }
    }

    /// Middle of the chord moved by the mean direction from its points to the surface.
    fn fan(&self, chord: &Chord) -> Vec3 {
        let mut sum = Vec3::zeros();
        for i in 1..FAN - 1 {
            let p = chord.at(i as f64 / FAN as f64);
            sum += (closest_point(&self.a, &p) - p).try_normalize(0.0).unwrap_or_default();
        }
        chord.at(0.5) + sum.try_normalize(0.0).unwrap_or_default()
    }
}

impl Chord {
    fn at(&self, t: f64) -> Vec3 {
        self.r1 + (self.r2 - self.r1) * t
    }
}
