//! The tables of generic muscles.

use crate::error::{AnatomyError, all_finite, positive};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A table with its description and its source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table<T> {
    #[serde(rename = "about")]
    _about: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(alias = "muscles", alias = "fibres")]
    rows: Vec<T>,
}

/// Rows of a built-in table; `file` appears in messages.
pub(super) fn rows<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, AnatomyError> {
    let table: Result<Table<T>, _> = serde_json::from_str(text);
    table.map(|t| t.rows).map_err(|e| AnatomyError::Unreadable { file, reason: e.to_string() })
}

/// A bone of the generic body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bone {
    /// Origin between the anterior superior spines.
    Pelvis,
    /// Origin at the hip.
    Femur,
    /// Origin at the knee.
    Tibia,
    /// Origin behind and below the ankle.
    Calcaneus,
    /// The pelvis for muscles of the trunk: same frame, but placed by the joint with the trunk.
    Sacrum,
    /// Trunk of gait2392, origin at its joint with the pelvis.
    Torso,
    /// Origin at the notch of the breastbone.
    Thorax,
    /// Scapula and clavicle in the neutral posture, in the frame of the thorax.
    Scapula,
    /// Origin at the shoulder.
    Humerus,
    /// Origin at the elbow.
    Forearm,
    /// Abdomen below its joint with the thorax, origin at that joint.
    Loin,
    /// Thorax for muscles of the trunk, origin at its joint with the abdomen.
    Ribs,
    /// Upper thorax with the clavicle for muscles of the neck, origin at the lower neck joint.
    Collar,
    /// Origin at the lower neck joint.
    Neck,
    /// Origin between the angles of the jaw.
    Skull,
    /// Lower end of the forearm, palm forward, origin at the wrist.
    Wrist,
    /// Origin at the wrist.
    Hand,
}

/// A point on a generic bone.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericPoint {
    /// The bone.
    pub bone: Bone,
    /// Position on the bone \[m\].
    pub at: [f64; 3],
}

/// A muscle of the right side on generic bones.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericMuscle {
    /// Name, without side; of leg muscles that in gait2392.
    pub name: String,
    /// The anatomical muscle.
    pub group: String,
    /// Maximum isometric force \[N\] at the stress below.
    pub force: f64,
    /// Stress \[N/cm²\] that the force belongs to.
    #[serde(default = "generic_stress")]
    pub stress: f64,
    /// Source of its points; `None`: that of the whole table.
    #[serde(default)]
    pub attachments: Option<String>,
    /// Source of its strength; `None`: that of the whole table.
    #[serde(default)]
    pub strengths: Option<String>,
    /// From origin to insertion.
    pub points: Vec<GenericPoint>,
    /// Whether it runs over the front of the knee.
    #[serde(default)]
    pub knee_cylinder: bool,
}

/// Stress \[N/cm²\] that the strengths of gait2392 are assumed to be based on (chosen here).
fn generic_stress() -> f64 {
    61.0
}

impl GenericMuscle {
    /// Physiological cross-section \[m²\].
    pub fn pcsa(&self) -> f64 {
        self.force / (self.stress * 1e4)
    }
}

/// Muscles of the leg, from `crates/anatomy/data/leg_muscles.json`, which names their source.
pub fn generic_leg_muscles() -> Result<Vec<GenericMuscle>, AnatomyError> {
    read("leg muscles", include_str!("../../data/leg_muscles.json"))
}

/// Muscles of trunk and arm, from `crates/anatomy/data/upper_muscles.json`, which names their sources.
pub fn generic_upper_muscles() -> Result<Vec<GenericMuscle>, AnatomyError> {
    read("upper muscles", include_str!("../../data/upper_muscles.json"))
}

/// Muscles of the 27 upper-body groups of the thesis in addition to [`generic_upper_muscles`], from
/// `crates/anatomy/data/thesis_upper_muscles.json`, which names the source of each figure.
pub fn generic_thesis_upper_muscles() -> Result<Vec<GenericMuscle>, AnatomyError> {
    read("upper muscles of the thesis", include_str!("../../data/thesis_upper_muscles.json"))
}

fn read(file: &'static str, text: &str) -> Result<Vec<GenericMuscle>, AnatomyError> {
    let muscles: Vec<GenericMuscle> = rows(file, text)?;
    for muscle in &muscles {
        positive(&muscle.name, "maximum force [N]", muscle.force)?;
        positive(&muscle.name, "stress [N/cm²]", muscle.stress)?;
        muscle.points.iter().try_for_each(|p| all_finite(&muscle.name, "point of the path [m]", &p.at))?;
    }
    Ok(muscles)
}
