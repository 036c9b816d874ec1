//! Points under the feet: where they are, and where they should rest.

use crate::error::HumanError;
use crate::skeleton::{FootPoint, Side, Skeleton, mirror_point};
use crate::walk::{InverseWalk, ReferenceWalk, StanceFoot};
use wolff_multibody::Model;
use wolff_spatial::Vec3;

/// A point under a foot, found in the model.
pub(super) struct Contact {
    body: usize,
    point: Vec3,
    window: [f64; 2],
    left: bool,
    /// Place on the sole of the flat foot from the ankle, forward and outward [m].
    pub flat: [f64; 2],
}

impl Contact {
    /// All points of a skeleton.
    pub fn all(skeleton: &Skeleton, model: &Model) -> Result<Vec<Contact>, HumanError> {
        skeleton.contacts.iter().map(|c| Contact::new(c, skeleton, model)).collect()
    }

    fn new(contact: &FootPoint, skeleton: &Skeleton, model: &Model) -> Result<Contact, HumanError> {
        let unknown = |name: &str| HumanError::Unknown { what: "segment", name: name.into() };
        let name = &contact.segment;
        let segment = skeleton.segment(name).ok_or_else(|| unknown(name))?;
        let left = Side::of(name) == Side::Left;
        let foot = if left { "foot_l" } else { "foot_r" };
        let foot = skeleton.segment(foot).ok_or_else(|| unknown(foot))?;
        let p = skeleton.standing_place(segment) - skeleton.standing_place(foot) + contact.point;
        let p = if left { mirror_point(&p) } else { p };
        let body = model.body_index(name).ok_or_else(|| unknown(name))?;
        Ok(Contact { body, point: contact.point, window: contact.window, left, flat: [p.x, p.z] })
    }

    /// Whether it should rest on the floor at the time `t` of the walk.
    pub fn rests(&self, walk: &ReferenceWalk, t: f64) -> bool {
        let shift = if self.left { 0.5 } else { 0.0 };
        let phase = (t / walk.constants.cycle_time + shift).rem_euclid(1.0);
        self.window[0] <= phase && phase <= self.window[1]
    }

    /// Where it is; for a left point where the right twin was half a cycle later, so that one stance foot serves both.
    pub fn place(&self, walk: &ReferenceWalk, inverse: &InverseWalk<'_>) -> Vec3 {
        let p = inverse.kin.bodies[self.body].X_GB.point(&self.point);
        if self.left { mirror_point(&p) + Vec3::x() * (0.5 * walk.constants.stride()) } else { p }
    }

    /// Where it should rest, and the change of that place with the foot's x, z and turn.
    pub fn target(&self, foot: &StanceFoot) -> (Vec3, [Vec3; 3]) {
        let [along, across] = self.flat;
        let (sin, cos) = foot.turn.sin_cos();
        let turned = Vec3::new(cos * along - sin * across, 0.0, sin * along + cos * across);
        let place = Vec3::new(foot.x, 0.0, foot.z) + turned;
        (place, [Vec3::x(), Vec3::z(), Vec3::new(-turned.z, 0.0, turned.x)])
    }
}
