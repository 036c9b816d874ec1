//! Controllers as forces of a forward simulation: muscles, joint servos, tracking agent, floor.

mod hill;
mod muscle;
mod servo;

pub use hill::{HillLaw, ReflexGains};
pub use muscle::{ControlledMuscle, Law, MuscleLength};
pub use servo::ServoLaw;

use crate::model::{Floor, Track};
use wolff_anatomy::CoordinateRole;
use wolff_multibody::Instant;
use wolff_multibody::force::PassiveJointTorque;
use wolff_multibody::stiff::{ImplicitStep, Push, Rows, StiffForces};
use wolff_muscle::PathGeometry;

/// A coordinate held by a spring and damper.
#[derive(Clone, Debug)]
pub struct JointServo {
    /// Name of the coordinate.
    pub name: String,
    /// The role of the coordinate.
    pub role: CoordinateRole,
    /// Its speed.
    pub speed: usize,
    /// Reference value; `None`: zero.
    pub reference: Option<Track>,
    /// Stiffness \[N/m or N m/rad\].
    pub stiffness: f64,
    /// Damping \[N s/m or N m s/rad\].
    pub damping: f64,
    /// Feed-forward force or moment.
    pub feed_forward: Option<Track>,
    /// Moments at the limits of the joint; `None`: none.
    pub limits: Option<PassiveJointTorque>,
}

impl JointServo {
    /// Force or moment at the time t \[s\] for a value and a speed of the coordinate.
    pub(crate) fn force(&self, t: f64, value: f64, speed: f64) -> f64 {
        let (q, v) = self.reference.as_ref().map_or((0.0, 0.0), |w| w.at(t));
        let ahead = self.feed_forward.as_ref().map_or(0.0, |f| f.value(t));
        let ends = self.limits.as_ref().map_or(0.0, |limits| limits.torque(value, 0.0));
        ahead + ends - self.stiffness * (value - q) - self.damping * (speed - v)
    }

    fn row(&self, at: &Instant<'_>, rows: &mut Rows) {
        let value = at.coordinate(self.speed);
        let force = self.force(at.t, value, at.speed(self.speed));
        let ends = self.limits.as_ref().map_or(0.0, |limits| limits.stiffness_at(value));
        rows.on_coordinate(self.speed, Push::spring(force, self.stiffness + ends, self.damping));
    }
}

/// All force elements, in this order.
#[derive(Clone, Debug, Default)]
pub struct Controllers {
    /// Feet on the floor.
    pub floor: Floor,
    /// Muscles.
    pub muscles: Vec<ControlledMuscle>,
    /// Joints with servos and tissues.
    pub joints: Vec<JointServo>,
    /// The tracking agent: springs and dampers at the root that keep the person from falling.
    pub agent: Vec<JointServo>,
    /// Time step \[s\].
    pub(crate) step: f64,
    /// Work memory for the muscle paths, used for one after the other.
    pub(crate) geometry: PathGeometry,
}

impl Controllers {
    /// Rows of the muscles.
    pub fn muscle_rows(&self) -> std::ops::Range<usize> {
        let start = self.floor.row_count();
        start..start + self.muscles.len()
    }

    /// Rows of the joints.
    pub fn joint_rows(&self) -> std::ops::Range<usize> {
        let start = self.muscle_rows().end;
        start..start + self.joints.len()
    }

    /// Rows of the agent.
    pub fn agent_rows(&self) -> std::ops::Range<usize> {
        let start = self.joint_rows().end;
        start..start + self.agent.len()
    }

    /// Prepares steps of `h` \[s\] from the stored internal states of the muscles.
    pub(crate) fn begin(&mut self, h: f64, memory: &[f64]) {
        self.step = h;
        let mut numbers = memory.iter();
        let mut recall = |number: &mut f64| *number = numbers.next().copied().unwrap_or(*number);
        self.muscles.iter_mut().for_each(|m| m.memory(&mut recall));
    }

    /// Writes the internal states of the muscles.
    pub(crate) fn remember(&mut self, memory: &mut Vec<f64>) {
        memory.clear();
        self.muscles.iter_mut().for_each(|m| m.memory(|number| memory.push(*number)));
    }

    /// Completes a step: updates all internal states.
    pub(crate) fn settle(&mut self, step: &ImplicitStep<'_>) {
        let first = self.muscle_rows().start;
        for (i, muscle) in self.muscles.iter_mut().enumerate() {
            muscle.settle(step.rows().rate(first + i, step.speed_change()), self.step);
        }
    }
}

impl StiffForces for Controllers {
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        self.floor.rows(at, rows);
        self.muscles.iter_mut().for_each(|m| m.row(at, self.step, &mut self.geometry, rows));
        self.joints.iter().for_each(|j| j.row(at, rows));
        self.agent.iter().for_each(|j| j.row(at, rows));
    }
}
