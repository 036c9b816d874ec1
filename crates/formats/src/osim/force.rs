//! Forces: ligaments, springs, bushings and actuators; muscles and contacts have files of their own.

use super::constraint::{self, OsimPlace};
use super::contact::{self, OsimContactForce};
use super::frame::{self, OsimFrame};
use super::function::{self, OsimFunction};
use super::muscle::{self, OsimMuscle};
use super::path::{self, OsimPath};
use super::xml::{Context, Node, Object};
use crate::FormatError;

/// A force with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimForce {
    /// Name.
    pub name: String,
    /// Whether it is enabled.
    pub enabled: bool,
    /// What it is.
    pub kind: OsimForceKind,
    /// Frames of its own.
    pub frames: Vec<OsimFrame>,
}

/// Kinds of forces.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimForceKind {
    /// A muscle.
    Muscle(Box<OsimMuscle>),
    /// A contact.
    Contact(OsimContactForce),
    /// Toe region and linear region, see [`OsimBlankevoort`].
    Blankevoort(Box<OsimBlankevoort>),
    /// OpenSim's older `Ligament`: `pcsa_force · f(l/resting_length)`.
    Ligament {
        /// Its path.
        path: OsimPath,
        /// Resting length \[m\].
        resting_length: f64,
        /// Scale of the curve \[N\].
        pcsa_force: f64,
        /// Normalised force of the normalised stretch.
        curve: Option<OsimFunction>,
    },
    /// A spring along a path.
    PathSpring {
        /// Its path.
        path: OsimPath,
        /// Resting length \[m\].
        resting_length: f64,
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Dissipation \[s/m\].
        dissipation: f64,
    },
    /// A force along a path, scaled by a control.
    PathActuator {
        /// Its path.
        path: OsimPath,
        /// Force at full control \[N\].
        optimal_force: f64,
    },
    /// A spring between two points.
    PointToPointSpring {
        /// Its ends.
        ends: [OsimPlace; 2],
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Resting length \[m\].
        rest_length: f64,
    },
    /// A spring and damper on a coordinate: `-k (q - q0) - c q'`.
    SpringGeneralized {
        /// The coordinate.
        coordinate: String,
        /// k.
        stiffness: f64,
        /// q0.
        rest_length: f64,
        /// c.
        viscosity: f64,
    },
    /// Stiff beyond the limits of a coordinate; angles of the file are in degrees, stiffnesses per degree.
    CoordinateLimit {
        /// The coordinate.
        coordinate: String,
        /// Lower and upper limit \[deg or m\].
        limits: [f64; 2],
        /// Stiffness beyond the lower and the upper limit \[N m/deg or N/m\].
        stiffness: [f64; 2],
        /// Damping beyond the limits \[N m s/deg or N s/m\].
        damping: f64,
        /// Width of the transition \[deg or m\].
        transition: f64,
    },
    /// A formula in `q` and `qdot` on a coordinate.
    ExpressionCoordinate {
        /// The coordinate.
        coordinate: String,
        /// The formula.
        expression: String,
    },
    /// Springs and dampers in six directions.
    Bushing {
        /// Its two frames.
        ends: Box<[OsimPlace; 2]>,
        /// Stiffness: rotations \[N m/rad\], then translations \[N/m\].
        stiffness: [f64; 6],
        /// Damping: rotations \[N m s/rad\], then translations \[N s/m\].
        damping: [f64; 6],
    },
    /// The same with formulas for the elastic part.
    ExpressionBushing {
        /// Its two frames.
        ends: Box<[OsimPlace; 2]>,
        /// Formulas of Mx, My, Mz, Fx, Fy, Fz.
        expressions: Box<[String; 6]>,
        /// Damping: rotations \[N m s/rad\], then translations \[N s/m\].
        damping: [f64; 6],
    },
    /// A force or torque on a coordinate, scaled by a control.
    CoordinateActuator {
        /// The coordinate.
        coordinate: String,
        /// Strength at full control.
        actuator: OsimActuator,
    },
    /// A force on a point of a body.
    PointActuator {
        /// The body and the point.
        place: OsimPlace,
        /// Whether the point is in ground.
        point_is_global: bool,
        /// Direction.
        direction: [f64; 3],
        /// Whether the direction is in ground.
        force_is_global: bool,
        /// Strength at full control.
        actuator: OsimActuator,
    },
    /// A torque between two bodies.
    TorqueActuator {
        /// The body on which it acts and the one on which the reaction acts.
        bodies: [String; 2],
        /// Axis.
        axis: [f64; 3],
        /// Whether the axis is in ground.
        torque_is_global: bool,
        /// Strength at full control.
        actuator: OsimActuator,
    },
    /// An unsupported class; it is in the list of unsupported elements.
    Unsupported(String),
}

