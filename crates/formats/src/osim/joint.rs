//! Joints, their coordinates and the functions of a `CustomJoint`.

use super::frame::{self, OsimFrame};
use super::function::{self, OsimFunction};
use super::xml::{Context, Node, Object, elements, error_at, set_objects};
use crate::FormatError;

/// A joint between a frame on the parent and a frame on the child.
///
/// Before version 4 a joint had no frames but a place and orientation on each body; they are read as frames
/// `<body>_offset`, as OpenSim itself upgrades such files.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimJoint {
    /// Name.
    pub name: String,
    /// Its degrees of freedom.
    pub kind: OsimJointKind,
    /// Frame on the parent, as written.
    pub parent: String,
    /// Frame on the child, as written.
    pub child: String,
    /// Frames of its own.
    pub frames: Vec<OsimFrame>,
    /// Coordinates, in the order of its degrees of freedom.
    pub coordinates: Vec<OsimCoordinate>,
}

/// Kinds of joints. Turns are body-fixed, in the order of the axes named.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimJointKind {
    /// No degree of freedom.
    Weld,
    /// A turn about z.
    Pin,
    /// A displacement along x.
    Slider,
    /// Turns about x and y.
    Universal,
    /// Turns about x, y, z.
    Gimbal,
    /// Turns about x, y, z (OpenSim computes balls with Euler angles).
    Ball,
    /// A turn about z, displacements along x and y.
    Planar,
    /// Turns about x, y, z and displacements along x, y, z.
    Free,
    /// Turns about x, y, z; the origin stays on an ellipsoid, at its half axes times the directions of z.
    Ellipsoid {
        /// Half axes \[m\].
        radii: [f64; 3],
    },
    /// Glides as an ellipsoid joint with three turns (abduction, elevation, upward rotation), then turns about an axis
    /// in the surface (winging).
    Scapulothoracic {
        /// Half axes along x, y, z of the parent frame \[m\].
        radii: [f64; 3],
        /// A point of the winging axis in x and y of the frame that glides \[m\].
        winging_origin: [f64; 2],
        /// Direction of the winging axis: angle from y towards -x \[rad\].
        winging_direction: f64,
    },
    /// Six axes with functions.
    Custom(Box<[OsimAxis; 6]>),
    /// An unsupported class; it is in the list of unsupported elements.
    Unsupported(String),
}

/// An axis of a `SpatialTransform`: the first three are turns, the others displacements.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimAxis {
    /// Coordinates that are arguments of the function; empty for a constant.
    pub coordinates: Vec<String>,
    /// Direction.
    pub axis: [f64; 3],
    /// Angle \[rad\] or displacement \[m\]; `None` where the file has no function: then it is the coordinate itself.
    pub function: Option<OsimFunction>,
}

/// A coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimCoordinate {
    /// Name.
    pub name: String,
    /// Value in the default pose \[rad\] or \[m\].
    pub default_value: f64,
    /// Speed in the default pose.
    pub default_speed: f64,
    /// Range of values.
    pub range: [f64; 2],
    /// Whether tools keep it in its range.
    pub clamped: bool,
    /// Whether it keeps its default value.
    pub locked: bool,
    /// Whether it follows its prescribed function.
    pub prescribed: bool,
    /// Function of time.
    pub prescribed_function: Option<OsimFunction>,
    /// `rotational`, `translational` or `coupled`; empty where the file does not say.
    pub motion_type: String,
    /// Whether assembly may change it when it is locked or prescribed.
    pub free_to_satisfy_constraints: bool,
}

/// Reads a joint; before version 4 `body` is the body it is written in, its child.
pub(super) fn read<'a>(
    context: &mut Context<'a>,
    node: Node<'a>,
    body: Option<&str>,
) -> Result<OsimJoint, FormatError> {
    let mut o = context.object(node);
    let mut joint = OsimJoint {
        name: context.name(&o),
        kind: read_kind(context, &mut o)?,
        parent: o.either(&["socket_parent_frame", "socket_parent_frame_connectee_name"]),
        child: o.either(&["socket_child_frame", "socket_child_frame_connectee_name"]),
        frames: frame::list(context, &mut o, "frames")?,
        coordinates: Vec::new(),
    };
    if let Some(body) = body {
        add_offsets(&mut o, &mut joint, body)?;
    }
    let old = set_objects(o.child("CoordinateSet"));
    let nodes: Vec<_> = old.chain(o.child("coordinates").into_iter().flat_map(elements)).collect();
    for node in nodes {
        joint.coordinates.push(read_coordinate(context, node, &joint.name)?);
    }
    if o.flag("reverse", false)? {
        return Err(error_at(&node, format!("joint `{}` is reversed; save the model in OpenSim 4", joint.name)));
    }
    // always so since version 3, and the scale of a model long scaled
    o.child("use_euler_angles");
    o.child("scale_factors");
    if !matches!(joint.kind, OsimJointKind::Unsupported(_)) {
        o.finish(context);
    }
    Ok(joint)
}

/// The places on both bodies of a joint before version 4.
fn add_offsets(o: &mut Object<'_>, joint: &mut OsimJoint, body: &str) -> Result<(), FormatError> {
    let parent = o.string("parent_body");
    let offset = |parent: &str, translation, orientation| OsimFrame {
        name: format!("{parent}_offset"),
        parent: parent.into(),
        translation,
        orientation,
        attached: Default::default(),
    };
    let on_parent =
        offset(&parent, o.array("location_in_parent", [0.0; 3])?, o.array("orientation_in_parent", [0.0; 3])?);
    let on_child = offset(body, o.array("location", [0.0; 3])?, o.array("orientation", [0.0; 3])?);
    joint.parent = on_parent.name.clone();
    joint.child = on_child.name.clone();
    joint.frames = vec![on_parent, on_child];
    Ok(())
}

