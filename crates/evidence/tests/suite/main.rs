//! Tests of `wolff-evidence`, a file for a file; electromyograms and ground forces are compared in the tests of
//! `wolff-movement`, which have a simulation.

mod literature;
mod norms;
