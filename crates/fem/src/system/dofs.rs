//! Supports and rigid interfaces: from the dof of a mesh to the independent ones.
//!
//! Every displacement of the mesh is `u = T q + g`: a node is free, has prescribed components `g`, or moves with a
//! rigid interface (RBE2, "massless rigid beams" from a joint centre to the nodes it holds),
//!
//! ```text
//! u_a = U + θ × (x_a - x_ref)        U [m], θ [rad] of the six-dof reference node, small rotations
//! ```
//!
//! so that `Tᵀ K T` and `Tᵀ M T` stay sparse. The independent dof `q` are numbered: free interior ones in the order of
//! the mesh, then those of retained nodes, then six per rigid interface (`Ux, Uy, Uz, θx, θy, θz`). Averaging
//! interfaces ([`crate::system::average`]) take no dof away: they observe and load free nodes.

use faer::{Mat, MatRef};
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::system::average::{AverageInterface, MeanMotion};

/// A six-dof node that carries a set of nodes rigidly.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidInterface {
    /// Name for messages and results.
    pub name: String,
    /// The reference point, m, for instance a joint centre; it need not be a node.
    pub reference: Vector3<f64>,
    /// The nodes that move with it: at least three that are not on a line.
    pub nodes: Vec<usize>,
}

/// What is imposed on a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constraints {
    /// Prescribed displacements: node, axis (0, 1, 2), value, m.
    pub prescribed: Vec<(usize, usize, f64)>,
    /// Rigid interfaces.
    pub rigid: Vec<RigidInterface>,
    /// Nodes whose dof are kept at the end of the numbering, as an interface of their own.
    pub retained: Vec<usize>,
    /// Averaging interfaces; in loads and results they come after the rigid ones.
    pub averages: Vec<AverageInterface>,
}

impl Constraints {
    /// All displacements of these nodes are zero.
    pub fn clamp(mut self, nodes: &[usize]) -> Self {
        self.prescribed.extend(nodes.iter().flat_map(|&node| (0..3).map(move |axis| (node, axis, 0.0))));
        self
    }

    /// Names and reference points of all interfaces, in the order of loads and results: rigid ones, then averaging
    /// ones.
    pub fn references(&self) -> impl Iterator<Item = (&str, Vector3<f64>)> + '_ {
        let rigid = self.rigid.iter().map(|i| (i.name.as_str(), i.reference));
        rigid.chain(self.averages.iter().map(|i| (i.name.as_str(), i.reference)))
    }

    /// Adds a rigid interface.
    pub fn tie(mut self, name: &str, reference: Vector3<f64>, nodes: &[usize]) -> Self {
        self.rigid.push(RigidInterface { name: name.to_owned(), reference, nodes: nodes.to_vec() });
        self
    }

    /// Adds an averaging interface with one relative weight per node, for instance its share of the surface.
    pub fn average(mut self, name: &str, reference: Vector3<f64>, nodes: &[usize], weights: &[f64]) -> Self {
        let (nodes, weights) = (nodes.to_vec(), weights.to_vec());
        self.averages.push(AverageInterface { name: name.to_owned(), reference, nodes, weights });
        self
    }

    /// Keeps the dof of these nodes as an interface.
    pub fn retain(mut self, nodes: &[usize]) -> Self {
        self.retained.extend_from_slice(nodes);
        self
    }
}

/// The map `u = T q + g` of a mesh with its constraints.
#[derive(Debug, Clone, PartialEq)]
pub struct DofMap {
    /// Start of the terms of each mesh dof, and the end of the last.
    start: Vec<usize>,
    /// Independent dof and coefficient.
    terms: Vec<(usize, f64)>,
    offset: Vec<f64>,
    interior: usize,
    rigid_start: usize,
    /// Reference points of the rigid interfaces, m.
    references: Vec<Vector3<f64>>,
    averages: Vec<MeanMotion>,
}

/// What a mesh dof is, while the map is built.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Free,
    Retained,
    Prescribed(f64),
    Rigid(usize),
}

