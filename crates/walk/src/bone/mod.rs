//! A bone that bends inside a walking person: from a solid to a flexible segment of a skeleton.
//!
//! | file | subject |
//! |---|---|
//! | [`solid`] | a mesh laid between two joint centres, where its shaft runs, how to bow it |
//! | [`given`] | a mesh from a file: which unit, where its joints are |
//! | [`attachment`] | where muscles hold the bone: patches that carry force and couple, ends, the fibula |
//! | [`recipe`] | the reduction: interfaces, points, gauges, modes, mass of the whole segment |
//! | [`basis`] | few modes with which gauges are right in statics, beside the lowest vibrations |
//! | [`fibula`] | the fibula as a spring beside the tibia |
//! | [`model`] | the bone in the place of a rigid segment: bodies, frames, muscle paths |
//!
//! Frame of a segment: origin at the proximal joint centre, y up along the segment, x forward, z to the right of the person; the
//! distal joint centre is at `(0, -L, 0)`.
//!
//! ```
//! use wolff_fem::bone::Side;
//! use wolff_walk::bone::{Attachment, BoneRecipe, Solid};
//! use wolff_walk::gauges::tibia_gauges;
//!
//! let tibia = Solid::tibia(0.42, Side::Right)?;
//! let [anterior, lateral] = tibia.shaft_offset(0.5)?;
//! assert!((anterior - 8.2e-3).abs() < 1e-3 && (lateral - 1.0e-3).abs() < 1e-3);
//! let mut recipe = BoneRecipe::new("shank_r", &tibia);
//! recipe.attachments = vec![Attachment::patch("soleus", [-0.002, -0.15, 0.007].into())];
//! recipe.gauges = tibia_gauges(&tibia)?;
//! let shank = recipe.make()?;
//! assert!(shank.report.gauge_error < 2e-5);
//! assert_eq!(shank.frame("soleus")?.body, "shank_r.soleus");
//! # Ok::<(), wolff_walk::bone::BoneError>(())
//! ```

pub mod attachment;
pub mod basis;
mod cache;
pub mod fibula;
pub mod given;
pub mod model;
pub mod recipe;
pub mod solid;
mod tissue;

pub use attachment::{Attachment, AttachmentKind};
pub use basis::Basis;
pub use fibula::Fibula;
pub use given::{GivenBone, GivenUnit};
pub use recipe::{BoneRecipe, BoneReport, WalkingBone};
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
