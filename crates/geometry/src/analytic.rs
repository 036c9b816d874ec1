//! Planes and spheres: surfaces with closed answers, for tests, floors and joint heads.

use crate::error::GeometryError;
use crate::surface::{Bounds, Hit, Place, Surface, SurfacePoint, Track};
use wolff_spatial::{Mat3, Vec3};

/// A plane; the material is on the side away from the normal. Places are its two coordinates along `e1`, `e2`.
#[derive(Clone, Debug)]
pub struct Plane {
    origin: Vec3,
    e1: Vec3,
    e2: Vec3,
    normal: Vec3,
}

impl Plane {
    /// Through `origin`, outward `normal` of any length.
    pub fn new(origin: Vec3, normal: Vec3) -> Result<Self, GeometryError> {
        let length = GeometryError::positive("plane", "length of the normal", normal.norm())?;
        let normal = normal / length;
        let e1 = normal.cross(&least_aligned_axis(&normal)).normalize();
        Ok(Plane { origin, e1, e2: normal.cross(&e1), normal })
    }

    #[inline]
    fn point(&self, (u, v): (f64, f64)) -> SurfacePoint {
        let position = self.origin + self.e1 * u + self.e2 * v;
        SurfacePoint { position, normal: self.normal, place: Place { patch: 0, u, v }, on_rim: false }
    }
}

impl Surface for Plane {
    fn closest(&self, p: &Vec3) -> Option<SurfacePoint> {
        let r = p - self.origin;
        Some(self.point((self.e1.dot(&r), self.e2.dot(&r))))
    }

    fn closest_from(&self, p: &Vec3, _from: &Place) -> Option<SurfacePoint> {
        self.closest(p)
    }

    fn follow(&self, p: &Vec3, _track: &mut Track, _warm: bool) -> Option<(SurfacePoint, Mat3)> {
        let r = p - self.origin;
        Some((self.point((self.e1.dot(&r), self.e2.dot(&r))), Mat3::zeros()))
    }

    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        let slope = self.normal.dot(direction);
        let t = self.normal.dot(&(self.origin - origin)) / slope;
        let in_range = slope != 0.0 && range.0 <= t && t <= range.1;
        in_range.then(|| self.closest(&(origin + direction * t)).map(|point| Hit { t, point }))?
    }

    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), _from: &Place) -> Option<Hit> {
        self.ray(origin, direction, range)
    }

    fn at(&self, place: &Place) -> Option<SurfacePoint> {
        Some(self.point((place.u, place.v)))
    }

    fn shape_operator(&self, _place: &Place) -> Mat3 {
        Mat3::zeros()
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn bounds(&self) -> Bounds {
        Bounds { min: Vec3::repeat(f64::NEG_INFINITY), max: Vec3::repeat(f64::INFINITY) }
    }
}

/// A sphere filled with material, or with [`Sphere::cavity`] a hollow in it. Places are longitude and latitude \[rad\].
#[derive(Clone, Debug)]
pub struct Sphere {
    centre: Vec3,
    radius: f64,
    /// +1 for a ball, -1 for a hollow.
    side: f64,
}

impl Sphere {
    /// A ball.
    pub fn new(centre: Vec3, radius: f64) -> Result<Self, GeometryError> {
        GeometryError::positive("sphere", "radius [m]", radius)?;
        Ok(Sphere { centre, radius, side: 1.0 })
    }

    /// A hollow: the material is outside.
    pub fn cavity(centre: Vec3, radius: f64) -> Result<Self, GeometryError> {
        Ok(Sphere { side: -1.0, ..Sphere::new(centre, radius)? })
    }

    #[inline]
    fn towards(&self, direction: &Vec3) -> SurfacePoint {
        let place = Place { patch: 0, u: direction.y.atan2(direction.x), v: direction.z.clamp(-1.0, 1.0).asin() };
        let position = self.centre + direction * self.radius;
        SurfacePoint { position, normal: direction * self.side, place, on_rim: false }
    }
}

impl Sphere {
    /// The shape operator where the normal is `n` or `-n`.
    #[inline]
    fn bent(&self, n: &Vec3) -> Mat3 {
        (Mat3::identity() - n * n.transpose()) * (self.side / self.radius)
    }
}

impl Surface for Sphere {
    fn closest(&self, p: &Vec3) -> Option<SurfacePoint> {
        let r = p - self.centre;
        let distance = r.norm();
        (distance > 0.0).then(|| self.towards(&(r / distance)))
    }

    fn closest_from(&self, p: &Vec3, _from: &Place) -> Option<SurfacePoint> {
        self.closest(p)
    }

    fn closest_with_shape(&self, p: &Vec3, _from: Option<&Place>) -> Option<(SurfacePoint, Mat3)> {
        let point = self.closest(p)?;
        Some((point, self.bent(&point.normal)))
    }

    fn follow(&self, p: &Vec3, _track: &mut Track, _warm: bool) -> Option<(SurfacePoint, Mat3)> {
        self.closest_with_shape(p, None)
    }

    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        // |o + t e - c|² = R²: t² + 2 b t + c = 0
        let r = origin - self.centre;
        let (b, c) = (r.dot(direction), r.norm_squared() - self.radius * self.radius);
        let root = (b * b - c).sqrt();
        // the root that does not cancel first, the other from the product of both
        let large = if b > 0.0 { -b - root } else { -b + root };
        let small = if large == 0.0 { 0.0 } else { c / large };
        let (near, far) = if small.abs() <= large.abs() { (small, large) } else { (large, small) };
        let t = [near, far].into_iter().find(|t| range.0 <= *t && *t <= range.1)?;
        Some(Hit { t, point: self.towards(&((r + direction * t) / self.radius)) })
    }

    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), _from: &Place) -> Option<Hit> {
        self.ray(origin, direction, range)
    }

    fn at(&self, place: &Place) -> Option<SurfacePoint> {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (place.u.sin_cos(), place.v.sin_cos());
        Some(self.towards(&Vec3::new(cos_v * cos_u, cos_v * sin_u, sin_v)))
    }

    fn shape_operator(&self, place: &Place) -> Mat3 {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (place.u.sin_cos(), place.v.sin_cos());
        self.bent(&Vec3::new(cos_v * cos_u, cos_v * sin_u, sin_v))
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn bounds(&self) -> Bounds {
        let r = Vec3::repeat(self.radius);
        Bounds { min: self.centre - r, max: self.centre + r }
    }
}

/// The coordinate axis least parallel to `n`.
fn least_aligned_axis(n: &Vec3) -> Vec3 {
    Vec3::ith(n.iamin(), 1.0)
}
