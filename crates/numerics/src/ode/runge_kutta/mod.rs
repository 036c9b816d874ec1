//! Explicit Runge-Kutta methods: one stepper, four tableaus.

mod dop853;
mod stages;
mod stepper;
pub(super) mod tableau;

pub(super) use stages::{Stages, hermite_rows, nested_interpolation};
pub(super) use stepper::RungeKutta;
