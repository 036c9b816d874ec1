//! The queries of contact answered by a set of patches.

use super::closest::inside_unit;
use super::jet::Jet;
use super::patch::Beyond;
use super::set::NurbsPatchSet;
use super::surface::clamp;
use crate::surface::{Bounds, Hit, Place, Surface, SurfacePoint, Track};
use wolff_spatial::{Mat3, Vec3};

/// How far inside a patch the curvature is taken where the patch is degenerate, in its parameters.
const OFF_POLE: f64 = 1e-4;

impl Surface for NurbsPatchSet {
    fn patch_count(&self) -> usize {
        self.patches().len()
    }

    fn surface_parameters(&self, place: &Place) -> Option<(usize, f64, f64)> {
        self.parameters(place)
    }

    fn closest(&self, p: &Vec3) -> Option<SurfacePoint> {
        self.answer(&self.nearest(p)?)
    }

    fn closest_from(&self, p: &Vec3, from: &Place) -> Option<SurfacePoint> {
        self.answer(&self.nearest_from(p, from)?)
    }

    fn closest_with_shape(&self, p: &Vec3, from: Option<&Place>) -> Option<(SurfacePoint, Mat3)> {
        let foot = match from {
            Some(from) => self.nearest_from(p, from),
            None => self.nearest(p),
        }?;
        let point = self.answer(&foot)?;
        Some((point, self.shape(&point, &foot.jet)))
    }

    #[inline]
    fn follow(&self, p: &Vec3, track: &mut Track, warm: bool) -> Option<(SurfacePoint, Mat3)> {
        if warm && let Some(answer) = self.followed(p, track) {
            return Some(answer);
        }
        let foot = if warm { self.nearest_from(p, &track.place) } else { self.nearest(p) }?;
        let point = self.answer(&foot)?;
        *track = self.track(p, &foot);
        Some((point, self.shape(&point, &foot.jet)))
    }

    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        self.first_hit(origin, direction, range)
    }

    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), from: &Place) -> Option<Hit> {
        self.hit_from(origin, direction, range, from)
    }

    fn at(&self, place: &Place) -> Option<SurfacePoint> {
        let known = (place.patch as usize) < self.patches.len() && inside_unit(place.u) && inside_unit(place.v);
        known.then(|| self.surface_point(*place, &self.jet(place.patch as usize, place.u, place.v), false))?
    }

    fn shape_operator(&self, place: &Place) -> Mat3 {
        let Some(point) = self.at(place) else { return Mat3::zeros() };
        self.shape(&point, &self.jet(place.patch as usize, place.u, place.v))
    }

    fn is_smooth(&self) -> bool {
        let sides = self.patches.iter().flat_map(|patch| &patch.beyond);
        sides.into_iter().all(|beyond| matches!(beyond, Beyond::Rim | Beyond::Joined { smooth: true, .. }))
    }

    fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }
}

impl NurbsPatchSet {
    /// Shape operator at a point from the derivatives there.
    #[inline]
    fn shape(&self, point: &SurfacePoint, jet: &Jet) -> Mat3 {
        let regular = if jet.is_degenerate(OFF_POLE) { None } else { jet.shape_operator(&point.normal) };
        regular.or_else(|| self.shape_off_pole(&point.place)).unwrap_or_else(Mat3::zeros)
    }

    fn shape_off_pole(&self, place: &Place) -> Option<Mat3> {
        let patch = place.patch as usize;
        let inside = |t: f64| clamp(t, (OFF_POLE, 1.0 - OFF_POLE));
        let (u, v) = (inside(place.u), inside(place.v));
        let jet = self.jet(patch, u, v);
        jet.shape_operator(&self.outward_normal(patch, (u, v), &jet)?)
    }
}
