//! Tests of the crate, one file per file of the source.

mod fit;
mod frame;
mod picture;
mod register;
mod section;
mod signature;
mod solid;
mod support;
