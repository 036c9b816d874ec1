//! VTK files: XML unstructured grids (`.vtu`, read and written) and legacy files (`.vtk`, read).
//!
//! Node and element sets are kept in `.vtu` files as arrays of zeros and ones named `nset:NAME` (of points) and
//! `elset:NAME` (of cells), which ParaView can threshold.
//!
//! Format: "VTK File Formats" in the VTK documentation, and the VTK User's Guide, 11th edition, chapter 19.

pub(crate) mod cells;
pub mod legacy;
pub mod write;
pub mod xml;

/// Names of the arrays of points that hold node sets begin so.
const NODE_SET: &str = "nset:";

/// Names of the arrays of cells that hold element sets begin so.
const ELEMENT_SET: &str = "elset:";
