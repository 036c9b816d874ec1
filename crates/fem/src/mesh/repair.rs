//! Repair of what can be repaired without remeshing; sets follow the new numbers.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::Vector3;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::mesh::middles::mid_nodes;
use crate::mesh::quality::{DEGENERATE_SHAPE, DUPLICATE_DISTANCE, shape_measure};
use crate::mesh::slivers::mend;
pub use crate::mesh::slivers::{SliverChange, SliverReport};
use crate::mesh::topology::{components, diagonal, near_pairs, repeated_elements};
use crate::system::element::ElementKind;
use crate::system::element::tet10::EDGES;

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
    /// Drop elements that name a node twice or repeat another element, and replace flat ones ([`DEGENERATE_SHAPE`]) by
    /// local changes of the mesh.
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

/// Nodes of edges are in their middle if they are no farther from it than this part of the edge.
const STRAIGHT: f64 = 1e-6;

/// What was repaired.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RepairReport {
    /// Nodes that were replaced by a near one.
    pub merged_nodes: usize,
    /// Elements whose mid nodes were in the order of another program.
    pub reordered_elements: usize,
    /// Elements whose corners were exchanged.
    pub flipped_elements: usize,
    /// Repeated elements, and those that name a node twice, that were dropped.
    pub dropped_elements: usize,
    /// What was done about flat elements.
    pub slivers: SliverReport,
    /// Elements of smaller parts that were dropped.
    pub dropped_with_parts: usize,
    /// Nodes that no element used.
    pub dropped_nodes: usize,
}

/// Repairs a mesh. What is left can be seen in [`crate::mesh::quality::quality`] of the result: folded curved elements,
/// crowded faces and separate parts need the mesh generator.
///
/// Flat elements are replaced in meshes of four-node elements and of ten-node elements with straight edges; flat
/// elements with curved edges are named in the report.
///
/// # Errors
/// When the merge distance is negative or not finite, or no element would be left.
pub fn repair(mesh: &TetMesh, options: &RepairOptions) -> Result<(TetMesh, RepairReport), FemError> {
    if mid_nodes(mesh).is_gmsh_order {
        let (mended, report) = repair(&mesh.with_last_exchanged(), options)?;
        return Ok((mended, RepairReport { reordered_elements: mesh.element_count(), ..report }));
    }
    let has_flat = || mesh.elements().any(|nodes| !(shape(mesh.nodes(), nodes).abs() >= DEGENERATE_SHAPE));
    if options.drop_degenerate
        && mesh.kind() == ElementKind::Tet10
        && has_flat()
        && let Some(corners) = without_middles(mesh)?
    {
        let (mended, report) = repair(&corners, options)?;
        return Ok((mended.to_quadratic(), report));
    }
    let mut report = RepairReport::default();
    let mut current = Renumbered::of(mesh);
    if options.merge_nodes {
        report.merged_nodes = current.merge(mesh, options.merge_distance)?;
    }
    if options.drop_degenerate {
        report.dropped_elements = current.drop_repeated(mesh)?;
    }
    if options.flip_inverted {
        report.flipped_elements = current.flip();
    }
    if options.drop_degenerate {
        report.slivers = current.mend_flat(mesh)?;
    }
    if options.largest_part_only {
        report.dropped_with_parts = current.keep_largest(mesh)?;
    }
    let (mesh, dropped) = current.finish(mesh, options.drop_unused)?;
    report.dropped_nodes = dropped;
    Ok((mesh, report))
}

/// The mesh of the corners of ten-node elements; `None` where an edge is curved.
fn without_middles(mesh: &TetMesh) -> Result<Option<TetMesh>, FemError> {
    let x = mesh.nodes();
    let is_straight = |element: &[usize]| {
        EDGES.iter().zip(&element[4..]).all(|(&(a, b), &middle)| {
            let (p, q) = (x[element[a]], x[element[b]]);
            (0.5 * (p + q) - x[middle]).norm() <= STRAIGHT * (p - q).norm()
        })
    };
    if !mesh.elements().all(is_straight) {
        return Ok(None);
    }
    let used: BTreeSet<usize> = mesh.elements().flat_map(|element| element[..4].iter().copied()).collect();
    let number: BTreeMap<usize, usize> = used.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let renumber = |old: &usize| number.get(old).copied();
    let connectivity = mesh.elements().flat_map(|element| element[..4].iter().filter_map(renumber)).collect();
    let mut corners = TetMesh::new(ElementKind::Tet4, used.iter().map(|&n| x[n]).collect(), connectivity)?;
    for (name, set) in mesh.node_sets() {
        corners.set_nodes(name, set.iter().filter_map(renumber).collect())?;
    }
    for (name, set) in mesh.element_sets() {
        corners.set_elements(name, set.clone())?;
    }
    Ok(Some(corners))
}

