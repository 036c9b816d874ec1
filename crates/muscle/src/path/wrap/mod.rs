//! The shortest way from point to point around one surface.
//!
//! All vectors are in the frame of the surface. The two ends are outside of it.

mod circle;
mod closest;
mod cylinder;
mod ellipsoid;
mod geodesic;
mod section;
mod sphere;
mod torus;

use super::{Construction, EllipsoidMethod, Quadrant, WrapSurface};
use wolff_spatial::Vec3;

/// A segment and the surface that is in its way.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    /// The surface.
    pub surface: WrapSurface,
    /// The half that the path must pass over.
    pub quadrant: Option<Quadrant>,
    /// Choice of the plane on ellipsoids.
    pub method: EllipsoidMethod,
    /// How the bent part is found.
    pub construction: Construction,
    /// Whether the path has no other surface.
    pub alone: bool,
    /// Middle of the bent part at a nearby pose: decides the side where the segment passes through the very middle.
    pub hint: Option<Vec3>,
    /// From \[m\].
    pub p1: Vec3,
    /// To \[m\].
    pub p2: Vec3,
}

/// A bent part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrapping {
    /// Where the path meets the surface \[m\].
    pub r1: Vec3,
    /// Where it leaves it \[m\].
    pub r2: Vec3,
    /// Length between them on the surface \[m\].
    pub arc: f64,
}

impl Wrapping {
    /// Length of the whole way from `p1` to `p2`.
    pub fn length(&self, p1: &Vec3, p2: &Vec3) -> f64 {
        (self.r1 - p1).norm() + self.arc + (p2 - self.r2).norm()
    }

    /// The way back.
    fn reversed(&self) -> Wrapping {
        Wrapping { r1: self.r2, r2: self.r1, arc: self.arc }
    }

    /// All lengths times a factor.
    fn scaled(&self, factor: f64) -> Wrapping {
        Wrapping { r1: self.r1 * factor, r2: self.r2 * factor, arc: self.arc * factor }
    }
}

/// What a surface does to a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// Nothing.
    Not,
    /// An end is inside the surface: no path exists.
    Inside,
    /// The segment passes beside it, but the wanted half asks for a detour.
    Beside(Wrapping),
    /// The segment passes through it and must bend.
    Through(Wrapping),
}

/// Whether the segment runs through the hole of the surface, so that no other part of the path has to.
pub(super) fn threads(surface: &WrapSurface, p1: &Vec3, p2: &Vec3) -> bool {
    matches!(surface, WrapSurface::Torus { ring_radius, .. } if torus::threads(p1, p2, *ring_radius))
}

/// What the surface does to the segment.
pub fn touch(problem: &Problem) -> Touch {
    match problem.surface {
        WrapSurface::Sphere { radius } => sphere::touch(problem, radius),
        WrapSurface::Cylinder { radius, length } => cylinder::touch(problem, radius, length),
        WrapSurface::Ellipsoid { radii } => ellipsoid::touch(problem, &radii),
        WrapSurface::Torus { ring_radius, tube_radius } => torus::touch(problem, ring_radius, tube_radius),
    }
}
