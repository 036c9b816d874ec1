//! Tree-structured multibody dynamics with loop constraints.
//!
//! [`spec::ModelSpec`] is what a person writes, [`Model`] what the solver runs, [`Kinematics`] and the workspaces hold what is
//! computed. Speeds `v` are those of the joints, body by body, depth first; a rigid body has no modal speeds.
#![allow(non_snake_case)]

mod assembly;
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
pub mod simulation;
pub mod spec;
mod statics;
mod system;

pub use assembly::AssemblyReport;
pub use error::{DynamicsError, SpecError};
pub use force::{ContactElement, ForceElement, Indentation, Instant, Loads};
pub use kinematics::{BodyKinematics, Kinematics};
pub use model::{Body, Frame, Model};
pub use statics::Equilibrium;
pub use system::{Baumgarte, System};
