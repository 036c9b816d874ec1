//! Tests of studies, one module per source file.

mod folder;
mod json;
