//! Reactions of the joints of the legs.

use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::{Model, System};
use wolff_spatial::Vec3;

/// Load of a joint on the segment below it, about the joint centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLoad {
    /// Force in the axes of the segment below \[N\].
    pub force: Vec3,
    /// Moment in the same axes [N m]: of the constraint, and of servos and tissues about the axes of the joint.
    pub moment: Vec3,
    /// Force in ground axes \[N\].
    pub force_G: Vec3,
    /// Moment in ground axes \[N m\].
    pub moment_G: Vec3,
}

/// Loads of a joint, one per sample.
#[derive(Clone, Debug, PartialEq)]
pub struct JointHistory {
    /// Name with the side, such as `knee_r`.
    pub name: String,
    /// Loads.
    pub samples: Vec<JointLoad>,
}

impl JointHistory {
    pub(super) fn new(name: &str) -> Self {
        JointHistory { name: name.into(), samples: Vec::new() }
    }

    /// Magnitude of the force at a sample \[N\].
    pub fn resultant(&self, sample: usize) -> f64 {
        self.samples[sample].force.norm()
    }
}

/// A joint in a model.
pub(super) struct Joint {
    pub name: String,
    /// The body below it.
    child: usize,
}

impl Joint {
    /// Hip, knee and ankle of both legs, those that the model has.
    pub fn of_legs(model: &Model) -> Vec<Joint> {
        let mut joints = Vec::new();
        for side in Side::BOTH {
            let [thigh, shank, foot] = [SegmentName::Thigh(side), SegmentName::Shank(side), SegmentName::Foot(side)];
            let leg = [("hip", SegmentName::Pelvis, thigh), ("knee", thigh, shank), ("ankle", shank, foot)];
            for (joint, above, below) in leg {
                let [Some(above), Some(below)] = [above, below].map(|s| model.body_index(s.name())) else { continue };
                let child = next_below(model, above, below);
                joints.extend(child.map(|child| Joint { name: side.name(joint), child }));
            }
        }
        joints
    }

    /// The load that it transmits, after inverse dynamics of the system.
    pub fn load(&self, system: &System<'_>) -> JointLoad {
        let (reaction, R) = (system.reaction(self.child), system.kin.bodies[self.child].X_GB.R);
        JointLoad {
            force: R.tr_mul(&reaction.f),
            moment: R.tr_mul(&reaction.n),
            force_G: reaction.f,
            moment_G: reaction.n,
        }
    }
}

/// The child of `above` on the chain from `below` up to `above`; nodes of a flexible body count as the body itself.
fn next_below(model: &Model, above: usize, below: usize) -> Option<usize> {
    let mut child = below;
    while child != 0 {
        let parent = carrier(model, model.bodies()[child].parent);
        if parent == above {
            return Some(child);
        }
        child = parent;
    }
    None
}

/// The flexible body to which a node belongs; any other body is returned unchanged.
pub(super) fn carrier(model: &Model, body: usize) -> usize {
    let b = &model.bodies()[body];
    if b.is_node() { b.parent } else { body }
}
