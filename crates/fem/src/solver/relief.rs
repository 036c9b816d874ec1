//! Statics of a free body: inertia relief.
//!
//! A free body under loads accelerates. The loads minus the inertia of that rigid acceleration are in equilibrium, and
//! the body deforms under them as if at rest:
//!
//! ```text
//! K u = f - M R a        a = (Rᵀ M R)⁻¹ Rᵀ f        R rigid motions (mesh dof by 6)        Rᵀ M u = 0
//! ```
//!
//! Six dof are held to make `K` regular. The held dof carry no force, so the strains do not depend on them; the rigid
//! part they leave in `u` is removed. Source: Craig and Kurdila, Fundamentals of Structural Dynamics, 2006, section
//! 17.3.

use faer::Mat;
use nalgebra::{Matrix6, Vector3, Vector6};

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::solver::solve::{Loads, StaticSolution, Statics};
use crate::system::assembly::Assembled;
use crate::system::dofs::Constraints;

/// A free body, factorised once for any number of load cases.
#[derive(Debug)]
pub struct InertiaRelief<'a> {
    statics: Statics<'a>,
    /// Reference points of the interfaces, m.
    references: Vec<Vector3<f64>>,
    rigid: RigidMotions,
}

/// The six rigid motions of a mesh about a point, and their momenta: the inertia that balances any loads.
#[derive(Debug)]
pub struct RigidMotions {
    centre: Vector3<f64>,
    nodes: Vec<Vector3<f64>>,
    /// `M R`, mesh dof by 6.
    momentum: Mat<f64>,
    /// `(Rᵀ M R)⁻¹`.
    inverse: Matrix6<f64>,
}

/// Displacement at `x` of the rigid motion (translation, rotation) about `centre`.
fn rigid_displacement(motion: &Vector6<f64>, x: &Vector3<f64>, centre: &Vector3<f64>) -> Vector3<f64> {
    motion.fixed_rows::<3>(0) + motion.fixed_rows::<3>(3).cross(&(x - centre))
}

/// The rigid motions of a mesh, a column each: three translations, three rotations about `centre`.
pub(crate) fn rigid_motions(mesh: &TetMesh, centre: &Vector3<f64>) -> Mat<f64> {
    let unit = |k: usize| Vector6::from_fn(|i, _| f64::from(u8::from(i == k)));
    let nodes = mesh.nodes();
    Mat::from_fn(3 * nodes.len(), 6, |dof, k| rigid_displacement(&unit(k), &nodes[dof / 3], centre)[dof % 3])
}

impl RigidMotions {
    /// Of a mesh and its matrices.
    ///
    /// # Errors
    /// When the body has no inertia in some motion.
    pub fn new(mesh: &TetMesh, system: &Assembled) -> Result<Self, FemError> {
        let nodes = mesh.nodes().to_vec();
        let centre = nodes.iter().sum::<Vector3<f64>>() / nodes.len().max(1) as f64;
        let motions = rigid_motions(mesh, &centre);
        let momentum = system.mass.mul(motions.as_ref());
        let gram = Matrix6::from_fn(|i, j| (0..motions.nrows()).map(|r| motions[(r, i)] * momentum[(r, j)]).sum());
        let inverse = gram.try_inverse().ok_or_else(|| {
            FemError::LinearAlgebra("the body has no inertia in some rigid motion; check the densities".into())
        })?;
        Ok(Self { centre, nodes, momentum, inverse })
    }

    /// The loads with the inertia of their rigid acceleration, in equilibrium: `f - M R a`. Interfaces have these
    /// reference points, m.
    pub fn balanced(&self, loads: &Loads, references: &[Vector3<f64>]) -> Loads {
        let acceleration = self.inverse * resultant(loads, &self.nodes, references, &self.centre);
        let mut out = loads.clone();
        for (dof, force) in out.nodal.iter_mut().enumerate().take(self.momentum.nrows()) {
            *force -= (0..6).map(|k| self.momentum[(dof, k)] * acceleration[k]).sum::<f64>();
        }
        out
    }
}

/// Force, N, and moment about `centre`, N m, of loads on nodes and on rigid interfaces with these reference points, m.
pub fn resultant(
    loads: &Loads,
    nodes: &[Vector3<f64>],
    references: &[Vector3<f64>],
    centre: &Vector3<f64>,
) -> Vector6<f64> {
    let at = |force: &[f64], moment: Vector3<f64>, x: &Vector3<f64>| {
        let force = Vector3::new(force[0], force[1], force[2]);
        let moment = moment + (x - centre).cross(&force);
        Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
    };
    let nodal = loads.nodal.chunks_exact(3).zip(nodes).map(|(f, x)| at(f, Vector3::zeros(), x));
    let interface = loads.interface.iter().zip(references).map(|(f, x)| at(&f[..3], Vector3::new(f[3], f[4], f[5]), x));
    nodal.chain(interface).sum()
}

