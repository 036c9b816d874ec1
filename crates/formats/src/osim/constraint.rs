//! Constraints.

use super::frame::{self, OsimFrame};
use super::function::{self, OsimFunction};
use super::xml::{Context, Node, Object};
use crate::FormatError;

/// A constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimConstraint {
    /// Name.
    pub name: String,
    /// Whether it is enabled.
    pub enforced: bool,
    /// The condition.
    pub kind: OsimConstraintKind,
    /// Frames of its own.
    pub frames: Vec<OsimFrame>,
}

/// A place on a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimPlace {
    /// The frame, a path or a name.
    pub frame: String,
    /// Position in it \[m\].
    pub location: [f64; 3],
    /// Body-fixed x, y, z angles \[rad\].
    pub orientation: [f64; 3],
}

/// Conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimConstraintKind {
    /// `dependent = scale · f(independent)`.
    CoordinateCoupler {
        /// The function.
        function: Option<OsimFunction>,
        /// Its arguments.
        independent: Vec<String>,
        /// The coordinate that follows.
        dependent: String,
        /// Factor.
        scale: f64,
    },
    /// Both frames coincide.
    Weld([OsimPlace; 2]),
    /// Both points coincide.
    Point([OsimPlace; 2]),
    /// The distance of both points is constant \[m\].
    ConstantDistance([OsimPlace; 2], f64),
    /// A point of the second frame stays on a line of the first.
    PointOnLine {
        /// A point of the line.
        line: OsimPlace,
        /// Its direction in the first frame.
        direction: [f64; 3],
        /// The point that stays on it.
        follower: OsimPlace,
    },
    /// An unsupported class; it is in the list of unsupported elements.
    Unsupported(String),
}

/// Whether a tag is a constraint.
pub(super) fn is_constraint(tag: &str) -> bool {
    tag.ends_with("Constraint")
}

/// Reads a constraint.
pub(super) fn read<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimConstraint, FormatError> {
    let mut o = context.object(node);
    let name = context.name(&o);
    let kind = match o.class() {
        "CoordinateCouplerConstraint" => {
            let function = o.object_property("coupled_coordinates_function");
            OsimConstraintKind::CoordinateCoupler {
                function: function.map(|n| function::read(context, n, &name)).transpose()?,
                independent: o.words("independent_coordinate_names"),
                dependent: o.string("dependent_coordinate_name"),
                scale: o.number("scale_factor", 1.0)?,
            }
        }
        "WeldConstraint" => OsimConstraintKind::Weld(places(&mut o)?),
        "PointConstraint" => OsimConstraintKind::Point(places(&mut o)?),
        "ConstantDistanceConstraint" => {
            OsimConstraintKind::ConstantDistance(places(&mut o)?, o.number("constant_distance", 0.0)?)
        }
        "PointOnLineConstraint" => OsimConstraintKind::PointOnLine {
            line: place(&mut o, &["socket_line_body", "line_body"], "point_on_line", "")?,
            direction: o.array("line_direction_vec", [0.0; 3])?,
            follower: place(&mut o, &["socket_follower_body", "follower_body"], "point_on_follower", "")?,
        },
        other => {
            let other = other.into();
            context.list(&node, &name);
            OsimConstraintKind::Unsupported(other)
        }
    };
    let unknown = matches!(kind, OsimConstraintKind::Unsupported(_));
    let enforced = o.enabled()?;
    let constraint = OsimConstraint { name, enforced, kind, frames: frame::list(context, &mut o, "frames")? };
    if !unknown {
        o.finish(context);
    }
    Ok(constraint)
}

/// The two places of a force or constraint between two bodies, as each version writes them.
pub(super) fn places(o: &mut Object<'_>) -> Result<[OsimPlace; 2], FormatError> {
    Ok([
        place(o, &["socket_frame1", "socket_body_1", "body_1"], "location_body_1", "orientation_body_1")?,
        place(o, &["socket_frame2", "socket_body_2", "body_2"], "location_body_2", "orientation_body_2")?,
    ])
}

/// A place whose frame, position and orientation have these tags.
pub(super) fn place(
    o: &mut Object<'_>,
    frame: &[&str],
    location: &str,
    orientation: &str,
) -> Result<OsimPlace, FormatError> {
    Ok(OsimPlace {
        frame: o.either(frame),
        location: o.array(location, [0.0; 3])?,
        orientation: o.array(orientation, [0.0; 3])?,
    })
}
