//! What bends.
#![allow(non_snake_case)]
// units in brackets are not links
#![allow(rustdoc::broken_intra_doc_links)]

mod cache;
mod error;
pub mod flexible;
pub mod gauges;
pub mod parametric;
pub mod person;
pub mod section;
pub mod segment;
mod side;

pub use error::{BoneError, ErrorKind};
pub use side::Side;
