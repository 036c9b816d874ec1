//! Tests of studies, one module per source file.

mod builtin;
mod column;
mod contact_poses;
mod custom;
mod document;
mod expression;
mod flexible;
mod folder;
mod foundation;
mod fuzz;
mod json;
mod knee;
mod modal;
mod overrides;
mod published;
mod quantity;
mod report;
mod results;
mod segments;
mod sensitivity;
mod shank;
mod stiffening;
mod study_file;
mod verify;
mod walk;
mod ways;
