//! The mechanical system of a study: `[model]`, `[[body]]`, `[[joint]]`.

use super::custom::read_custom;
use super::fields::Fields;
use super::flexible_body::read_flexible;
use super::measure_kind::CoordinateNature;
use super::node::{Node, Value};
use super::reader::{Expected, Kind, Reader};
use wolff_bone::flexible::FlexibleBody;
use wolff_formula::quantity::Dimension;
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec};
use wolff_spatial::{MassProperties, Mat3, Pose, Quaternion, Vec3};

const LENGTH: Expected = Expected::of(Dimension::LENGTH);

/// The kinds of tree joints.
const JOINT_KINDS: [&str; 10] =
    ["weld", "pin", "slider", "cylindrical", "universal", "gimbal", "ball", "planar", "free", "custom"];

/// Reads `gravity` of `[model]`; zero where the table is omitted.
pub(crate) fn read_gravity(reader: &mut Reader<'_>, node: Option<&Node>) -> Option<Vec3> {
    let Some(node) = node else { return Some(Vec3::zeros()) };
    let mut fields = Fields::new(reader, node, "[model]")?;
    let gravity = fields.vector_or_zero(reader, "gravity", Expected::of(Dimension::ACCELERATION));
    fields.finish(reader);
    gravity
}

/// A body as described in the file.
pub(crate) enum BodyEntry {
    Rigid(BodySpec),
    Flexible(FlexibleBody),
}

/// A rigid or a flexible body.
pub(crate) fn split_bodies(entries: Vec<BodyEntry>) -> (Vec<BodySpec>, Vec<FlexibleBody>) {
    let (mut rigid, mut flexible) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            BodyEntry::Rigid(body) => rigid.push(body),
            BodyEntry::Flexible(body) => flexible.push(body),
        }
    }
    (rigid, flexible)
}

/// Reads one `[[body]]`.
pub(crate) fn read_body(reader: &mut Reader<'_>, node: &Node) -> Option<BodyEntry> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Body)?;
    if let Some(flexible) = fields.maybe("flexible") {
        fields.finish(reader);
        let body = read_flexible(reader, flexible, name);
        if body.is_none() {
            // its nodes, gauges and modes are unknown
            reader.unsure.extend([Kind::Body, Kind::Gauge, Kind::Coordinate]);
        }
        return body.map(BodyEntry::Flexible);
    }
    read_rigid(reader, fields, &name).map(BodyEntry::Rigid)
}

fn read_rigid(reader: &mut Reader<'_>, mut fields: Fields<'_>, name: &str) -> Option<BodySpec> {
    let inertia = Expected::of(Dimension::INERTIA);
    let mass = fields.number(reader, "mass", Expected::of(Dimension::MASS).not_negative());
    let com = fields.vector_or_zero(reader, "com", LENGTH);
    let moments = fields.vector_or_zero(reader, "inertia", inertia.not_negative());
    let products = fields.vector_or_zero(reader, "products", inertia);
    let span = fields.span_of("inertia");
    let what = fields.what.clone();
    fields.finish(reader);
    let (moments, products) = (moments?, products?);
    let (xy, xz, yz) = (products.x, products.y, products.z);
    let inertia = Mat3::new(moments.x, xy, xz, xy, moments.y, yz, xz, yz, moments.z);
    match MassProperties::new(mass?, com?, inertia) {
        Ok(mass) => Some(BodySpec::rigid(name, mass)),
        Err(error) => reader.wrong(&span, format!("{what}: {error}"), None),
    }
}

/// Reads one `[[joint]]`.
pub(crate) fn read_joint(reader: &mut Reader<'_>, node: &Node) -> Option<JointSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Joint)?;
    let coordinates = fields.names_or_none(reader, "coordinates");
    let kind = read_joint_kind(reader, &mut fields, coordinates.as_deref());
    let parent = frame_of(reader, &mut fields, "parent");
    let child = frame_of(reader, &mut fields, "child");
    let start = kind.as_ref().and_then(|(kind, _)| {
        let q0 = read_position(reader, &mut fields, kind);
        let v0 = read_initial(reader, &mut fields, "v", kind.nv());
        Some((q0?, v0?))
    });
    match kind {
        Some(_) => fields.finish(reader),
        // its keys and coordinates are unknown
        None => _ = reader.unsure.insert(Kind::Coordinate),
    }
    let ((kind, natures), coordinates) = (kind?, coordinates?);
    define_coordinates(reader, node, &name, (&kind, &natures), &coordinates);
    let (q0, v0) = start?;
    Some(JointSpec { name, kind, parent: parent?, child: child?, coordinates, q0, v0 })
}

/// The kind of a joint and the quantity of which each of its speeds is the rate.
fn read_joint_kind(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    coordinates: Option<&[String]>,
) -> Option<(JointKind, Vec<CoordinateNature>)> {
    let kind = fields.choice(reader, "kind", &JOINT_KINDS)?;
    if kind == "custom" {
        return read_custom(reader, fields, coordinates?);
    }
    let kind = read_plain_kind(reader, fields, &kind)?;
    let natures = (0..kind.nv()).map(|k| nature(&kind, k)).collect();
    Some((kind, natures))
}

