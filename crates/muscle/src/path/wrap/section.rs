//! The section of an ellipsoid with a plane through both ends of a segment.

use super::Wrapping;
use super::circle::{Sense, TangentPath, tangent_path};
use wolff_spatial::Vec3;

/// A plane section, seen in coordinates over the half axes: there the ellipsoid is the unit sphere, the section a
/// circle, and tangents stay tangents.
pub(super) struct Section {
    centre: Vec3,
    e1: Vec3,
    e2: Vec3,
    radius: f64,
    tangents: TangentPath,
    sense: Sense,
}

impl Section {
    /// The section through both ends and a surface point, with the path on that point's side if wanted, or the short
    /// way; none where they are in a line or the plane misses.
    pub fn through(a: &Vec3, p1: &Vec3, p2: &Vec3, guide: &Vec3, on_its_side: bool) -> Option<Self> {
        let [p1, p2, guide] = [p1, p2, guide].map(|p| p.component_div(a));
        let normal = (p2 - p1).cross(&(guide - p1)).try_normalize(1e-12)?;
        let centre = normal * normal.dot(&p1);
        let radius = Some((1.0 - centre.norm_squared()).sqrt()).filter(|r| *r > 0.0)?;
        let e1 = (p1 - centre).normalize();
        let to2 = p2 - centre;
        let e2 = (to2 - e1 * e1.dot(&to2)).try_normalize(1e-12).unwrap_or_else(|| normal.cross(&e1));
        let theta = to2.dot(&e2).atan2(to2.dot(&e1));

        // the short way lies beyond the segment as seen from the centre
        let across = p2 - p1;
        let side = |v: Vec3| across.cross(&v).dot(&normal);
        let beyond = !on_its_side || side(guide - p1) * side(centre - p1) <= 0.0;
        let sense = if beyond { Sense::Positive } else { Sense::Negative };
        let tangents = tangent_path(radius, (p1 - centre).norm(), to2.norm(), theta, sense);
        Some(Section { centre, e1, e2, radius, tangents, sense })
    }

    /// Touching points and arc in real coordinates.
    pub fn wrapping(&self, a: &Vec3) -> Wrapping {
        let at = |phi: f64| (self.centre + (self.e1 * phi.cos() + self.e2 * phi.sin()) * self.radius).component_mul(a);
        Wrapping { r1: at(self.tangents.phi1), r2: at(self.tangents.phi2), arc: self.arc(a) }
    }

    /// Length of the elliptic arc: `∫ |dx/dφ| dφ` by Gauss' rule of five points on eighths of a turn.
    fn arc(&self, a: &Vec3) -> f64 {
        let sign = if self.sense == Sense::Positive { 1.0 } else { -1.0 };
        let pieces = (self.tangents.arc / std::f64::consts::FRAC_PI_4).ceil().max(1.0);
        let half = 0.5 * self.tangents.arc / pieces;
        let speed = |phi: f64| ((self.e2 * phi.cos() - self.e1 * phi.sin()) * self.radius).component_mul(a).norm();
        let mut sum = 0.0;
        for k in 0..pieces as usize {
            let middle = half * (2 * k + 1) as f64;
            for (x, weight) in GAUSS {
                sum += weight * half * speed(self.tangents.phi1 + sign * (middle + half * x));
            }
        }
        sum
    }
}

/// Abscissae and weights of the five-point rule on -1..1 (Abramowitz and Stegun, table 25.4).
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.5688888888888889),
    (0.5384693101056831, 0.47862867049936647),
    (-0.5384693101056831, 0.47862867049936647),
    (0.906179845938664, 0.23692688505618908),
    (-0.906179845938664, 0.23692688505618908),
];
