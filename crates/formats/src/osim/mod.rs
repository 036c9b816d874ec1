//! OpenSim models (`.osim`), versions 1 to 4, as plain data that mirrors the file.
//!
//! [`read`] gives an [`OsimModel`]: bodies, joints, constraints, forces, markers, contact geometry. Nothing is computed
//! and no name is resolved, except that files before version 4 are brought into the form of version 4 (a joint's places
//! on its bodies become frames, as OpenSim itself does it). Properties that a file leaves out have its `<defaults>`,
//! else OpenSim's own.
//!
//! Unsupported elements are listed in [`OsimModel::unsupported`], by element, object and line. Only display data
//! (colours, visibility flags), authors, and the names of groups of objects are omitted without being listed.
//!
//! Source: files of the OpenSim project; its documentation, "OpenSim Models".

mod constraint;
mod contact;
mod force;
mod frame;
mod function;
mod joint;
mod muscle;
mod path;
mod xml;

pub use constraint::{OsimConstraint, OsimConstraintKind, OsimPlace};
pub use contact::{
    OsimContactForce, OsimContactGeometry, OsimContactMaterial, OsimContactPairs, OsimContactShape, OsimSmithMesh,
};
pub use force::{OsimActuator, OsimBlankevoort, OsimForce, OsimForceKind};
pub use frame::{OsimAttached, OsimFrame, OsimGeometry, OsimMarker};
pub use function::{OsimFunction, OsimPoints};
pub use joint::{OsimAxis, OsimCoordinate, OsimJoint, OsimJointKind};
pub use muscle::{OsimCurve, OsimMuscle};
pub use path::{OsimMoving, OsimPath, OsimPathPoint, OsimPathWrap, OsimPointKind, OsimWrap, OsimWrapShape};

use crate::FormatError;
use xml::{Context, Node, elements, error_at, name_of, set_objects};

/// A model as written in its file; lengths in metres, masses in kg, angles in radians.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimModel {
    /// Name.
    pub name: String,
    /// Version of the document: 30000 is 3.0.
    pub version: u32,
    /// Acceleration of gravity \[m/s²\].
    pub gravity: [f64; 3],
    /// What is attached to ground.
    pub ground: OsimAttached,
    /// Bodies, without ground.
    pub bodies: Vec<OsimBody>,
    /// Joints.
    pub joints: Vec<OsimJoint>,
    /// Constraints.
    pub constraints: Vec<OsimConstraint>,
    /// Forces, including muscles and contacts.
    pub forces: Vec<OsimForce>,
    /// Markers.
    pub markers: Vec<OsimMarker>,
    /// Surfaces that can touch.
    pub contact_geometry: Vec<OsimContactGeometry>,
    /// Frames among the model's own components.
    pub frames: Vec<OsimFrame>,
    /// Unsupported elements.
    pub unsupported: Vec<Unsupported>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimBody {
    /// Name.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the body's frame \[m\].
    pub mass_center: [f64; 3],
    /// Inertia about the centre of mass, xx, yy, zz, xy, xz, yz \[kg m²\]; products as elements of the matrix.
    pub inertia: [f64; 6],
    /// What is attached to it.
    pub attached: OsimAttached,
}

/// An unsupported element.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// Its tag.
    pub element: String,
    /// Name of the object it is or belongs to.
    pub object: String,
    /// Line in the file.
    pub line: usize,
}

