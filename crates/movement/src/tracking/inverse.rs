//! Inverse dynamics of a reference motion.

use crate::model::Reaction;
use crate::reference::walk::InverseWalk;
use wolff_anatomy::Side;
use wolff_multibody::Instant;

/// A reference motion on a rigid model, evaluated instant by instant.
pub trait InverseMotion {
    /// Moves the model to its reference state at `t` \[s\]; returns the generalised forces \[N, N m\] of the motion
    /// without the ground forces.
    fn at(&mut self, t: f64) -> &[f64];

    /// Moves the model to its reference state at `t` \[s\] without computing forces.
    fn place(&mut self, t: f64) {
        self.at(t);
    }

    /// The model in the state of the last call.
    fn instant(&self) -> Instant<'_>;

    /// Ground reactions on the right and the left foot at `t`.
    fn ground(&self, t: f64) -> [Reaction; 2];
}

impl InverseMotion for InverseWalk<'_> {
    fn at(&mut self, t: f64) -> &[f64] {
        InverseWalk::at(self, t)
    }

    fn place(&mut self, t: f64) {
        self.move_to(t);
    }

    fn instant(&self) -> Instant<'_> {
        InverseWalk::instant(self)
    }

    fn ground(&self, t: f64) -> [Reaction; 2] {
        Side::BOTH.map(|foot| {
            let g = self.walk().ground(t, foot);
            Reaction { force: g.force, center: g.point, free_moment: g.moment.y }
        })
    }
}
