//! A tibial plateau: a dish or a hill with two radii.

use super::fitted;
use crate::error::GeometryError;
use crate::nurbs::NurbsSurface;
use wolff_spatial::Vec3;

/// A tibial plateau or one side of a tibial insert, part of a torus.
///
/// Axes: x forward, y up, z to the right. With curvatures κ positive where the plateau is hollow and zero where it is
/// flat,
///
/// ```text
/// c(κ, s) = κ s² / (1 + √(1 - κ² s²))        height of an arc over its lowest point
/// y = y0 + c(κ_c, z) + c(κ_s / (1 - κ_s c(κ_c, z)), x)
/// ```
///
/// x, z from the middle of the plateau.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plateau {
    /// Middle: x, y0, z \[m\].
    pub middle: Vec3,
    /// κ_s, sagittal curvature, positive where hollow \[1/m\].
    pub sagittal_curvature: f64,
    /// κ_c, coronal curvature, positive where hollow \[1/m\].
    pub coronal_curvature: f64,
    /// Half the length along x and half the width along z \[m\].
    pub half_size: (f64, f64),
}

impl Plateau {
    /// Refuses sizes that reach beyond the arcs.
    pub fn checked(self) -> Result<Self, GeometryError> {
        let (a, b) = self.half_size;
        for (quantity, value) in [
            ("half length [m]", a),
            ("half width [m]", b),
            ("1 - sagittal curvature times half length", 1.0 - self.sagittal_curvature.abs() * a),
            ("1 - coronal curvature times half width", 1.0 - self.coronal_curvature.abs() * b),
        ] {
            GeometryError::positive("plateau", quantity, value)?;
        }
        let rim = self.point(1.0, 1.0).y;
        GeometryError::positive("plateau", "1 if its rim exists", if rim.is_finite() { 1.0 } else { 0.0 })?;
        Ok(self)
    }

    /// The point at the shares `a`, `b` from -1 to 1 of its half length and half width.
    pub fn point(&self, a: f64, b: f64) -> Vec3 {
        let (x, z) = (a * self.half_size.0, b * self.half_size.1);
        let across = arc_height(self.coronal_curvature, z);
        let along = arc_height(self.sagittal_curvature / (1.0 - self.sagittal_curvature * across), x);
        self.middle + Vec3::new(x, across + along, z)
    }
}

impl Plateau {
    /// The surface, fitted within `tolerance` \[m\].
    pub fn surface(&self, tolerance: f64) -> Result<NurbsSurface, GeometryError> {
        fitted(|a, b| self.point(2.0 * b - 1.0, 2.0 * a - 1.0), tolerance)
    }
}

/// Height of an arc of curvature κ at the distance s from its lowest point.
fn arc_height(curvature: f64, s: f64) -> f64 {
    curvature * s * s / (1.0 + (1.0 - (curvature * s).powi(2)).sqrt())
}
