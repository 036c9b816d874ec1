//! What a person writes: named bodies, joints and constraints in any order. [`crate::Model::build`] turns it into what
//! the solver runs and reports all mistakes at once.

use crate::joint::CustomJoint;
use std::sync::Arc;
use wolff_flexbody::FlexBody;
use wolff_numerics::TimeFunction;
use wolff_spatial::{MassProperties, Pose, Vec3};

/// The name of the immovable body.
pub const GROUND: &str = "ground";

/// A multibody system as written by a person or read from a file.
#[derive(Clone, Debug, Default)]
pub struct ModelSpec {
    /// Name of the system.
    pub name: String,
    /// Acceleration of gravity in ground axes \[m/s²\].
    pub gravity: Vec3,
    /// Bodies, ground not among them.
    pub bodies: Vec<BodySpec>,
    /// Tree joints; exactly one has each body as its child.
    pub joints: Vec<JointSpec>,
    /// Loops, drivers and couplers.
    pub constraints: Vec<ConstraintSpec>,
}

/// A body.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// Unique name.
    pub name: String,
    /// Mass, centre of mass and inertia about it, in the body's frame; of a flexible body undeformed.
    pub mass: MassProperties,
    /// What makes it flexible; none for a rigid body.
    pub flexible: Option<FlexibleSpec>,
}

impl BodySpec {
    /// A rigid body.
    pub fn rigid(name: &str, mass: MassProperties) -> Self {
        BodySpec { name: name.into(), mass, flexible: None }
    }

    /// A flexible body, undeformed and at rest in its own frame at the start.
    pub fn flexible(name: &str, body: Arc<FlexBody>) -> Self {
        let mass = body.mass_properties();
        let flexible = Some(FlexibleSpec { body, eta0: Vec::new(), eta_dot0: Vec::new() });
        BodySpec { name: name.into(), mass, flexible }
    }
}

/// A reduced body and how it is deformed at the start.
#[derive(Clone, Debug)]
pub struct FlexibleSpec {
    /// Modes, integrals, nodes.
    pub body: Arc<FlexBody>,
    /// Initial modal coordinates; empty: undeformed.
    pub eta0: Vec<f64>,
    /// Initial modal speeds; empty: zero.
    pub eta_dot0: Vec<f64>,
}

/// Standard gravity \[m/s²\].
pub const STANDARD_GRAVITY: f64 = 9.80665;

impl ModelSpec {
    /// A model without bodies under standard gravity along -y.
    pub fn on_earth(name: &str) -> Self {
        ModelSpec { name: name.into(), gravity: Vec3::new(0.0, -STANDARD_GRAVITY, 0.0), ..ModelSpec::default() }
    }
}

/// A frame fixed on a body.
#[derive(Clone, Debug)]
pub struct FrameSpec {
    /// Name of the body, or [`GROUND`]; on a flexible body of a node, as `shank.ankle` (`shank.base` is the floating
    /// frame).
    pub body: String,
    /// Pose `X_BF` of the frame on the body or node.
    pub pose: Pose,
}

impl FrameSpec {
    /// A frame with the body's axes at the point `p` of the body.
    pub fn at(body: &str, p: Vec3) -> Self {
        FrameSpec { body: body.into(), pose: Pose::translation(p) }
    }
}

/// A tree joint between frame F on the parent and frame M on the child.
#[derive(Clone, Debug)]
pub struct JointSpec {
    /// Unique name.
    pub name: String,
    /// The freedoms it leaves.
    pub kind: JointKind,
    /// Frame F on the parent (inboard) body.
    pub parent: FrameSpec,
    /// Frame M on the child (outboard) body.
    pub child: FrameSpec,
    /// Names of its speeds' coordinates; empty: made from the joint's name ("knee", or "hip.x", "hip.y", ...).
    pub coordinates: Vec<String>,
    /// Initial coordinates (quaternions: `[w, x, y, z]`); empty: the reference position.
    pub q0: Vec<f64>,
    /// Initial speeds; empty: at rest.
    pub v0: Vec<f64>,
}

