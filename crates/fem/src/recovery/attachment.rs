//! Attachment points: frames that follow a patch of nodes without stiffening it.
//!
//! The motion of the frame is the rigid motion that fits the displacements `u_a` of the patch best (least squares),
//!
//! ```text
//! θ = J⁻¹ Σ r_a × u_a        U = ū + θ × (p - c)        c = mean x_a,  r_a = x_a - c,  J = Σ (r_a² 1 - r_a r_aᵀ)
//! ```
//!
//! and a force `F` and moment `T` at the frame act on the nodes with the same work:
//! `f_a = F/m + (J⁻¹ (T + (p - c) × F)) × r_a`. (The interpolation element RBE3 with equal weights.) A muscle's
//! insertion is such a point. Positions in m, rotations small, in rad.

use faer::MatRef;
use nalgebra::{DMatrix, Matrix3, Vector3};
use wolff_flexbody::Node;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::mesh::locate::Locator;
use crate::recovery::Recovery;

/// The nodes a point follows.
#[derive(Debug, Clone, PartialEq)]
pub enum Patch {
    /// These nodes.
    Nodes(Vec<usize>),
    /// The nodes of the surface within a radius, m.
    Within(f64),
    /// The node of the surface nearest to the point.
    Nearest,
}

/// A point to attach to.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSpec {
    /// Name.
    pub name: String,
    /// Position, m.
    pub position: Vector3<f64>,
    /// What it follows. A patch that leaves a rotation free (fewer than three nodes, or all on a line) is widened by
    /// the nodes of the elements around it.
    pub patch: Patch,
}

/// A point with its patch.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Name.
    pub name: String,
    /// Position `p`, m.
    pub position: Vector3<f64>,
    /// The nodes.
    pub nodes: Vec<usize>,
    /// `r_a`.
    arms: Vec<Vector3<f64>>,
    /// `p - c`.
    offset: Vector3<f64>,
    /// `J⁻¹`.
    inverse: Matrix3<f64>,
}

impl Attachment {
    /// Finds the patch of a point.
    ///
    /// # Errors
    /// When the patch is empty or names a node that does not exist.
    pub fn new(spec: &PointSpec, recovery: &Recovery<'_>, locator: &Locator<'_>) -> Result<Self, FemError> {
        let mesh = recovery.mesh();
        let near = |node: &usize, radius: f64| (mesh.nodes()[*node] - spec.position).norm() <= radius;
        let nodes = match &spec.patch {
            Patch::Nodes(nodes) => nodes.clone(),
            Patch::Within(radius) => locator.surface_nodes().into_iter().filter(|node| near(node, *radius)).collect(),
            Patch::Nearest => locator.nearest_node(&spec.position).map(|(node, _)| node).into_iter().collect(),
        };
        let exist = nodes.iter().all(|&node| node < mesh.nodes().len());
        if nodes.is_empty() || !exist || !spec.position.iter().all(|c| c.is_finite()) {
            return Err(FemError::Boundary(format!(
                "point `{}` at {:?} m has no nodes to follow; widen its patch, or name nodes of the mesh",
                spec.name,
                spec.position.as_slice()
            )));
        }
        Self::fitted(spec, mesh, &nodes).or_else(|| Self::fitted(spec, mesh, &widened(recovery, &nodes))).ok_or_else(
            || FemError::Boundary(format!("the patch of point `{}` leaves a rotation free; widen it", spec.name)),
        )
    }

    fn fitted(spec: &PointSpec, mesh: &TetMesh, nodes: &[usize]) -> Option<Self> {
        /// Smallest moment of the patch relative to the largest: nodes on a line have none about it.
        const FLATTEST: f64 = 1e-6;
        let centre = nodes.iter().map(|&node| mesh.nodes()[node]).sum::<Vector3<f64>>() / nodes.len() as f64;
        let arms: Vec<Vector3<f64>> = nodes.iter().map(|&node| mesh.nodes()[node] - centre).collect();
        let moment: Matrix3<f64> =
            arms.iter().map(|r| Matrix3::identity() * r.norm_squared() - r * r.transpose()).sum();
        let spread = moment.symmetric_eigenvalues();
        if !(spread.min() > FLATTEST * spread.max()) {
            return None;
        }
        Some(Self {
            name: spec.name.clone(),
            position: spec.position,
            nodes: nodes.to_vec(),
            arms,
            offset: spec.position - centre,
            inverse: moment.try_inverse()?,
        })
    }

    /// Displacement, m, and rotation, rad, for displacements `u(node)` of the mesh.
    pub fn motion(&self, u: impl Fn(usize) -> Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let mean = self.nodes.iter().map(|&node| u(node)).sum::<Vector3<f64>>() / self.nodes.len() as f64;
        let swirl: Vector3<f64> = self.nodes.iter().zip(&self.arms).map(|(&node, r)| r.cross(&u(node))).sum();
        let rotation = self.inverse * swirl;
        (mean + rotation.cross(&self.offset), rotation)
    }

    /// Adds the nodal forces, N, of a force and a moment (`Fx, Fy, Fz, Tx, Ty, Tz`) at the point to `nodal` (one a mesh
    /// dof).
    pub fn add_load(&self, load: &[f64; 6], nodal: &mut [f64]) {
        let force = Vector3::new(load[0], load[1], load[2]);
        let moment = Vector3::new(load[3], load[4], load[5]) + self.offset.cross(&force);
        let turn = self.inverse * moment;
        for (&node, r) in self.nodes.iter().zip(&self.arms) {
            let f = force / self.nodes.len() as f64 + turn.cross(r);
            nodal.iter_mut().skip(3 * node).zip(f.iter()).for_each(|(slot, f)| *slot += f);
        }
    }

    /// The node of a body with the modes in the columns of `shapes` (mesh dof by n).
    pub fn node(&self, shapes: MatRef<'_, f64>) -> Node {
        let modes = shapes.ncols();
        let (mut translation, mut rotation) = (DMatrix::zeros(3, modes), DMatrix::zeros(3, modes));
        for mode in 0..modes {
            let (u, theta) = self.motion(|node| Vector3::from_fn(|k, _| shapes[(3 * node + k, mode)]));
            translation.set_column(mode, &u);
            rotation.set_column(mode, &theta);
        }
        Node::new(&self.name, self.position, translation, rotation)
    }
}

/// The nodes of all elements around a patch.
fn widened(recovery: &Recovery<'_>, nodes: &[usize]) -> Vec<usize> {
    let mut all: Vec<usize> = nodes.iter().flat_map(|&node| recovery.neighbours(node)).collect();
    all.sort_unstable();
    all.dedup();
    all
}
