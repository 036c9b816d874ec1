//! Muscles: where they run and how hard they pull.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`path`] | points, conditional and moving ones, wrapping over surfaces; length, speed, moment arms, forces |
//! | [`hill`] | Hill muscles: curves of Millard, Thelen, De Groote and Fregly, Schutte; pennation, activation, equilibrium |
//! | [`servo`] | muscles that follow a reference length, and the record of such lengths |
//! | [`element`] | muscles with known tension or activation as force elements |
//! | [`passive_defaults`] | stiffness and damping of joints |
//!
//! How long is a path over a cylinder, and how hard does a half active muscle pull along it? OpenSim gives the same two
//! numbers:
//!
//! ```
//! use wolff_muscle::hill::{MillardCurves, MillardShape};
//! use wolff_muscle::path::{Construction, EllipsoidMethod, Path, PathSpec, PointSpec, Scene, WrapSpec, WrapSurface};
//! use wolff_muscle::{Curves, HillMuscle, HillParameters};
//! use wolff_spatial::{Pose, Vec3};
//!
//! struct Ground;
//! impl Scene for Ground {
//!     fn pose(&self, _: usize) -> Pose { Pose::IDENTITY }
//!     fn coordinate(&self, _: usize) -> f64 { 0.0 }
//! }
//!
//! let bone = WrapSpec {
//!     name: "bone".into(),
//!     body: "ground".into(),
//!     pose: Pose::IDENTITY,
//!     surface: WrapSurface::Cylinder { radius: 0.05, length: 0.3 },
//!     quadrant: None,
//!     method: EllipsoidMethod::Hybrid,
//!     first: None,
//!     last: None,
//! };
//! let ends = [Vec3::new(-0.1, 0.02, 0.0), Vec3::new(0.1, 0.02, 0.0)];
//! let spec = PathSpec {
//!     name: "muscle".into(),
//!     points: ends.map(|p| PointSpec::fixed("ground", p)).to_vec(),
//!     wraps: vec![bone],
//!     construction: Construction::Shortest,
//! };
//! let path = Path::resolve(&spec, |_| Some(0), |_| None)?;
//! let length = path.solve(&Ground, None).length;
//! assert!((length - 0.2092666169998844).abs() < 1e-15);
//!
//! let curves = Curves::Millard(Box::new(MillardCurves::new("muscle", &MillardShape::default())?));
//! let muscle = HillMuscle::new("muscle", HillParameters::new(1000.0, 0.06, 0.13), curves)?;
//! let force = muscle.equilibrium(0.5, length, 0.0).state.tendon_force;
//! assert!((force - 458.12249).abs() < 1e-3);
//! # Ok::<(), wolff_muscle::MuscleError>(())
//! ```
#![allow(non_snake_case)]

pub mod element;
pub mod error;
pub mod hill;
pub mod passive_defaults;
pub mod path;
pub mod servo;

pub use element::{Drive, MuscleForce};
pub use error::MuscleError;
pub use hill::{Curves, HillMuscle, HillParameters};
pub use path::{Path, PathGeometry, PathSpec, Scene};
pub use servo::{LengthRecord, Servo, ServoGains, ServoMuscle};
