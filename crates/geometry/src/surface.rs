//! What contact asks of a surface, whatever it is made of.

use crate::triangles::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};

/// Where a point lies on its surface: a patch and its two parameters, or a triangle and two of its barycentric
/// coordinates.
///
/// A place is the memory from which the next, nearby query starts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Patch, span or triangle.
    pub patch: u32,
    /// First parameter.
    pub u: f64,
    /// Second parameter.
    pub v: f64,
}

/// A place that follows a moving point: where the nearest point was, for which point, and how it moves on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Track {
    /// Where the nearest point was.
    pub place: Place,
    /// The point it was nearest to \[m\], if what follows is known.
    pub(crate) asked: Option<Vec3>,
    /// Change of both parameters with the point \[1/m\].
    pub(crate) slopes: [Vec3; 2],
}

impl From<Place> for Track {
    fn from(place: Place) -> Self {
        Track { place, ..Track::default() }
    }
}

/// A point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Position \[m\].
    pub position: Vec3,
    /// Outward unit normal (away from the material).
    pub normal: Vec3,
    /// Where on the surface.
    pub place: Place,
    /// True on the rim of an open surface, where the nearest point is not the foot of a perpendicular.
    pub on_rim: bool,
}

impl SurfacePoint {
    /// Distance of `p` from the surface along the normal of this point \[m\]: negative inside the material. It is the
    /// signed distance where this is the point nearest to `p` and not on the rim.
    #[inline]
    pub fn signed_distance(&self, p: &Vec3) -> f64 {
        self.normal.dot(&(p - self.position))
    }
}

/// Where a line meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Parameter of the line: the hit is at `origin + t direction`; in metres for a unit direction.
    pub t: f64,
    /// The point of the surface.
    pub point: SurfacePoint,
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates \[m\].
    pub min: Vec3,
    /// Largest coordinates \[m\].
    pub max: Vec3,
}

/// A smooth or triangulated surface with a material side.
///
/// Queries never allocate and never fail on finite input: `None` means that there is no such point.
pub trait Surface: std::fmt::Debug + Send + Sync {
    /// The nearest point of the whole surface.
    fn closest(&self, p: &Vec3) -> Option<SurfacePoint>;

    /// The nearest point, searched from the answer of an earlier, nearby query; falls back to [`Surface::closest`]
    /// where the local search does not settle. For points within a fraction of the radius of curvature of the surface
    /// both agree.
    fn closest_from(&self, p: &Vec3, from: &Place) -> Option<SurfacePoint>;

    /// The nearest point, from an earlier answer if there is one, and the shape operator there.
    fn closest_with_shape(&self, p: &Vec3, from: Option<&Place>) -> Option<(SurfacePoint, Mat3)> {
        let point = match from {
            Some(from) => self.closest_from(p, from),
            None => self.closest(p),
        }?;
        Some((point, self.shape_operator(&point.place)))
    }

    /// As [`Surface::closest_with_shape`] from the place of `track` if `warm`, which is brought up to date: the way to
    /// ask again and again for a point that moves in small steps. Answers from different tracks agree to rounding,
    /// shape operators to 1e-6 of themselves. Surfaces that answer in closed form leave the track as it is.
    fn follow(&self, p: &Vec3, track: &mut Track, warm: bool) -> Option<(SurfacePoint, Mat3)> {
        let (point, W) = self.closest_with_shape(p, warm.then_some(&track.place))?;
        *track = Track::from(point.place);
        Some((point, W))
    }

    /// The hit with the least |t| on the line `origin + t direction`, t in `range` (may be negative), unit `direction`.
    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit>;

    /// The same hit, searched from an earlier one; falls back to [`Surface::ray`].
    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), from: &Place) -> Option<Hit>;

    /// The point at a place; `None` if there is no such place.
    fn at(&self, place: &Place) -> Option<SurfacePoint>;

    /// Change of the unit normal with the position on the surface, `dn = W dx` for tangential dx [1/m]: symmetric,
    /// `W n = 0`, positive where the material is convex (a sphere of radius R: (1 - n nᵀ)/R). Zero on flat facets.
    fn shape_operator(&self, place: &Place) -> Mat3;

    /// The triangles of which it consists; `None` of other surfaces.
    fn triangles(&self) -> Option<&TriangleMesh> {
        None
    }

    /// Number of patches whose places have parameters from 0 to 1; none of other surfaces.
    fn patch_count(&self) -> usize {
        0
    }

    /// Number and parameters (u, v) of the parametric surface at a place; `None` of other surfaces.
    fn surface_parameters(&self, _place: &Place) -> Option<(usize, f64, f64)> {
        None
    }

    /// Whether the surface has a tangent plane everywhere and the shape operator says how it turns nearby: not so on
    /// facets and at creases.
    fn is_smooth(&self) -> bool {
        false
    }

    /// Whether the surface encloses its material, so that every point is inside or outside.
    fn is_closed(&self) -> bool {
        false
    }

    /// Way through the material behind a place to its other side \[m\]; infinite where it is not known.
    fn thickness(&self, _place: &Place) -> f64 {
        f64::INFINITY
    }

    /// A box that holds the surface.
    fn bounds(&self) -> Bounds;
}
