//! Loads of every joint and bone in a completed movement: the free body of the whole model at every sample.
//!
//! | file | subject |
//! |---|---|
//! | [`free_body`] | all forces of a record applied to the model again; residuals of the equations of motion |
//! | [`joint`] | reactions of hip, knee and ankle |
//! | [`bone`] | every load on a flexible bone, its motion and its modes |
//! | [`cut`] | section loads of a bone by two methods |
//! | [`modal`] | loads on the modes of a bone along a motion |
//! | [`groups`] | muscles by their anatomical group, whatever the model calls them |
//!
//! A step of the forward simulation solves `M(q*) a + h(q*, v) = Σ f Jᵀ` with predicted coordinates q*, the speeds v at
//! its start and the forces f that were applied over it ([`wolff_multibody::stiff::ImplicitStep`]); stiffness and
//! damping of modes are evaluated at its end. All loads here are those of `(q*, v, a, f)`, so that Newton's and Euler's
//! equations are satisfied to rounding. Muscles are separate forces: the reaction of a joint is its contact force,
//! including the force of ligaments and joint capsule.

pub mod bone;
pub mod cut;
pub mod free_body;
pub mod groups;
pub mod joint;
pub mod modal;

pub use bone::{BoneLoads, BoneSample, NodeLoad};
pub use cut::{FRACTIONS, SectionHistory};
pub use free_body::FreeBody;
pub use groups::Group;
pub use joint::{JointHistory, JointLoad};

use crate::error::MovementError;
use crate::model::MovementRecord;
use crate::model::MuscledModel;
use crate::tracking::Controllers;
use bone::Carrier;
use cut::Cut;
use joint::Joint;
use wolff_bone::segment::WalkingBone;

/// Loads of a whole walk; every list has one value per sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadHistory {
    /// Largest residual of the equations of motion at a joint or at the first body \[N, N m\].
    pub residual: Vec<f64>,
    /// Largest residual of the modal equations, relative to the largest elastic modal force of the walk.
    pub modal_residual: Vec<f64>,
    /// Hip, knee and ankle of the right, then of the left leg.
    pub joints: Vec<JointHistory>,
    /// Flexible bones.
    pub bones: Vec<BoneLoads>,
}

impl LoadHistory {
    /// A joint by its name, such as `knee_r`.
    pub fn joint(&self, name: &str) -> Option<&JointHistory> {
        self.joints.iter().find(|joint| joint.name == name)
    }

    /// A bone by its segment.
    pub fn bone(&self, segment: &str) -> Option<&BoneLoads> {
        self.bones.iter().find(|bone| bone.segment == segment)
    }
}

/// Loads along a record on the model of `muscled`, and on its flexible bones.
///
/// # Errors
/// When the model lacks a foot or the body of a bone, or a bone has no section at a quarter, half or three quarters.
pub fn load_history(
    muscled: &MuscledModel,
    controllers: &Controllers,
    record: &MovementRecord,
    bones: &[&WalkingBone],
) -> Result<LoadHistory, MovementError> {
    let model = &muscled.model;
    let joints = Joint::of_legs(model);
    let carriers: Vec<Carrier> =
        bones.iter().map(|bone| Carrier::new(model, &bone.body.name)).collect::<Result<_, _>>()?;
    let cuts: Vec<Vec<Cut>> = bones.iter().map(|bone| Cut::of_bone(bone)).collect::<Result<_, _>>()?;
    let mut history = LoadHistory {
        joints: joints.iter().map(|joint| JointHistory::new(&joint.name)).collect(),
        bones: carriers.iter().zip(&cuts).map(|(carrier, cuts)| BoneLoads::new(&carrier.segment, cuts)).collect(),
        ..LoadHistory::default()
    };
    let mut body = FreeBody::new(muscled, controllers, record)?;
    let mut elastic = 0.0_f64;
    for i in 0..record.times.len() {
        body.at(i);
        let [left_over, modal] = body.left_over();
        history.residual.push(left_over);
        history.modal_residual.push(modal);
        elastic = elastic.max(body.elastic_force());
        for (joint, history) in joints.iter().zip(&mut history.joints) {
            history.samples.push(joint.load(&body.system));
        }
        for ((carrier, cuts), history) in carriers.iter().zip(&cuts).zip(&mut history.bones) {
            let sample = carrier.sample(&body, i);
            for (cut, section) in cuts.iter().zip(&mut history.sections) {
                section.push(cut.loads(&sample));
            }
            history.samples.push(sample);
        }
    }
    let scale = if elastic > 0.0 { 1.0 / elastic } else { 1.0 };
    history.modal_residual.iter_mut().for_each(|r| *r *= scale);
    Ok(history)
}
