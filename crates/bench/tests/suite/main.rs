//! Tests of the races, one module per source file.

mod shank;
