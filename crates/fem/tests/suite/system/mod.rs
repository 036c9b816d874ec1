//! Tests of `system`.

mod assembly;
mod average;
mod element;
mod material;
mod nodal;
