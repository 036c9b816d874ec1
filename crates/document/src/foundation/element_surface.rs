//! `on`: the plane, cylinder or sphere on which the grid of a compartment is rectangular.

use super::super::fields::Fields;
use super::super::node::Node;
use super::super::reader::{Expected, Reader};
use super::{LENGTH, Range};
use wolff_contact::foundation::ElementSurface;
use wolff_formula::quantity::Dimension;
use wolff_spatial::Vec3;

const ANGLE: Expected = Expected::of(Dimension::ANGLE);

/// An element surface with the ranges of its grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridSurface {
    pub surface: ElementSurface,
    pub first: Range,
    pub second: Range,
    /// Farthest way along the rays at which the contact surface is searched \[m\].
    pub reach: f64,
}

/// `on = { kind, ... }`: the grid then runs along `first` and `second` of that surface in place of z and x.
///
/// plane `origin`, `normal`, `along`; cylinder `origin` of the `axis`, `start` of the angle, `radius`; sphere `centre`,
/// `towards` the middle of the grid, `along`, `radius`.
pub(super) fn read_grid_surface(reader: &mut Reader<'_>, node: &Node) -> Option<GridSurface> {
    let mut fields = Fields::new(reader, node, "`on` of a compartment")?;
    let kind = fields.choice(reader, "kind", &["plane", "cylinder", "sphere"])?;
    let angles = if kind == "plane" { LENGTH } else { ANGLE };
    let radius = match kind.as_str() {
        "plane" => Some(0.0),
        _ => fields.number(reader, "radius", LENGTH.positive()),
    };
    let (first, second) = match kind.as_str() {
        "sphere" => (read_ends(reader, &mut fields, "first", angles), read_ends(reader, &mut fields, "second", angles)),
        _ => (read_ends(reader, &mut fields, "first", angles), read_ends(reader, &mut fields, "second", LENGTH)),
    };
    let reach = fields.number_or(reader, "reach", LENGTH.positive(), 0.1);
    let surface = match kind.as_str() {
        "plane" => {
            let origin = fields.vector_or_zero(reader, "origin", LENGTH);
            let (normal, along) = (fields.direction(reader, "normal"), fields.direction(reader, "along"));
            let build = |origin: Vec3, normal: Vec3, along: Vec3| ElementSurface::Plane { origin, normal, along };
            origin.zip(normal).zip(along).map(|((origin, normal), along)| build(origin, normal, along))
        }
        "cylinder" => {
            let origin = fields.vector_or_zero(reader, "origin", LENGTH);
            let (axis, start) = (fields.direction(reader, "axis"), fields.direction(reader, "start"));
            let parts = origin.zip(axis).zip(start).zip(radius);
            parts.map(|(((origin, axis), start), radius)| ElementSurface::Cylinder { origin, axis, start, radius })
        }
        _ => {
            let centre = fields.vector_or_zero(reader, "centre", LENGTH);
            let (towards, along) = (fields.direction(reader, "towards"), fields.direction(reader, "along"));
            let parts = centre.zip(towards).zip(along).zip(radius);
            parts.map(|(((centre, towards), along), radius)| ElementSurface::Sphere { centre, towards, along, radius })
        }
    };
    fields.finish(reader);
    Some(GridSurface { surface: surface?, first: first?, second: second?, reach: reach? })
}

fn read_ends(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str, expected: Expected) -> Option<Range> {
    let node = fields.must(reader, key)?;
    let label = format!("`{key}` of {}", fields.what);
    match reader.numbers(node, &label, expected)?[..] {
        [low, high] if low < high => Some((low, high)),
        _ => reader.wrong(&node.span, format!("{label} must be [low, high]"), None),
    }
}
