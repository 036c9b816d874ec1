//! Stiffness and mass matrix of a mesh: fixed pattern, element matrices in parallel, sums in a fixed order.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::system::element::{self, ElementBlocks};
use crate::system::material::MaterialField;
use crate::system::nodal::{NodalMatrix, NodeGraph};
use crate::system::sparse::{Pattern, SymmetricMatrix};

/// Elements computed between two rounds of summation: bounds the memory of the element matrices (4 kB each).
const CHUNK: usize = 2048;

/// Stiffness, N/m, and consistent mass, kg, of a free mesh; dof `3 node + axis`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    /// Stiffness matrix.
    pub stiffness: SymmetricMatrix,
    /// Consistent mass matrix, one number per pair of nodes.
    pub mass: NodalMatrix,
}

/// The pattern of a mesh and the place of every element block in it; one per mesh, for any materials.
#[derive(Debug, Clone)]
pub struct Assembler<'a> {
    mesh: &'a TetMesh,
    graph: NodeGraph,
    pattern: Arc<Pattern>,
    /// Per element and pair of local nodes `a ≥ b`: the rank of the larger node among the neighbours of the smaller,
    /// and of the smaller among those of the larger.
    ranks: Vec<[u16; 2]>,
}

/// The matrices of one element: stiffness blocks and mass per direction.
struct ElementMatrices {
    stiffness: ElementBlocks,
    mass: [f64; 55],
    sound: bool,
}

impl<'a> Assembler<'a> {
    /// Finds the pattern.
    ///
    /// # Errors
    /// When a node belongs to no element, which would leave its rows empty, or to thousands.
    pub fn new(mesh: &'a TetMesh) -> Result<Self, FemError> {
        let graph = node_graph(mesh);
        if let Some(node) = (0..graph.len()).find(|&node| graph.neighbours(node).is_empty()) {
            return Err(FemError::Quality(format!("node {node} belongs to no element; remove unused nodes")));
        }
        if let Some(node) = (0..graph.len()).find(|&node| graph.neighbours(node).len() > u16::MAX.into()) {
            return Err(FemError::Quality(format!("node {node} is tied to over {} others; remesh", u16::MAX)));
        }
        let rank = |of: usize, among: usize| graph.neighbours(among).partition_point(|&node| node < of) as u16;
        let element_ranks = |element: &[usize]| -> Vec<[u16; 2]> {
            pairs(element.len())
                .map(|(a, b)| {
                    let (row, col) = (element[a].max(element[b]), element[a].min(element[b]));
                    [rank(row, col), rank(col, row)]
                })
                .collect()
        };
        let elements: Vec<&[usize]> = mesh.elements().collect();
        let ranks = elements.par_iter().with_min_len(256).flat_map_iter(|element| element_ranks(element)).collect();
        let pattern = Arc::new(dof_pattern(&graph));
        Ok(Self { mesh, graph, pattern, ranks })
    }

    /// Computes both matrices for the given materials. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// When the field belongs to another mesh, or an element is inverted.
    pub fn assemble(&self, materials: &MaterialField) -> Result<Assembled, FemError> {
        let count = self.mesh.element_count();
        if materials.element_count() != count {
            return Err(FemError::Mesh(format!(
                "the material field has {} elements, the mesh {count}",
                materials.element_count()
            )));
        }
        let mut stiffness = vec![0.0; self.pattern.row.len()];
        let mut mass = vec![0.0; self.graph.neighbour.len()];
        for first in (0..count).step_by(CHUNK) {
            let last = (first + CHUNK).min(count);
            let one = |index: usize| self.one_element(materials, index);
            let matrices: Vec<ElementMatrices> = (first..last).into_par_iter().with_min_len(64).map(one).collect();
            for (index, matrices) in (first..).zip(&matrices) {
                if !matrices.sound {
                    return Err(FemError::Quality(format!(
                        "element {index} is inverted or folded; exchange two corners or remesh"
                    )));
                }
            }
            rayon::join(
                || (first..).zip(&matrices).for_each(|(index, m)| self.add_stiffness(index, m, &mut stiffness)),
                || (first..).zip(&matrices).for_each(|(index, m)| self.add_mass(index, m, &mut mass)),
            );
        }
        Ok(Assembled {
            stiffness: SymmetricMatrix::new(Arc::clone(&self.pattern), stiffness),
            mass: NodalMatrix::new(self.graph.clone(), mass),
        })
    }

    fn one_element(&self, materials: &MaterialField, index: usize) -> ElementMatrices {
        let mut out = ElementMatrices { stiffness: [Matrix3::zeros(); 55], mass: [0.0; 55], sound: false };
        let mut x = [Vector3::zeros(); 10];
        let Some(nodes) = self.mesh.element(index) else { return out };
        self.mesh.gather(nodes, &mut x);
        let kind = self.mesh.kind();
        out.sound = element::add_stiffness(kind, &x, materials.stiffness(index), &mut out.stiffness);
        element::add_mass(kind, &x, materials.density(index), &mut out.mass);
        out
    }

