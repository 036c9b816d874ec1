//! Repair of what can be repaired without remeshing; sets follow the new numbers.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::Vector3;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::mesh::quality::{DEGENERATE_SHAPE, DUPLICATE_DISTANCE, shape_measure};
use crate::mesh::topology::{components, diagonal, near_pairs, repeated_elements};

/// The order of the nodes after the exchange of the second and third corner, edges included.
const FLIPPED: [usize; 10] = [0, 2, 1, 3, 6, 5, 4, 7, 9, 8];

/// What to repair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// Merge nodes no farther apart than this, m; `None`: [`DUPLICATE_DISTANCE`] of the diagonal; zero: only equal
    /// ones.
    pub merge_distance: Option<f64>,
    /// Merge duplicate nodes.
    pub merge_nodes: bool,
    /// Exchange two corners of elements with negative volume.
    pub flip_inverted: bool,
    /// Drop elements that are flat ([`DEGENERATE_SHAPE`]), name a node twice, or repeat another element.
    pub drop_degenerate: bool,
    /// Drop nodes that no element uses.
    pub drop_unused: bool,
    /// Keep the part with the most elements only.
    pub largest_part_only: bool,
}

impl Default for RepairOptions {
    /// Everything, but all parts are kept: which of them is meant is not for a program to say.
    fn default() -> Self {
        Self {
            merge_distance: None,
            merge_nodes: true,
            flip_inverted: true,
            drop_degenerate: true,
            drop_unused: true,
            largest_part_only: false,
        }
    }
}

/// What was repaired: counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Nodes that were replaced by a near one.
    pub merged_nodes: usize,
    /// Elements whose corners were exchanged.
    pub flipped_elements: usize,
    /// Flat or repeated elements that were dropped.
    pub dropped_elements: usize,
    /// Elements of smaller parts that were dropped.
    pub dropped_with_parts: usize,
    /// Nodes that no element used.
    pub dropped_nodes: usize,
}

/// Repairs a mesh. What is left can be seen in [`crate::mesh::quality::quality`] of the result: folded curved elements,
/// crowded faces and separate parts need the mesh generator.
///
/// # Errors
/// When the merge distance is negative or not finite, or no element would be left.
pub fn repair(mesh: &TetMesh, options: &RepairOptions) -> Result<(TetMesh, RepairReport), FemError> {
    let mut report = RepairReport::default();
    let mut current = Renumbered::of(mesh);
    if options.merge_nodes {
        report.merged_nodes = current.merge(mesh, options.merge_distance)?;
    }
    if options.drop_degenerate {
        report.dropped_elements = current.drop_degenerate(mesh)?;
    }
    if options.flip_inverted {
        report.flipped_elements = current.flip(mesh);
    }
    if options.largest_part_only {
        report.dropped_with_parts = current.keep_largest(mesh)?;
    }
    let (mesh, dropped) = current.finish(mesh, options.drop_unused)?;
    report.dropped_nodes = dropped;
    Ok((mesh, report))
}

/// A mesh in the node numbers of the original one.
struct Renumbered {
    /// The node that stands for each node of the original.
    stands_for: Vec<usize>,
    /// The elements that are left: their number in the original and their nodes.
    elements: Vec<(usize, Vec<usize>)>,
}

impl Renumbered {
    fn of(mesh: &TetMesh) -> Self {
        let elements = mesh.elements().map(<[usize]>::to_vec).enumerate().collect();
        Self { stands_for: (0..mesh.nodes().len()).collect(), elements }
    }

    /// The elements that are left as a mesh with the nodes of the original.
    fn mesh(&self, original: &TetMesh) -> Result<TetMesh, FemError> {
        if self.elements.is_empty() {
            let message = "no element is left after the repair; the mesh is flat or damaged: remesh the volume";
            return Err(FemError::Quality(message.into()));
        }
        let connectivity = self.elements.iter().flat_map(|(_, nodes)| nodes.iter().copied()).collect();
        TetMesh::new(original.kind(), original.nodes().to_vec(), connectivity)
    }