/// OpenSim's `Blankevoort1991Ligament`.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimBlankevoort {
    /// Its path.
    pub path: OsimPath,
    /// Slope of the linear region \[N per unit strain\].
    pub linear_stiffness: f64,
    /// Strain at the end of the toe.
    pub transition_strain: f64,
    /// Damping \[N s per unit strain\].
    pub damping_coefficient: f64,
    /// Slack length \[m\].
    pub slack_length: f64,
}

/// Strength and bounds of an ideal actuator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OsimActuator {
    /// Force \[N\] or torque \[N m\] at a control of one.
    pub optimal_force: f64,
    /// Minimum control.
    pub min_control: Option<f64>,
    /// Maximum control.
    pub max_control: Option<f64>,
}

/// Reads a force.
pub(super) fn read<'a>(context: &mut Context<'a>, node: Node<'a>) -> Result<OsimForce, FormatError> {
    let mut o = context.object(node);
    let name = context.name(&o);
    let enabled = o.enabled()?;
    if muscle::is_muscle(o.class()) {
        let kind = OsimForceKind::Muscle(Box::new(muscle::read(context, node)?));
        return Ok(OsimForce { name, enabled, kind, frames: Vec::new() });
    }
    let frames = frame::list(context, &mut o, "frames")?;
    let kind = match contact::read_force(context, &mut o)? {
        Some(contact) => OsimForceKind::Contact(contact),
        None => match read_path_force(context, &mut o)? {
            Some(kind) => kind,
            None => read_kind(&mut o)?,
        },
    };
    match kind {
        OsimForceKind::Unsupported(_) => context.list(&node, &name),
        _ => o.finish(context),
    }
    Ok(OsimForce { name, enabled, kind, frames })
}

/// Forces along a path.
fn read_path_force<'a>(context: &mut Context<'a>, o: &mut Object<'a>) -> Result<Option<OsimForceKind>, FormatError> {
    Ok(Some(match o.class() {
        "Blankevoort1991Ligament" => OsimForceKind::Blankevoort(Box::new(OsimBlankevoort {
            path: path::read_of(context, o)?,
            linear_stiffness: o.number("linear_stiffness", 1.0)?,
            transition_strain: o.number("transition_strain", 0.06)?,
            damping_coefficient: o.number("damping_coefficient", 0.003)?,
            slack_length: o.number("slack_length", 0.0)?,
        })),
        "Ligament" => {
            let curve = o.object_property("force_length_curve");
            let name = o.name();
            OsimForceKind::Ligament {
                path: path::read_of(context, o)?,
                resting_length: o.number("resting_length", 0.0)?,
                pcsa_force: o.number("pcsa_force", 0.0)?,
                curve: curve.map(|n| function::read(context, n, &name)).transpose()?,
            }
        }
        "PathSpring" => OsimForceKind::PathSpring {
            path: path::read_of(context, o)?,
            resting_length: o.number("resting_length", 0.0)?,
            stiffness: o.number("stiffness", 0.0)?,
            dissipation: o.number("dissipation", 0.0)?,
        },
        "PathActuator" => OsimForceKind::PathActuator {
            path: path::read_of(context, o)?,
            optimal_force: o.number("optimal_force", 1.0)?,
        },
        _ => return Ok(None),
    }))
}

