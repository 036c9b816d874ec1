//! Implicit mechanical integrators.

mod constrained;
mod events;
mod free;
mod heavy_top;
pub mod models;
