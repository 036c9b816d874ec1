//! Studies: a TOML text becomes a [`document::Study`], then a model; running the model gives an outcome.
//!
//! | module | what it does |
//! |---|---|
//! | [`document`] | reads study files and reports all errors at once (a crate of its own) |
//! | [`build`] | builds the model with forces and contacts from a study |
//! | [`mod@run`] | simulates a model and evaluates its results |
#![allow(non_snake_case)]

pub mod build;
pub mod run;

pub use wolff_document::error::{self, StudyError};
pub use wolff_document::{self as document, BUILTIN, builtin};

pub use run::{Budget, RunError, run, run_study};
