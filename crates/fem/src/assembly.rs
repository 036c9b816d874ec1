//! Stiffness and mass matrix of a mesh: fixed pattern, element matrices in parallel, sums in a fixed order.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use crate::element::{self, ElementBlocks};
use crate::error::FemError;
use crate::material::MaterialField;
use crate::mesh::TetMesh;
use crate::sparse::{Pattern, SymmetricMatrix};

/// Elements computed between two rounds of summation: bounds the memory of the element matrices (4 kB each).
const CHUNK: usize = 2048;

/// Stiffness, N/m, and consistent mass, kg, of a free mesh; dof `3 node + axis`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    /// Stiffness matrix.
    pub stiffness: SymmetricMatrix,
    /// Consistent mass matrix, same pattern.
    pub mass: SymmetricMatrix,
}

/// The pattern of a mesh and the place of every element block in it; one per mesh, for any materials.
#[derive(Debug, Clone)]
pub struct Assembler<'a> {
    mesh: &'a TetMesh,
    pattern: Arc<Pattern>,
    /// Per element and pair of local nodes: the block's rank in the column of nodes.
    ranks: Vec<u32>,
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
    /// When a node belongs to no element: its rows would be empty.
    pub fn new(mesh: &'a TetMesh) -> Result<Self, FemError> {
        let columns = node_columns(mesh);
        if let Some(node) = columns.iter().position(Vec::is_empty) {
            return Err(FemError::Quality(format!("node {node} belongs to no element; remove unused nodes")));
        }
        let mut ranks = Vec::with_capacity(mesh.element_count() * pair_count(mesh));
        for element in mesh.elements() {
            for (a, b) in pairs(element.len()) {
                let (row, col) = (element[a].max(element[b]), element[a].min(element[b]));
                let rank = columns[col].partition_point(|&node| node < row);
                ranks.push(rank as u32);
            }
        }
        Ok(Self { mesh, pattern: Arc::new(dof_pattern(&columns)), ranks })
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
        let mut mass = vec![0.0; self.pattern.row.len()];
        for first in (0..count).step_by(CHUNK) {
            let matrices = self.element_matrices(materials, first, CHUNK.min(count - first));
            for (index, matrices) in (first..).zip(&matrices) {
                if !matrices.sound {
                    return Err(FemError::Quality(format!(
                        "element {index} is inverted or folded; exchange two corners or remesh"
                    )));
                }
                self.scatter(index, matrices, &mut stiffness, &mut mass);
            }
        }
        Ok(Assembled {
            stiffness: SymmetricMatrix::new(Arc::clone(&self.pattern), stiffness),
            mass: SymmetricMatrix::new(Arc::clone(&self.pattern), mass),
        })
    }

    /// The matrices of `count` elements from `first`, shared among the threads of the machine.
    fn element_matrices(&self, materials: &MaterialField, first: usize, count: usize) -> Vec<ElementMatrices> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count.div_ceil(128));
        let share = count.div_ceil(threads);
        let compute = |from: usize| -> Vec<ElementMatrices> {
            let to = (from + share).min(first + count);
            (from..to).map(|index| self.one_element(materials, index)).collect()
        };
        std::thread::scope(|scope| {
            let compute = &compute;
            let workers: Vec<_> =
                (first..first + count).step_by(share).map(|from| scope.spawn(move || compute(from))).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
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

    fn scatter(&self, index: usize, matrices: &ElementMatrices, stiffness: &mut [f64], mass: &mut [f64]) {
        let Some(nodes) = self.mesh.element(index) else { return };
        let ranks = &self.ranks[index * pair_count(self.mesh)..];
        for (pair, (a, b)) in pairs(nodes.len()).enumerate() {
            let rank = ranks[pair] as usize;
            let col_node = nodes[a].min(nodes[b]);
            // The stored block has the larger node as its row.
            let turned = nodes[a] < nodes[b];
            let block = &matrices.stiffness[pair];
            for c in 0..3 {
                let start = self.pattern.col_start[3 * col_node + c];
                // The diagonal block stores its lower triangle only: 3 - c entries.
                let (offset, first_row) = if rank == 0 { (start, c) } else { (start + 3 * rank - c, 0) };
                for r in first_row..3 {
                    let at = offset + r - first_row;
                    stiffness[at] += if turned { block[(c, r)] } else { block[(r, c)] };
                }
                mass[offset + c - first_row] += matrices.mass[pair];
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

/// For every node, itself and the coupled nodes above it, ascending.
fn node_columns(mesh: &TetMesh) -> Vec<Vec<usize>> {
    let mut columns = vec![Vec::new(); mesh.nodes().len()];
    for element in mesh.elements() {
        for &col in element {
            columns[col].extend(element.iter().copied().filter(|&row| row >= col));
        }
    }
    for column in &mut columns {
        column.sort_unstable();
        column.dedup();
    }
    columns
}

/// Three rows and columns per node; diagonal blocks keep their lower triangle.
fn dof_pattern(columns: &[Vec<usize>]) -> Pattern {
    let mut pattern = Pattern { col_start: vec![0], row: Vec::new() };
    for (node, rows) in columns.iter().enumerate() {
        for c in 0..3 {
            pattern.row.extend((c..3).map(|r| 3 * node + r));
            for &row in &rows[1..] {
                pattern.row.extend((0..3).map(|r| 3 * row + r));
            }
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
