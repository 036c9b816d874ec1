//! Tests of the way from a scan to a bone, one module per source file.

mod bone;
mod figures;
mod generate;
mod input;
mod prepare;
mod truth;
