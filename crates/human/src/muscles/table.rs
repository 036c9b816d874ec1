//! The table of generic leg muscles.

use crate::error::{HumanError, all_finite, positive};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "about")]
    _about: String,
    #[serde(rename = "source")]
    _source: String,
    muscles: Vec<GenericMuscle>,
}

/// A bone of the generic leg.
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
}

/// A point on a generic bone.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericPoint {
    /// The bone.
    pub bone: Bone,
    /// Where on the bone [m].
    pub at: [f64; 3],
}

/// A muscle of the right leg as in gait2392.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericMuscle {
    /// Name in gait2392, without side.
    pub name: String,
    /// The anatomical muscle.
    pub group: String,
    /// Greatest isometric force [N] at 61 N/cm².
    pub force: f64,
    /// From origin to insertion.
    pub points: Vec<GenericPoint>,
    /// Whether it runs over the front of the knee.
    #[serde(default)]
    pub knee_cylinder: bool,
}

/// All muscles of the table `crates/human/data/leg_muscles.json`, which names its source.
pub fn generic_leg_muscles() -> Result<Vec<GenericMuscle>, HumanError> {
    let text = include_str!("../../data/leg_muscles.json");
    let table: Table = serde_json::from_str(text)
        .map_err(|e| HumanError::Unreadable { file: "leg muscles", reason: e.to_string() })?;
    for muscle in &table.muscles {
        positive(&muscle.name, "greatest force [N]", muscle.force)?;
        muscle.points.iter().try_for_each(|p| all_finite(&muscle.name, "point of the path [m]", &p.at))?;
    }
    Ok(table.muscles)
}
