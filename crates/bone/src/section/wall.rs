//! The wall of a section as a grid of four-node cells, around and across.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// Layers of cells across the wall.
pub(super) const LAYERS: usize = 8;

/// A wall: nodes in rings, from the canal outwards, the point around running fastest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wall {
    /// Places in the section \[m\].
    pub nodes: Vec<Vector2<f64>>,
    /// Points around.
    pub around: usize,
}

/// An integration point.
pub(super) struct Sample {
    /// Nodes of the cell.
    pub nodes: [usize; 4],
    /// Shape functions of the nodes.
    pub shares: [f64; 4],
    /// Gradients of the shape functions \[1/m\].
    pub gradients: [Vector2<f64>; 4],
    /// Place \[m\].
    pub at: Vector2<f64>,
    /// Area that it represents \[m²\].
    pub area: f64,
}

impl Sample {
    /// Gradient of a field given at the nodes.
    pub fn gradient(&self, field: &[f64]) -> Vector2<f64> {
        self.nodes.iter().zip(&self.gradients).map(|(n, g)| g * field[*n]).sum()
    }
}

impl Wall {
    /// From radii of canal and outer surface at even angles \[m\].
    pub fn new(radii: &[[f64; 2]]) -> Self {
        let around = radii.len();
        let node = |i: usize| {
            let (layer, k) = (i / around, i % around);
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / around as f64).sin_cos();
            let [inner, outer] = radii[k];
            Vector2::new(cos, sin) * (inner + (outer - inner) * layer as f64 / LAYERS as f64)
        };
        Wall { nodes: (0..around * (LAYERS + 1)).map(node).collect(), around }
    }

    /// Index of a node on the outer surface.
    pub fn outer(&self, k: usize) -> usize {
        LAYERS * self.around + k % self.around
    }

    /// Two by two Gauss points of every cell.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        let cell = |layer: usize, k: usize| {
            let (next, base) = ((k + 1) % self.around, layer * self.around);
            [base + k, base + self.around + k, base + self.around + next, base + next]
        };
        let cells = (0..LAYERS).flat_map(move |layer| (0..self.around).map(move |k| cell(layer, k)));
        cells.flat_map(move |nodes| GAUSS.map(move |[u, v]| self.sample(nodes, u, v)))
    }

    /// A point of a cell at u, v in -1 … 1.
    fn sample(&self, nodes: [usize; 4], u: f64, v: f64) -> Sample {
        let shares = CORNERS.map(|[a, b]| 0.25 * (1.0 + a * u) * (1.0 + b * v));
        let slopes = CORNERS.map(|[a, b]| 0.25 * Vector2::new(a * (1.0 + b * v), b * (1.0 + a * u)));
        let places = nodes.map(|n| self.nodes[n]);
        let jacobian: Matrix2<f64> = places.iter().zip(&slopes).map(|(p, s)| p * s.transpose()).sum();
        let turn = jacobian.try_inverse().unwrap_or_else(Matrix2::zeros).transpose();
        Sample {
            nodes,
            shares,
            gradients: slopes.map(|s| turn * s),
            at: places.iter().zip(shares).map(|(p, s)| p * s).sum(),
            area: jacobian.determinant().abs(),
        }
    }

    /// `∫ (1, x, z)ᵀ (1, x, z) dA`.
    pub fn moments(&self) -> Matrix3<f64> {
        let point = |s: &Sample| Vector3::new(1.0, s.at.x, s.at.y);
        self.samples().map(|s| point(&s) * point(&s).transpose() * s.area).sum()
    }
}

/// Corners of a cell in u (across) and v (around).
const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// `1/√3`.
const G: f64 = 0.577_350_269_189_625_8;
const GAUSS: [[f64; 2]; 4] = [[-G, -G], [G, -G], [G, G], [-G, G]];
