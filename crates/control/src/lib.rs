//! Muscles driven forward in time by their excitations.
//!
//! - [`plant`]: a model with muscles whose activations and fibres are states, and their derivatives.
//! - [`forward`]: simulation with given controls.
//! - [`cmc`]: computed muscle control, which finds the excitations that track a motion. It uses [`task`] (what is
//!   tracked), [`window`] (what each muscle can do within the look-ahead) and [`target`] (how forces are distributed).
//! - [`bounds`]: limits of controls over time.
#![allow(non_snake_case)]

pub mod bounds;
pub mod cmc;
pub mod forward;
pub mod plant;
mod start;
pub mod target;
pub mod task;
pub mod window;

pub use bounds::{Bounds, Schedule};
pub use cmc::{CmcOptions, Tracked, track};
pub use forward::{Controls, ForwardOptions, Sample, simulate_controls};
pub use plant::{Fibre, Plant};
pub use target::Target;
pub use task::Task;
