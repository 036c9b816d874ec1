//! Tests of the multibody crate, a file for each source file.
#![allow(non_snake_case)]

mod allocation;
mod assembly;
mod build;
mod bushing;
mod constraint;
mod dynamics;
mod error;
mod fixtures;
mod flexible;
mod force;
mod joint;
mod kinematic;
mod ligament;
mod partition;
mod simulation;
mod statics;
mod stiff;
