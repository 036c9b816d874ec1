//! Tests of `wolff-plots`, a file for a file.

mod map;
mod mechanism;
mod plot;
mod slice;
mod strip;
