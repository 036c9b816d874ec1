//! How long a bone is.

use super::{BoneKind, Sex};
use crate::error::FemError;

/// Stature, m, to which the tables of sections belong: the CT case nearest the mean of its group.
const REFERENCE_STATURE: f64 = 1.80;

/// Length of the shank tube, m: the shank model that the program reproduces.
const TUBE_LENGTH: f64 = 0.421;

/// Greatest length of a femur, head to condyles, over the distance of its joint centres; of the solid drawn here.
const FEMUR_GREATEST_TO_JOINTS: f64 = 1.1;

impl Sex {
    /// Stature, m, behind the default lengths: 1.80 for men (as the CT sections), 1.65 for women (chosen).
    pub fn default_stature(self) -> f64 {
        match self {
            Self::Male => REFERENCE_STATURE,
            Self::Female => 1.65,
        }
    }
}

/// The length between joint centres, m, of a bone of a person of `stature`, m.
///
/// Stature regressions of Trotter and Gleser (1952, Am. J. Phys. Anthropol. 10, 463-514), in cm, solved for the bone:
///
/// | | men | women |
/// |---|---|---|
/// | tibia | 2.52 T + 78.62 ± 3.37 | 2.90 T + 61.53 ± 3.66 |
/// | femur | 2.38 F + 61.41 ± 3.27 | 2.47 F + 54.10 ± 3.72 |
///
/// T was taken without the malleolus (Jantz, Hunt and Meadows 1995, J. Forensic Sci. 40, 758-761): plateau to plafond,
/// as here. F is the greatest length; the distance of the joint centres is F / 1.1 on the femur drawn here. Limits:
/// North Americans of European descent; a stature predicted from a bone, turned round, leans to the mean of bones.
/// Tubes are 0.421 m long whatever the stature.
///
/// # Errors
/// [`FemError::Mesh`] when the stature is not within 1.0 to 2.5 m.
pub fn length_from_stature(kind: BoneKind, sex: Sex, stature: f64) -> Result<f64, FemError> {
    if !(1.0..=2.5).contains(&stature) {
        return Err(FemError::Mesh(format!(
            "a stature of {stature} m is outside the 1.0 to 2.5 m of the regression; give the length of the bone"
        )));
    }
    Ok(regression(kind, sex, stature))
}

fn regression(kind: BoneKind, sex: Sex, stature: f64) -> f64 {
    let ((per_tibia, from_tibia), (per_femur, from_femur)) = match sex {
        Sex::Male => ((2.52, 0.7862), (2.38, 0.6141)),
        Sex::Female => ((2.90, 0.6153), (2.47, 0.5410)),
    };
    match kind {
        BoneKind::Tube { .. } => TUBE_LENGTH,
        BoneKind::Tibia => (stature - from_tibia) / per_tibia,
        BoneKind::Femur => (stature - from_femur) / per_femur / FEMUR_GREATEST_TO_JOINTS,
    }
}

/// The default length, m.
pub(crate) fn default_length(kind: BoneKind, sex: Sex) -> f64 {
    regression(kind, sex, sex.default_stature())
}

/// The length to which the table of sections belongs, m.
pub(crate) fn reference_length(kind: BoneKind) -> f64 {
    regression(kind, Sex::Male, REFERENCE_STATURE)
}
