//! Tests of the contact crate, one module per source file.

mod friction;
mod hertz;
mod impact;
mod law;
mod proximity;
mod restitution;
mod shape;
mod support;