fn read_plain_kind(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Option<JointKind> {
    Some(match kind {
        "weld" => JointKind::Weld,
        "pin" => JointKind::Pin { axis: fields.direction(reader, "axis")? },
        "slider" => JointKind::Slider { axis: fields.direction(reader, "axis")? },
        "cylindrical" => JointKind::Cylindrical { axis: fields.direction(reader, "axis")? },
        "universal" => JointKind::Universal { axes: axes(reader, fields)? },
        "gimbal" => JointKind::Gimbal { axes: axes(reader, fields)? },
        "ball" => JointKind::Ball,
        "planar" => JointKind::Planar,
        _ => JointKind::Free,
    })
}

fn axes<const N: usize>(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<[Vec3; N]> {
    fields.directions(reader, "axes", Some(N))?.try_into().ok()
}

/// Initial coordinates; the rotation of ball and free joints may be a quaternion or a rotation vector.
fn read_position(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &JointKind) -> Option<Vec<f64>> {
    if !kind.has_quaternion() {
        return read_initial(reader, fields, "q", kind.nq());
    }
    let given = fields.numbers_or_none(reader, "q", Expected::ANY)?;
    if given.len() == kind.nv() {
        let mut q = vec![0.0; 4];
        Quaternion::from_rotation_vector(&Vec3::new(given[0], given[1], given[2])).write(&mut q);
        q.extend(&given[3..]);
        return Some(q);
    }
    if given.is_empty() || given.len() == kind.nq() {
        return Some(given);
    }
    let (n, long, short) = (given.len(), kind.nq(), kind.nv());
    let help = format!("give {long} (quaternion w, x, y, z first) or {short} (rotation vector first)");
    reader.wrong(&fields.span_of("q"), format!("`q` of {} has {n} numbers", fields.what), Some(help))
}

/// Initial values: one per coordinate of the joint, or none.
fn read_initial(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str, count: usize) -> Option<Vec<f64>> {
    let given = fields.numbers_or_none(reader, key, Expected::ANY)?;
    if given.is_empty() || given.len() == count {
        return Some(given);
    }
    let n = given.len();
    reader.wrong(&fields.span_of(key), format!("`{key}` of {} has {n} numbers, must have {count}", fields.what), None)
}

fn define_coordinates(
    reader: &mut Reader<'_>,
    node: &Node,
    joint: &str,
    (kind, natures): (&JointKind, &[CoordinateNature]),
    given: &[String],
) {
    let span = node.get("coordinates").or(node.get("name")).unwrap_or(node).span.clone();
    let nv = kind.nv();
    if kind.has_quaternion() {
        reader.quaternion_joints.insert(joint.into());
    }
    if !given.is_empty() && given.len() != nv {
        let n = given.len();
        reader.wrong::<()>(&span, format!("joint `{joint}` has {nv} coordinates, but {n} names are given"), None);
    }
    for (k, (suffix, nature)) in kind.coordinate_suffixes().iter().zip(natures).enumerate() {
        let name = match given.get(k) {
            Some(name) => name.clone(),
            None if nv == 1 => joint.into(),
            None => format!("{joint}.{suffix}"),
        };
        reader.define(Kind::Coordinate, &name, &span);
        reader.coordinates.insert(name, *nature);
    }
}

/// The quantity of which speed `k` of a joint is the rate.
fn nature(kind: &JointKind, k: usize) -> CoordinateNature {
    match (kind, k) {
        (JointKind::Slider { .. }, _) | (JointKind::Cylindrical { .. }, 1) => CoordinateNature::Length,
        (JointKind::Planar, 0 | 1) | (JointKind::Free, 3..) => CoordinateNature::Length,
        (JointKind::Ball | JointKind::Free, _) => CoordinateNature::AngularVelocity,
        _ => CoordinateNature::Angle,
    }
}

/// A frame under a key: the name of a body, or a table with `body`, `at` and an orientation.
pub(crate) fn frame_of(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<FrameSpec> {
    let node = fields.must(reader, key)?;
    frame_at(reader, node, &format!("`{key}` of {}", fields.what))
}

/// A frame: the name of a body, or a table with `body`, `at` and an orientation.
pub(crate) fn frame_at(reader: &mut Reader<'_>, node: &Node, label: &str) -> Option<FrameSpec> {
    if let Value::Text(_) = node.value {
        let body = reader.name(node, label)?;
        mention_body(reader, &body, node);
        return Some(FrameSpec { body, pose: Pose::identity() });
    }
    let mut frame = Fields::new(reader, node, label)?;
    let result = read_frame(reader, &mut frame);
    frame.finish(reader);
    result
}

/// The keys `body`, `at` and an orientation of a table.
pub(crate) fn read_frame(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<FrameSpec> {
    let body = fields.name(reader, "body");
    if let (Some(body), Some(node)) = (&body, fields.node.get("body")) {
        mention_body(reader, body, node);
    }
    let p = fields.vector_or_zero(reader, "at", LENGTH);
    let R = read_orientation(reader, fields);
    Some(FrameSpec { body: body?, pose: Pose::new(R?, p?) })
}

fn mention_body(reader: &mut Reader<'_>, body: &str, node: &Node) {
    if body != GROUND {
        reader.mention(Kind::Body, body, &node.span);
    }
}

/// Orientation of a frame on its body: a `rotation` vector, or the directions of its `z` axis and, where it matters,
/// its `x` axis.
fn read_orientation(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Mat3> {
    let rotation = fields.vector_or_zero(reader, "rotation", Expected::of(Dimension::ANGLE));
    let (z_node, x_node) = (fields.maybe("z"), fields.maybe("x"));
    let Some(z_node) = z_node else { return Some(Quaternion::from_rotation_vector(&rotation?).matrix()) };
    let z = reader.direction(z_node, &format!("`z` of {}", fields.what))?;
    let x = match x_node {
        Some(node) => reader.direction(node, &format!("`x` of {}", fields.what))?,
        // any perpendicular will do: start from the axis furthest from z
        None => Vec3::ith(z.iamin(), 1.0),
    };
    let across = x - z * z.dot(&x);
    if across.norm() < 1e-6 {
        return reader.wrong(&z_node.span, format!("`z` and `x` of {} are parallel", fields.what), None);
    }
    let x = across.normalize();
    Some(Mat3::from_columns(&[x, z.cross(&x), z]))
}
