//! Studies: a TOML text becomes a [`document::Study`], that becomes a model, its run an outcome.
//!
//! | module | what it does |
//! |---|---|
//! | [`document`] | reads study files, reports every mistake at once |
//! | [`build`] | from a study to a model with forces and contacts |
//! | [`run`] | simulates a model and evaluates its results |
#![allow(non_snake_case)]

pub mod build;
pub mod document;
pub mod error;
pub mod run;

pub use document::{BUILTIN, builtin};
pub use error::StudyError;
pub use run::{RunError, run, run_study, sensitivity};
