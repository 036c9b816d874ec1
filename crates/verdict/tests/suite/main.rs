//! Tests of verdicts.

mod constant;
mod finding;
mod judgement;
mod limit;
