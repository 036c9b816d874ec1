//! Implicit mechanical integrators.

mod constrained;
mod events;
mod free;
mod heavy_top;
mod models;
