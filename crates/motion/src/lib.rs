//! From markers and forces to joint angles, moments and muscle forces.
//!
//! - [`history`]: coordinates over time with speeds and accelerations, by natural quintic splines ([`quintic`]).
//! - [`external_loads`]: measured forces on bodies.
//! - [`inverse_dynamics`]: generalised forces of a motion.
#![allow(non_snake_case)]

pub mod dynamics_error;
pub mod external_loads;
pub mod history;
pub mod inverse_dynamics;
pub mod lowpass;
pub mod quintic;

pub use dynamics_error::DynamicsInputError;
pub use external_loads::{ExternalLoad, external_loads};
pub use history::{Accelerations, CoordinateHistory};
pub use inverse_dynamics::{GeneralizedForces, InverseFrame, inverse_dynamics};
