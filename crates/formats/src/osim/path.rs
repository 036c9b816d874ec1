//! Paths of muscles and ligaments, and the objects they wrap around.

use super::function::{self, OsimFunction};
use super::xml::{Context, Node, Object, set_objects};
use crate::FormatError;

/// The path of a muscle, ligament or path spring: points in order, and its wrap objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimPath {
    /// Points from origin to insertion.
    pub points: Vec<OsimPathPoint>,
    /// Wrap objects, in order along the path.
    pub wraps: Vec<OsimPathWrap>,
}

/// A point of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimPathPoint {
    /// Name.
    pub name: String,
    /// Frame it is on.
    pub frame: String,
    /// Position in the frame \[m\]; of a moving point where a function does not give it.
    pub location: [f64; 3],
    /// Whether it is conditional or moving.
    pub kind: OsimPointKind,
}

/// Kinds of path points.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimPointKind {
    /// Always active.
    Fixed,
    /// Active while a coordinate is in a range.
    Conditional {
        /// The coordinate, a name or a path.
        coordinate: String,
        /// Range of the coordinate.
        range: [f64; 2],
    },
    /// Moves along x, y and z of its frame, each a function of a coordinate.
    Moving(Box<[OsimMoving; 3]>),
}

/// One component of a moving point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimMoving {
    /// The coordinate, a name or a path; empty where the component is constant.
    pub coordinate: String,
    /// The component \[m\] of the coordinate.
    pub function: Option<OsimFunction>,
}

/// Use of a wrap object by a path.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimPathWrap {
    /// Name.
    pub name: String,
    /// Name of the wrap object.
    pub wrap_object: String,
    /// `hybrid`, `midpoint` or `axial`, for ellipsoids.
    pub method: String,
    /// First and last point between which it wraps, from 1; -1: the path's ends.
    pub range: [f64; 2],
}

/// An object that paths wrap around, fixed on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimWrap {
    /// Name.
    pub name: String,
    /// Whether it is active.
    pub active: bool,
    /// Body-fixed x, y, z angles on the body \[rad\].
    pub orientation: [f64; 3],
    /// Position on the body \[m\].
    pub translation: [f64; 3],
    /// Side on which paths may pass: `x`, `-y`, ...; `all`: any side.
    pub quadrant: String,
    /// Its shape.
    pub shape: OsimWrapShape,
}

/// Shapes of wrap objects, lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OsimWrapShape {
    /// A sphere.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes.
        dimensions: [f64; 3],
    },
    /// A torus around z; paths go through its hole.
    Torus {
        /// Radius of the hole.
        inner_radius: f64,
        /// Radius of the whole.
        outer_radius: f64,
    },
}

/// The `GeometryPath` of a force; before version 2 its points are the force's own.
pub(super) fn read_of<'a>(context: &mut Context<'a>, o: &mut Object<'a>) -> Result<OsimPath, FormatError> {
    let tag = ["GeometryPath", "path"].into_iter().find_map(|t| o.child(t));
    let Some(node) = tag else {
        let (points, wraps) = (o.child("MusclePointSet"), o.child("MuscleWrapSet"));
        return read_sets(context, points, wraps);
    };
    let mut path = context.object(node);
    let (points, wraps) = (path.child("PathPointSet"), path.child("PathWrapSet"));
    path.finish(context);
    read_sets(context, points, wraps)
}

fn read_sets<'a>(
    context: &mut Context<'a>,
    points: Option<Node<'a>>,
    wraps: Option<Node<'a>>,
) -> Result<OsimPath, FormatError> {
    let mut path = OsimPath::default();
    for node in set_objects(points) {
        path.points.extend(read_point(context, node)?);
    }
    for node in set_objects(wraps) {
        let mut o = context.object(node);
        path.wraps.push(OsimPathWrap {
            name: o.name(),
            wrap_object: o.string("wrap_object"),
            method: o.string("method"),
            range: o.range("range")?.unwrap_or([-1.0; 2]),
        });
        o.finish(context);
    }
    Ok(path)
}

fn read_point<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<Option<OsimPathPoint>, FormatError> {
    let mut o = context.object(node);
    let kind = match o.class() {
        "PathPoint" | "MusclePoint" => OsimPointKind::Fixed,
        "ConditionalPathPoint" | "MuscleViaPoint" => OsimPointKind::Conditional {
            coordinate: o.either(&["socket_coordinate", "coordinate"]),
            range: o.range("range")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]),
        },
        "MovingPathPoint" | "MovingMusclePoint" => {
            let mut axes: [OsimMoving; 3] = Default::default();
            for (axis, letter) in axes.iter_mut().zip(["x", "y", "z"]) {
                *axis = read_moving(context, &mut o, letter)?;
            }
            OsimPointKind::Moving(Box::new(axes))
        }
        _ => {
            context.list(&node, &o.name());
            return Ok(None);
        }
    };
    let point = OsimPathPoint {
        name: o.name(),
        frame: o.either(&["socket_parent_frame", "socket_parent_frame_connectee_name", "body"]),
        location: o.array("location", [0.0; 3])?,
        kind,
    };
    o.finish(context);
    Ok(Some(point))
}

fn read_moving<'a>(context: &mut Context<'a>, o: &mut Object<'a>, letter: &str) -> Result<OsimMoving, FormatError> {
    let coordinate = o.either(&[&format!("socket_{letter}_coordinate"), &format!("{letter}_coordinate")]);
    let old = format!("{}Attachment", letter.to_ascii_uppercase());
    let node = o.object_property(&format!("{letter}_location")).or_else(|| o.object_property(&old));
    let name = o.name();
    let function = node.map(|n| function::read(context, n, &name)).transpose()?;
    Ok(OsimMoving { coordinate, function })
}

/// Reads a wrap object; `None` where its shape is not supported.
pub(super) fn read_wrap<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<Option<OsimWrap>, FormatError> {
    let mut o = context.object(node);
    let shape = match o.class() {
        "WrapSphere" => OsimWrapShape::Sphere { radius: o.number("radius", 0.0)? },
        "WrapCylinder" => {
            OsimWrapShape::Cylinder { radius: o.number("radius", 0.0)?, length: o.number("length", 1.0)? }
        }
        "WrapEllipsoid" => OsimWrapShape::Ellipsoid { dimensions: o.array("dimensions", [0.0; 3])? },
        "WrapTorus" => OsimWrapShape::Torus {
            inner_radius: o.number("inner_radius", 0.0)?,
            outer_radius: o.number("outer_radius", 0.0)?,
        },
        _ => {
            context.list(&node, &o.name());
            return Ok(None);
        }
    };
    let wrap = OsimWrap {
        name: o.name(),
        active: o.flag("active", true)?,
        orientation: o.array("xyz_body_rotation", [0.0; 3])?,
        translation: o.array("translation", [0.0; 3])?,
        quadrant: o.text("quadrant").unwrap_or("all").into(),
        shape,
    };
    o.finish(context);
    Ok(Some(wrap))
}