/// Reads a model.
///
/// Text that is not XML or not a model, invalid numbers, and too deep nesting are errors, with line and remedy.
pub fn read(bytes: &[u8]) -> Result<OsimModel, FormatError> {
    let mut remarks = Vec::new();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(FormatError::syntax(".osim", 1, "the file is in UTF-16; save it as UTF-8"));
    }
    let text = xml::tolerant_text(bytes, &mut remarks);
    let document = xml::parse(&text)?;
    let root = document.root_element();
    let node = elements(root).find(|n| n.has_tag_name("Model"));
    let node = node.ok_or_else(|| error_at(&root, "there is no `Model` element; give an OpenSim model (.osim)"))?;
    let version = root.attribute("Version").and_then(|v| v.trim().parse().ok());
    let version = version.ok_or_else(|| error_at(&root, "the document has no version; save the model in OpenSim"))?;
    let mut context = Context::new(&text);
    let mut o = context.object(node);
    let defaults = o.child("defaults").into_iter().flat_map(elements);
    context.defaults = defaults.map(|n| (n.tag_name().name(), n)).collect();

    check_units(&mut o, &mut remarks);
    let mut model = OsimModel {
        name: o.name(),
        version,
        gravity: o.array("gravity", [0.0, -9.80665, 0.0])?,
        remarks,
        ..Default::default()
    };
    if let Some(ground) = o.child("Ground") {
        let mut ground = context.object(ground);
        model.ground = frame::attached(&mut context, &mut ground)?;
        ground.finish(&mut context);
    }
    const SETS: [&str; 9] = [
        "BodySet",
        "JointSet",
        "ConstraintSet",
        "ForceSet",
        "MarkerSet",
        "ContactGeometrySet",
        "ControllerSet",
        "ProbeSet",
        "ComponentSet",
    ];
    let sets = SETS.map(|tag| o.child(tag));
    let listed: Vec<_> = sets.into_iter().flat_map(set_objects).collect();
    let own: Vec<_> = o.child("components").into_iter().flat_map(elements).collect();
    for node in listed.into_iter().chain(own) {
        read_component(&mut context, node, &mut model)?;
    }
    for set in sets.into_iter().flatten().filter(|s| s.attribute("file").is_some_and(|f| !f.trim().is_empty())) {
        context.list(&set, &name_of(&set));
    }
    o.finish(&mut context);
    model.unsupported = context.unsupported;
    Ok(model)
}

/// Only metres and newtons are read.
fn check_units(o: &mut xml::Object<'_>, remarks: &mut Vec<String>) {
    for (tag, si) in [("length_units", ["meters", "m"]), ("force_units", ["N", "newtons"])] {
        let unit = o.string(tag);
        if !unit.is_empty() && !si.contains(&unit.as_str()) {
            remarks.push(format!("{tag} says `{unit}`, which OpenSim ignores; numbers are assumed to be SI"));
        }
    }
}

/// Any part of a model, by its class.
fn read_component<'a>(context: &mut Context<'a>, node: Node<'a>, model: &mut OsimModel) -> Result<(), FormatError> {
    match node.tag_name().name() {
        "Body" => read_body(context, node, model)?,
        "Marker" => model.markers.push(frame::read_marker(context, node)?),
        "PhysicalOffsetFrame" => model.frames.push(frame::read(context, node)?),
        tag if tag.ends_with("Joint") => model.joints.push(joint::read(context, node, None)?),
        tag if constraint::is_constraint(tag) => model.constraints.push(constraint::read(context, node)?),
        "ContactSphere" | "ContactHalfSpace" | "ContactMesh" | "Smith2018ContactMesh" => {
            model.contact_geometry.push(contact::read_geometry(context, node)?);
        }
        tag if is_force(tag) => model.forces.push(force::read(context, node)?),
        _ => context.list(&node, &name_of(&node)),
    }
    Ok(())
}

fn is_force(tag: &str) -> bool {
    ["Force", "Actuator", "Ligament", "Spring"].iter().any(|end| tag.ends_with(end)) || muscle::is_muscle(tag)
}

/// A body; before version 4 with the joint that carries it, and ground as the body of that name.
fn read_body<'a>(context: &mut Context<'a>, node: Node<'a>, model: &mut OsimModel) -> Result<(), FormatError> {
    let mut o = context.object(node);
    let name = o.name();
    let attached = frame::attached(context, &mut o)?;
    let carried: Vec<_> = o.child("Joint").into_iter().flat_map(elements).collect();
    for joint in carried {
        model.joints.push(joint::read(context, joint, Some(&name))?);
    }
    let mass = o.number("mass", 0.0)?;
    let mass_center = o.array("mass_center", [0.0; 3])?;
    let mut inertia = o.array("inertia", [0.0; 6])?;
    for (value, tag) in inertia.iter_mut().zip(["xx", "yy", "zz", "xy", "xz", "yz"]) {
        *value = o.number(&format!("inertia_{tag}"), *value)?;
    }
    o.finish(context);
    if name == "ground" {
        model.ground = attached;
    } else {
        model.bodies.push(OsimBody { name, mass, mass_center, inertia, attached });
    }
    Ok(())
}
