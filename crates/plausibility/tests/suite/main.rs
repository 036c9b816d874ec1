//! Tests of the plausibility of motions, loads and models.

// a model with two angles; its motion in closed form is not needed here
#[allow(dead_code)]
#[path = "../../../motion/tests/suite/pendulum.rs"]
mod pendulum;
mod plausibility;
