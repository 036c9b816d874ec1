//! Tests of verdicts.

mod finding;
mod judgement;
mod limit;
