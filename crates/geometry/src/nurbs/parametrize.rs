//! First parameters for points that have none: on a plane or a cylinder close to them.

use crate::error::GeometryError;
use nalgebra::SymmetricEigen;
use wolff_spatial::{Mat3, Vec3};

/// A simple surface onto which points are projected for their parameters. It must be so close to them that no two parts
/// of the surface fall on the same place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// Coordinates along x and y.
    Plane {
        /// Unit vector of the first coordinate.
        x: Vec3,
        /// Unit vector of the second.
        y: Vec3,
    },
    /// Angle about the axis, from `start`, and height along it.
    Cylinder {
        /// A point of the axis \[m\].
        origin: Vec3,
        /// Unit vector along the axis.
        axis: Vec3,
        /// Unit vector across the axis, opposite to the middle of the surface: there the angle jumps.
        start: Vec3,
    },
}

impl Base {
    /// The plane of least squared distance: its directions are the two larger principal axes of the points.
    pub fn plane_of(points: &[Vec3]) -> Result<Base, GeometryError> {
        check(points)?;
        let mean = points.iter().sum::<Vec3>() / points.len() as f64;
        let moment: Mat3 = points.iter().map(|p| (p - mean) * (p - mean).transpose()).sum();
        let eigen = SymmetricEigen::new(moment);
        let least = eigen.eigenvalues.imin();
        let largest = eigen.eigenvalues.imax();
        let x: Vec3 = eigen.eigenvectors.column(largest).into();
        let normal: Vec3 = eigen.eigenvectors.column(least).into();
        Ok(Base::Plane { x, y: normal.cross(&x) })
    }

    /// A cylinder about a known axis; the jump of the angle is put opposite to the mean of the points.
    pub fn cylinder_about(points: &[Vec3], origin: Vec3, axis: Vec3) -> Result<Base, GeometryError> {
        check(points)?;
        let axis = axis / GeometryError::positive("base cylinder", "length of the axis", axis.norm())?;
        let mean = points.iter().sum::<Vec3>() / points.len() as f64 - origin;
        let across = mean - axis * axis.dot(&mean);
        let start =
            across.try_normalize(1e-12).unwrap_or_else(|| axis.cross(&Vec3::ith(axis.iamin(), 1.0)).normalize());
        Ok(Base::Cylinder { origin, axis, start: -start })
    }

    /// Parameters of the points, scaled so that they fill the unit square.
    pub fn parameters(&self, points: &[Vec3]) -> Result<Vec<(f64, f64)>, GeometryError> {
        check(points)?;
        let raw: Vec<(f64, f64)> = points.iter().map(|p| self.coordinates(p)).collect();
        let range = |pick: fn(&(f64, f64)) -> f64| {
            let (low, high) =
                raw.iter().map(pick).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            GeometryError::positive("points to fit", "width of their projection", high - low).map(|width| (low, width))
        };
        let ((u0, wide), (v0, high)) = (range(|r| r.0)?, range(|r| r.1)?);
        Ok(raw.into_iter().map(|(u, v)| ((u - u0) / wide, (v - v0) / high)).collect())
    }

    /// The way out at a point: the normal x × y of a plane, or from the axis of a cylinder to the point \[m\], across
    /// the axis.
    pub(crate) fn outwards(&self, p: &Vec3) -> Vec3 {
        match self {
            Base::Plane { x, y } => x.cross(y),
            Base::Cylinder { origin, axis, .. } => {
                let r = p - origin;
                r - axis * axis.dot(&r)
            }
        }
    }

    fn coordinates(&self, p: &Vec3) -> (f64, f64) {
        match self {
            Base::Plane { x, y } => (x.dot(p), y.dot(p)),
            Base::Cylinder { origin, axis, start } => {
                let r = p - origin;
                let angle = axis.cross(start).dot(&r).atan2(start.dot(&r));
                (angle.rem_euclid(std::f64::consts::TAU), axis.dot(&r))
            }
        }
    }
}

/// Refuses too few points and numbers that are not finite.
pub(crate) fn check(points: &[Vec3]) -> Result<(), GeometryError> {
    if points.len() < 4 {
        let (object, what) = ("points to fit".into(), "number of points");
        return Err(GeometryError::Count { object, what, found: points.len(), rule: "give at least four" });
    }
    match points.iter().enumerate().find(|(_, p)| !p.iter().all(|x| x.is_finite())) {
        None => Ok(()),
        Some((k, p)) => {
            let value = p.iter().copied().find(|x| !x.is_finite()).unwrap_or(f64::NAN);
            let object = format!("points to fit, point {k}");
            Err(GeometryError::Parameter { object, quantity: "coordinate [m]", value, rule: "it must be finite" })
        }
    }
}
