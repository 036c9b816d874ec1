//! Tests of studies, one module per source file.

mod builtin;
mod column;
mod custom;
mod document;
mod expression;
mod flexible_body;
mod foundation;
mod fuzz;
mod knee;
mod modal;
mod overrides;
mod quantity;
mod results;
mod segments;
mod sensitivity;
mod stiffening;
mod study_file;
mod ways;
