//! Passive stiffness and damping of a skeleton's joints.

use super::Skeleton;
use wolff_muscle::passive_defaults::{JointMotion, PassiveDefault, passive_default};

/// Stiffness and damping of one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct PassiveJoint {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Stiffness [N m/rad].
    pub stiffness: f64,
    /// Damping [N m s/rad].
    pub damping: f64,
}

/// Beginnings of coordinate names, with the joint and motion of the table.
const ROWS: [(&str, &str, JointMotion); 13] = [
    ("ankle_flexion", "ankle", JointMotion::Flexion),
    ("ankle_inversion", "ankle", JointMotion::Abduction),
    ("knee_flexion", "knee", JointMotion::Flexion),
    ("hip_flexion", "hip", JointMotion::Flexion),
    ("hip_adduction", "hip", JointMotion::Abduction),
    ("hip_rotation", "hip", JointMotion::Rotation),
    ("lumbar_flexion", "lumbar", JointMotion::Flexion),
    ("thorax_flexion", "thoracic", JointMotion::Flexion),
    ("neck_flexion", "lower neck", JointMotion::Flexion),
    ("shoulder_flexion", "shoulder", JointMotion::Flexion),
    ("shoulder_adduction", "shoulder", JointMotion::Abduction),
    ("elbow_flexion", "elbow", JointMotion::Flexion),
    ("wrist_flexion", "wrist", JointMotion::Flexion),
];

impl Skeleton {
    /// Stiffness and damping of every coordinate that Al Nazer, thesis, Lappeenranta 2008, Table 4.2 has a row for; the others are free.
    pub fn passive_joints(&self) -> Vec<PassiveJoint> {
        self.coordinate_names().into_iter().filter_map(passive_joint).collect()
    }
}

fn passive_joint(coordinate: String) -> Option<PassiveJoint> {
    let stem = coordinate.trim_end_matches("_r").trim_end_matches("_l");
    let (_, joint, motion) = ROWS.iter().find(|row| row.0 == stem)?;
    let PassiveDefault { stiffness, damping, .. } = *passive_default(joint, *motion)?;
    Some(PassiveJoint { coordinate, stiffness, damping })
}