impl JointSpec {
    /// A joint between frames at the origins of two bodies, in its reference position and at rest.
    pub fn new(name: &str, kind: JointKind, parent: &str, child: &str) -> Self {
        JointSpec {
            name: name.into(),
            kind,
            parent: FrameSpec::at(parent, Vec3::zeros()),
            child: FrameSpec::at(child, Vec3::zeros()),
            coordinates: Vec::new(),
            q0: Vec::new(),
            v0: Vec::new(),
        }
    }

    /// The same joint with these initial coordinates.
    #[must_use]
    pub fn starting_at(self, q0: &[f64]) -> Self {
        JointSpec { q0: q0.to_vec(), ..self }
    }
}

/// The freedoms of a joint. Axes are in frame F, and in M, which coincide in the reference position.
#[derive(Clone, Debug)]
pub enum JointKind {
    /// None.
    Weld,
    /// Turning about an axis.
    Pin {
        /// Unit axis.
        axis: Vec3,
    },
    /// Sliding along an axis.
    Slider {
        /// Unit axis.
        axis: Vec3,
    },
    /// Turning about and sliding along one axis: `q = (angle, travel)`.
    Cylindrical {
        /// Unit axis.
        axis: Vec3,
    },
    /// Turning about a first axis, then about a second that it carries along.
    Universal {
        /// Unit axes.
        axes: [Vec3; 2],
    },
    /// Three turns, each about an axis carried along by the ones before (Euler or Cardan angles).
    Gimbal {
        /// Unit axes.
        axes: [Vec3; 3],
    },
    /// Any rotation: `q` a unit quaternion of `R_FM`, `v` the angular velocity in F.
    Ball,
    /// Motion in the xy plane of F: `q = (x, y, angle about z)`.
    Planar,
    /// Any motion: `q` = quaternion of `R_FM` and position of M in F, `v` = angular velocity and velocity of M's
    /// origin, in F.
    Free,
    /// Three turns and three displacements, each a function of a coordinate.
    Custom(Box<CustomJoint>),
}

/// A condition on the motion, kept by Lagrange multipliers.
#[derive(Clone, Debug)]
pub struct ConstraintSpec {
    /// Unique name.
    pub name: String,
    /// The condition.
    pub kind: ConstraintKind,
}

/// Conditions between two frames, or on coordinates.
#[derive(Clone, Debug)]
pub enum ConstraintKind {
    /// Origins of both frames coincide along the given ground directions (a planar hinge has two).
    Point {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
        /// Ground directions `e`; each gives a row `e · (p_A - p_B) = 0`.
        along: Vec<Vec3>,
    },
    /// Origins coincide: 3 rows.
    Spherical {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
    },
    /// Origins and z axes coincide: 5 rows.
    Revolute {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
    },
    /// Origins coincide, x axis of A stays perpendicular to y axis of B: 4 rows.
    Universal {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
    },
    /// B slides along the z axis of A without turning: 5 rows.
    Translational {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
    },
    /// Both frames coincide: 6 rows.
    Weld {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
    },
    /// Origins keep their distance.
    Distance {
        /// First frame.
        a: FrameSpec,
        /// Second frame.
        b: FrameSpec,
        /// Distance \[m\], greater than zero.
        length: f64,
    },
    /// `dependent = f(independent)` between two coordinates.
    Coupler {
        /// Name of the dependent coordinate.
        dependent: String,
        /// Name of the independent coordinate.
        independent: String,
        /// The function `f`.
        function: TimeFunction,
    },
    /// Prescribed motion: `Σ factor · coordinate = f(t)`.
    Driver {
        /// Coordinates by name, with factors; one entry with factor 1 prescribes that coordinate.
        terms: Vec<(String, f64)>,
        /// The function of time.
        function: TimeFunction,
    },
}
