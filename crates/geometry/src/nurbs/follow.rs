//! The nearest point followed while the point asked for moves a little: one evaluation of the patch for each answer.

use super::descend::Foot;
use super::jet::Jet;
use super::set::NurbsPatchSet;
use crate::surface::{Place, SurfacePoint, Track};
use wolff_spatial::{Mat3, Vec3};

/// Longest last step in the parameters: the place is then known to the square of this, the shape operator to about as
/// much.
const LAST_STEP: f64 = 1e-6;
/// The squared distance must be curved at least this part of that from a plane (as where a search from scratch is
/// trusted).
const LEAST_CONVEXITY: f64 = 0.05;
/// Sine of the angle between the tangents below which a patch is left to the careful search.
const LEAST_SINE: f64 = 1e-3;

/// How the parameters of the nearest point change with the point, `du = slopes[0]·dp`, `dv = slopes[1]·dp`: Newton's
/// matrix of ½ |S(u, v) - p|², r = S - p. `None` unless the distance has a clear minimum and the tangents span a plane.
#[inline(always)]
fn slopes(jet: &Jet, r: &Vec3) -> Option<[Vec3; 2]> {
    let (e, f, h) = (jet.su.norm_squared(), jet.su.dot(&jet.sv), jet.sv.norm_squared());
    let (a, b, c) = (e + r.dot(&jet.suu), f + r.dot(&jet.suv), h + r.dot(&jet.svv));
    let (det, flat) = (a * c - b * b, e * h - f * f);
    let regular = flat > LEAST_SINE * LEAST_SINE * e * h;
    let convex = a > LEAST_CONVEXITY * e && c > LEAST_CONVEXITY * h && det > LEAST_CONVEXITY * flat;
    if !(regular && convex) {
        return None;
    }
    let inverse = 1.0 / det;
    let (a, b, c) = (a * inverse, b * inverse, c * inverse);
    Some([jet.su * c - jet.sv * b, jet.sv * a - jet.su * b])
}

/// Normal and shape operator of a regular point as in [`Jet::unit_normal`] and [`Jet::shape_operator`], of which they
/// share all products: |Su × Sv|² is the determinant of the metric.
#[inline(always)]
fn normal_and_shape(jet: &Jet, outward: f64) -> (Vec3, Mat3) {
    let cross = jet.su.cross(&jet.sv);
    let inverse_root = outward / cross.norm();
    let (n, inverse) = (cross * inverse_root, inverse_root * inverse_root);
    let (e, f, h) = (jet.su.norm_squared() * inverse, jet.su.dot(&jet.sv) * inverse, jet.sv.norm_squared() * inverse);
    let (a, b) = (jet.su * h - jet.sv * f, jet.sv * e - jet.su * f);
    let (l, m, k) = (n.dot(&jet.suu), n.dot(&jet.suv), n.dot(&jet.svv));
    let (c, d) = (a * -l - b * m, a * -m - b * k);
    let (xy, xz, yz) = (c.x * a.y + d.x * b.y, c.x * a.z + d.x * b.z, c.y * a.z + d.y * b.z);
    let (xx, yy, zz) = (c.x * a.x + d.x * b.x, c.y * a.y + d.y * b.y, c.z * a.z + d.z * b.z);
    (n, Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}

impl NurbsPatchSet {
    /// The place of the last answer is moved on to first order, which leaves an error of second order in the way of the
    /// point; one Newton step there leaves the square of that. `None` where this is not sure: a step out of the patch
    /// or too long, a point close to a centre of curvature, a pole.
    #[inline(always)]
    pub(crate) fn followed(&self, p: &Vec3, track: &mut Track) -> Option<(SurfacePoint, Mat3)> {
        let index = track.place.patch as usize;
        let (patch, moved) = (self.patches.get(index)?, p - track.asked?);
        let inside = |u: f64, v: f64| u > 0.0 && u < 1.0 && v > 0.0 && v < 1.0;
        let (u, v) = (track.place.u + track.slopes[0].dot(&moved), track.place.v + track.slopes[1].dot(&moved));
        // also false for a NaN
        if !inside(u, v) {
            return None;
        }
        let jet = self.jet(index, u, v);
        let r = jet.s - p;
        let slopes = slopes(&jet, &r)?;
        let (du, dv) = (-slopes[0].dot(&r), -slopes[1].dot(&r));
        let (u, v) = (u + du, v + dv);
        if !(du.abs().max(dv.abs()) <= LAST_STEP && inside(u, v)) {
            return None;
        }
        let jet = jet.moved(du, dv);
        let (normal, W) = normal_and_shape(&jet, patch.outward);
        let place = Place { patch: track.place.patch, u, v };
        let on_rim = self.members[patch.surface as usize].mask.is_some() && !self.exists(&place);
        *track = Track { place, asked: Some(*p), slopes };
        Some((SurfacePoint { position: jet.s, normal, place, on_rim }, W))
    }

    /// Where the answer of a search can be followed from.
    pub(crate) fn track(&self, p: &Vec3, foot: &Foot) -> Track {
        let slopes = slopes(&foot.jet, &(foot.jet.s - p));
        Track { place: foot.place, asked: slopes.map(|_| *p), slopes: slopes.unwrap_or_default() }
    }
}