    fn merge(&mut self, mesh: &TetMesh, distance: Option<f64>) -> Result<usize, FemError> {
        let reach = distance.unwrap_or_else(|| DUPLICATE_DISTANCE * diagonal(mesh.nodes()));
        if !(reach >= 0.0 && reach.is_finite()) {
            return Err(FemError::Mesh(format!("the merge distance {reach} m must be zero or positive, and finite")));
        }
        let pairs = near_pairs(mesh.nodes(), reach);
        for &(stays, goes) in &pairs {
            self.stands_for[goes] = stays;
        }
        for (_, nodes) in &mut self.elements {
            nodes.iter_mut().for_each(|node| *node = self.stands_for[*node]);
        }
        Ok(pairs.len())
    }

    fn drop_degenerate(&mut self, mesh: &TetMesh) -> Result<usize, FemError> {
        let before = self.elements.len();
        self.elements.retain(|(_, nodes)| {
            let distinct = nodes.iter().collect::<BTreeSet<_>>().len() == nodes.len();
            distinct && shape(mesh, nodes).abs() >= DEGENERATE_SHAPE
        });
        let repeated: BTreeSet<usize> =
            repeated_elements(&self.mesh(mesh)?).into_iter().map(|(_, repeated)| repeated).collect();
        let mut index = 0..;
        self.elements.retain(|_| index.next().is_none_or(|index| !repeated.contains(&index)));
        Ok(before - self.elements.len())
    }

    fn flip(&mut self, mesh: &TetMesh) -> usize {
        let mut count = 0;
        for (_, nodes) in &mut self.elements {
            if shape(mesh, nodes) <= -DEGENERATE_SHAPE {
                *nodes = FLIPPED[..nodes.len()].iter().map(|&from| nodes[from]).collect();
                count += 1;
            }
        }
        count
    }

    fn keep_largest(&mut self, mesh: &TetMesh) -> Result<usize, FemError> {
        let parts = components(&self.mesh(mesh)?);
        let mut sizes: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        for (_, nodes) in &self.elements {
            *sizes.entry(parts[nodes[0]]).or_default() += 1;
        }
        // Of equal parts the one with the lowest node.
        let largest = sizes.iter().rev().max_by_key(|(_, size)| **size).and_then(|(part, _)| *part);
        let before = self.elements.len();
        self.elements.retain(|(_, nodes)| parts[nodes[0]] == largest);
        Ok(before - self.elements.len())
    }

    /// Closes the gaps in the numbers; counts the unused nodes that are dropped, merged ones aside.
    fn finish(&self, original: &TetMesh, drop_unused: bool) -> Result<(TetMesh, usize), FemError> {
        let used: BTreeSet<usize> = self.elements.iter().flat_map(|(_, nodes)| nodes.iter().copied()).collect();
        let merged_away = |node: usize| self.stands_for[node] != node;
        let keep = |node: &usize| !merged_away(*node) && (!drop_unused || used.contains(node));
        let kept: Vec<usize> = (0..original.nodes().len()).filter(keep).collect();
        let dropped = (0..original.nodes().len()).filter(|&node| !merged_away(node)).count() - kept.len();
        let new_node: BTreeMap<usize, usize> = kept.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let renumber = |old: &usize| new_node.get(&self.stands_for[*old]).copied();
        let nodes: Vec<Vector3<f64>> = kept.iter().map(|&old| original.nodes()[old]).collect();
        let connectivity = self.mesh(original)?.elements().flatten().filter_map(renumber).collect();
        let mut mesh = TetMesh::new(original.kind(), nodes, connectivity)?;
        for (name, set) in original.node_sets() {
            mesh.set_nodes(name, set.iter().filter_map(renumber).collect())?;
        }
        let new_element: BTreeMap<usize, usize> =
            self.elements.iter().enumerate().map(|(new, (old, _))| (*old, new)).collect();
        for (name, set) in original.element_sets() {
            mesh.set_elements(name, set.iter().filter_map(|old| new_element.get(old).copied()).collect())?;
        }
        Ok((mesh, dropped))
    }
}

fn shape(mesh: &TetMesh, nodes: &[usize]) -> f64 {
    let mut x = [Vector3::zeros(); 10];
    mesh.gather(nodes, &mut x);
    shape_measure(&x)
}
