//! Controlled muscles: a path, a reference length, and a law for the tension.

use super::hill::HillLaw;
use super::servo::ServoLaw;
use crate::model::track::Track;
use wolff_multibody::Instant;
use wolff_multibody::stiff::Rows;
use wolff_muscle::{Path, PathGeometry};

/// A muscle with its controller.
#[derive(Clone, Debug)]
pub struct ControlledMuscle {
    /// Path.
    pub path: Path,
    /// Maximum isometric force \[N\].
    pub max_force: f64,
    /// Reference length \[m\].
    pub reference: Track,
    /// Law for its tension.
    pub law: Law,
    seen: MuscleLength,
}

/// Law for the tension of a muscle.
#[derive(Clone, Debug)]
pub enum Law {
    /// A servo on its length.
    Servo(ServoLaw),
    /// A Hill muscle with a tracking excitation.
    Hill(Box<HillLaw>),
}

/// Length of a muscle and its reference at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MuscleLength {
    /// Time \[s\].
    pub t: f64,
    /// Length \[m\].
    pub length: f64,
    /// Its rate \[m/s\].
    pub rate: f64,
    /// Reference length \[m\].
    pub reference: f64,
    /// Its rate \[m/s\].
    pub reference_rate: f64,
}

impl MuscleLength {
    /// Error of the length \[m\].
    pub fn error(&self) -> f64 {
        self.length - self.reference
    }

    /// Its rate \[m/s\].
    pub fn error_rate(&self) -> f64 {
        self.rate - self.reference_rate
    }
}

impl ControlledMuscle {
    /// A muscle in its initial state.
    pub fn new(path: Path, max_force: f64, reference: Track, law: Law) -> Self {
        ControlledMuscle { path, max_force, reference, law, seen: MuscleLength::default() }
    }

    /// The Hill muscle, if its law is one.
    pub fn hill(&self) -> Option<&HillLaw> {
        match &self.law {
            Law::Hill(hill) => Some(hill),
            Law::Servo(_) => None,
        }
    }

    /// Adds its row for a step of `h` \[s\] that ends at this instant; `geometry` is work memory.
    pub(super) fn row(&mut self, at: &Instant<'_>, h: f64, geometry: &mut PathGeometry, rows: &mut Rows) {
        self.path.solve_into(at, None, geometry);
        let (reference, reference_rate) = self.reference.at(at.t);
        let rate = self.path.speed(geometry, at);
        self.seen = MuscleLength { t: at.t, length: geometry.length, rate, reference, reference_rate };
        let push = match &self.law {
            Law::Servo(servo) => servo.push(&self.seen, self.max_force),
            Law::Hill(hill) => hill.push(&self.seen, h),
        };
        rows.along(push, |J| self.path.length_gradient(geometry, at, J));
    }

    /// Completes a step of `h` \[s\] that changed the rate of the length by `change` \[m/s\].
    pub(super) fn settle(&mut self, change: f64, h: f64) {
        match &mut self.law {
            Law::Servo(servo) => servo.settle(&self.seen, self.max_force, h),
            Law::Hill(hill) => {
                let (length, rate) = (self.seen.length + h * change, self.seen.rate + change);
                hill.settle(&MuscleLength { length, rate, ..self.seen }, h);
            }
        }
    }

    /// Passes every internal state variable to `visit`.
    pub(super) fn memory(&mut self, mut visit: impl FnMut(&mut f64)) {
        match &mut self.law {
            Law::Servo(servo) => visit(&mut servo.integral),
            Law::Hill(hill) => {
                visit(&mut hill.activation);
                visit(&mut hill.fibre_length);
            }
        }
    }
}
