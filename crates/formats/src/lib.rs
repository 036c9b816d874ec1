//! Files and pictures of the field: OpenSim storage files, CSV tables, VTK grids and surfaces, SVG plots and
//! maps, and writing them so that a reader never meets half a file.
//!
//! Everything here is a function of its arguments: the same table gives the same bytes.

pub mod atomic;
pub mod csv;
pub mod error;
mod number;
pub mod osim;
pub mod plot;
pub mod scanner;
pub mod sto;
pub mod table;
pub mod vtk;

pub use error::FormatError;
pub use table::Table;
