//! Contact stiffness from the materials and curvatures of two bodies.

use super::contact::{Surface, made};
use super::contact_shape::SurfaceShape;
use super::fields::Fields;
use super::reader::{Expected, Reader};
use wolff_contact::Shape;
use wolff_contact::hertz::{Material, curved_stiffness};
use wolff_formula::quantity::Dimension;

/// What a body of a contact is made of, and how it is curved where it touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Its material.
    pub material: Material,
    /// Curvature \[1/m\], positive where it is convex; none where neither the shape nor the study says.
    pub curvature: Option<f64>,
}

/// `young`, `poisson` and `contact_radius` of a surface; nothing where no modulus is given.
pub(super) fn read_solid(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    shape: &SurfaceShape,
) -> Option<Option<Solid>> {
    let pressure = Expected::of(Dimension::FORCE.times(Dimension::LENGTH, -2.0)).positive();
    let young = fields.maybe_number(reader, "young", pressure);
    let poisson = fields.maybe_number(reader, "poisson", Expected::of(Dimension::ONE));
    let radius = fields.maybe_number(reader, "contact_radius", Expected::of(Dimension::LENGTH));
    let (young, poisson) = match (young, poisson) {
        (None, None) if radius.is_none() => return Some(None),
        (Some(young), Some(poisson)) => (young, poisson),
        _ => {
            let message = format!("{}: `young` and `poisson` belong together; give both or neither", fields.what);
            return reader.wrong(&fields.node.span, message, None);
        }
    };
    let material = made(reader, fields.node, &fields.what, Material::new(young, poisson))?;
    let curvature = radius.map(|r| 1.0 / r).or(curvature_of(shape));
    Some(Some(Solid { material, curvature }))
}

/// Curvature of shapes that have the same everywhere \[1/m\].
fn curvature_of(shape: &SurfaceShape) -> Option<f64> {
    match shape {
        // a cavity has a negative radius
        SurfaceShape::Simple(Shape::Sphere { radius }) => Some(1.0 / radius),
        SurfaceShape::Simple(Shape::Plane) => Some(0.0),
        _ => None,
    }
}

/// Hertz's stiffness of both bodies \[N/m^1.5\].
pub(super) fn stiffness_of(reader: &mut Reader<'_>, fields: &Fields<'_>, [a, b]: [&Surface; 2]) -> Option<f64> {
    let (Some(solid_a), Some(solid_b)) = (a.solid, b.solid) else {
        let message = format!("{} requires `young` and `poisson` of `a` and of `b`", fields.what);
        return reader.wrong(&fields.node.span, message, Some("or give its `stiffness`".into()));
    };
    let (Some(of_a), Some(of_b)) = (solid_a.curvature, solid_b.curvature) else {
        let message = format!("{} requires `contact_radius` of shapes other than spheres and planes", fields.what);
        let help = "the radius of curvature where they touch, negative where the body is hollow".to_string();
        return reader.wrong(&fields.node.span, message, Some(help));
    };
    made(reader, fields.node, &fields.what, curved_stiffness(of_a + of_b, &solid_a.material, &solid_b.material))
}
