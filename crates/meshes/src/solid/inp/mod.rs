//! Abaqus and CalculiX input files (`.inp`): nodes, C3D4 and C3D10 elements (also C3D10M and the like), node and
//! element sets.
//!
//! Other keywords are passed over. The element set of triangles, quadrilaterals or lines becomes a node set of that
//! name unless the file has such a set already. Names are compared without regard to case and kept as first written.
//! Numbers may have gaps; the mesh numbers nodes and elements from zero in the order of the file. Of several parts one
//! is chosen by its name, or all are put at the places of their instances.

mod parts;
mod read;
mod write;

pub use parts::{ALL, read_inp_part};
pub use read::read_inp;
pub use write::{write_inp, write_inp_to};
