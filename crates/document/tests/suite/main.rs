//! Tests of study files, one module per source file.

mod compare;
mod overrides;
mod results;
mod unused;
