//! Wolff computes how bones strain and how joints press when a person moves.
//!
//! This crate gathers the others under one name and holds a [`prelude`]. The three floors, each of which uses only what
//! stands above it:
//!
//! | floor | modules |
//! |---|---|
//! | mechanics | [`spatial`], [`numerics`], [`geometry`], [`flexbody`], [`fem`], [`multibody`], [`contact`], [`muscle`] |
//! | biomechanics | [`formats`], [`meshes`], [`anatomy`], [`motion`], [`opensim`], [`bone`], [`movement`] |
//! | product | [`report`], [`document`], [`study`], [`analyses`], [`app`] |
//!
//! A pendulum of 1 m, released at rest from the horizontal, is at -1.404720 rad after one second (elliptic functions):
//!
//! ```
//! use wolff::prelude::*;
//!
//! let bob = MassProperties::point(1.0, Vec3::new(0.0, -1.0, 0.0))?;
//! let hinge = JointSpec::new("hinge", JointKind::Pin { axis: Vec3::z() }, GROUND, "bob");
//! let spec = ModelSpec {
//!     bodies: vec![BodySpec::rigid("bob", bob)],
//!     joints: vec![hinge.starting_at(&[std::f64::consts::FRAC_PI_2])],
//!     ..ModelSpec::on_earth("pendulum")
//! };
//! let model = Model::build(&spec)?;
//! let run = simulate(&model, &Settings::until(1.0), &model.q0, &model.v0, &[], &mut ())?;
//! assert!((run.q[0] + 1.404720).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` of this crate answers ten questions in at most 60 lines each, from a pendulum to a walk.

pub use wolff_analyses as analyses;
pub use wolff_anatomy as anatomy;
pub use wolff_app as app;
pub use wolff_bone as bone;
pub use wolff_contact as contact;
pub use wolff_document as document;
pub use wolff_fem as fem;
pub use wolff_flexbody as flexbody;
pub use wolff_formats as formats;
pub use wolff_geometry as geometry;
pub use wolff_meshes as meshes;
pub use wolff_motion as motion;
pub use wolff_movement as movement;
pub use wolff_multibody as multibody;
pub use wolff_muscle as muscle;
pub use wolff_numerics as numerics;
pub use wolff_opensim as opensim;
pub use wolff_report as report;
pub use wolff_spatial as spatial;
pub use wolff_study as study;

pub mod prelude;
