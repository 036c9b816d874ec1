//! A reference walk on its floor: the toes carry the forces of their pads.

use super::inverse::InverseMotion;
use crate::model::ground::{Floor, Reaction};
use crate::reference::walk::InverseWalk;
use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::Instant;
use wolff_spatial::Force;

/// A walk whose ground force is distributed over the pads of a foot in proportion to their forces in the reference
/// motion.
///
/// Inverse dynamics of a walk applies the whole ground force to the foot. Where the toes have a joint, it has to carry
/// the force on the toes; no other joint moment changes.
pub(crate) struct OnFloor<'a> {
    inverse: InverseWalk<'a>,
    floor: Floor,
    /// Bodies of the feet.
    feet: [Option<usize>; 2],
    moments: Vec<f64>,
}

impl<'a> OnFloor<'a> {
    pub fn new(inverse: InverseWalk<'a>, floor: Floor) -> Self {
        let model = inverse.instant().model;
        let feet = Side::BOTH.map(|foot| model.body_index(SegmentName::Foot(foot).name()));
        let moments = vec![0.0; model.nv()];
        OnFloor { inverse, floor, feet, moments }
    }

    /// Subtracts the forces of the pads that are not on the body of the foot from the moments of the joints between
    /// these pads and the foot.
    fn share(&mut self, t: f64, foot: Side) {
        let at = self.inverse.instant();
        let force = self.inverse.walk().ground(t, foot).force;
        let pads = || self.floor.pads.iter().filter(|pad| pad.foot == foot);
        let press = |pad: &crate::model::ground::Pad| pad.pressure(-pad.lowest(&at).y).0;
        let whole: f64 = pads().map(press).sum();
        for pad in pads().filter(|pad| Some(pad.frame.body) != self.feet[foot.index()] && whole > 0.0) {
            let body = pad.frame.body;
            let arm = pad.lowest(&at) - at.kin.bodies[body].origin;
            let part = Force::through(&arm, force * (press(pad) / whole));
            let joint = at.model.bodies()[body].joint_v();
            at.kin.powers(at.model, body, &part, |k, power| {
                if joint.contains(&k) {
                    self.moments[k] -= power;
                }
            });
        }
    }
}

impl InverseMotion for OnFloor<'_> {
    fn at(&mut self, t: f64) -> &[f64] {
        self.moments.copy_from_slice(self.inverse.at(t));
        Side::BOTH.into_iter().for_each(|foot| self.share(t, foot));
        &self.moments
    }

    fn instant(&self) -> Instant<'_> {
        self.inverse.instant()
    }

    fn ground(&self, t: f64) -> [Reaction; 2] {
        InverseMotion::ground(&self.inverse, t)
    }
}
