//! Forces and torques as functions of time.

use super::{ForceElement, Instant, Loads};
use crate::model::Frame;
use wolff_numerics::TimeFunction;
use wolff_spatial::Vec3;

/// A force and a moment on a frame, each component a function of time, in ground axes or in the frame's own.
#[derive(Clone, Debug)]
pub struct PointForce {
    name: String,
    frame: Frame,
    force: [TimeFunction; 3],
    torque: [TimeFunction; 3],
    in_frame_axes: bool,
}

impl PointForce {
    /// Force \[N\] at the frame's origin and moment \[N m\].
    pub fn new(
        name: &str,
        frame: Frame,
        force: [TimeFunction; 3],
        torque: [TimeFunction; 3],
        in_frame_axes: bool,
    ) -> Self {
        PointForce { name: name.into(), frame, force, torque, in_frame_axes }
    }
}

impl ForceElement for PointForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let value = |f: &[TimeFunction; 3]| Vec3::new(f[0].value(at.t), f[1].value(at.t), f[2].value(at.t));
        let (mut f, mut n) = (value(&self.force), value(&self.torque));
        let X_GF = at.pose(&self.frame);
        if self.in_frame_axes {
            f = X_GF.R * f;
            n = X_GF.R * n;
        }
        out.force_at(self.frame.body, &X_GF.p, f);
        out.torque(self.frame.body, n);
    }
}

/// A generalised force on a coordinate as a function of time: a motor's torque.
#[derive(Clone, Debug)]
pub struct CoordinateForce {
    name: String,
    coordinate: usize,
    force: TimeFunction,
}

impl CoordinateForce {
    /// `coordinate` is the index of a speed; torque \[N m\] or force \[N\].
    pub fn new(name: &str, coordinate: usize, force: TimeFunction) -> Self {
        CoordinateForce { name: name.into(), coordinate, force }
    }
}

impl ForceElement for CoordinateForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        out.generalized(self.coordinate, self.force.value(at.t));
    }
}
