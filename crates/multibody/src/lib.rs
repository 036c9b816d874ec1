//! Tree-structured multibody dynamics with loop constraints.
//!
//! [`spec::ModelSpec`] is what a person writes, [`Model`] what the solver runs, [`Kinematics`] and the workspaces hold
//! what is computed. Speeds `v` are those of the joints, body by body, depth first, each followed by the modal speeds
//! of the body if it is flexible ([`flexible`]).
//!
//! Where is a pendulum of 1 m one second after its release at rest from the horizontal? At -1.405027 rad, by elliptic
//! functions:
//!
//! ```
//! use wolff_multibody::simulation::{Integrator, Settings, simulate};
//! use wolff_multibody::{Model, spec::*};
//! use wolff_numerics::{Method, Options};
//! use wolff_spatial::{MassProperties, Vec3};
//!
//! let bob = MassProperties::point(1.0, Vec3::new(0.0, -1.0, 0.0))?;
//! let spec = ModelSpec {
//!     name: "pendulum".into(),
//!     gravity: Vec3::new(0.0, -9.81, 0.0),
//!     bodies: vec![BodySpec::rigid("bob", bob)],
//!     joints: vec![JointSpec {
//!         name: "hinge".into(),
//!         kind: JointKind::Pin { axis: Vec3::z() },
//!         parent: FrameSpec::at(GROUND, Vec3::zeros()),
//!         child: FrameSpec::at("bob", Vec3::zeros()),
//!         coordinates: vec![],
//!         q0: vec![std::f64::consts::FRAC_PI_2],
//!         v0: vec![0.0],
//!     }],
//!     constraints: vec![],
//! };
//! let model = Model::build(&spec)?;
//! let settings = Settings {
//!     integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-10, 1e-10)),
//!     ..Settings::default()
//! };
//! let report = simulate(&model, &settings, &model.q0, &model.v0, &[], &mut ())?;
//! assert!((report.q[0] + 1.405027311524799).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(non_snake_case)]

mod assembly;
mod augmented;
pub mod benchmark;
mod build;
pub mod constraint;
pub mod dynamics;
mod error;
pub mod flexible;
pub mod force;
pub mod joint;
mod kinematics;
mod model;
mod partition;
mod schur;
pub mod simulation;
mod singular;
pub mod spec;
mod statics;
pub mod stiff;
mod system;

pub use assembly::AssemblyReport;
pub use augmented::{AugmentedLagrangian, Penalty};
pub use error::{DynamicsError, SpecError, SpecErrors};
pub use force::{ContactElement, ForceElement, Indentation, Instant, Loads, Stretch};
pub use kinematics::{BodyKinematics, Kinematics};
pub use model::{Body, Frame, Model};
pub use partition::{Partition, REPARTITION};
pub use statics::Equilibrium;
pub use system::{Baumgarte, System};
