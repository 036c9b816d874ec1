//! Flexible segments of a person: from a solid bone to a body of a skeleton.
//!
//! | file | subject |
//! |---|---|
//! | [`attachment`] | where muscles attach: patches that carry force and couple, ends, the fibula |
//! | [`recipe`] | the reduction: interfaces, points, gauges, modes, mass of the whole segment |
//! | [`basis`] | few modes: the lowest vibrations and those that make the static strain at gauges accurate |
//! | [`fibula`] | the fibula as a spring parallel to the tibia |
//! | [`model`] | the bone replaces a rigid segment of a model: bodies, frames, muscle paths |
//!
//! Frame of a segment: origin at the proximal joint centre, y up along the segment, x forward, z to the right of the
//! person; the distal joint centre is at `(0, -L, 0)`. A tibia is shorter than its shank: fractions are those of the
//! bone from plateau to plafond.
//!
//! ```
//! use wolff_bone::gauges::tibia_gauges;
//! use wolff_bone::parametric::Side;
//! use wolff_bone::person::Solid;
//! use wolff_bone::segment::{Attachment, Basis, BoneRecipe};
//!
//! let tibia = Solid::tibia(0.39, Side::Right)?.in_segment(0.43)?;
//! let [anterior, lateral] = tibia.shaft_offset(0.5)?;
//! assert!((anterior - 7.4e-3).abs() < 2e-4 && (lateral - 0.9e-3).abs() < 1e-4);
//! let mut recipe = BoneRecipe::new("shank_r", &tibia);
//! recipe.attachments = vec![Attachment::patch("soleus", [-0.002, -0.15, 0.007].into())];
//! recipe.gauges = tibia_gauges(&tibia)?;
//! recipe.basis = Basis::Gauges { vibrations: 3, error: 2e-5 };
//! let shank = recipe.make()?;
//! assert!(shank.report.gauge_error < 2e-5);
//! assert_eq!(shank.frame("soleus")?.body, "shank_r.soleus");
//! # Ok::<(), wolff_bone::BoneError>(())
//! ```
pub mod attachment;
pub mod basis;
pub mod fibula;
pub mod model;
pub mod recipe;
mod tissue;

pub use attachment::{Attachment, AttachmentKind};
pub use basis::Basis;
pub use fibula::Fibula;
pub use recipe::{BoneRecipe, BoneReport, ShaftSection, WalkingBone};
