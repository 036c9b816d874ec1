//! Tests of the doctor crate.

mod doctor;
mod forces;
mod frames;
mod support;
mod tables;
mod turned;
