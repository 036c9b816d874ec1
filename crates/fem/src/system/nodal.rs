//! Symmetric matrices that act alike on the three axes: one number per pair of nodes.

use faer::{Mat, MatRef};
use rayon::prelude::*;

/// Columns multiplied together: three axes of four vectors fill the registers.
const WIDTH: usize = 4;

/// Nodes per task of a product, whatever the number of threads.
const TASK: usize = 1024;

/// Which nodes a node is coupled to, itself included: compressed rows with ascending columns, both triangles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeGraph {
    /// Start of each node's neighbours in `neighbour`, and the end of the last.
    pub start: Vec<usize>,
    /// The neighbours.
    pub neighbour: Vec<usize>,
}

/// `A ⊗ I₃`: a mass matrix, whose consistent form `∫ ρ N_a N_b dV` is the same for `x`, `y` and `z`.
#[derive(Debug, Clone, PartialEq)]
pub struct NodalMatrix {
    graph: NodeGraph,
    values: Vec<f64>,
}

impl NodeGraph {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// True without nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes coupled to `node`, ascending, itself included.
    pub fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbour[self.start[node]..self.start[node + 1]]
    }

    /// How many of its neighbours have a smaller number.
    pub(crate) fn rank_of_itself(&self, node: usize) -> usize {
        self.neighbours(node).partition_point(|&other| other < node)
    }
}

impl NodalMatrix {
    /// A matrix from its graph and the values in the same order.
    pub(crate) fn new(graph: NodeGraph, values: Vec<f64>) -> Self {
        debug_assert_eq!(graph.neighbour.len(), values.len());
        Self { graph, values }
    }

    /// Number of rows and columns: three per node.
    pub fn dim(&self) -> usize {
        3 * self.graph.len()
    }

    /// The coupled nodes.
    pub fn graph(&self) -> &NodeGraph {
        &self.graph
    }

    /// The coupling of a node: the other node and the value, the node itself included.
    pub fn row(&self, node: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.graph.start[node]..self.graph.start[node + 1];
        self.graph.neighbour[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// Sum of the diagonal.
    pub fn trace(&self) -> f64 {
        let diagonal = |node: usize| self.row(node).find(|&(other, _)| other == node).map_or(0.0, |(_, value)| value);
        3.0 * (0..self.graph.len()).map(diagonal).sum::<f64>()
    }

    /// `y = A x` for one vector of the matrix's size.
    pub fn mul_vec(&self, x: &[f64], y: &mut [f64]) {
        for (node, y) in y.chunks_exact_mut(3).enumerate() {
            let mut sum = [0.0; 3];
            for (other, value) in self.row(node) {
                for axis in 0..3 {
                    sum[axis] += value * x[3 * other + axis];
                }
            }
            y.copy_from_slice(&sum);
        }
    }

    /// `A X` for a block of vectors; the same bytes whatever the number of threads.
    pub fn mul(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        let mut y = Mat::zeros(x.nrows(), x.ncols());
        let n = x.nrows();
        let mut packed = vec![[[0.0; WIDTH]; 3]; if x.ncols() > 1 { self.graph.len() } else { 0 }];
        let mut image = packed.clone();
        for first in (0..x.ncols()).step_by(WIDTH) {
            let width = WIDTH.min(x.ncols() - first);
            if width == 1 {
                // the sums of a lone vector have the same order
                let column: Vec<f64> = x.col(first).iter().copied().collect();
                self.mul_vec(&column, y.col_as_slice_mut(first));
                break;
            }
            for j in 0..width {
                for row in 0..n {
                    packed[row / 3][row % 3][j] = x[(row, first + j)];
                }
            }
            self.mul_packed(&packed, &mut image);
            for j in 0..width {
                for (row, y) in y.col_as_slice_mut(first + j).iter_mut().enumerate() {
                    *y = image[row / 3][row % 3][j];
                }
            }
        }
        y
    }

    fn mul_packed(&self, x: &[[[f64; WIDTH]; 3]], y: &mut [[[f64; WIDTH]; 3]]) {
        y.par_chunks_mut(TASK).enumerate().for_each(|(task, y)| {
            for (node, y) in (task * TASK..).zip(y) {
                let mut sum = [[0.0; WIDTH]; 3];
                for (other, value) in self.row(node) {
                    for (sum, x) in sum.iter_mut().zip(&x[other]) {
                        for (sum, x) in sum.iter_mut().zip(x) {
                            *sum += value * x;
                        }
                    }
                }
                *y = sum;
            }
        });
    }
}
