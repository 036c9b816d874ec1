//! Tests of study files, one module per source file.

mod overrides;
mod results;
mod unused;
