//! Tests of the opensim crate, a file for each source file; `pose` and `knee` compare with OpenSim's own numbers.
#![allow(non_snake_case)]

mod actuator;
mod constraint;
mod contact_force;
mod convert;
mod coordinate;
mod data;
mod external_loads;
mod findings;
mod force;
mod frame;
mod function;
mod joint;
mod knee;
mod limit;
mod muscle;
mod mutations;
mod path;
mod path_force;
mod pendulum;
mod plausible;
mod pose;
mod scale;
mod setup;
mod setup_find;
mod subject;
