//! Stiffness and damping of joints where nothing better is known.

/// A joint's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// Flexion and extension.
    Flexion,
    /// Abduction and adduction; of the ankle inversion and eversion.
    Abduction,
    /// Rotation about the long axis.
    Rotation,
}

/// Linear stiffness and damping of one motion of a joint within its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveDefault {
    /// Joint, lower case.
    pub joint: &'static str,
    /// Motion.
    pub motion: JointMotion,
    /// Stiffness \[N m/rad\].
    pub stiffness: f64,
    /// Damping \[N m s/rad\].
    pub damping: f64,
}

/// From N mm/° to N m/rad.
const PER_DEGREE: f64 = 1e-3 * 180.0 / std::f64::consts::PI;

const fn row(joint: &'static str, motion: JointMotion, stiffness: f64, damping: f64) -> PassiveDefault {
    PassiveDefault { joint, motion, stiffness: stiffness * PER_DEGREE, damping: damping * PER_DEGREE }
}

/// Al Nazer, thesis, Lappeenranta 2008, Table 4.2, given there in N mm/° and N mm s/°; damping is a tenth of the
/// stiffness throughout.
///
/// Lower body after Amankwah et al. 2004 but for ankle inversion and hip rotation, which were tuned; upper body after
/// several sources or assumed. With `force::PassiveJointTorque` of the multibody crate these are `stiffness` and
/// `damping`; the table says nothing about ranges and their limit torques.
pub const PASSIVE_DEFAULTS: [PassiveDefault; 13] = [
    row("ankle", JointMotion::Flexion, 210.0, 21.0),
    row("ankle", JointMotion::Abduction, 10000.0, 1000.0),
    row("knee", JointMotion::Flexion, 270.0, 27.0),
    row("hip", JointMotion::Flexion, 700.0, 70.0),
    row("hip", JointMotion::Abduction, 1500.0, 150.0),
    row("hip", JointMotion::Rotation, 800.0, 80.0),
    row("lumbar", JointMotion::Flexion, 1000.0, 100.0),
    row("thoracic", JointMotion::Flexion, 1000.0, 100.0),
    row("lower neck", JointMotion::Flexion, 1000.0, 100.0),
    row("shoulder", JointMotion::Flexion, 700.0, 70.0),
    row("shoulder", JointMotion::Abduction, 700.0, 70.0),
    row("elbow", JointMotion::Flexion, 60.0, 6.0),
    row("wrist", JointMotion::Flexion, 30.0, 3.0),
];

/// The row of a joint (in any case) and a motion; none where the table has none.
pub fn passive_default(joint: &str, motion: JointMotion) -> Option<&'static PassiveDefault> {
    PASSIVE_DEFAULTS.iter().find(|d| d.joint == joint.to_lowercase() && d.motion == motion)
}
