//! Tree-structured multibody dynamics with loop constraints.
//!
//! [`spec::ModelSpec`] is what a person writes, [`Model`] what the solver runs, [`Kinematics`] and the workspaces hold what is
//! computed. Speeds `v` are those of the joints, body by body, depth first; a rigid body has no modal speeds.
#![allow(non_snake_case)]

pub mod benchmark;
mod build;
pub mod constraint;
pub mod dynamics;
mod error;
pub mod force;
pub mod joint;
mod kinematics;
mod model;
mod schur;
pub mod spec;
mod system;

pub use error::{DynamicsError, SpecError};
pub use force::{ContactElement, ForceElement, Indentation, Instant, Loads};
pub use kinematics::{BodyKinematics, Kinematics};
pub use system::{Baumgarte, System};
pub use model::{Body, Frame, Model};