fn read_kind<'a>(context: &mut Context<'a>, o: &mut Object<'a>) -> Result<OsimJointKind, FormatError> {
    Ok(match o.class() {
        "WeldJoint" => OsimJointKind::Weld,
        "PinJoint" => OsimJointKind::Pin,
        "SliderJoint" => OsimJointKind::Slider,
        "UniversalJoint" => OsimJointKind::Universal,
        "GimbalJoint" => OsimJointKind::Gimbal,
        "BallJoint" => OsimJointKind::Ball,
        "PlanarJoint" => OsimJointKind::Planar,
        "FreeJoint" => OsimJointKind::Free,
        "EllipsoidJoint" => OsimJointKind::Ellipsoid { radii: o.array("radii_x_y_z", [1.0; 3])? },
        "ScapulothoracicJoint" => OsimJointKind::Scapulothoracic {
            radii: o.array("thoracic_ellipsoid_radii_x_y_z", [1.0; 3])?,
            winging_origin: o.array("scapula_winging_axis_origin", [0.0; 2])?,
            winging_direction: o.number("scapula_winging_axis_direction", 0.0)?,
        },
        "CustomJoint" => OsimJointKind::Custom(Box::new(read_transform(context, o)?)),
        other => {
            context.list(&o.node, &o.name());
            OsimJointKind::Unsupported(other.into())
        }
    })
}

/// The six axes, from `SpatialTransform` or, before version 2, from `TransformAxisSet`.
fn read_transform<'a>(context: &mut Context<'a>, o: &mut Object<'a>) -> Result<[OsimAxis; 6], FormatError> {
    let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k % 3)));
    let still =
        |k: usize| OsimAxis { coordinates: Vec::new(), axis: unit(k), function: Some(OsimFunction::Constant(0.0)) };
    let mut axes: [OsimAxis; 6] = std::array::from_fn(still);
    let joint = o.name();
    let mut next = [0, 3];
    let named: Vec<_> = o.child("SpatialTransform").into_iter().flat_map(elements).collect();
    let listed: Vec<_> = set_objects(o.child("TransformAxisSet")).collect();
    let older = !listed.is_empty();
    for node in named.into_iter().chain(listed) {
        let mut a = context.object(node);
        if a.class() != "TransformAxis" {
            context.list(&node, &joint);
            continue;
        }
        let kind = usize::from(match older {
            true => !a.flag("is_rotation", true)?,
            false => !a.name().starts_with("rotation"),
        });
        let slot = match older {
            true => next[kind],
            false => slot_of(&a.name()).unwrap_or(next[kind]),
        };
        next[kind] = slot + 1;
        let axis = axes.get_mut(slot).filter(|_| slot < 3 * (kind + 1));
        let axis =
            axis.ok_or_else(|| error_at(&node, format!("joint `{joint}` has more than three axes of a kind")))?;
        *axis = read_axis(context, &mut a, &joint)?;
        a.finish(context);
    }
    Ok(axes)
}

/// `rotation2` is the second axis, `translation1` the fourth.
fn slot_of(name: &str) -> Option<usize> {
    let names = ["rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3"];
    names.iter().position(|n| *n == name)
}

fn read_axis<'a>(context: &mut Context<'a>, a: &mut Object<'a>, joint: &str) -> Result<OsimAxis, FormatError> {
    let mut coordinates = a.words("coordinates");
    coordinates.extend(a.words("coordinate"));
    let axis = a.array("axis", [1.0, 0.0, 0.0])?;
    let function = a.object_property("function").map(|n| function::read(context, n, joint)).transpose()?;
    Ok(OsimAxis { coordinates, axis, function })
}

fn read_coordinate<'a>(context: &mut Context<'a>, node: Node<'a>, joint: &str) -> Result<OsimCoordinate, FormatError> {
    let mut o = context.object(node);
    if o.class() != "Coordinate" {
        return Err(error_at(&node, format!("joint `{joint}` has a `{}` among its coordinates", o.class())));
    }
    let coordinate = OsimCoordinate {
        name: o.name(),
        default_value: o.number("default_value", 0.0)?,
        default_speed: o.number("default_speed_value", 0.0)?,
        range: o.range("range")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]),
        clamped: o.flag("clamped", false)?,
        locked: o.flag("locked", false)?,
        prescribed: o.flag("prescribed", false)?,
        prescribed_function: o
            .object_property("prescribed_function")
            .map(|n| function::read(context, n, joint))
            .transpose()?,
        motion_type: o.string("motion_type"),
        free_to_satisfy_constraints: o.flag("is_free_to_satisfy_constraints", false)?,
    };
    // versions 1 and 2; a starting value that tools ignored, and restraints that were never switched on
    o.child("initial_value");
    if !o.flag("restraint_active", false)? && o.number("stiffness", 0.0)? == 0.0 {
        for tag in ["restraint_function", "min_restraint_function", "max_restraint_function"] {
            o.child(tag);
        }
    }
    o.finish(context);
    Ok(coordinate)
}
