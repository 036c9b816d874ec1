//! Tests of the doctor crate.

mod doctor;
mod forces;
mod support;
