//! Tests of the crate, one file per file of the source.

mod calibration;
mod chain;
mod field;
mod mapped;
mod materials;
mod plausible;
mod relation;
mod rule;
mod support;
