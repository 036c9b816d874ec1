//! A bone that bends inside a walking person: from a solid to a flexible segment of a skeleton.
//!
//! | file | subject |
//! |---|---|
//! | [`solid`] | a mesh laid into a segment, where its shaft runs, how to bow it |
//! | [`ends`] | plateau and plafond between the joint centres |
//! | [`person`] | the built-in bone of a person of some stature and sex in a segment |
//! | [`given`] | a mesh from a file: which unit, where its joint faces are; it keeps its size |
//! | [`forward`] | which way a tibia looks, told by its shape |
//! | [`attachment`] | where muscles hold the bone: patches that carry force and couple, ends, the fibula |
//! | [`recipe`] | the reduction: interfaces, points, gauges, modes, mass of the whole segment |
//! | [`basis`] | few modes with which gauges are right in statics, beside the lowest vibrations |
//! | [`fibula`] | the fibula as a spring beside the tibia |
//! | [`model`] | the bone in the place of a rigid segment: bodies, frames, muscle paths |
//!
//! Frame of a segment: origin at the proximal joint centre, y up along the segment, x forward, z to the right of the person; the
//! distal joint centre is at `(0, -L, 0)`. A tibia is shorter than its shank: fractions are those of the bone from plateau to plafond.
//!
//! ```
//! use wolff_fem::bone::Side;
//! use wolff_movement::bone::{Attachment, BoneRecipe, Solid};
//! use wolff_movement::gauges::tibia_gauges;
//!
//! let tibia = Solid::tibia(0.39, Side::Right)?.in_segment(0.43)?;
//! let [anterior, lateral] = tibia.shaft_offset(0.5)?;
//! assert!((anterior - 7.4e-3).abs() < 2e-4 && (lateral - 0.9e-3).abs() < 1e-4);
//! let mut recipe = BoneRecipe::new("shank_r", &tibia);
//! recipe.attachments = vec![Attachment::patch("soleus", [-0.002, -0.15, 0.007].into())];
//! recipe.gauges = tibia_gauges(&tibia)?;
//! let shank = recipe.make()?;
//! assert!(shank.report.gauge_error < 2e-5);
//! assert_eq!(shank.frame("soleus")?.body, "shank_r.soleus");
//! # Ok::<(), wolff_movement::bone::BoneError>(())
//! ```

pub mod attachment;
pub mod basis;
mod cache;
pub mod ends;
pub mod fibula;
pub mod forward;
pub mod given;
pub mod model;
pub mod person;
pub mod recipe;
pub mod solid;
mod tissue;

pub use attachment::{Attachment, AttachmentKind};
pub use basis::Basis;
pub use ends::Ends;
pub use fibula::Fibula;
pub use forward::{FoundForward, find_forward};
pub use given::{Forward, GivenBone, GivenUnit};
pub use person::in_person;
pub use recipe::{BoneRecipe, BoneReport, ShaftSection, WalkingBone};
pub use solid::{JointMarks, Solid};

use thiserror::Error;
use wolff_fem::FemError;
use wolff_flexbody::FlexBodyError;

/// Why a bone could not be made or asked.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BoneError {
    /// The mesh or its reduction.
    #[error(transparent)]
    Fem(#[from] FemError),
    /// The reduced body.
    #[error(transparent)]
    Body(#[from] FlexBodyError),
    /// A value out of bounds, or parts that do not fit together.
    #[error("{object}: {rule}")]
    Invalid {
        /// What it is about.
        object: String,
        /// The value, the rule that was broken, and the remedy.
        rule: String,
    },
}

impl BoneError {
    pub(crate) fn invalid(object: impl Into<String>, rule: impl Into<String>) -> Self {
        BoneError::Invalid { object: object.into(), rule: rule.into() }
    }
}
