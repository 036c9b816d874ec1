//! Element types and physical groups.

use std::collections::BTreeMap;

use super::super::builder::MeshBuilder;
use wolff_fem::ElementKind;

/// An element type: its name, dimension and number of nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementType {
    pub name: &'static str,
    pub dimension: usize,
    pub nodes: usize,
}

/// The element type of a number; an unknown one is refused, as what follows it could not be read.
pub(super) fn element_type(number: i64) -> Result<ElementType, String> {
    let (name, dimension, nodes) = match number {
        1 => ("2-node lines", 1, 2),
        2 => ("3-node triangles", 2, 3),
        3 => ("4-node quadrangles", 2, 4),
        4 => ("4-node tetrahedra", 3, 4),
        5 => ("8-node hexahedra", 3, 8),
        6 => ("6-node prisms", 3, 6),
        7 => ("5-node pyramids", 3, 5),
        8 => ("3-node lines", 1, 3),
        9 => ("6-node triangles", 2, 6),
        10 => ("9-node quadrangles", 2, 9),
        11 => ("10-node tetrahedra", 3, 10),
        12 => ("27-node hexahedra", 3, 27),
        13 => ("18-node prisms", 3, 18),
        14 => ("14-node pyramids", 3, 14),
        15 => ("points", 0, 1),
        16 => ("8-node quadrangles", 2, 8),
        17 => ("20-node hexahedra", 3, 20),
        18 => ("15-node prisms", 3, 15),
        19 => ("13-node pyramids", 3, 13),
        20 => ("9-node triangles", 2, 9),
        21 => ("10-node triangles", 2, 10),
        26 => ("4-node lines", 1, 4),
        29 => ("20-node tetrahedra", 3, 20),
        30 => ("35-node tetrahedra", 3, 35),
        _ => return Err(format!("element type {number} is not known; mesh with first or second order tetrahedra")),
    };
    Ok(ElementType { name, dimension, nodes })
}

/// The mesh being read, with the names of its physical groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub mesh: MeshBuilder,
    names: BTreeMap<(usize, i64), String>,
}

impl Groups {
    /// Names the group `tag` of a dimension; an empty set stands for it until members come.
    pub fn name(&mut self, dimension: usize, tag: i64, name: &str) {
        self.names.insert((dimension, tag), name.to_owned());
        let sets = if dimension == 3 { &mut self.mesh.element_sets } else { &mut self.mesh.node_sets };
        sets.entry(name.to_owned()).or_default();
    }

    fn name_of(&self, dimension: usize, tag: i64) -> String {
        self.names.get(&(dimension, tag)).cloned().unwrap_or_else(|| {
            let kind = ["point", "curve", "surface", "volume"].get(dimension).unwrap_or(&"group");
            format!("{kind}_{tag}")
        })
    }

    /// Takes an element that belongs to the physical groups `tags`.
    pub fn element(&mut self, of: ElementType, number: u64, nodes: &mut [u64], tags: &[i64]) -> Result<(), String> {
        let kind = match (of.dimension, of.nodes) {
            (3, 4) => ElementKind::Tet4,
            (3, 10) => ElementKind::Tet10,
            (3, _) => {
                return Err(format!("{} are not supported; mesh with first or second order tetrahedra", of.name));
            }
            _ => {
                self.mesh.other(of.name);
                for &tag in tags {
                    let name = self.name_of(of.dimension, tag);
                    self.mesh.node_sets.entry(name).or_default().extend(nodes.iter());
                }
                return Ok(());
            }
        };
        super::swap_last_edges(kind, nodes);
        self.mesh.tetrahedron(kind, number, nodes)?;
        self.join(number, tags);
        Ok(())
    }

    /// Puts a tetrahedron into physical volumes.
    pub fn join(&mut self, number: u64, tags: &[i64]) {
        for &tag in tags {
            let name = self.name_of(3, tag);
            self.mesh.element_sets.entry(name).or_default().insert(number);
        }
    }
}
