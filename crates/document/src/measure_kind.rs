//! The measured quantity of a column of the time series.

use super::contact_measure::{ContactQuantity, LigamentQuantity, StretchQuantity};
use super::foundation::FoundationQuantity;
use wolff_formula::expression::Expression;
use wolff_multibody::spec::FrameSpec;

/// A column of the time series.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Name, which ends with the unit.
    pub name: String,
    /// SI value of the name's unit: the column holds the SI value divided by it.
    pub unit_size: f64,
    /// What is measured.
    pub kind: MeasureKind,
}

/// Measured quantity.
#[derive(Clone, Debug)]
pub enum MeasureKind {
    /// Position coordinate.
    Coordinate(String),
    /// Speed of a coordinate.
    Speed(String),
    /// Acceleration of a coordinate.
    Acceleration(String),
    /// Position of a point of a body in ground axes.
    Point(FrameSpec, Component),
    /// Velocity of a point of a body in ground axes.
    Velocity(FrameSpec, Component),
    /// Angular velocity of a body.
    AngularVelocity {
        /// The frame; its axes give the components unless `in_ground`.
        frame: FrameSpec,
        /// Which component.
        component: Component,
        /// Components in ground axes.
        in_ground: bool,
    },
    /// Component w, x, y or z (0 to 3) of the quaternion of a ball or free joint, by the name of the joint.
    Quaternion(String, usize),
    /// Centre of mass of the whole system in ground axes.
    CentreOfMass(Component),
    /// Mechanical energy.
    Energy(EnergyPart),
    /// Quantity of a contact, by its name.
    Contact(String, ContactQuantity),
    /// Quantity of an elastic foundation.
    Foundation {
        /// Its name.
        foundation: String,
        /// One of its compartments; `None`: all together.
        compartment: Option<String>,
        /// What is measured.
        quantity: FoundationQuantity,
    },
    /// Quantity of a ligament, by its name.
    Ligament(String, LigamentQuantity),
    /// Quantity of a spring, line force or ligament, by its name.
    Stretch(String, StretchQuantity),
    /// Euclidean norm of the constraint violations, of all constraints or of some.
    ConstraintDrift {
        /// Rates instead of positions.
        rate: bool,
        /// Names of the constraints; empty: all.
        only: Vec<String>,
    },
    /// Strain at a gauge, or its rate.
    Strain {
        /// `body.gauge`.
        gauge: String,
        /// Component.
        component: StrainComponent,
        /// The rate of the component instead of its value.
        rate: bool,
    },
    /// Stress at a gauge.
    Stress(String, StrainComponent),
    /// Force or moment of the parent on the child through a joint, about the joint's frame on the child, in ground
    /// axes.
    Reaction {
        /// The joint.
        joint: String,
        /// Which component.
        component: Component,
        /// The moment instead of the force.
        moment: bool,
    },
    /// Lagrange multiplier of a row of a constraint.
    Multiplier(String, usize),
    /// Formula over other measures at the same time, in their units, and parameters.
    Formula(Expression),
}

/// A component of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
    /// Length.
    Norm,
}

impl Component {
    /// This component of a vector.
    pub fn of(self, v: &wolff_spatial::Vec3) -> f64 {
        match self {
            Component::X => v.x,
            Component::Y => v.y,
            Component::Z => v.z,
            Component::Norm => v.norm(),
        }
    }
}

/// Component measured by a gauge. The x axis of the gauge is along the bone, y across it, z along the outward normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrainComponent {
    /// Along the bone.
    Axial,
    /// In the surface across the bone.
    Transverse,
    /// Along the normal.
    Normal,
    /// Shear in the surface (engineering).
    Shear,
    /// Maximum principal value in the surface.
    Maximum,
    /// Minimum principal value in the surface.
    Minimum,
    /// Maximum shear in the surface.
    MaximumShear,
    /// Von Mises equivalent.
    VonMises,
}

/// Parts of the mechanical energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyPart {
    /// Kinetic and potential.
    Total,
    /// Kinetic energy.
    Kinetic,
    /// Potential energy of gravity, deformation, springs and contacts.
    Potential,
    /// Energy of the deformation of flexible bodies; zero where they move as rigid bodies.
    Elastic,
}

/// The quantity that a coordinate measures; decides on the valid units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoordinateNature {
    Angle,
    Length,
    /// A component of angular velocity, which is not the rate of a coordinate.
    AngularVelocity,
    /// Amplitude of a mode; its unit depends on the scaling of the mode.
    Modal,
}
