//! Frames fixed on bodies, and what is attached to them.

use super::path::{self, OsimWrap};
use super::xml::{Context, Node, Object, elements, set_objects};
use crate::FormatError;

/// A frame fixed on another: OpenSim's `PhysicalOffsetFrame`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimFrame {
    /// Name.
    pub name: String,
    /// The frame it is fixed on, as written: a path or a name.
    pub parent: String,
    /// Position in the parent \[m\].
    pub translation: [f64; 3],
    /// Body-fixed x, y, z angles \[rad\].
    pub orientation: [f64; 3],
    /// What is attached to it.
    pub attached: OsimAttached,
}

/// Objects that are attached to a body or frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimAttached {
    /// Frames among its components.
    pub frames: Vec<OsimFrame>,
    /// Wrap objects.
    pub wraps: Vec<OsimWrap>,
    /// Display geometry.
    pub geometry: Vec<OsimGeometry>,
}

/// Display geometry attached to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimGeometry {
    /// Class, such as `Mesh`.
    pub class: String,
    /// File name; empty for analytic shapes.
    pub file: String,
    /// Scale along the axes.
    pub scale: [f64; 3],
    /// Angles \[rad\] and position \[m\] on the body, before version 4.
    pub transform: [f64; 6],
}

/// A marker.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimMarker {
    /// Name.
    pub name: String,
    /// Frame it is on.
    pub frame: String,
    /// Position in the frame \[m\].
    pub location: [f64; 3],
    /// Whether scaling must not move it.
    pub fixed: bool,
}

/// Reads a `PhysicalOffsetFrame`.
pub(super) fn read<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimFrame, FormatError> {
    let mut o = context.object(node);
    let frame = OsimFrame {
        name: o.name(),
        parent: o.either(&["socket_parent", "parent", "socket_parent_frame"]),
        translation: o.array("translation", [0.0; 3])?,
        orientation: o.array("orientation", [0.0; 3])?,
        attached: attached(context, &mut o)?,
    };
    o.finish(context);
    Ok(frame)
}

/// The frames in a list of joints, forces and constraints.
pub(super) fn list<'a>(
    context: &mut Context<'a>,
    o: &mut Object<'a>,
    tag: &str,
) -> Result<Vec<OsimFrame>, FormatError> {
    let mut frames = Vec::new();
    for node in o.child(tag).into_iter().flat_map(elements) {
        match node.tag_name().name() {
            "PhysicalOffsetFrame" => frames.push(read(context, node)?),
            _ => context.list(&node, &o.name()),
        }
    }
    Ok(frames)
}

/// Wrap objects, pictures and frames of a body, frame or ground.
pub(super) fn attached<'a>(context: &mut Context<'a>, o: &mut Object<'a>) -> Result<OsimAttached, FormatError> {
    let mut attached = OsimAttached::default();
    for node in set_objects(o.child("WrapObjectSet")) {
        attached.wraps.extend(path::read_wrap(context, node)?);
    }
    let geometry = o.child("attached_geometry").into_iter().flat_map(elements);
    for node in geometry.collect::<Vec<_>>() {
        attached.geometry.push(read_geometry(context, node)?);
    }
    if let Some(picture) = o.child("VisibleObject") {
        attached.geometry.extend(read_visible(context, picture)?);
    }
    let owner = o.name();
    for node in o.child("components").into_iter().flat_map(elements) {
        match node.tag_name().name() {
            "PhysicalOffsetFrame" => attached.frames.push(read(context, node)?),
            "Mesh" | "Brick" | "Sphere" | "Cylinder" | "Ellipsoid" | "Cone" | "Torus" | "Arrow" | "Line" => {
                attached.geometry.push(read_geometry(context, node)?);
            }
            _ => context.list(&node, &owner),
        }
    }
    Ok(attached)
}

/// A picture of version 4; sizes of analytic shapes are not read.
fn read_geometry<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimGeometry, FormatError> {
    let mut o = context.object(node);
    Ok(OsimGeometry {
        class: o.class().into(),
        file: o.string("mesh_file"),
        scale: o.array("scale_factors", [1.0; 3])?,
        transform: [0.0; 6],
    })
}

/// Pictures before version 4.
fn read_visible<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<Vec<OsimGeometry>, FormatError> {
    let mut o = context.object(node);
    let scale = o.array("scale_factors", [1.0; 3])?;
    let picture = |file: String, scale, transform| OsimGeometry { class: "Mesh".into(), file, scale, transform };
    let mut all: Vec<_> = o.words("geometry_files").into_iter().map(|f| picture(f, scale, [0.0; 6])).collect();
    for node in set_objects(o.child("GeometrySet")) {
        let mut d = context.object(node);
        let own = d.array("scale_factors", [1.0; 3])?;
        let both = std::array::from_fn(|k| scale[k] * own[k]);
        all.push(picture(d.string("geometry_file"), both, d.array("transform", [0.0; 6])?));
    }
    Ok(all)
}

/// Reads a marker.
pub(super) fn read_marker<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimMarker, FormatError> {
    let mut o = context.object(node);
    let marker = OsimMarker {
        name: o.name(),
        frame: o.either(&["socket_parent_frame", "socket_parent_frame_connectee_name", "body"]),
        location: o.array("location", [0.0; 3])?,
        fixed: o.flag("fixed", false)?,
    };
    o.finish(context);
    Ok(marker)
}
