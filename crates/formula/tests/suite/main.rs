//! Tests of the formula crate, a file for each source file.

mod expression;
mod quantity;