impl DofMap {
    /// Numbers the independent dof.
    ///
    /// # Errors
    /// When a node does not exist, a dof is claimed twice, a prescribed value is not finite, an interface has fewer
    /// than three nodes off a line, or an averaging interface holds nodes that are not free.
    pub fn new(mesh: &TetMesh, constraints: &Constraints) -> Result<Self, FemError> {
        let roles = assign_roles(mesh, constraints)?;
        let count = |wanted: Role| roles.iter().filter(|&&role| role == wanted).count();
        let (interior, retained) = (count(Role::Free), count(Role::Retained));
        let rigid_start = interior + retained;
        let mut map = Self {
            start: vec![0],
            terms: Vec::with_capacity(roles.len()),
            offset: vec![0.0; roles.len()],
            interior,
            rigid_start,
            references: constraints.rigid.iter().map(|interface| interface.reference).collect(),
            averages: mean_motions(mesh, constraints, &roles)?,
        };
        let (mut next_free, mut next_retained) = (0, interior);
        for (dof, role) in roles.iter().enumerate() {
            match *role {
                Role::Free => {
                    map.terms.push((next_free, 1.0));
                    next_free += 1;
                }
                Role::Retained => {
                    map.terms.push((next_retained, 1.0));
                    next_retained += 1;
                }
                Role::Prescribed(value) => map.offset[dof] = value,
                Role::Rigid(interface) => {
                    let arm = mesh.nodes()[dof / 3] - constraints.rigid[interface].reference;
                    map.push_rigid(rigid_start + 6 * interface, dof % 3, &arm);
                }
            }
            map.start.push(map.terms.len());
        }
        Ok(map)
    }

    /// The component `axis` of `U + θ × arm`.
    fn push_rigid(&mut self, first: usize, axis: usize, arm: &Vector3<f64>) {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        self.terms.push((first + axis, 1.0));
        self.terms.push((first + 3 + next, arm[last]));
        self.terms.push((first + 3 + last, -arm[next]));
    }

    /// Number of mesh dof.
    pub fn full(&self) -> usize {
        self.offset.len()
    }

    /// Number of independent dof.
    pub fn independent(&self) -> usize {
        self.rigid_start + 6 * self.references.len()
    }

    /// Number of rigid and averaging interfaces.
    pub fn interfaces(&self) -> usize {
        self.references.len() + self.averages.len()
    }

    /// The averaging interfaces.
    pub fn averages(&self) -> &[MeanMotion] {
        &self.averages
    }

    /// Number of independent dof that belong to no interface; they come first.
    pub fn interior(&self) -> usize {
        self.interior
    }

    /// The first of the six dof of a rigid interface.
    pub fn rigid_dof(&self, interface: usize) -> usize {
        self.rigid_start + 6 * interface
    }

    /// The independent dof a mesh dof follows and their coefficients: none if prescribed.
    pub fn terms(&self, dof: usize) -> &[(usize, f64)] {
        &self.terms[self.start[dof]..self.start[dof + 1]]
    }

    /// The prescribed part `g`, m.
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// The six rigid motions in independent dof, one per column: translations along and small rotations about the
    /// global axes through the origin. For a map without prescribed dof.
    pub fn rigid_motions(&self, nodes: &[Vector3<f64>]) -> Mat<f64> {
        let unit = [Vector3::x(), Vector3::y(), Vector3::z()];
        let at = |x: &Vector3<f64>, motion: usize| if motion < 3 { unit[motion] } else { unit[motion - 3].cross(x) };
        let mut q = Mat::zeros(self.independent(), 6);
        for motion in 0..6 {
            for (node, x) in nodes.iter().enumerate() {
                for axis in 0..3 {
                    if let [(dof, _)] = self.terms(3 * node + axis) {
                        q[(*dof, motion)] = at(x, motion)[axis];
                    }
                }
            }
            for (interface, x) in self.references.iter().enumerate() {
                for axis in 0..3 {
                    q[(self.rigid_dof(interface) + axis, motion)] = at(x, motion)[axis];
                }
                if motion >= 3 {
                    q[(self.rigid_dof(interface) + motion, motion)] = 1.0;
                }
            }
        }
        q
    }

