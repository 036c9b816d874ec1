//! Files of the field: OpenSim models and storage files, marker files (`.trc`), C3D, CSV tables, VTK grids
//! and surfaces.
//!
//! Everything here is a function of its arguments: the same table gives the same bytes.

pub mod c3d;
pub mod csv;
pub mod error;
pub mod number;
pub mod osim;
pub mod sto;
pub mod table;
pub mod trc;
pub mod trial;
pub mod vtk;
pub mod xml;

pub use error::FormatError;
pub use table::Table;
