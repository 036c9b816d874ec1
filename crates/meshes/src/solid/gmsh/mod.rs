//! Gmsh `.msh` files.
//!
//! Versions 2.x and 4.1 are read, as text and as binary of both byte orders. A physical volume becomes an element set,
//! a physical surface, curve or point the node set of its nodes. Groups without a name are called `volume_1`,
//! `surface_2` and so on, by their tags. Nodes and elements are numbered in the order of their tags.
//!
//! Format: Gmsh reference manual 4.15, sections "MSH file format" and "MSH file format version 2 (Legacy)".

mod groups;
mod read;
mod version2;
mod version4;
mod write;

pub use read::read_msh;
pub use write::{write_msh, write_msh_to};

use wolff_fem::ElementKind;

/// Ten-node tetrahedra of Gmsh have the edges 34 and 24 the other way round; the exchange is its own inverse.
fn swap_last_edges<T>(kind: ElementKind, nodes: &mut [T]) {
    if let (ElementKind::Tet10, [.., edge_24, edge_34]) = (kind, nodes) {
        std::mem::swap(edge_24, edge_34);
    }
}