    /// The pairs of an element: its nodes, larger first, whether they were exchanged, and their ranks.
    fn places(&self, index: usize) -> impl Iterator<Item = (usize, usize, bool, [usize; 2])> + '_ {
        let nodes = self.mesh.element(index).unwrap_or_default();
        let ranks = &self.ranks[index * pair_count(self.mesh)..];
        pairs(nodes.len()).zip(ranks).map(|((a, b), ranks)| {
            let turned = nodes[a] < nodes[b];
            (nodes[a].max(nodes[b]), nodes[a].min(nodes[b]), turned, ranks.map(usize::from))
        })
    }

    fn add_stiffness(&self, index: usize, matrices: &ElementMatrices, stiffness: &mut [f64]) {
        for ((row, col, turned, [rank, _]), block) in self.places(index).zip(&matrices.stiffness) {
            // The lower triangle starts at the node itself.
            let rank = rank - self.graph.rank_of_itself(col);
            for c in 0..3 {
                let start = self.pattern.col_start[3 * col + c];
                // The diagonal block stores its lower triangle only: 3 - c entries.
                let (offset, first_row) = if row == col { (start, c) } else { (start + 3 * rank - c, 0) };
                for r in first_row..3 {
                    // The stored block has the larger node as its row.
                    stiffness[offset + r - first_row] += if turned { block[(c, r)] } else { block[(r, c)] };
                }
            }
        }
    }

    fn add_mass(&self, index: usize, matrices: &ElementMatrices, mass: &mut [f64]) {
        for ((row, col, _, [rank_row, rank_col]), value) in self.places(index).zip(&matrices.mass) {
            mass[self.graph.start[col] + rank_row] += value;
            if row != col {
                mass[self.graph.start[row] + rank_col] += value;
            }
        }
    }
}

/// Local node pairs `a ≥ b` in the order of [`ElementBlocks`].
fn pairs(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..nodes).flat_map(|a| (0..=a).map(move |b| (a, b)))
}

fn pair_count(mesh: &TetMesh) -> usize {
    let n = mesh.kind().node_count();
    n * (n + 1) / 2
}

/// For every node, the nodes of the elements it belongs to, ascending.
fn node_graph(mesh: &TetMesh) -> NodeGraph {
    let count = mesh.nodes().len();
    let mut start = vec![0; count + 1];
    mesh.elements().flatten().for_each(|&node| start[node + 1] += 1);
    (0..count).for_each(|node| start[node + 1] += start[node]);
    let mut owner = vec![0; start[count]];
    let mut next = start.clone();
    for (index, element) in mesh.elements().enumerate() {
        for &node in element {
            owner[next[node]] = index;
            next[node] += 1;
        }
    }
    let neighbours = |node: usize| -> Vec<usize> {
        let elements = owner[start[node]..start[node + 1]].iter();
        let mut found: Vec<usize> = elements.flat_map(|&e| mesh.element(e).unwrap_or_default()).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let lists: Vec<Vec<usize>> = (0..count).into_par_iter().with_min_len(512).map(neighbours).collect();
    let mut graph = NodeGraph { start: vec![0], neighbour: Vec::with_capacity(lists.iter().map(Vec::len).sum()) };
    for list in &lists {
        graph.neighbour.extend_from_slice(list);
        graph.start.push(graph.neighbour.len());
    }
    graph
}

/// Three rows and columns per node; diagonal blocks keep their lower triangle.
fn dof_pattern(graph: &NodeGraph) -> Pattern {
    let entries = 9 * graph.neighbour.len() / 2 + 2 * 3 * graph.len();
    let mut pattern = Pattern { col_start: vec![0], row: Vec::with_capacity(entries) };
    for node in 0..graph.len() {
        let after = &graph.neighbours(node)[graph.rank_of_itself(node) + 1..];
        for c in 0..3 {
            pattern.row.extend((c..3).map(|r| 3 * node + r));
            pattern.row.extend(after.iter().flat_map(|&row| [3 * row, 3 * row + 1, 3 * row + 2]));
            pattern.col_start.push(pattern.row.len());
        }
    }
    pattern
}

/// Assembles stiffness and mass of a mesh at once; keep an [`Assembler`] to try several materials.
///
/// # Errors
/// As [`Assembler::new`] and [`Assembler::assemble`].
pub fn assemble(mesh: &TetMesh, materials: &MaterialField) -> Result<Assembled, FemError> {
    Assembler::new(mesh)?.assemble(materials)
}
