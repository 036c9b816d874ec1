//! Abaqus and CalculiX input files (`.inp`): nodes, C3D4 and C3D10 elements (also C3D10M and the like), node and
//! element sets.
//!
//! Included files (`*INCLUDE`, `INPUT=`) are read from beside the file, and systems of coordinates (`*SYSTEM`,
//! `SYSTEM=C`) are applied. Keywords that make nodes or elements (`*NGEN`, `*ELGEN` and the like) are refused. Other
//! keywords are passed over. The element set of triangles, quadrilaterals or lines becomes a node set of that
//! name unless the file has such a set already. Names are compared without regard to case and kept as first written.
//! Numbers may have gaps; the mesh numbers nodes and elements from zero in the order of the file. A part is put
//! at the place of its instance; of several one is chosen by its name, or all are read.

mod include;
mod material;
mod parts;
mod read;
mod system;
mod write;

pub use material::{FileMaterial, materials};
pub use parts::{ALL, read_inp_part};
pub use read::read_inp;
pub use write::{write_inp, write_inp_to};
