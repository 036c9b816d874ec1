//! What moves a walking person: muscles, joints, a hand at the pelvis, the floor.

use crate::ground::Floor;
use crate::track::Track;
use wolff_multibody::Instant;
use wolff_multibody::stiff::{Push, Rows, StiffForces};
use wolff_muscle::{Path, ServoGains};

/// A muscle as a servo on its length.
///
/// ```text
/// F = clip(F_ff(t) + k_p (l - l_ref(t)) + k_d (l' - l_ref'(t)) + k_i ∫ (l - l_ref) dt, 0, F_max)
/// ```
#[derive(Clone, Debug)]
pub struct DrivenMuscle {
    /// Where it runs.
    pub path: Path,
    /// Greatest force [N].
    pub max_force: f64,
    /// Wanted length [m].
    pub wanted: Track,
    /// Force known beforehand [N].
    pub feed_forward: Option<Track>,
    /// Gains.
    pub gains: ServoGains,
    /// Integral of the error of the length [m s].
    pub integral: f64,
    /// Error of the length at the last call [m].
    error: f64,
}

impl DrivenMuscle {
    /// A muscle that has not moved yet.
    pub fn new(path: Path, max_force: f64, wanted: Track, feed_forward: Option<Track>, gains: ServoGains) -> Self {
        DrivenMuscle { path, max_force, wanted, feed_forward, gains, integral: 0.0, error: 0.0 }
    }

    fn row(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        let geometry = self.path.solve(at, None);
        let (length, rate) = self.wanted.at(at.t);
        let ahead = self.feed_forward.as_ref().map_or(0.0, |f| f.value(at.t));
        self.error = geometry.length - length;
        let g = &self.gains;
        let tension = ahead
            + g.proportional * self.error
            + g.derivative * (self.path.speed(&geometry, at) - rate)
            + g.integral * self.integral;
        // a tension pulls against the growth of the length
        let push = Push::spring(-tension, g.proportional, g.derivative).within(-self.max_force, 0.0);
        rows.along(push, |J| self.path.length_gradient(&geometry, at, J));
    }
}

/// A coordinate held by a spring and damper.
#[derive(Clone, Debug)]
pub struct JointServo {
    /// Name of the coordinate.
    pub name: String,
    /// Its speed.
    pub speed: usize,
    /// Wanted value; none: zero.
    pub wanted: Option<Track>,
    /// Stiffness [N/m or N m/rad].
    pub stiffness: f64,
    /// Damping [N s/m or N m s/rad].
    pub damping: f64,
    /// Force or moment known beforehand.
    pub feed_forward: Option<Track>,
}

impl JointServo {
    fn row(&self, at: &Instant<'_>, rows: &mut Rows) {
        let (q, v) = self.wanted.as_ref().map_or((0.0, 0.0), |w| w.at(at.t));
        let ahead = self.feed_forward.as_ref().map_or(0.0, |f| f.value(at.t));
        let (error, rate) = (at.coordinate(self.speed) - q, at.speed(self.speed) - v);
        let force = ahead - self.stiffness * error - self.damping * rate;
        rows.on_coordinate(self.speed, Push::spring(force, self.stiffness, self.damping));
    }
}

/// Everything that pushes, in this order.
#[derive(Clone, Debug, Default)]
pub struct Driver {
    /// Feet on the floor.
    pub floor: Floor,
    /// Muscles.
    pub muscles: Vec<DrivenMuscle>,
    /// Joints with servos and tissues.
    pub joints: Vec<JointServo>,
    /// The tracking agent: a hand at the first body that keeps the person from falling.
    pub agent: Vec<JointServo>,
}

impl Driver {
    /// Rows of the muscles.
    pub fn muscle_rows(&self) -> std::ops::Range<usize> {
        let start = self.floor.row_count();
        start..start + self.muscles.len()
    }

    /// Rows of the agent.
    pub fn agent_rows(&self) -> std::ops::Range<usize> {
        let start = self.muscle_rows().end + self.joints.len();
        start..start + self.agent.len()
    }

    /// Adds the errors of the last step to the integrals of the servos.
    pub(super) fn integrate(&mut self, h: f64) {
        for muscle in &mut self.muscles {
            muscle.integral += h * muscle.error;
        }
    }
}

impl StiffForces for Driver {
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        self.floor.rows(at, rows);
        self.muscles.iter_mut().for_each(|m| m.row(at, rows));
        self.joints.iter().for_each(|j| j.row(at, rows));
        self.agent.iter().for_each(|j| j.row(at, rows));
    }
}
