//! VTK's XML files: the arrays of grids and surfaces, read and written, and time series of them.
//!
//! Format: "VTK File Formats" in the VTK documentation, and the VTK User's Guide, 11th edition, chapter 19.
//!
//! | file | subject |
//! |---|---|
//! | [`xml`] | reading the arrays of a `.vtu` or `.vtp`: text, base64 and appended data, plain or packed with zlib |
//! | [`mod@write`] | writing a `.vtu` with fields, and a `.pvd` that puts such files on a time axis |
//! | [`surface`] | triangles, quadrilaterals and polygons with fields, such as maps of contact pressure |

mod array;
pub mod surface;
pub mod write;
pub mod xml;

pub use surface::{SurfaceCells, surface_vtu};
pub use write::{DataArray, Fields, Grid, Marks, pvd, vtu};
pub use xml::{Piece, read_pieces};
