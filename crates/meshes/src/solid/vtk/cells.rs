//! Cells of an unstructured grid, added to a mesh.

use super::super::builder::MeshBuilder;
use wolff_fem::ElementKind;

/// Points, cells and sets of one grid or piece of a grid.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// Coordinates, three for each point.
    pub points: Vec<f64>,
    /// Points of the cells, one cell after the other.
    pub connectivity: Vec<u64>,
    /// Where each cell ends in `connectivity`.
    pub ends: Vec<u64>,
    /// VTK types of the cells.
    pub types: Vec<u64>,
}

impl Grid {
    /// Adds the grid to a mesh in which `first_point` points and `first_cell` cells come before it.
    pub(super) fn add_to(&self, mesh: &mut MeshBuilder, first_point: u64, first_cell: u64) -> Result<(), String> {
        if !self.points.len().is_multiple_of(3) || self.ends.len() != self.types.len() {
            return Err(format!(
                "{} coordinates, {} cell offsets and {} cell types do not fit together; the file is damaged",
                self.points.len(),
                self.ends.len(),
                self.types.len()
            ));
        }
        for (number, x) in (first_point..).zip(self.points.chunks_exact(3)) {
            mesh.node(number, nalgebra::Vector3::new(x[0], x[1], x[2]))?;
        }
        let points = (self.points.len() / 3) as u64;
        let mut start = 0;
        for ((cell, &end), &of) in (first_cell..).zip(&self.ends).zip(&self.types) {
            let nodes = usize::try_from(end).ok().and_then(|end| self.connectivity.get(start..end));
            let nodes =
                nodes.ok_or_else(|| format!("cell {cell} ends at {end} in a connectivity of another length"))?;
            start += nodes.len();
            if let Some(node) = nodes.iter().find(|node| **node >= points) {
                return Err(format!("cell {cell} names point {node}, but there are {points} (numbered from 0)"));
            }
            let nodes: Vec<u64> = nodes.iter().map(|node| first_point + node).collect();
            add_cell(mesh, cell, of, &nodes)?;
        }
        Ok(())
    }
}

fn add_cell(mesh: &mut MeshBuilder, cell: u64, of: u64, nodes: &[u64]) -> Result<(), String> {
    let name = match of {
        10 => return mesh.tetrahedron(ElementKind::Tet4, cell, nodes),
        24 => return mesh.tetrahedron(ElementKind::Tet10, cell, nodes),
        1 | 2 => "points",
        3 | 4 | 21 | 35 | 68 => "lines",
        5 | 6 | 22 | 34 | 69 => "triangles",
        7 | 8 | 9 | 23 | 28 | 30 | 36 | 70 => "quadrilaterals or polygons",
        0 => "empty cells",
        _ => {
            return Err(format!(
                "cell {cell} has the VTK type {of}; of the solids only tetrahedra are supported (types 10 and 24)"
            ));
        }
    };
    mesh.other(name);
    Ok(())
}
