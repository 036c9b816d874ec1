//! Muscles as force elements of a multibody model.

use crate::error::{MuscleError, not_negative};
use crate::hill::HillMuscle;
use crate::path::{Path, PathGeometry};
use wolff_multibody::{ForceElement, Instant, Loads};
use wolff_numerics::TimeFunction;

/// What a [`MuscleForce`] pulls with.
#[derive(Clone, Debug)]
pub enum Drive {
    /// A known tension \[N\] over time; pushing is cut off.
    Tension(TimeFunction),
    /// A fraction of a greatest force \[N\] over time.
    Activation {
        /// Activation over time, clamped to 0..1.
        activation: TimeFunction,
        /// Greatest force \[N\].
        max_force: f64,
    },
    /// A Hill muscle with a known activation over time whose fibre is in equilibrium with the tendon at every instant
    /// (or, with a rigid tendon, follows the path).
    ///
    /// Limits: an elastic tendon is quasi-static, so fibre velocity is not felt; integrate the fibre length
    /// ([`HillMuscle::state`]) where it must be.
    Hill {
        /// Activation over time.
        activation: TimeFunction,
        /// The muscle.
        muscle: Box<HillMuscle>,
    },
}

/// A muscle along a path: tension on every body that the path touches.
#[derive(Clone, Debug)]
pub struct MuscleForce {
    path: Path,
    drive: Drive,
}

impl MuscleForce {
    /// Checks and stores; the name is that of the path.
    pub fn new(path: Path, drive: Drive) -> Result<Self, MuscleError> {
        if let Drive::Activation { max_force, .. } = &drive {
            not_negative(path.name(), "greatest force [N]", *max_force)?;
        }
        Ok(MuscleForce { path, drive })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tension \[N\] at this instant.
    pub fn tension(&self, at: &Instant<'_>) -> f64 {
        self.tension_along(&self.path.solve(at, None), at)
    }

    fn tension_along(&self, geometry: &PathGeometry, at: &Instant<'_>) -> f64 {
        match &self.drive {
            Drive::Tension(f) => f.value(at.t).clamp(0.0, f64::INFINITY),
            Drive::Activation { activation, max_force } => activation.value(at.t).clamp(0.0, 1.0) * max_force,
            Drive::Hill { activation, muscle } => {
                let speed = if muscle.parameters().rigid_tendon { self.path.speed(geometry, at) } else { 0.0 };
                muscle.equilibrium(activation.value(at.t), geometry.length, speed).state.tendon_force
            }
        }
    }
}

impl ForceElement for MuscleForce {
    fn name(&self) -> &str {
        self.path.name()
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let geometry = self.path.solve(at, None);
        self.path.pull(&geometry, self.tension_along(&geometry, at), at, out);
    }
}
