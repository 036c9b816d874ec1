//! Tests of `wolff-plots`, a file for a file.

mod map;
mod plot;
mod slice;
mod strip;
