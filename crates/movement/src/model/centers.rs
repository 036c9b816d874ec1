//! Centres of mass of the segments that a person with rigid bones and one with flexible bones have in common.

use wolff_multibody::{Body, Kinematics, Model};
use wolff_spatial::Vec3;

/// A segment that both models have.
pub(crate) struct SharedSegment {
    /// Its name.
    pub name: String,
    /// Its centre of mass in the rigid model, on the segment \[m\].
    com: Vec3,
    rigid: usize,
    driven: usize,
    /// Index of its flexible body in the other model.
    flexible: Option<usize>,
}

/// Segments with mass of `rigid` that `driven` has too.
pub(crate) fn shared_segments(rigid: &Model, driven: &Model) -> Vec<SharedSegment> {
    let shared = |(i, body): (usize, &Body)| {
        let index = driven.body_index(&body.name).filter(|_| body.mass.mass > 0.0)?;
        let before = (0..index).filter(|b| driven.flexible(*b).is_some()).count();
        let flexible = driven.flexible(index).map(|_| before);
        Some(SharedSegment { name: body.name.clone(), com: body.mass.com, rigid: i, driven: index, flexible })
    };
    rigid.bodies().iter().enumerate().skip(1).filter_map(shared).collect()
}

impl SharedSegment {
    /// Centre of mass in ground, on the rigid model \[m\].
    pub fn on_rigid(&self, kin: &Kinematics) -> Vec3 {
        kin.bodies[self.rigid].X_GB.point(&self.com)
    }

    /// Centre of mass in ground, on the other model \[m\]; the centre of mass of a flexible bone moves with its
    /// deformation.
    pub fn on_driven(&self, kin: &Kinematics) -> Vec3 {
        let com = self.flexible.map_or(self.com, |f| kin.flexible[f].com);
        kin.bodies[self.driven].X_GB.point(&com)
    }
}
