//! Tests of studies, one module per source file.

mod builtin;
mod column;
mod contact_poses;
mod custom;
mod document;
mod expression;
mod flexible;
mod folder;
mod fuzz;
mod json;
mod overrides;
mod quantity;
mod results;
mod segments;
mod sensitivity;
mod shank;
mod study_file;
mod verify;
mod ways;
