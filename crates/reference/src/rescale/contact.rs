//! Points under the feet: their positions, and their target positions at rest.

use crate::walk::{InverseWalk, ReferenceWalk, StanceFoot};
use wolff_anatomy::AnatomyError;
use wolff_anatomy::skeleton::{FootPoint, Skeleton, mirror_point};
use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::Model;
use wolff_spatial::Vec3;

/// A point under a foot, found in the model.
pub(super) struct Contact {
    body: usize,
    point: Vec3,
    window: [f64; 2],
    /// The foot it is under.
    pub foot: Side,
    /// Position on the sole of the flat foot from the ankle, forward and outward \[m\].
    pub flat: [f64; 2],
}

impl Contact {
    /// All points of a skeleton.
    pub fn all(skeleton: &Skeleton, model: &Model) -> Result<Vec<Contact>, AnatomyError> {
        skeleton.contacts.iter().map(|c| Contact::new(c, skeleton, model)).collect()
    }

    fn new(contact: &FootPoint, skeleton: &Skeleton, model: &Model) -> Result<Contact, AnatomyError> {
        let unknown = |name: &str| AnatomyError::Unknown { what: "segment", name: name.into() };
        let name = &contact.segment;
        let segment = skeleton.segment(name).ok_or_else(|| unknown(name))?;
        let foot = contact.side();
        let ankle =
            skeleton.segment(SegmentName::Foot(foot).name()).ok_or_else(|| unknown(SegmentName::Foot(foot).name()))?;
        let p = skeleton.standing_place(segment) - skeleton.standing_place(ankle) + contact.point;
        let p = as_right(foot, p);
        let body = model.body_index(name).ok_or_else(|| unknown(name))?;
        Ok(Contact { body, point: contact.point, window: contact.window, foot, flat: [p.x, p.z] })
    }

    /// Whether it should rest on the floor at the time `t` of the walk.
    pub fn rests(&self, walk: &ReferenceWalk, t: f64) -> bool {
        let phase = (t / walk.constants.cycle_time + walk.stance(self.foot).ahead()).rem_euclid(1.0);
        self.window[0] <= phase && phase <= self.window[1]
    }

    /// Its position, expressed as for a right foot in the stance that begins at t = 0: a left point is mirrored and
    /// moved forward by the distance travelled until a right foot would strike there.
    pub fn place(&self, walk: &ReferenceWalk, inverse: &InverseWalk<'_>) -> Vec3 {
        let p = as_right(self.foot, inverse.kin.bodies[self.body].X_GB.point(&self.point));
        let ahead = walk.stance(self.foot).ahead();
        let strides = ahead - (inverse.instant().t / walk.constants.cycle_time + ahead).floor();
        p + Vec3::x() * (strides * walk.constants.stride())
    }

    /// Its target position at rest in the walk.
    pub fn resting_place(&self, walk: &ReferenceWalk) -> Vec3 {
        self.target(&walk.stance(self.foot).series.foot).0
    }

    /// Its target position at rest, and the derivatives of that position by x, z and turn of the foot.
    pub fn target(&self, foot: &StanceFoot) -> (Vec3, [Vec3; 3]) {
        let [along, across] = self.flat;
        let (sin, cos) = foot.turn.sin_cos();
        let turned = Vec3::new(cos * along - sin * across, 0.0, sin * along + cos * across);
        let place = Vec3::new(foot.x, 0.0, foot.z) + turned;
        (place, [Vec3::x(), Vec3::z(), Vec3::new(-turned.z, 0.0, turned.x)])
    }
}

/// A point of a foot, mirrored to a right foot.
fn as_right(foot: Side, p: Vec3) -> Vec3 {
    match foot {
        Side::Right => p,
        Side::Left => mirror_point(&p),
    }
}
