//! Outcome of an analysis, and the files to which it is written.
//!
//! | module | content |
//! |---|---|
//! | [`outcome`] | results, comparisons, tables, series, plots, fields and files of a run, as plain values |
//! | [`published`] | tables of results next to published ones |
//! | [`pressure`] | contact pressures over their elements, as `.vtu` files and images |
//! | [`finite`] | what an outcome with numbers that are not finite says |
//! | [`digits`], [`naming`] | numbers and names for display |
//! | [`json`] | the machine-readable object |
//! | [`folder`], [`page`] | the run folder and its page `report.html` |

pub mod digits;
pub mod finite;
pub mod folder;
pub mod json;
pub mod naming;
pub mod outcome;
pub mod page;
pub mod plausibility;
pub mod pressure;
pub mod published;

pub use outcome::{Outcome, Status};
