//! Forces: anything that reads the motion and pushes on bodies or coordinates.

mod actuator;
mod bushing;
mod ligament;
mod line;
mod passive;
mod spring;
mod wrench;

pub use actuator::{CoordinateForce, PointForce};
pub use bushing::Bushing;
pub use ligament::{Ligament, LigamentLaw};
pub use line::LineForce;
pub use passive::{PassiveJointTorque, PassiveParameters};
pub use spring::{TorsionalSpringDamper, TranslationalSpringDamper};
pub use wrench::{GroundForce, WrenchRow, WrenchTable};

use crate::error::SpecError;
use crate::kinematics::Kinematics;
use crate::model::{Frame, Model};
use wolff_spatial::{Force, Motion, Pose, Vec3};

/// A force element.
pub trait ForceElement: std::fmt::Debug + Send + Sync {
    /// Unique name.
    fn name(&self) -> &str;

    /// Adds its forces for the motion at this instant.
    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>);

    /// Energy stored in it \[J\].
    fn potential_energy(&self, _at: &Instant<'_>) -> f64 {
        0.0
    }

    /// Length, rate and tension of an element that pulls along a line or a path; none of others.
    fn stretch(&self, _at: &Instant<'_>) -> Option<Stretch> {
        None
    }

    /// Elements that touch and let go; their indentation is an event function.
    fn contact(&self) -> Option<&dyn ContactElement> {
        None
    }
}

/// State of an element that pulls along a line or a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Length \[m\].
    pub length: f64,
    /// Rate of the length, positive while it lengthens \[m/s\]; zero where its points meet.
    pub rate: f64,
    /// Tension, positive where it pulls \[N\].
    pub tension: f64,
}

/// What contacts tell the integrator and the report.
pub trait ContactElement {
    /// Overlap of the two shapes and its rate.
    fn indentation(&self, at: &Instant<'_>) -> Indentation;

    /// Normal force \[N\]; zero while open.
    fn normal_force(&self, at: &Instant<'_>) -> f64;

    /// Smallest radius of the shapes \[m\]: a step that moves them by less cannot carry one through the other unseen.
    fn reach(&self) -> f64;
}

/// Overlap of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indentation {
    /// Depth, positive while they overlap \[m\].
    pub depth: f64,
    /// Rate of the depth \[m/s\].
    pub rate: f64,
}

/// The motion at one instant, as force elements see it.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Time \[s\].
    pub t: f64,
    /// The model.
    pub model: &'a Model,
    /// Kinematics of `q`, `v`.
    pub kin: &'a Kinematics,
    /// Coordinates.
    pub q: &'a [f64],
    /// Speeds.
    pub v: &'a [f64],
    /// For a contact: speed at first touch \[m/s\] while closed, none while open.
    pub approach_speed: Option<f64>,
}

impl Instant<'_> {
    /// Pose of a frame in ground.
    pub fn pose(&self, frame: &Frame) -> Pose {
        self.kin.pose(frame)
    }

    /// Origin of a frame in ground.
    pub fn point(&self, frame: &Frame) -> Vec3 {
        self.kin.bodies[frame.body].X_GB.point(&frame.X_BF.p)
    }

    /// Angular velocity of a frame and velocity of its origin, in ground axes.
    pub fn velocity(&self, frame: &Frame) -> Motion {
        self.kin.velocity(frame)
    }

    /// Velocity of the point of `body` that is at `p_G`.
    pub fn point_velocity(&self, body: usize, p_G: &Vec3) -> Vec3 {
        self.kin.point_velocity(body, p_G)
    }

    /// Position coordinate whose rate is speed `i`; zero for the angular velocities of ball and free joints, which have
    /// none.
    pub fn coordinate(&self, i: usize) -> f64 {
        self.model.position_of_speed[i].map_or(0.0, |k| self.q[k])
    }

    /// Speed `i`.
    pub fn speed(&self, i: usize) -> f64 {
        self.v[i]
    }
}

/// Where forces are collected.
#[derive(Debug)]
pub struct Loads<'a> {
    pub(crate) kin: &'a Kinematics,
    pub(crate) F: &'a mut [Force],
    pub(crate) tau: &'a mut [f64],
}

impl Loads<'_> {
    /// A force on `body` at the ground point `p_G`.
    pub fn force_at(&mut self, body: usize, p_G: &Vec3, f_G: Vec3) {
        self.F[body] += Force::through(&(p_G - self.kin.bodies[body].origin), f_G);
    }

    /// A pure moment on `body`.
    pub fn torque(&mut self, body: usize, n_G: Vec3) {
        self.F[body].n += n_G;
    }

    /// A generalised force on speed `i`.
    pub fn generalized(&mut self, i: usize, tau: f64) {
        self.tau[i] += tau;
    }
}

/// Pulls the origins of two frames together with a tension \[N\]; no direction, and so no force, where they meet.
pub(crate) fn pull_together(at: &Instant<'_>, (a, b): (&Frame, &Frame), tension: f64, out: &mut Loads<'_>) {
    let (p_A, p_B) = (at.point(a), at.point(b));
    let d = p_B - p_A;
    let length = d.norm();
    if length == 0.0 {
        return;
    }
    let pull = d * (tension / length);
    out.force_at(a.body, &p_A, pull);
    out.force_at(b.body, &p_B, -pull);
}

/// Distance of the origins of two frames \[m\] and its rate \[m/s\], which is zero where they meet.
pub(crate) fn distance_and_rate(at: &Instant<'_>, (a, b): (&Frame, &Frame)) -> (f64, f64) {
    let d = at.point(b) - at.point(a);
    let length = d.norm();
    let rate = if length == 0.0 { 0.0 } else { (at.velocity(b).v - at.velocity(a).v).dot(&d) / length };
    (length, rate)
}

/// Refuses numbers that are negative or not finite.
pub(crate) fn not_negative(object: &str, what: &str, value: f64) -> Result<f64, SpecError> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(SpecError::new(object, format!("{what} is {value}, must be a finite number, zero or more")))
    }
}
