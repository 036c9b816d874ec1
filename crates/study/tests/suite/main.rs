//! Tests of studies, one module per source file.

mod builtin;
mod column;
mod custom;
mod document;
mod drawing;
mod extremes;
mod flexible_body;
mod foundation;
mod fuzz;
mod knee;
mod layers;
mod limits;
mod modal;
mod segments;
mod settable;
mod stiffening;
mod study_file;
mod ways;
