//! The enumerations of the header.
//!
//! C passes plain integers, so numbers are checked, and invalid ones are an error.

use crate::error::CapiError;
use std::fmt::Debug;
use wolff_contact::foundation::{Along, Distance, Reading, Rule, Strain};
use wolff_geometry::Normals;

/// Normals of a surface of triangles.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffNormals {
    /// Normals of the flat triangles.
    Facets = 0,
    /// Mean normals at the vertices, interpolated; for meshes of smooth surfaces.
    Smooth = 1,
}

/// Measure of the overlap at an element.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffDistance {
    /// To the nearest point of the moving surface.
    Minimum = 0,
    /// Along the normal of the element.
    Ray = 1,
}

/// Direction of the strain of the layer and of the pressure.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffAlong {
    /// The bisector of both normals.
    Midsurface = 0,
    /// The normal of the fixed surface.
    FixedNormal = 1,
    /// The normal of the moving surface; with the minimum distance the force is the gradient of the stored energy.
    MovingNormal = 2,
}

/// Integration of the pressure over an element.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffRule {
    /// Integrated over the part of the element that is in contact.
    Adaptive = 0,
    /// Pressure at the centre times the area.
    Centre = 1,
}

/// Strain x of a layer of thickness h at overlap d.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffStrain {
    /// x = d/h.
    Small = 0,
    /// x = -ln(1 - d/h).
    Large = 1,
}

/// Interpretation of the three parameters of the nonlinear law.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffReading {
    /// Tangent modulus in place of Young's modulus.
    Tangent = 0,
    /// Secant modulus in place of Young's modulus.
    Secant = 1,
    /// The law itself, without the factor of lateral confinement.
    Uniaxial = 2,
}

/// The body that carries a layer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffBody {
    /// The body with the elements.
    Fixed = 0,
    /// The other body.
    Moving = 1,
}

/// Shape on which a grid is defined; rays along the normals of this shape determine the elements on the fixed surface.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffGridShape {
    /// Coordinates [m] along `along` and `normal` x `along`; rays along `normal`.
    Plane = 0,
    /// Angle [rad] from `along` about `normal`, distance along `normal` [m]; rays outwards from `radius`.
    Cylinder = 1,
    /// Two angles [rad] from `normal` towards `along` and `normal` x `along`; rays outwards from `radius`.
    Sphere = 2,
}

/// Source of the thickness of the fixed layer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffLayerKind {
    /// Constant.
    Constant = 0,
    /// The distance from the shape of the grid to the fixed surface.
    ToElementSurface = 1,
    /// The distance from the fixed surface, along its inward normal, to a surface behind it.
    ToBack = 2,
}

/// The meaning of a number from C.
pub fn pick<E: Copy + Debug, T: Copy>(
    argument: &'static str,
    value: i32,
    number: impl Fn(E) -> i32,
    meanings: &[(E, T)],
) -> Result<T, CapiError> {
    match meanings.iter().find(|(choice, _)| number(*choice) == value) {
        Some((_, meaning)) => Ok(*meaning),
        None => {
            let known: Vec<String> =
                meanings.iter().map(|(choice, _)| format!("{} {choice:?}", number(*choice))).collect();
            Err(CapiError::UnknownChoice { argument, value, known: known.join(", ") })
        }
    }
}

/// Normals of triangles.
pub fn normals(value: i32) -> Result<Normals, CapiError> {
    let meanings = [(WolffNormals::Facets, Normals::Facets), (WolffNormals::Smooth, Normals::Smooth)];
    pick("normals", value, |c| c as i32, &meanings)
}

/// Measure of the overlap.
pub fn distance(value: i32) -> Result<Distance, CapiError> {
    let meanings = [(WolffDistance::Minimum, Distance::Minimum), (WolffDistance::Ray, Distance::Ray)];
    pick("distance", value, |c| c as i32, &meanings)
}

/// Direction of strain and pressure.
pub fn along(value: i32) -> Result<Along, CapiError> {
    let meanings = [
        (WolffAlong::Midsurface, Along::Midsurface),
        (WolffAlong::FixedNormal, Along::FixedNormal),
        (WolffAlong::MovingNormal, Along::MovingNormal),
    ];
    pick("along", value, |c| c as i32, &meanings)
}

/// Integration over an element.
pub fn rule(value: i32) -> Result<Rule, CapiError> {
    let meanings = [(WolffRule::Adaptive, Rule::Adaptive), (WolffRule::Centre, Rule::Centre)];
    pick("rule", value, |c| c as i32, &meanings)
}

/// Measure of strain.
pub fn strain(value: i32) -> Result<Strain, CapiError> {
    let meanings = [(WolffStrain::Small, Strain::Small), (WolffStrain::Large, Strain::Large)];
    pick("strain", value, |c| c as i32, &meanings)
}

/// Interpretation of the nonlinear law.
pub fn reading(value: i32) -> Result<Reading, CapiError> {
    let meanings = [
        (WolffReading::Tangent, Reading::Tangent),
        (WolffReading::Secant, Reading::Secant),
        (WolffReading::Uniaxial, Reading::Uniaxial),
    ];
    pick("reading", value, |c| c as i32, &meanings)
}

/// A body.
pub fn body(value: i32) -> Result<WolffBody, CapiError> {
    let meanings = [WolffBody::Fixed, WolffBody::Moving].map(|c| (c, c));
    pick("body", value, |c| c as i32, &meanings)
}

/// Shape of a grid.
pub fn grid_shape(value: i32) -> Result<WolffGridShape, CapiError> {
    let meanings = [WolffGridShape::Plane, WolffGridShape::Cylinder, WolffGridShape::Sphere].map(|c| (c, c));
    pick("grid.shape", value, |c| c as i32, &meanings)
}

/// Source of the thickness.
pub fn layer_kind(value: i32) -> Result<WolffLayerKind, CapiError> {
    let kinds = [WolffLayerKind::Constant, WolffLayerKind::ToElementSurface, WolffLayerKind::ToBack];
    pick("layer.kind", value, |c| c as i32, &kinds.map(|c| (c, c)))
}
