//! Tests of the contact crate, one module per source file.
#![allow(non_snake_case)]

mod element;
mod foundation;
mod friction;
mod hertz;
mod impact;
mod law;
mod lookup;
mod profile;
mod proximity;
mod restitution;
mod shape;
mod support;