/// Forces without a path.
fn read_kind(o: &mut Object<'_>) -> Result<OsimForceKind, FormatError> {
    Ok(match o.class() {
        "PointToPointSpring" => OsimForceKind::PointToPointSpring {
            ends: [
                constraint::place(o, &["socket_body1", "body1"], "point1", "")?,
                constraint::place(o, &["socket_body2", "body2"], "point2", "")?,
            ],
            stiffness: o.number("stiffness", 0.0)?,
            rest_length: o.number("rest_length", 0.0)?,
        },
        "SpringGeneralizedForce" => OsimForceKind::SpringGeneralized {
            coordinate: o.either(&["coordinate", "socket_coordinate"]),
            stiffness: o.number("stiffness", 0.0)?,
            rest_length: o.number("rest_length", 0.0)?,
            viscosity: o.number("viscosity", 0.0)?,
        },
        "CoordinateLimitForce" => OsimForceKind::CoordinateLimit {
            coordinate: o.either(&["coordinate", "socket_coordinate"]),
            limits: [o.number("lower_limit", 0.0)?, o.number("upper_limit", 0.0)?],
            stiffness: [o.number("lower_stiffness", 1.0)?, o.number("upper_stiffness", 1.0)?],
            damping: o.number("damping", 0.001)?,
            transition: o.number("transition", 0.1)?,
        },
        "ExpressionBasedCoordinateForce" => OsimForceKind::ExpressionCoordinate {
            coordinate: o.either(&["coordinate", "socket_coordinate"]),
            expression: o.string("expression"),
        },
        "BushingForce" => OsimForceKind::Bushing {
            ends: Box::new(constraint::places(o)?),
            stiffness: six(o, "rotational_stiffness", "translational_stiffness")?,
            damping: six(o, "rotational_damping", "translational_damping")?,
        },
        "ExpressionBasedBushingForce" => OsimForceKind::ExpressionBushing {
            ends: Box::new(constraint::places(o)?),
            expressions: Box::new(["Mx", "My", "Mz", "Fx", "Fy", "Fz"].map(|f| o.string(&format!("{f}_expression")))),
            damping: six(o, "rotational_damping", "translational_damping")?,
        },
        _ => read_actuator(o)?,
    })
}

fn read_actuator(o: &mut Object<'_>) -> Result<OsimForceKind, FormatError> {
    let class = o.class();
    if !["CoordinateActuator", "PointActuator", "TorqueActuator"].contains(&class) {
        return Ok(OsimForceKind::Unsupported(class.into()));
    }
    let actuator = OsimActuator {
        optimal_force: o.number("optimal_force", 1.0)?,
        min_control: o.bound("min_control")?,
        max_control: o.bound("max_control")?,
    };
    Ok(match class {
        "CoordinateActuator" => {
            OsimForceKind::CoordinateActuator { coordinate: o.either(&["coordinate", "socket_coordinate"]), actuator }
        }
        "PointActuator" => OsimForceKind::PointActuator {
            place: constraint::place(o, &["body", "socket_body"], "point", "")?,
            point_is_global: o.flag("point_is_global", false)?,
            direction: o.array("direction", [1.0, 0.0, 0.0])?,
            force_is_global: o.flag("force_is_global", true)?,
            actuator,
        },
        _ => OsimForceKind::TorqueActuator {
            bodies: [o.either(&["bodyA", "socket_bodyA"]), o.either(&["bodyB", "socket_bodyB"])],
            axis: o.array("axis", [1.0, 0.0, 0.0])?,
            torque_is_global: o.flag("torque_is_global", true)?,
            actuator,
        },
    })
}

/// Rotations, then translations.
fn six(o: &mut Object<'_>, turns: &str, displacements: &str) -> Result<[f64; 6], FormatError> {
    let (r, t) = (o.array(turns, [0.0; 3])?, o.array(displacements, [0.0; 3])?);
    Ok([r[0], r[1], r[2], t[0], t[1], t[2]])
}
