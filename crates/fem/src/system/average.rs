//! Averaging interfaces (RBE3): a six-dof node that follows the mean motion of a set of nodes without stiffening them.
//!
//! The motion `(U, θ)` of the reference point is the weighted least-squares fit of a rigid motion to the nodes,
//!
//! ```text
//! minimise Σ w_i |u_i - U - θ × r_i|²,   r_i = x_i - x_ref      ⇒      (U, θ) = A u
//! A_i = N⁻¹ w_i R_iᵀ,   N = Σ w_i R_iᵀ R_i,   R_i = [I  -[r_i]×]
//! ```
//!
//! A force and moment `F` at the reference point act on the nodes as `f_i = A_iᵀ F`, which has the same resultant since
//! `A R = I`. `w_i ≥ 0` are relative weights, for instance the area of surface that belongs to a node.

use nalgebra::{Matrix3, Matrix3x6, Matrix6, Matrix6x3, Vector3};

use crate::error::FemError;
use crate::mesh::TetMesh;

/// Directions of a fit weaker than this, relative to the strongest, are not determined by the nodes.
const UNDETERMINED: f64 = 1e-12;

/// A six-dof node that follows the mean of a set of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct AverageInterface {
    /// Name for messages and results.
    pub name: String,
    /// The reference point, m; it need not be a node.
    pub reference: Vector3<f64>,
    /// The nodes: at least three of positive weight that are not on a line.
    pub nodes: Vec<usize>,
    /// One relative weight per node.
    pub weights: Vec<f64>,
}

/// `A` of one interface: displacement and rotation of the reference point per displacement of each node.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanMotion {
    /// Node and `A_i`: rows 0 to 2 without unit, rows 3 to 5 in 1/m.
    pub terms: Vec<(usize, Matrix6x3<f64>)>,
}

impl MeanMotion {
    /// Fits the rigid motion.
    ///
    /// # Errors
    /// When a node does not exist or comes twice, weights are missing, negative or not finite, or the nodes leave a
    /// rotation undetermined.
    pub fn new(mesh: &TetMesh, interface: &AverageInterface) -> Result<Self, FemError> {
        check(mesh, interface)?;
        let name = &interface.name;
        let fit = |node: usize| rigid_fit(&(mesh.nodes()[node] - interface.reference));
        let weighted = || interface.nodes.iter().copied().zip(interface.weights.iter().copied());
        // Rotations are measured by the size of the set, so that the fit is well scaled.
        let total: f64 = interface.weights.iter().sum();
        let spread = weighted().map(|(node, w)| w * (mesh.nodes()[node] - interface.reference).norm_squared());
        let size = (spread.sum::<f64>() / total).sqrt();
        let scale = Matrix6::from_diagonal(&[1.0, 1.0, 1.0, 1.0 / size, 1.0 / size, 1.0 / size].into());
        let normal: Matrix6<f64> = weighted().map(|(node, w)| fit(node).transpose() * fit(node) * w).sum();
        let scaled = scale * normal * scale / total;
        let eigenvalues = scaled.symmetric_eigenvalues();
        let inverse = (eigenvalues.min() > UNDETERMINED * eigenvalues.max()).then(|| scaled.try_inverse()).flatten();
        let inverse = inverse.ok_or_else(|| {
            FemError::Boundary(format!(
                "averaging interface `{name}`: its nodes of positive weight lie on one line or point, which leaves a \
                 rotation undetermined; select at least three that span a plane"
            ))
        })?;
        let inverse = scale * inverse * scale / total;
        let terms = weighted().map(|(node, w)| (node, inverse * fit(node).transpose() * w)).collect();
        Ok(Self { terms })
    }

    /// `A u` for mesh displacements, m.
    pub fn motion(&self, displacement: &[f64]) -> [f64; 6] {
        let mut motion = [0.0; 6];
        for (node, a) in &self.terms {
            for axis in 0..3 {
                (0..6).for_each(|i| motion[i] += a[(i, axis)] * displacement[3 * node + axis]);
            }
        }
        motion
    }

    /// Adds `Aᵀ F`, N, to nodal forces: the force, N, and moment, N m, at the reference point shared among the nodes.
    pub fn add_forces(&self, load: &[f64; 6], forces: &mut [f64]) {
        for (node, a) in &self.terms {
            for axis in 0..3 {
                forces[3 * node + axis] += (0..6).map(|i| a[(i, axis)] * load[i]).sum::<f64>();
            }
        }
    }
}

/// `R = [I  -[r]×]`: the displacement of a point at `r` per rigid motion of the reference.
fn rigid_fit(r: &Vector3<f64>) -> Matrix3x6<f64> {
    let mut fit = Matrix3x6::zeros();
    fit.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::identity());
    fit.fixed_view_mut::<3, 3>(0, 3).copy_from(&-r.cross_matrix());
    fit
}

fn check(mesh: &TetMesh, interface: &AverageInterface) -> Result<(), FemError> {
    let name = &interface.name;
    let refuse = |what: String| Err(FemError::Boundary(format!("averaging interface `{name}`: {what}")));
    if !interface.reference.iter().all(|c| c.is_finite()) {
        return Err(FemError::NonFinite(format!("the reference point of interface `{name}`")));
    }
    if interface.nodes.len() != interface.weights.len() {
        return refuse(format!("{} weights for {} nodes", interface.weights.len(), interface.nodes.len()));
    }
    if let Some(node) = interface.nodes.iter().find(|&&node| node >= mesh.nodes().len()) {
        return refuse(format!("there is no node {node}; the mesh has {}", mesh.nodes().len()));
    }
    let mut sorted = interface.nodes.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return refuse(format!("node {} comes twice; add its weights", pair[0]));
    }
    if let Some(weight) = interface.weights.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
        return refuse(format!("the weight {weight} must be finite and not negative"));
    }
    if !(interface.weights.iter().sum::<f64>() > 0.0) {
        return refuse("no node has a weight; select nodes".into());
    }
    Ok(())
}