/// A mesh in the node numbers of the original one.
struct Renumbered {
    /// The node that stands for each node of the original.
    stands_for: Vec<usize>,
    /// The elements that are left: their number in the original and their nodes.
    elements: Vec<(usize, Vec<usize>)>,
    /// Positions of all nodes of the original, some of them moved.
    positions: Vec<Vector3<f64>>,
}

impl Renumbered {
    fn of(mesh: &TetMesh) -> Self {
        let elements = mesh.elements().map(<[usize]>::to_vec).enumerate().collect();
        Self { stands_for: (0..mesh.nodes().len()).collect(), elements, positions: mesh.nodes().to_vec() }
    }

    /// The elements that are left as a mesh with the nodes of the original.
    fn mesh(&self, original: &TetMesh) -> Result<TetMesh, FemError> {
        if self.elements.is_empty() {
            let message = "no element is left after the repair; the mesh is flat or damaged: remesh the volume";
            return Err(FemError::Quality(message.into()));
        }
        let connectivity = self.elements.iter().flat_map(|(_, nodes)| nodes.iter().copied()).collect();
        TetMesh::new(original.kind(), self.positions.clone(), connectivity)
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

    fn drop_repeated(&mut self, mesh: &TetMesh) -> Result<usize, FemError> {
        let before = self.elements.len();
        self.elements.retain(|(_, nodes)| nodes.iter().collect::<BTreeSet<_>>().len() == nodes.len());
        let repeated: BTreeSet<usize> =
            repeated_elements(&self.mesh(mesh)?).into_iter().map(|(_, repeated)| repeated).collect();
        let mut index = 0..;
        self.elements.retain(|_| index.next().is_none_or(|index| !repeated.contains(&index)));
        Ok(before - self.elements.len())
    }

    fn flip(&mut self) -> usize {
        let mut count = 0;
        for (_, nodes) in &mut self.elements {
            if shape(&self.positions, nodes) <= -DEGENERATE_SHAPE {
                *nodes = FLIPPED[..nodes.len()].iter().map(|&from| nodes[from]).collect();
                count += 1;
            }
        }
        count
    }

    /// Replaces flat elements.
    fn mend_flat(&mut self, mesh: &TetMesh) -> Result<SliverReport, FemError> {
        let is_flat = |nodes: &[usize]| !(shape(&self.positions, nodes).abs() >= DEGENERATE_SHAPE);
        let flat: Vec<usize> = self.elements.iter().filter(|(_, nodes)| is_flat(nodes)).map(|(e, _)| *e).collect();
        if flat.is_empty() {
            return Ok(SliverReport::default());
        }
        if flat.len() == self.elements.len() {
            self.elements.clear();
            self.mesh(mesh)?;
        }
        if mesh.kind() == ElementKind::Tet10 {
            return Ok(SliverReport { left: flat, ..SliverReport::default() });
        }
        let of_elements = memberships(mesh.element_sets(), mesh.element_count());
        let group: Vec<usize> = self.elements.iter().map(|(origin, _)| of_elements[*origin]).collect();
        let mark = memberships(mesh.node_sets(), mesh.nodes().len());
        let mended = mend(&self.positions, &self.elements, &group, &mark);
        (self.positions, self.elements) = (mended.nodes, mended.elements);
        Ok(mended.report)
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
        let nodes: Vec<Vector3<f64>> = kept.iter().map(|&old| self.positions[old]).collect();
        let connectivity = self.mesh(original)?.elements().flatten().filter_map(renumber).collect();
        let mut mesh = TetMesh::new(original.kind(), nodes, connectivity)?;
        for (name, set) in original.node_sets() {
            mesh.set_nodes(name, set.iter().filter_map(renumber).collect())?;
        }
        // several new elements may stand for one
        for (name, set) in original.element_sets() {
            let members = self.elements.iter().enumerate().filter(|(_, (old, _))| set.binary_search(old).is_ok());
            mesh.set_elements(name, members.map(|(new, _)| new).collect())?;
        }
        Ok((mesh, dropped))
    }
}

/// A number for every node or element, equal where all sets agree.
fn memberships(sets: &BTreeMap<String, Vec<usize>>, count: usize) -> Vec<usize> {
    let mut of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, set) in sets.values().enumerate() {
        set.iter().for_each(|&member| of[member].push(number));
    }
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    of.into_iter()
        .map(|of| {
            let next = known.len();
            *known.entry(of).or_insert(next)
        })
        .collect()
}

fn shape(positions: &[Vector3<f64>], nodes: &[usize]) -> f64 {
    let mut x = [Vector3::zeros(); 10];
    x.iter_mut().zip(nodes).for_each(|(slot, &node)| *slot = positions[node]);
    shape_measure(&x)
}
