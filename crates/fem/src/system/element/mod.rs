//! Element matrices of four- and ten-node tetrahedra.
//!
//! Strain and stress are vectors in the order `xx, yy, zz, xy, yz, zx` with engineering shear. Degrees of freedom are
//! node by node: `x, y, z`.

pub mod geometric;
pub mod quadrature;
pub mod tet10;
pub mod tet4;
pub(crate) mod triangle;

use std::sync::OnceLock;

use nalgebra::{Matrix3, Matrix6, Matrix6x3, Vector3, Vector6};

/// Four nodes (linear) or ten (quadratic, isoparametric).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// Linear tetrahedron, constant strain.
    Tet4,
    /// Quadratic tetrahedron, edges may be curved.
    Tet10,
}

/// Shape functions and derivatives at one point of the reference element.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplePoint {
    /// Quadrature weight on the reference element (volume 1/6); zero where the point is not for integration.
    pub weight: f64,
    /// Number of nodes.
    pub count: usize,
    /// Shape functions, the first `count` in use.
    pub shape: [f64; 10],
    /// Derivatives by the volume coordinates (L₂, L₃, L₄), the first `count` in use.
    pub gradient: [[f64; 3]; 10],
}

/// Everything about an element kind that does not depend on the element.
#[derive(Debug)]
pub struct ElementTables {
    /// Points for the stiffness: one (four nodes) or fifteen (ten nodes), exact for straight edges.
    pub stiffness: Vec<SamplePoint>,
    /// Points for mass and volume: fifteen, exact to degree 5.
    pub mass: Vec<SamplePoint>,
    /// The nodes themselves, for strains there.
    pub nodes: Vec<SamplePoint>,
}

impl ElementKind {
    /// Nodes per element.
    pub fn node_count(self) -> usize {
        match self {
            Self::Tet4 => 4,
            Self::Tet10 => 10,
        }
    }

    /// The shape functions at the volume coordinates (L₂, L₃, L₄).
    pub fn sample(self, at: [f64; 3], weight: f64) -> SamplePoint {
        let mut point = SamplePoint { weight, count: self.node_count(), shape: [0.0; 10], gradient: [[0.0; 3]; 10] };
        match self {
            Self::Tet4 => {
                point.shape[..4].copy_from_slice(&tet4::shape(at));
                point.gradient[..4].copy_from_slice(&tet4::gradient());
            }
            Self::Tet10 => {
                point.shape = tet10::shape(at);
                point.gradient = tet10::gradient(at);
            }
        }
        point
    }

    /// The tables of the kind, computed once.
    pub fn tables(self) -> &'static ElementTables {
        static TET4: OnceLock<ElementTables> = OnceLock::new();
        static TET10: OnceLock<ElementTables> = OnceLock::new();
        let tables = |stiffness: Vec<quadrature::WeightedPoint>| ElementTables {
            stiffness: stiffness.into_iter().map(|(at, weight)| self.sample(at, weight)).collect(),
            mass: quadrature::degree_5().into_iter().map(|(at, weight)| self.sample(at, weight)).collect(),
            nodes: tet10::NODES[..self.node_count()].iter().map(|&at| self.sample(at, 0.0)).collect(),
        };
        match self {
            Self::Tet4 => TET4.get_or_init(|| tables(quadrature::degree_1())),
            Self::Tet10 => TET10.get_or_init(|| tables(quadrature::degree_5())),
        }
    }
}

impl SamplePoint {
    /// `J = ∂x/∂L`, m, for node positions `x`.
    pub fn jacobian(&self, x: &[Vector3<f64>]) -> Matrix3<f64> {
        let mut j = Matrix3::zeros();
        for (gradient, x) in self.gradient[..self.count].iter().zip(x) {
            for d in 0..3 {
                for i in 0..3 {
                    j[(i, d)] += x[i] * gradient[d];
                }
            }
        }
        j
    }

