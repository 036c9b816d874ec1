//! People as multibody systems: skeletons from mass and height, their muscles, and the walk that the program carries.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`anthropometry`] | masses, lengths and inertias of segments from mass, height and sex; known subjects |
//! | [`skeleton`] | segments, the joints between them, the points on which feet stand |
//! | [`muscles`] | muscles on a skeleton: paths, cross-sections, greatest forces |
//! | [`walk`] | one cycle of walking as Fourier series with the ground's forces, and its inverse dynamics |
//! | [`rescale`](mod@rescale) | the walk carried over to another person and made consistent again |
//!
//! World axes: X forward, Y up, Z to the right. The right side is written down, the left is its mirror image unless it is told otherwise.
//!
//! The knee moment of the embedded walk, 30 % after the right heel has struck (N m, positive flexes):
//!
//! ```
//! use wolff_human::walk::{InverseWalk, ReferenceWalk};
//! use wolff_multibody::Model;
//!
//! let walk = ReferenceWalk::embedded()?;
//! let model = Model::build(&walk.skeleton.spec()?)?;
//! let knee = model.coordinate_index("knee_flexion_r").ok_or("no knee")?;
//! let mut inverse = InverseWalk::new(&walk, &model)?;
//! let moment = inverse.at(0.3 * walk.constants.cycle_time)[knee];
//! assert!((moment / walk.constants.mass + 0.087421).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(non_snake_case)]
// units in brackets are not links
#![allow(rustdoc::broken_intra_doc_links)]

pub mod anthropometry;
pub mod error;
pub mod muscles;
pub mod rescale;
pub mod skeleton;
pub mod walk;

pub use anthropometry::{Sex, Subject};
pub use error::HumanError;
pub use muscles::{HumanMuscle, LegMuscles, MuscleSet, UpperMuscles};
pub use rescale::{RescaleSettings, rescale};
pub use skeleton::Skeleton;
pub use walk::ReferenceWalk;
