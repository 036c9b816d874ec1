//! Reference motions: one cycle of movement of a person with its ground forces.
//!
//! | folder | subject |
//! |---|---|
//! | [`walk`] | one cycle of walking as Fourier series with the ground forces, and its inverse dynamics |
//! | [`normative`] | bands of joint angles and moments of healthy walking |
//! | [`rescale`](mod@rescale) | the walk rescaled to another person and made consistent again |
//!
//! The knee moment of the embedded walk, at 30 % of the cycle after the right heel strike (N m, flexion positive):
//!
//! ```
//! use wolff_multibody::Model;
//! use wolff_reference::walk::{InverseWalk, ReferenceWalk};
//!
//! let walk = ReferenceWalk::embedded()?;
//! let model = Model::build(&walk.skeleton.spec()?).map_err(|mistakes| format!("{mistakes:?}"))?;
//! let knee = model.coordinate_index("knee_flexion_r").ok_or("no knee")?;
//! let mut inverse = InverseWalk::new(&walk, &model)?;
//! let moment = inverse.at(0.3 * walk.constants.cycle_time)[knee];
//! assert!((moment / walk.constants.mass + 0.087421).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(non_snake_case)]

pub mod normative;
pub mod rescale;
pub mod walk;

pub use rescale::{RescaleSettings, rescale};
pub use walk::ReferenceWalk;
