//! Tests of the file formats, one module per source file.

mod atomic;
mod c3d;
mod csv;
mod doctor;
mod mutation;
mod plot;
mod setup;
mod shared;
mod sto;
mod table;
mod trc;
mod trial;
