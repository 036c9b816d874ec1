//! Tests of the benchmarks, one module per source file.

mod shank;
