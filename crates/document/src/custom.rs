//! The custom joint: rotations and translations as functions of its coordinates.

use super::fields::Fields;
use super::function::read_shape;
use super::measure_kind::CoordinateNature;
use super::node::{Node, Value};
use super::reader::{Expected, Reader};
use wolff_formula::suggest::suggest;
use wolff_multibody::joint::{CoordinateFunction, CustomJoint};
use wolff_multibody::spec::JointKind;
use wolff_numerics::TimeFunction;
use wolff_numerics::function::Polynomial;
use wolff_spatial::Vec3;

/// Rotations come before translations.
const TURNS: usize = 3;

/// Reads the keys `axes` and `functions`; also returns the quantity that each coordinate measures.
pub(super) fn read_custom(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    coordinates: &[String],
) -> Option<(JointKind, Vec<CoordinateNature>)> {
    let axes = read_axes(reader, fields);
    let functions = read_functions(reader, fields, coordinates);
    if coordinates.is_empty() {
        let help = Some("write coordinates = [\"knee\"]".into());
        return reader.wrong(&fields.node.span, format!("{} has no `coordinates`", fields.what), help);
    }
    let (axes, functions) = (axes?, functions?);
    let natures = natures(reader, fields, coordinates, &functions)?;
    match CustomJoint::new(coordinates.len(), axes, functions) {
        Ok(joint) => Some((JointKind::Custom(Box::new(joint)), natures)),
        Err(rule) => reader.wrong(&fields.node.span, format!("{}: {rule}", fields.what), None),
    }
}

/// Six directions, or the default x, y, z for the rotations and again for the translations.
fn read_axes(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<[Vec3; 6]> {
    if fields.node.get("axes").is_none() {
        fields.maybe("axes");
        return Some([Vec3::x(), Vec3::y(), Vec3::z(), Vec3::x(), Vec3::y(), Vec3::z()]);
    }
    fields.directions(reader, "axes", Some(6))?.try_into().ok()
}

fn read_functions(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    coordinates: &[String],
) -> Option<[CoordinateFunction; 6]> {
    let node = fields.must(reader, "functions")?;
    let what = format!("`functions` of {}", fields.what);
    let Value::Array(items) = &node.value else {
        return reader.wrong_kind(node, &what, "an array of 6 numbers or functions of coordinates");
    };
    if items.len() != 6 {
        let help = Some("give three rotations, then three translations; 0 for those that do not occur".into());
        return reader.wrong(&node.span, format!("{what} has {} entries, must have 6", items.len()), help);
    }
    let found: Vec<_> = items.iter().map(|item| read_entry(reader, item, &what, coordinates)).collect();
    found.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// A number, or `{ coordinate, function }`; without a function it is the coordinate itself.
fn read_entry(reader: &mut Reader<'_>, node: &Node, what: &str, coordinates: &[String]) -> Option<CoordinateFunction> {
    if !matches!(node.value, Value::Table(_)) {
        let value = reader.number(node, what, Expected::ANY)?;
        return Some(CoordinateFunction { coordinate: 0, function: TimeFunction::Constant(value) });
    }
    let mut fields = Fields::new(reader, node, what)?;
    let name = fields.name(reader, "coordinate");
    let function = match fields.maybe("function") {
        Some(node) => read_shape(reader, node, what),
        None => Polynomial::new(0.0, &[0.0, 1.0]).ok().map(TimeFunction::from),
    };
    let span = fields.span_of("coordinate");
    fields.finish(reader);
    let name = name?;
    match coordinates.iter().position(|c| *c == name) {
        Some(coordinate) => Some(CoordinateFunction { coordinate, function: function? }),
        None => {
            let help = suggest(&name, coordinates.iter().map(String::as_str));
            reader.wrong(&span, format!("{what}: the joint has no coordinate `{name}`"), help)
        }
    }
}

/// A coordinate used in a rotation is an angle, one used only in translations is a length; an unused coordinate is an
/// error.
fn natures(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    coordinates: &[String],
    functions: &[CoordinateFunction; 6],
) -> Option<Vec<CoordinateNature>> {
    let moves = |k: usize| {
        let by = |f: &CoordinateFunction| f.coordinate == k && !matches!(f.function, TimeFunction::Constant(_));
        functions.iter().position(by)
    };
    let mut found = Vec::new();
    for (k, name) in coordinates.iter().enumerate() {
        found.push(match moves(k) {
            Some(first) if first < TURNS => CoordinateNature::Angle,
            Some(_) => CoordinateNature::Length,
            None => {
                let message = format!("coordinate `{name}` of {} is not used by any of its functions", fields.what);
                return reader.wrong(&fields.span_of("coordinates"), message, None);
            }
        });
    }
    Some(found)
}
