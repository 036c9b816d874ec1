//! Tests of the reduced flexible body, a file for each source file.

mod beam;
mod inertia;
