//! Which controller acts on a coordinate.

use super::{ControllerSettings, Tissue};
use wolff_muscle::passive_defaults::{JointMotion, PassiveDefault, passive_default};

/// What a coordinate does, told by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// Height of the first body: nothing holds it.
    Height,
    /// Forward place of the first body.
    Forward,
    /// Sideways place of the first body.
    Sideways,
    /// Turn of the first body.
    Turn,
    /// Carried by muscles, with passive tissues.
    Muscles(Option<&'static PassiveDefault>),
    /// Held by a servo, stiffness and damping, with the moment that the motion takes beside the muscles.
    Servo(f64, f64),
}

impl Role {
    /// `upper`: whether muscles carry the joints of the upper body too.
    pub fn of(name: &str, upper: bool) -> Role {
        let carried = |joint, motion| Role::Muscles(passive_default(joint, motion));
        let stem = name.trim_end_matches("_r").trim_end_matches("_l");
        match stem {
            "pelvis_ty" => Role::Height,
            "pelvis_tx" => Role::Forward,
            "pelvis_tz" => Role::Sideways,
            "hip_flexion" => carried("hip", JointMotion::Flexion),
            "hip_adduction" => carried("hip", JointMotion::Abduction),
            "hip_rotation" => carried("hip", JointMotion::Rotation),
            "knee_flexion" => carried("knee", JointMotion::Flexion),
            "ankle_flexion" => carried("ankle", JointMotion::Flexion),
            "ankle_inversion" => carried("ankle", JointMotion::Abduction),
            "lumbar_flexion" if upper => carried("lumbar", JointMotion::Flexion),
            "thorax_flexion" if upper => carried("thoracic", JointMotion::Flexion),
            "neck_flexion" if upper => carried("lower neck", JointMotion::Flexion),
            "shoulder_flexion" if upper => carried("shoulder", JointMotion::Flexion),
            "shoulder_adduction" if upper => carried("shoulder", JointMotion::Abduction),
            "elbow_flexion" if upper => carried("elbow", JointMotion::Flexion),
            "wrist_flexion" if upper => carried("wrist", JointMotion::Flexion),
            "toe_flexion" => Role::Servo(30.0, 0.5),
            _ if stem.starts_with("pelvis") => Role::Turn,
            _ if stem.starts_with("lumbar") || stem.starts_with("thorax") => Role::Servo(1000.0, 100.0),
            _ => Role::Servo(60.0, 6.0),
        }
    }
}

/// Tissues of the joints that muscles carry, by speed.
pub(super) fn tissues(names: &[String], settings: &ControllerSettings) -> Vec<Tissue> {
    let tissue = |(speed, name): (usize, &String)| match Role::of(name, settings.upper_muscles) {
        Role::Muscles(Some(d)) => {
            let (stiffness, damping) = passive_values(name, d, settings);
            Some(Tissue { speed, stiffness, damping })
        }
        _ => None,
    };
    names.iter().enumerate().filter_map(tissue).collect()
}

/// Stiffness and damping of a coordinate that muscles carry.
pub(super) fn passive_values(name: &str, d: &PassiveDefault, settings: &ControllerSettings) -> (f64, f64) {
    if name.starts_with("ankle_inversion") {
        return (settings.inversion_stiffness, 0.1 * settings.inversion_stiffness);
    }
    (d.stiffness, d.damping)
}