impl<'a> InertiaRelief<'a> {
    /// Factorises the stiffness of a mesh with rigid interfaces and no supports.
    ///
    /// # Errors
    /// When supports are given, the matrices belong to another mesh, or the body is in pieces.
    pub fn new(mesh: &TetMesh, system: &'a Assembled, interfaces: &Constraints) -> Result<Self, FemError> {
        if !interfaces.prescribed.is_empty() {
            return Err(FemError::Boundary("inertia relief is for a free body: remove its supports".into()));
        }
        if system.mass.dim() != 3 * mesh.nodes().len() {
            return Err(FemError::Mesh("the matrices belong to another mesh".into()));
        }
        let mut held = interfaces.clone();
        held.prescribed = six_dof(mesh, interfaces)?.into_iter().map(|(node, axis)| (node, axis, 0.0)).collect();
        Ok(Self {
            statics: Statics::new(mesh, system, &held)?,
            references: interfaces.references().map(|(_, reference)| reference).collect(),
            rigid: RigidMotions::new(mesh, system)?,
        })
    }

    /// The loads with the inertia of their rigid acceleration: in equilibrium.
    pub fn balanced(&self, loads: &Loads) -> Loads {
        self.rigid.balanced(loads, &self.references)
    }

    /// Deformation under loads that need not be in equilibrium, with no rigid part (`Rᵀ M u = 0`).
    ///
    /// # Errors
    /// When the loads do not fit the mesh, or the solution is not finite.
    pub fn solve(&self, loads: &Loads) -> Result<StaticSolution, FemError> {
        let mut solution = self.statics.solve(&self.balanced(loads))?;
        let moved = Vector6::from_fn(|k, _| {
            solution.displacement.iter().enumerate().map(|(dof, u)| self.rigid.momentum[(dof, k)] * u).sum()
        });
        let rigid = self.rigid.inverse * moved;
        for (u, x) in solution.displacement.chunks_exact_mut(3).zip(&self.rigid.nodes) {
            let part = rigid_displacement(&rigid, x, &self.rigid.centre);
            u.iter_mut().zip(part.iter()).for_each(|(u, part)| *u -= part);
        }
        for (motion, x) in solution.interface.iter_mut().zip(&self.references) {
            let part = rigid_displacement(&rigid, x, &self.rigid.centre);
            (0..3).for_each(|k| {
                motion[k] -= part[k];
                motion[3 + k] -= rigid[3 + k];
            });
        }
        Ok(solution)
    }
}

/// Six dof, free of interfaces, that hold the body: those whose rows of the rigid motions are the most independent (row
/// by row the longest that is left after removing the directions of those before).
fn six_dof(mesh: &TetMesh, interfaces: &Constraints) -> Result<Vec<(usize, usize)>, FemError> {
    let count = mesh.nodes().len();
    let mut free = vec![true; count];
    let tied = interfaces.rigid.iter().flat_map(|interface| &interface.nodes);
    let averaged = interfaces.averages.iter().flat_map(|interface| &interface.nodes);
    tied.chain(averaged)
        .chain(&interfaces.retained)
        .for_each(|&node| free.iter_mut().skip(node).take(1).for_each(|free| *free = false));
    let centre = mesh.nodes().iter().sum::<Vector3<f64>>() / count as f64;
    let size = mesh.nodes().iter().map(|x| (x - centre).norm()).fold(0.0, f64::max);
    let row = |node: usize, axis: usize| {
        let arm = (mesh.nodes()[node] - centre) / size;
        let unit = Vector3::from_fn(|k, _| f64::from(u8::from(k == axis)));
        let moment = arm.cross(&unit);
        Vector6::new(unit.x, unit.y, unit.z, moment.x, moment.y, moment.z)
    };
    let nodes = (0..count).filter(|&node| free[node]);
    let mut rows: Vec<(usize, usize, Vector6<f64>)> =
        nodes.flat_map(|node| (0..3).map(move |axis| (node, axis))).map(|(n, a)| (n, a, row(n, a))).collect();
    let mut held = Vec::new();
    for _ in 0..6 {
        let best = rows.iter().max_by(|a, b| a.2.norm().total_cmp(&b.2.norm())).filter(|row| row.2.norm() > 1e-3);
        let Some(&(node, axis, longest)) = best else {
            return Err(FemError::Boundary(
                "too few nodes are free of interfaces to hold the body; refine the mesh".into(),
            ));
        };
        held.push((node, axis));
        let direction = longest.normalize();
        rows.iter_mut().for_each(|row| row.2 -= direction * direction.dot(&row.2));
    }
    Ok(held)
}
