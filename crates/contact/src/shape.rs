//! Shapes that can touch.

use crate::error::{ContactError, positive, require};
use std::fmt;
use wolff_spatial::Vec3;

/// A shape in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Ball about the frame's origin; a negative radius is a spherical cavity, solid outside of `|radius|`.
    Sphere {
        /// Radius \[m\], not zero.
        radius: f64,
    },
    /// Half space below the xz plane of the frame: the outward normal is +y (up, in ISB axes).
    Plane,
    /// Ellipsoid about the frame's origin.
    Ellipsoid {
        /// Semi-axes along the frame's x, y and z \[m\], all greater than zero.
        semi_axes: Vec3,
    },
}

impl Shape {
    /// Ball of `radius` > 0 \[m\].
    pub fn sphere(radius: f64) -> Result<Self, ContactError> {
        Shape::Sphere { radius: positive("sphere", "radius [m]", radius)? }.checked()
    }

    /// Spherical cavity of `radius` > 0 \[m\], touched from inside.
    pub fn cavity(radius: f64) -> Result<Self, ContactError> {
        Shape::Sphere { radius: -positive("cavity", "radius [m]", radius)? }.checked()
    }

    /// Ellipsoid with semi-axes > 0 \[m\] along x, y and z.
    pub fn ellipsoid(semi_axes: Vec3) -> Result<Self, ContactError> {
        Shape::Ellipsoid { semi_axes }.checked()
    }

    /// The shape, where its numbers make sense.
    pub fn checked(self) -> Result<Self, ContactError> {
        match &self {
            Shape::Sphere { radius } => {
                let rule = "must be finite and not zero (negative for a cavity)";
                require(radius.is_finite() && *radius != 0.0, "sphere", "radius [m]", *radius, rule)?;
            }
            Shape::Plane => {}
            Shape::Ellipsoid { semi_axes } => {
                for axis in semi_axes.iter() {
                    positive("ellipsoid", "semi-axis [m]", *axis)?;
                }
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Sphere { radius } if *radius < 0.0 => write!(f, "a cavity of radius {} m", -radius),
            Shape::Sphere { radius } => write!(f, "a sphere of radius {radius} m"),
            Shape::Plane => write!(f, "a plane"),
            Shape::Ellipsoid { semi_axes: s } => write!(f, "an ellipsoid of semi-axes {}, {}, {} m", s.x, s.y, s.z),
        }
    }
}
