//! Length and breadth of a bone.

use super::{BoneKind, Sex};
use wolff_fem::FemError;

/// Stature \[m\] to which the tables of sections belong: the CT case nearest the mean of its group.
pub const REFERENCE_STATURE: f64 = 1.80;

/// Breadths of a woman of [`WOMAN_STATURE`] over those of the tables: mean of plateau (68.8 over 76.4 mm, Cheng et
/// al. 2009) and femoral condyles (78.5 over 88.6 mm, Terzidis et al. 2012).
const WOMAN_BREADTH: f64 = 0.893;

/// Stature \[m\] to which women's breadths are taken to belong; own choice, the studies give no stature.
const WOMAN_STATURE: f64 = 1.65;

/// Length of the shank tube, m: the shank model that the program reproduces.
const TUBE_LENGTH: f64 = 0.421;

/// Maximum length of a femur, head to condyles, over the distance of its joint centres; of the built-in solid.
const FEMUR_MAXIMUM_TO_JOINTS: f64 = 1.1;

/// Stature behind the default lengths \[m\]: 1.80 for men (as the CT sections), 1.65 for women (own choice).
pub fn default_stature(sex: Sex) -> f64 {
    match sex {
        Sex::Male => REFERENCE_STATURE,
        Sex::Female => WOMAN_STATURE,
    }
}

/// The length \[m\] of a bone of a person of `stature` \[m\]: of a tibia plateau to plafond, of a femur head centre to
/// knee centre.
///
/// Stature regressions of Trotter and Gleser (1952, Am. J. Phys. Anthropol. 10, 463-514), in cm, solved for the bone:
///
/// | | men | women |
/// |---|---|---|
/// | tibia | 2.52 T + 78.62 ± 3.37 | 2.90 T + 61.53 ± 3.66 |
/// | femur | 2.38 F + 61.41 ± 3.27 | 2.47 F + 54.10 ± 3.72 |
///
/// T was taken without the malleolus (Jantz, Hunt and Meadows 1995, J. Forensic Sci. 40, 758-761): plateau to
/// plafond, as here. One standard error of stature is 13 mm of tibia. For men of 1.80 m it gives 0.4023 m, for 1.77 m
/// 0.3904 m; a length in proportion to stature would be 0.3956 m. F is the maximum length; the distance of the joint
/// centres is F / 1.1 on the built-in femur. Limits: North Americans of European descent; the regression predicts
/// stature from the bone; solved for the bone it is biased. Tubes are 0.421 m long whatever the stature.
///
/// # Errors
/// [`FemError::Mesh`] when the stature is not within 1.0 to 2.5 m.
pub fn length_from_stature(kind: BoneKind, sex: Sex, stature: f64) -> Result<f64, FemError> {
    check_stature(stature)?;
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
        BoneKind::Femur => (stature - from_femur) / per_femur / FEMUR_MAXIMUM_TO_JOINTS,
    }
}

/// Lengths across of a bone of a person of `stature` \[m\] over those of the tables; see [`super::Bone::of_person`].
///
/// That women's distal tibiae are smaller than men's at the same height and weight was found by pQCT too (Nieves et
/// al. 2005, J. Bone Miner. Res. 20, 529-535); no value for mid-shaft was available.
pub(crate) fn breadth(sex: Sex, stature: f64) -> f64 {
    match sex {
        Sex::Male => stature / REFERENCE_STATURE,
        Sex::Female => WOMAN_BREADTH * stature / WOMAN_STATURE,
    }
}

/// Refuses statures outside the range of the regression.
pub(crate) fn check_stature(stature: f64) -> Result<(), FemError> {
    if (1.0..=2.5).contains(&stature) {
        return Ok(());
    }
    Err(FemError::Mesh(format!(
        "a stature of {stature} m is outside the 1.0 to 2.5 m of the regression; give the length of the bone"
    )))
}

/// The default length \[m\].
pub(crate) fn default_length(kind: BoneKind, sex: Sex) -> f64 {
    regression(kind, sex, default_stature(sex))
}

/// The length to which the table of sections belongs \[m\].
pub(crate) fn reference_length(kind: BoneKind) -> f64 {
    regression(kind, Sex::Male, REFERENCE_STATURE)
}
