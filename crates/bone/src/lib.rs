//! Flexible bones: from a shape to modes and to strain at gauges.
//!
//! | folder | subject |
//! |---|---|
//! | [`parametric`] | built-in tibia, femur and tube as meshes |
//! | [`person`] | bones in their own size, placed in a segment of a person; meshes from files |
//! | [`segment`] | flexible segments of a person: muscle attachments, basis of modes, fibula, soft tissue |
//! | [`flexible`] | flexible bodies of studies: beams, bones, meshes, and the methods to compare |
//! | [`gauges`] | strain gauges placed by anatomy, their histories and peaks |
//! | [`section`] | section resultants of a bone and the strain of a beam under them |
//!
//! Reductions can be kept in a cache folder, which studies and persons share; a file is read only if it follows from
//! exactly the same input. Every failure is a [`BoneError`], whose [`BoneError::kind`] tells invalid input from failed
//! computations and files. SI units; a bone has x anterior, y up, z to the right.
//!
//! A tube of cortical bone between two rigid ends is reduced to 11 modes; under a bending moment of 30 N m the strain
//! at the gauge is that of a beam, `M R / (E I)`:
//!
//! ```
//! use std::f64::consts::PI;
//! use wolff_bone::flexible::{InterfaceKind, MaterialChoice, Recipe, SolidSource, Solver, parse_gauge};
//! use wolff_bone::parametric::{Bone, BoneKind, Density, Sex};
//! use wolff_spatial::Vec3;
//!
//! let density = Density { around: 12, wall: 1, layers: [1, 2, 2, 1] };
//! let tube = Bone { density, ..Bone::new(BoneKind::SHANK_TUBE, Sex::Male) };
//! let recipe = Recipe {
//!     solid: SolidSource::Bone(tube),
//!     material: MaterialChoice::cortical(),
//!     mass: None,
//!     interfaces: Recipe::bone_interfaces(&tube),
//!     interface_kind: InterfaceKind::Rigid,
//!     points: vec![],
//!     gauges: vec![parse_gauge("front=anterior:0.5")?],
//!     solver: Solver::plain(5),
//! };
//! let body = recipe.reduce("shank")?.body;
//! assert_eq!(body.modes(), recipe.mode_count());
//!
//! // equal and opposite moments at both ends
//! let moment = Vec3::new(0.0, 0.0, 30.0);
//! let bending = &body.node("proximal")?.rotation - &body.node("distal")?.rotation;
//! let eta = body.stiffness.clone().cholesky().map(|k| k.solve(&(bending.transpose() * moment))).unwrap_or_default();
//! let strain = body.gauges[0].reading(eta.as_slice()).axial();
//! let second_moment = PI / 4.0 * (0.037_f64.powi(4) - 0.027_f64.powi(4));
//! let beam = 30.0 * 0.037 / (17e9 * second_moment);
//! assert!((strain / beam - 1.0).abs() < 0.03, "{strain} {beam}");
//! # Ok::<(), wolff_bone::BoneError>(())
//! ```
#![allow(non_snake_case)]

pub mod cache;
mod error;
pub mod flexible;
pub mod gauges;
pub mod parametric;
pub mod person;
pub mod section;
pub mod segment;
mod side;

pub use error::BoneError;
pub use wolff_anatomy::Side;
