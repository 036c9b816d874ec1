//! Implicit mechanical integrators.

mod constrained;
mod events;
mod free;
mod models;
