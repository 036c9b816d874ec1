//! Tests of files, one module per source file.

mod atomic;