    /// `Tᵀ f` of mesh forces.
    pub fn project_forces(&self, forces: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.independent()];
        for (dof, force) in forces.iter().enumerate() {
            for &(i, c) in self.terms(dof) {
                out[i] += c * force;
            }
        }
        out
    }

    /// `T q`: mesh displacements of independent ones, without the prescribed part. Independent dof beyond the length of
    /// `q` are zero.
    pub fn expand(&self, q: &[f64]) -> Vec<f64> {
        let value = |&(i, c): &(usize, f64)| q.get(i).map_or(0.0, |q| c * q);
        (0..self.full()).map(|dof| self.terms(dof).iter().map(value).sum()).collect()
    }

    /// `T Q` for a block of vectors, as [`Self::expand`].
    pub fn expand_block(&self, q: MatRef<'_, f64>) -> Mat<f64> {
        let mut u = Mat::zeros(self.full(), q.ncols());
        for col in 0..q.ncols() {
            for (dof, u) in u.col_as_slice_mut(col).iter_mut().enumerate() {
                for &(i, c) in self.terms(dof).iter().filter(|(i, _)| *i < q.nrows()) {
                    *u += c * q[(i, col)];
                }
            }
        }
        u
    }

    /// The first `rows` rows of `Tᵀ F` for a block of mesh forces.
    pub fn project_block(&self, forces: MatRef<'_, f64>, rows: usize) -> Mat<f64> {
        let mut out = Mat::zeros(rows, forces.ncols());
        for col in 0..forces.ncols() {
            let out = out.col_as_slice_mut(col);
            for dof in 0..self.full() {
                for &(i, c) in self.terms(dof).iter().filter(|(i, _)| *i < rows) {
                    out[i] += c * forces[(dof, col)];
                }
            }
        }
        out
    }
}

/// The averaging interfaces, whose nodes must be free.
fn mean_motions(mesh: &TetMesh, constraints: &Constraints, roles: &[Role]) -> Result<Vec<MeanMotion>, FemError> {
    let mean = |interface: &AverageInterface| {
        let motion = MeanMotion::new(mesh, interface)?;
        let held = interface.nodes.iter().find(|&&node| roles[3 * node..3 * node + 3].iter().any(|r| *r != Role::Free));
        match held {
            None => Ok(motion),
            Some(node) => Err(FemError::Boundary(format!(
                "averaging interface `{}`: node {node} also belongs to a support or another interface; keep one",
                interface.name
            ))),
        }
    };
    constraints.averages.iter().map(mean).collect()
}

fn assign_roles(mesh: &TetMesh, constraints: &Constraints) -> Result<Vec<Role>, FemError> {
    let mut roles = vec![Role::Free; 3 * mesh.nodes().len()];
    let mut claim = |node: usize, axis: usize, role: Role| match roles.get_mut(3 * node + axis) {
        Some(slot) if axis < 3 && (*slot == Role::Free || *slot == role) => {
            *slot = role;
            Ok(())
        }
        Some(_) if axis < 3 => Err(FemError::Boundary(format!(
            "axis {axis} of node {node} is claimed by two supports or interfaces; keep one"
        ))),
        _ => Err(FemError::Boundary(format!("there is no axis {axis} of node {node}"))),
    };
    for &(node, axis, value) in &constraints.prescribed {
        if !value.is_finite() {
            return Err(FemError::NonFinite(format!("the prescribed displacement of node {node}")));
        }
        claim(node, axis, Role::Prescribed(value))?;
    }
    for &node in &constraints.retained {
        (0..3).try_for_each(|axis| claim(node, axis, Role::Retained))?;
    }
    for (index, interface) in constraints.rigid.iter().enumerate() {
        for &node in &interface.nodes {
            (0..3).try_for_each(|axis| claim(node, axis, Role::Rigid(index)))?;
        }
        check_interface(mesh, interface)?;
    }
    Ok(roles)
}

/// The nodes must fix all six motions: their scatter has at least two directions.
fn check_interface(mesh: &TetMesh, interface: &RigidInterface) -> Result<(), FemError> {
    if !interface.reference.iter().all(|c| c.is_finite()) {
        return Err(FemError::NonFinite(format!("the reference point of interface `{}`", interface.name)));
    }
    let positions = || interface.nodes.iter().map(|&node| mesh.nodes()[node]);
    let centre = positions().sum::<Vector3<f64>>() / interface.nodes.len().max(1) as f64;
    let scatter: Matrix3<f64> = positions().map(|x| (x - centre) * (x - centre).transpose()).sum();
    let mut spread: Vec<f64> = SymmetricEigen::new(scatter).eigenvalues.iter().copied().collect();
    spread.sort_by(f64::total_cmp);
    if interface.nodes.len() < 3 || !(spread[1] > 1e-12 * spread[2]) {
        return Err(FemError::Boundary(format!(
            "interface `{}` holds {} nodes on one line or point, which leaves a rotation free; select at least three \
             nodes that span a plane",
            interface.name,
            interface.nodes.len()
        )));
    }
    Ok(())
}
