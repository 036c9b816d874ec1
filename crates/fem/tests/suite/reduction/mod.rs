//! Tests of `reduction`.

mod craig_bampton;
mod fidelity;
mod flexible;
mod geometric;
mod integrals;
mod reduce;
mod second_order;
mod static_correction;
