//! Consistency of a walk: residuals, and errors of the contacts.

use super::contact::Contact;
use crate::walk::{InverseWalk, ReferenceWalk};
use wolff_anatomy::AnatomyError;
use wolff_multibody::Model;
use wolff_spatial::Vec3;

/// Maximum residuals of a walk over its cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Consistency {
    /// Residual force at the pelvis, largest component, as fraction of body weight.
    pub force: f64,
    /// Residual moment at the pelvis, largest component, as fraction of body weight times height.
    pub moment: f64,
    /// Height above or depth below the floor of points that should rest on it \[m\].
    pub height: f64,
    /// Distance by which resting points slide from their position under the flat foot \[m\].
    pub slide: f64,
    /// Depth of any point below the floor in the whole cycle \[m\].
    pub depth: f64,
}

impl Consistency {
    /// Whether the residuals are below 2 % of body weight and 1 % of body weight times height, which is better than the
    /// tolerances recommended for measured walking (Hicks et al., J Biomech Eng 137, 2015: 5 % and 1 %).
    pub fn is_good(&self) -> bool {
        self.force < 0.02 && self.moment < 0.01
    }
}

/// Number of instants of a cycle that are evaluated.
const INSTANTS: usize = 200;

/// Evaluates a walk on its own skeleton: over half a cycle where the other half is its mirror image, else over the
/// whole cycle.
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
            "the residuals of the walk are not finite; check skeleton and series",
        ))
    }
}

/// Instants of the independent part of the cycle \[s\] (half of it in a symmetric walk), `count` per whole cycle, the
/// first one `offset` steps after the start.
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
