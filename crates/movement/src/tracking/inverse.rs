//! Inverse dynamics of a reference motion.

use crate::model::Reaction;
use crate::reference::walk::InverseWalk;
use wolff_anatomy::Side;
use wolff_multibody::Instant;

/// A reference motion on a rigid model, gone through instant by instant.
pub trait InverseMotion {
    /// Puts the model where it is wanted at `t` [s]; returns the generalised forces [N, N m] that this takes beside the ground's.
    fn at(&mut self, t: f64) -> &[f64];

    /// Puts the model where it is wanted at `t` [s], whatever that takes.
    fn place(&mut self, t: f64) {
        self.at(t);
    }

    /// The model as the last call left it.
    fn instant(&self) -> Instant<'_>;

    /// What the ground does to the right and the left foot at `t`.
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
