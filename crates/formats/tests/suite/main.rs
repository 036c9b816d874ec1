//! Tests of the file formats, one module per source file.

mod c3d;
mod c3d_rates;
mod csv;
mod map;
mod mutation;
mod number;
mod osim;
mod plot;
mod shared;
mod slice;
mod sto;
mod strip;
mod table;
mod trc;
mod trial;
mod vtk;
mod xml;
