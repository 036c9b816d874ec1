//! Foundation contact between two frames of a multibody model.

use super::memory::FoundationMemory;
use super::pair::FoundationPair;
use super::result::FoundationResult;
use crate::error::ContactError;
use std::sync::{Arc, Mutex, PoisonError};
use wolff_multibody::{ForceElement, Frame, Instant, Loads};
use wolff_spatial::{Motion, Pose, Vec3};

/// A [`FoundationPair`] as a force element.
///
/// The memory of the last evaluation is shared and locked; the forces do not depend on it beyond the rounding of the
/// moving surface's local search.
#[derive(Debug)]
pub struct FoundationForce {
    name: String,
    fixed: Frame,
    moving: Frame,
    pair: Arc<FoundationPair>,
    memory: Mutex<FoundationMemory>,
}

impl FoundationForce {
    /// The elements of `pair` on `fixed`, its surface on `moving`.
    pub fn new(
        name: impl Into<String>,
        fixed: Frame,
        moving: Frame,
        pair: Arc<FoundationPair>,
    ) -> Result<Self, ContactError> {
        let name = name.into();
        if fixed.body == moving.body {
            return Err(ContactError::SameBody { name });
        }
        let memory = Mutex::new(pair.memory());
        Ok(FoundationForce { name, fixed, moving, pair, memory })
    }

    /// The contact.
    pub fn pair(&self) -> &FoundationPair {
        &self.pair
    }

    /// Evaluates the contact at this instant and hands the result to `read`.
    pub fn with_result<T>(
        &self,
        at: &Instant<'_>,
        read: impl FnOnce(&FoundationResult) -> T,
    ) -> Result<T, ContactError> {
        let (X_FM, V_FM) = self.relative_motion(at);
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        self.pair.evaluate(&mut memory, &X_FM, &V_FM).map(read)
    }

    /// Pose of the moving frame in the fixed one; angular velocity and velocity of its origin against the fixed body.
    fn relative_motion(&self, at: &Instant<'_>) -> (Pose, Motion) {
        let (X_GF, X_GM) = (at.pose(&self.fixed), at.pose(&self.moving));
        let (V_F, V_M) = (at.velocity(&self.fixed).at(&(X_GM.p - X_GF.p)), at.velocity(&self.moving));
        let R_FG = X_GF.R.transpose();
        (X_GF.inverse() * X_GM, Motion::new(V_M.w - V_F.w, V_M.v - V_F.v).rotated(&R_FG))
    }
}

impl ForceElement for FoundationForce {
    fn name(&self) -> &str {
        &self.name
    }

    /// A pose that is not finite gives loads that are not finite, which the dynamics reports by name.
    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let X_GF = at.pose(&self.fixed);
        let wrench = self.with_result(at, |r| r.total.on_moving).map(|F| F.rotated(&X_GF.R));
        let (f, n) = wrench.map_or((Vec3::repeat(f64::NAN), Vec3::repeat(f64::NAN)), |F| (F.f, F.n));
        for (body, sign) in [(self.moving.body, 1.0), (self.fixed.body, -1.0)] {
            out.force_at(body, &X_GF.p, f * sign);
            out.torque(body, n * sign);
        }
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        let (X_FM, V_FM) = self.relative_motion(at);
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        match self.pair.evaluate(&mut memory, &X_FM, &V_FM) {
            Ok(_) => self.pair.stored_energy(&memory),
            Err(_) => f64::NAN,
        }
    }
}
