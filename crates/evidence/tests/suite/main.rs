//! Tests of `wolff-evidence`, a file for a file; electromyograms and ground forces are compared in the tests of
//! `wolff-movement`, which have a simulation.

mod emg;
mod literature;
mod norms;
mod phases;
