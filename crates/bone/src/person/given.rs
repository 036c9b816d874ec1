//! A bone that is given by the user, in its own size.

use std::sync::Arc;

use crate::parametric::{BoneKind, Side};
use wolff_fem::TetMesh;
use wolff_fem::material::{Material, MaterialField};

use super::{JointMarks, Solid};
use crate::BoneError;

/// A length that differs by more than this from the prediction by stature is reported: two standard errors of the
/// regression are 7 %.
const LIKELY: f64 = 0.10;

/// A tibia or femur as a mesh with the node sets `proximal` and `distal`, its joint faces. It keeps its size.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenBone {
    /// Tibia or femur.
    pub kind: BoneKind,
    /// Its side of the body.
    pub side: Side,
    /// The mesh \[m\].
    pub mesh: Arc<TetMesh>,
    /// Elasticity and density of every element, in the axes of the mesh; `None`: cortical bone everywhere.
    pub materials: Option<Arc<MaterialField>>,
    /// Of a tibia the middles of plateau and plafond, of a femur the centres of hip and knee; and what is forward.
    pub marks: JointMarks,
    /// Factors on its size along the bone, anterior and lateral; 1: as it is.
    pub scale: [f64; 3],
    /// What is doubtful about it.
    pub remarks: Vec<String>,
    /// How it was made, as parts of sentences.
    pub method: Vec<String>,
}

impl GivenBone {
    /// `tibia` or `femur`.
    pub fn word(&self) -> &'static str {
        if self.is_femur() { "femur" } else { "tibia" }
    }

    fn is_femur(&self) -> bool {
        matches!(self.kind, BoneKind::Femur)
    }

    /// The bone in its own size, or scaled if requested, between joint centres `segment` apart \[m\]; with remarks for
    /// the user. `expected` is the length predicted by the stature of the person \[m\], `cortical` the material of a
    /// bone without materials of its own.
    ///
    /// # Errors
    /// As [`Solid::registered`] and [`Solid::scaled`].
    pub fn solid(&self, segment: f64, expected: f64, cortical: &Material) -> Result<(Solid, Vec<String>), BoneError> {
        let bone = Solid::registered(self, cortical)?.scaled(self.scale)?;
        let remarks = self.remarks_in(bone.ends.length(), [segment, expected]);
        Ok((bone.in_segment(segment)?, remarks))
    }

    fn remarks_in(&self, length: f64, [segment, expected]: [f64; 2]) -> Vec<String> {
        let mm = |x: f64| format!("{:.0} mm", 1e3 * x);
        let size = match self.scale {
            [1.0, 1.0, 1.0] => "it keeps its size".to_string(),
            [along, anterior, lateral] => format!(
                "scaled by {along} along the bone to {}, {anterior} anterior, {lateral} lateral, as asked",
                mm(length)
            ),
        };
        let (name, side) = (self.word(), self.side.word());
        let (between, within, joints) = match self.is_femur() {
            true => ("from hip to knee centre", "thigh", "hip to knee centre"),
            false => ("from plateau to plafond", "shank", "knee to ankle centre"),
        };
        let own = mm(self.marks.distance());
        let mut remarks = vec![format!("the given {side} {name} has {own} {between}; {size}")];
        remarks.extend(self.remarks.iter().map(|what| format!("the given {name}: {what}")));
        // more than rounding
        if length > segment + 1e-6 {
            remarks.push(format!(
                "the given {name}, {}, is longer than the {within}, {} from {joints}: its ends lie beyond the joint \
                 centres; choose a person of its size (`stature`), or set `{name}_scale_along`",
                mm(length),
                mm(segment)
            ));
        }
        let ratio = length / expected;
        if !((ratio - 1.0).abs() <= LIKELY) {
            remarks.push(format!(
                "the given {name}, {}, differs by {:+.0} % from the {} that the person's stature predicts: choose a \
                 person of its size (`stature`), or set `{name}_scale_along={:.3}` and the scales across",
                mm(length),
                100.0 * (ratio - 1.0),
                mm(expected),
                self.scale[0] / ratio
            ));
        }
        remarks
    }
}