    /// `∂N_a/∂x`, 1/m, of all nodes and `det J`, m³; `None` where the element is folded.
    pub fn spatial_gradients(&self, x: &[Vector3<f64>]) -> Option<([Vector3<f64>; 10], f64)> {
        let j = self.jacobian(x);
        let det = j.determinant();
        if !(det > 0.0) {
            return None;
        }
        let inverse_transpose = j.try_inverse()?.transpose();
        let mut spatial = [Vector3::zeros(); 10];
        for (out, gradient) in spatial.iter_mut().zip(&self.gradient[..self.count]) {
            *out = inverse_transpose * Vector3::from(*gradient);
        }
        Some((spatial, det))
    }

    /// Strain at the point for node positions `x`, m, and displacements `u`, m; `None` where the element is folded.
    pub fn strain(&self, x: &[Vector3<f64>], u: &[Vector3<f64>]) -> Option<Vector6<f64>> {
        let (gradients, _) = self.spatial_gradients(x)?;
        let mut strain = Vector6::zeros();
        for (g, u) in gradients[..self.count].iter().zip(u) {
            strain += strain_operator(g) * u;
        }
        Some(strain)
    }
}

/// `B_a`: the strain per displacement of a node whose shape function has the gradient `g`, 1/m.
pub fn strain_operator(g: &Vector3<f64>) -> Matrix6x3<f64> {
    Matrix6x3::new(
        g.x, 0.0, 0.0, //
        0.0, g.y, 0.0, //
        0.0, 0.0, g.z, //
        g.y, g.x, 0.0, //
        0.0, g.z, g.y, //
        g.z, 0.0, g.x,
    )
}

/// Lower blocks (`a ≥ b`) of an element matrix, one 3 by 3 block per pair of nodes: entry `a (a + 1) / 2 + b`.
pub type ElementBlocks = [Matrix3<f64>; 55];

/// Stiffness `K_ab = ∫ B_aᵀ D B_b dV`, N/m, added to `out`; false where the element is folded.
///
/// `x` are the node positions, m, `d` the elastic stiffness in global axes, Pa.
pub fn add_stiffness(kind: ElementKind, x: &[Vector3<f64>], d: &Matrix6<f64>, out: &mut ElementBlocks) -> bool {
    let n = kind.node_count();
    for point in &kind.tables().stiffness {
        let Some((gradients, det)) = point.spatial_gradients(x) else { return false };
        let weighted = d * (point.weight * det);
        for b in 0..n {
            let stress = weighted * strain_operator(&gradients[b]);
            for a in b..n {
                out[a * (a + 1) / 2 + b] += transposed_strain_times(&gradients[a], &stress);
            }
        }
    }
    true
}

/// `B_aᵀ S` without the zeros of `B_a`.
fn transposed_strain_times(g: &Vector3<f64>, s: &Matrix6x3<f64>) -> Matrix3<f64> {
    let mut block = Matrix3::zeros();
    for c in 0..3 {
        block[(0, c)] = g.x * s[(0, c)] + g.y * s[(3, c)] + g.z * s[(5, c)];
        block[(1, c)] = g.y * s[(1, c)] + g.x * s[(3, c)] + g.z * s[(4, c)];
        block[(2, c)] = g.z * s[(2, c)] + g.y * s[(4, c)] + g.x * s[(5, c)];
    }
    block
}

/// Consistent mass `m_ab = ∫ ρ N_a N_b dV`, kg, added to the lower triangle `a (a + 1) / 2 + b` of `out`; the same for
/// every direction.
pub fn add_mass(kind: ElementKind, x: &[Vector3<f64>], density: f64, out: &mut [f64; 55]) {
    let n = kind.node_count();
    for point in &kind.tables().mass {
        let weight = density * point.weight * point.jacobian(x).determinant();
        for a in 0..n {
            for b in 0..=a {
                out[a * (a + 1) / 2 + b] += weight * point.shape[a] * point.shape[b];
            }
        }
    }
}
