//! How well a walk holds together.

use super::contact::Contact;
use crate::walk::{InverseWalk, ReferenceWalk};
use wolff_anatomy::AnatomyError;
use wolff_multibody::Model;
use wolff_spatial::Vec3;

/// Largest faults of a walk over its cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Consistency {
    /// Force at the pelvis that nothing explains, largest component, as share of body weight.
    pub force: f64,
    /// Moment at the pelvis that nothing explains, largest component, as share of body weight times height.
    pub moment: f64,
    /// Height above or depth below the floor of points that should rest on it [m].
    pub height: f64,
    /// Way that resting points slide from their place under the flat foot [m].
    pub slide: f64,
    /// Depth of any point below the floor in the whole cycle [m].
    pub depth: f64,
}

impl Consistency {
    /// Whether the residuals are below 2 % of body weight and 1 % of body weight times height, which studies of
    /// measured walking hold to be good (Hicks et al., J Biomech Eng 137, 2015, ask for 5 % and 1 %).
    pub fn is_good(&self) -> bool {
        self.force < 0.02 && self.moment < 0.01
    }
}

/// Instants of a cycle that are looked at.
const INSTANTS: usize = 200;

/// Looks at a walk on its own skeleton: at half a cycle where the other half is its mirror image, else at all of it.
pub fn consistency(walk: &ReferenceWalk) -> Result<Consistency, AnatomyError> {
    let model = build(walk)?;
    let contacts = Contact::all(&walk.skeleton, &model)?;
    let mut inverse = InverseWalk::new(walk, &model)?;
    let weight = walk.constants.weight();
    let mut worst = Consistency::default();
    for t in instants(walk, INSTANTS, 0.0) {
        inverse.at(t);
        let residual = inverse.residual();
        worst.force = worst.force.max(residual.f.amax() / weight);
        worst.moment = worst.moment.max(residual.n.amax() / (weight * walk.constants.stature));
        for contact in &contacts {
            let p = contact.place(walk, &inverse);
            worst.depth = worst.depth.max(-p.y);
            if contact.rests(walk, t) {
                let off = p - contact.resting_place(walk);
                worst.height = worst.height.max(off.y.abs());
                worst.slide = worst.slide.max(Vec3::new(off.x, 0.0, off.z).norm());
            }
        }
    }
    if [worst.force, worst.moment, worst.height, worst.slide].iter().all(|x| x.is_finite()) {
        Ok(worst)
    } else {
        Err(AnatomyError::numerical(
            &walk.skeleton.name,
            "the walk gives numbers that are not finite; check skeleton and series",
        ))
    }
}

/// Instants of the part of the cycle that tells all of it [s], `count` in a whole cycle, the first `offset` steps after
/// its begin.
pub(super) fn instants(walk: &ReferenceWalk, count: usize, offset: f64) -> impl Iterator<Item = f64> {
    let told = walk.told();
    let (span, count) = (told * walk.constants.cycle_time, (told * count as f64).round() as usize);
    (0..count).map(move |i| span * (i as f64 + offset) / count as f64)
}

/// The model of a walk's skeleton.
pub(super) fn build(walk: &ReferenceWalk) -> Result<Model, AnatomyError> {
    Model::build(&walk.skeleton.spec()?).map_err(|mistakes| {
        let all = mistakes.iter().map(ToString::to_string).collect::<Vec<_>>();
        AnatomyError::rule(&walk.skeleton.name, all.join("; "))
    })
}
