//! Shapes of contacts: simple shapes, profiles through points, surfaces from tables.

use super::contact::made;
use super::fields::Fields;
use super::node::{Node, Value};
use super::reader::{Expected, Reader};
use std::sync::Arc;
use wolff_contact::lookup::{FileSource, Form, FormSource, TableSource};
use wolff_contact::{Interpolation, Profile, Shape, SurfaceTable};
use wolff_files::input;
use wolff_formats::csv;
use wolff_formula::quantity::Dimension;
use wolff_numerics::LocalSlopes;

/// The shapes.
const SHAPES: [&str; 6] = ["sphere", "cavity", "plane", "ellipsoid", "profile", "table"];

const LENGTH: Expected = Expected::of(Dimension::LENGTH);

/// Maximum number of points of a profile.
const MOST_POINTS: usize = 5000;

/// Maximum number of points of a table along one parameter.
const MOST_ALONG: usize = 100_000;

/// The shape of one side of a contact.
#[derive(Clone, Debug)]
pub enum SurfaceShape {
    /// Sphere, cavity, plane or ellipsoid.
    Simple(Shape),
    /// Plane curve.
    Profile(Arc<Profile>),
    /// Surface from a table.
    Table(SurfaceTable),
}

/// Reads `shape` and the keys that belong to it.
pub(super) fn read_shape(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<SurfaceShape> {
    let length = LENGTH.positive();
    let node = fields.node;
    let simple = match fields.choice(reader, "shape", &SHAPES)?.as_str() {
        "sphere" => fields.number(reader, "radius", length).map(Shape::sphere),
        "cavity" => fields.number(reader, "radius", length).map(Shape::cavity),
        "ellipsoid" => axes(reader, fields).map(Shape::ellipsoid),
        "profile" => return read_profile(reader, fields),
        "table" => return read_table(reader, fields),
        _ => Some(Ok(Shape::Plane)),
    };
    made(reader, node, &fields.what, simple?).map(SurfaceShape::Simple)
}

fn axes(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<wolff_spatial::Vec3> {
    let node = fields.must(reader, "axes")?;
    reader.vector(node, "`axes` of an ellipsoid", LENGTH.positive())
}

/// `points` or `file`, `closed` and `spline`.
fn read_profile(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<SurfaceShape> {
    let closed = fields.flag_or(reader, "closed", false);
    let spline = fields.choice_or(reader, "spline", &["smooth", "shape-preserving", "akima"], "smooth");
    let (points, file) = (fields.maybe("points"), fields.maybe("file"));
    let points = match (points, file) {
        (Some(node), None) => read_points(reader, node),
        (None, Some(node)) => read_outline(reader, node),
        _ => {
            let message = format!("{}: a profile requires either `points` or `file`", fields.what);
            reader.wrong(&fields.node.span, message, None)
        }
    }?;
    if points.len() > MOST_POINTS {
        let message =
            format!("{}: the profile has {} points; at most {MOST_POINTS} are supported", fields.what, points.len());
        return reader.wrong(&fields.node.span, message, None);
    }
    let between = match spline?.as_str() {
        "shape-preserving" => Interpolation::Local(LocalSlopes::ShapePreserving),
        "akima" => Interpolation::Local(LocalSlopes::Akima),
        _ => Interpolation::Smooth,
    };
    let profile = Profile::interpolated(&points, closed?, between);
    made(reader, fields.node, &fields.what, profile).map(|profile| SurfaceShape::Profile(Arc::new(profile)))
}

/// `[[x, y], ...]`, or `{ count, x, y }` with formulas over i = 0, 1, ...
fn read_points(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<[f64; 2]>> {
    let label = "`points` of a profile";
    let items = match &node.value {
        Value::Array(items) => items,
        Value::Table(_) => return read_formula_points(reader, node, label),
        _ => return reader.wrong_kind(node, label, "an array of points [x, y], or { count, x, y }"),
    };
    let mut points = Vec::with_capacity(items.len());
    for item in items {
        let [x, y] = reader.numbers(item, label, LENGTH)?[..] else {
            return reader.wrong(&item.span, format!("{label}: a point is [x, y]"), None);
        };
        points.push([x, y]);
    }
    Some(points)
}

fn read_formula_points(reader: &mut Reader<'_>, node: &Node, label: &str) -> Option<Vec<[f64; 2]>> {
    let mut fields = Fields::new(reader, node, label)?;
    let count = fields.whole_or(reader, "count", [4, MOST_POINTS], 41);
    let (x, y) = (fields.must(reader, "x"), fields.must(reader, "y"));
    fields.finish(reader);
    let (count, x, y) = (count?, x?, y?);
    let outer = reader.names.index;
    let mut points = Vec::with_capacity(count);
    for i in 0..count {
        reader.names.index = Some(i);
        let point = (reader.number(x, "`x` of a point", LENGTH), reader.number(y, "`y` of a point", LENGTH));
        // the errors of one faulty point are enough
        let (Some(x), Some(y)) = point else { break };
        points.push([x, y]);
    }
    reader.names.index = outer;
    (points.len() == count).then_some(points)
}

/// A `.csv` with the columns `x` and `y` \[m\].
fn read_outline(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<[f64; 2]>> {
    let name = reader.text(node, "`file` of a profile")?;
    let bytes = match input::read(&reader.base_dir.join(name)) {
        Ok(bytes) => bytes,
        Err(e) => return reader.wrong(&node.span, format!("cannot read `{name}`: {e}"), None),
    };
    let table = match csv::read(&bytes) {
        Ok(table) => table,
        Err(e) => return reader.wrong(&node.span, format!("`{name}`: {e}"), None),
    };
    let (Some(x), Some(y)) = (table.column("x"), table.column("y")) else {
        let help = Some("a profile has the columns x and y, in metres".into());
        return reader.wrong(&node.span, format!("`{name}` has no column `x` or no column `y`"), help);
    };
    Some(x.into_iter().zip(y).map(|(x, y)| [x, y]).collect())
}

/// `surface` = ellipsoid, dish or file; `points` along both parameters, `window`.
fn read_table(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<SurfaceShape> {
    let node = fields.node;
    let source = match fields.choice(reader, "surface", &["ellipsoid", "dish", "file"])?.as_str() {
        "ellipsoid" => read_ellipsoid(reader, fields).and_then(|form| sampled(reader, fields, form)),
        "dish" => read_dish(reader, fields).and_then(|form| sampled(reader, fields, form)),
        _ => {
            let name = fields.text(reader, "file")?;
            let opened = FileSource::open(&reader.base_dir.join(name));
            made(reader, node, &fields.what, opened).map(|source| Arc::new(source) as Arc<dyn TableSource>)
        }
    };
    let window = fields.whole_or(reader, "window", [1, MOST_ALONG], 32);
    let table = SurfaceTable::new(source?, window?);
    made(reader, node, &fields.what, table).map(SurfaceShape::Table)
}

fn sampled(reader: &mut Reader<'_>, fields: &mut Fields<'_>, form: Form) -> Option<Arc<dyn TableSource>> {
    let points = fields.whole_or(reader, "points", [2, MOST_ALONG], 200)?;
    let source = FormSource::new(form, [points, points]);
    made(reader, fields.node, &fields.what, source).map(|source| Arc::new(source) as Arc<dyn TableSource>)
}

fn read_ellipsoid(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Form> {
    let angle = Expected::of(Dimension::ANGLE).positive();
    let semi_axes = axes(reader, fields);
    let turn = fields.number_or(reader, "turn", angle, 2.6);
    let tilt = fields.number_or(reader, "tilt", angle, 1.2);
    Some(Form::Ellipsoid { semi_axes: semi_axes?, turn: turn?, tilt: tilt? })
}

fn read_dish(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Form> {
    let curvature = Expected::of(Dimension::ONE.times(Dimension::LENGTH, -1.0));
    let curvatures = pair(reader, fields, "curvatures", curvature);
    let half_extent = pair(reader, fields, "half_extent", LENGTH.positive());
    Some(Form::Dish { curvatures: curvatures?, half_extent: half_extent? })
}

/// Two numbers, along x and z.
fn pair(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str, expected: Expected) -> Option<[f64; 2]> {
    let node = fields.must(reader, key)?;
    let label = format!("`{key}` of a dish");
    let values = reader.numbers(node, &label, expected)?;
    match values[..] {
        [x, z] => Some([x, z]),
        _ => reader.wrong(&node.span, format!("{label} has {} numbers, must have 2 (x, z)", values.len()), None),
    }
}
