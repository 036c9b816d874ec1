//! Studies: a TOML text becomes a run, a run becomes an [`outcome::Outcome`], that becomes a run folder.
//!
//! | module | what it does |
//! |---|---|
//! | [`document`] | reads study files, reports every mistake at once |
//! | [`build`] | from a study to a model with forces and contacts |
//! | [`contact_poses`] | pressures of given poses |
//! | [`run`] | simulates and evaluates results |
//! | [`folder`], [`json`], [`report`] | writes what came out: files, one object, one page |
//! | [`digits`] | numbers as people read them |
//! | [`person_scaling`] | OpenSim models for people of whom mass, stature and sex are known |
//! | [`verify`] | problems with independently computed answers |
//! | [`bench`] | speed beside other programs |
#![allow(non_snake_case)]

pub mod bench;
pub mod build;
pub mod contact_poses;
pub mod digits;
pub mod document;
pub mod error;
pub mod folder;
pub mod json;
mod knee;
pub mod outcome;
pub mod person_scaling;
mod published;
pub mod report;
mod run;
mod verify;
mod walk;

pub use document::{BUILTIN, builtin};
pub use error::StudyError;
pub use run::{RunError, Session, run, run_in, run_study, sensitivity};
pub use verify::{VerifyItem, verify};
pub use walk::{SavedWalk, Ways, choices, convergence, variants, ways};
