//! Tests of the file formats, one module per source file.

mod atomic;
mod csv;
mod map;
mod osim;
mod plot;
mod sto;
mod table;
mod vtk;
