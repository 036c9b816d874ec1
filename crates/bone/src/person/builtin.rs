//! The built-in bone of a person in a segment of a skeleton.

use crate::parametric::{Bone, BoneKind};
use wolff_fem::material::Material;

use super::Solid;
use crate::BoneError;

/// Minimum ratio of tibia (plateau to plafond) to shank (knee to ankle centre); own choice (0.87 in the reference man).
const LEAST_SHARE: f64 = 0.75;

/// Usual difference between shank and tibia \[m\]; others are reported. Own choice: 39 mm by anatomy, 57 mm in the
/// reference man.
const LIKELY_GAPS: std::ops::RangeInclusive<f64> = 0.010..=0.075;

/// A bone ([`Bone::of_person`]) in a segment whose joint centres are `segment` apart \[m\], with remarks for the user.
///
/// A tibia keeps its length and breadths, its ends lie between the joint centres ([`super::Ends::of_tibia`]). One
/// that is longer than the shank, or shorter than three quarters of it, is given the nearest of these lengths, with
/// unchanged breadths: the skeleton then does not have this stature. A femur ends at its joint centres and takes the
/// length of the thigh; its breadths are those of the stature.
///
/// # Errors
/// When a length is out of bounds or a material is not admissible.
pub fn in_person(bone: &Bone, segment: f64, cortical: &Material) -> Result<(Solid, Vec<String>), BoneError> {
    if !(0.05..=1.0).contains(&segment) {
        return Err(BoneError::invalid("segment", format!("a length of {segment} m; give 0.05 to 1 m")));
    }
    let trabecular = Material::trabecular_bone();
    if bone.kind != BoneKind::Tibia {
        return Ok((Solid::parametric(&Bone { length: segment, ..*bone }, cortical, &trabecular)?, Vec::new()));
    }
    let length = bone.length.clamp(LEAST_SHARE * segment, segment);
    let solid = Solid::parametric(&Bone { length, ..*bone }, cortical, &trabecular)?.in_segment(segment)?;
    let mm = |x: f64| format!("{:.0} mm", 1e3 * x);
    let remark = if length != bone.length {
        Some(format!("its length is set to {}, its breadths are kept", mm(length)))
    } else if !LIKELY_GAPS.contains(&(segment - length)) {
        Some("about 40 mm more are usual; it keeps its length".to_string())
    } else {
        None
    };
    let remark = remark.map(|what| {
        format!(
            "stature predicts a tibia of {} from plateau to plafond, which does not fit {} between knee and ankle \
             centre: {what}; check `stature` and the \
             size of the model",
            mm(bone.length),
            mm(segment)
        )
    });
    Ok((solid, remark.into_iter().collect()))
}
