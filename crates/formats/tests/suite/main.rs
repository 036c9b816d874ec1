//! Tests of the file formats, one module per source file.

mod c3d;
mod c3d_rates;
mod csv;
mod mutation;
mod number;
mod osim;
mod shared;
mod sto;
mod table;
mod trc;
mod trial;
mod vtk;
mod xml;
