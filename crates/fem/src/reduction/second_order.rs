//! Second-order displacements of a deformed body: why a bent bone gets shorter and a stretched one stiffer.
//!
//! To second order in the modal coordinates a point moves by `u = Σ φ_i η_i + ½ Σ g_ij η_i η_j`. The field `g_ij` is
//! the one that leaves no strain energy of third order: it answers, as at rest, to the quadratic part `sym(∇φ_iᵀ ∇φ_j)`
//! of the Green strain,
//!
//! ```text
//! K g_ij = -∫ Bᵀ D sym(∇φ_iᵀ ∇φ_j) dV           Rᵀ M g_ij = 0     R rigid motions
//! ```
//!
//! so that `½ ηᵀ K η` remains the whole elastic energy. Only its work with a few loads is ever needed, and that is
//! minus the geometric stiffness of the stress `σ_f` which the load makes in the free body (by symmetry of `K`;
//! [`crate::solver::relief`]):
//!
//! ```text
//! f · g_ij = -φ_iᵀ K_g(σ_f) φ_j - Σ_a r_a · d_ij(a)          d_ij(a) = sym(θ_i × (θ_j × (x_a - p)))
//! ```
//!
//! with one static solution a load. The last term belongs to rigid interfaces: they turn by `exp(θ)`, of which the
//! shapes have the linear part only; `r_a` are the forces, N, by which an interface at `p` drags its nodes. Without it
//! a patch that turns would be stretched, and strain the bone around it. Frames that follow a mean (averaging
//! interfaces, points) turn by the best fit to the moved patch, so that `d` of their own patch is taken out of what the
//! linear fit sees.
//!
//! `Rᵀ M g = 0` keeps the frame on mean axes to second order: `∫ g dm = 0` and `∫ X × g dm = 0`. The foreshortening
//! then has no momentum, and the truncated kinetic energy stays positive for the same motions as without it; a field
//! held at an interface would not have this property (own choice). Loads are taken as dead, materials as linear,
//! strains as small. The idea of using unit loads: Schwertassek and Wallrapp, Dynamik flexibler Mehrkörpersysteme,
//! 1999, geometric stiffening.

use faer::{Mat, MatRef};
use nalgebra::{DMatrix, Matrix3, Vector3};
use wolff_flexbody::Node;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::recovery::attachment::Attachment;
use crate::reduction::geometric::modal_geometric_stiffness;
use crate::solver::relief::InertiaRelief;
use crate::solver::solve::Loads;
use crate::system::assembly::Assembled;
use crate::system::dofs::{Constraints, DofMap};
use crate::system::material::MaterialField;

/// A free body whose second-order displacements are asked for.
#[derive(Debug)]
pub struct SecondOrder<'a> {
    mesh: &'a TetMesh,
    materials: &'a MaterialField,
    system: &'a Assembled,
    interfaces: &'a Constraints,
    points: &'a [Attachment],
    relief: &'a InertiaRelief<'a>,
    shapes: MatRef<'a, f64>,
    map: DofMap,
}

/// Two axes that make a symmetric field of unit stretch or shear.
const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 0]];

impl<'a> SecondOrder<'a> {
    /// The body of a mesh with interfaces, points and shapes (mesh dof by n), and its factor.
    ///
    /// # Errors
    /// When interfaces or shapes do not fit the mesh.
    pub fn new(
        (mesh, materials, system): (&'a TetMesh, &'a MaterialField, &'a Assembled),
        (interfaces, points): (&'a Constraints, &'a [Attachment]),
        relief: &'a InertiaRelief<'a>,
        shapes: MatRef<'a, f64>,
    ) -> Result<Self, FemError> {
        let map = DofMap::new(mesh, interfaces)?;
        if shapes.nrows() != map.full() {
            return Err(FemError::Mesh(format!("shapes on {} dof with a mesh of {}", shapes.nrows(), map.full())));
        }
        Ok(Self { mesh, materials, system, interfaces, points, relief, shapes, map })
    }

    /// `∫ X g_ijᵀ dm`, kg m per squared modal coordinate, at `i n + j`; symmetric, as `∫ X × g dm` vanishes.
    ///
    /// # Errors
    /// When a static solution fails.
    pub fn moments(&self, frames: &[Node]) -> Result<Vec<Matrix3<f64>>, FemError> {
        let modes = self.shapes.ncols();
        let mut moments = vec![Matrix3::zeros(); modes * modes];
        for [a, b] in PAIRS {
            let work = self.work(&self.stretching(a, b), frames)?;
            for (k, moment) in moments.iter_mut().enumerate() {
                let value = work[(k / modes, k % modes)];
                moment[(a, b)] = value;
                moment[(b, a)] = value;
            }
        }
        Ok(moments)
    }

    /// Second-order displacement, m, and rotation, rad, of every frame: adds them to the nodes of the interfaces and
    /// then of the points.
    ///
    /// # Errors
    /// When a static solution fails.
    pub fn add_to(&self, frames: &mut [Node]) -> Result<(), FemError> {
        for frame in 0..frames.len() {
            let mut second = vec![Vector3::zeros(); self.shapes.ncols().pow(2)];
            let mut second_rotation = second.clone();
            for component in 0..6 {
                let work = self.frame_work(frame, component, frames)?;
                let out = if component < 3 { &mut second } else { &mut second_rotation };
                for (k, value) in out.iter_mut().enumerate() {
                    value[component % 3] = work[(k / work.ncols(), k % work.ncols())];
                }
            }
            frames[frame].second = second;
            frames[frame].second_rotation = second_rotation;
        }
        Ok(())
    }

    /// The inertia of the field `½ (X_a e_b + X_b e_a)`.
    fn stretching(&self, a: usize, b: usize) -> Loads {
        let mut load = Loads::none(self.mesh, self.map.interfaces());
        let nodes = self.mesh.nodes();
        let field = Mat::from_fn(3 * nodes.len(), 1, |dof, _| {
            let (x, axis) = (&nodes[dof / 3], dof % 3);
            0.5 * (if axis == b { x[a] } else { 0.0 } + if axis == a { x[b] } else { 0.0 })
        });
        load.nodal.copy_from_slice(self.system.mass.mul(field.as_ref()).col_as_slice(0));
        load
    }

    /// Work of a unit load on a frame, its own turn taken out.
    fn frame_work(&self, frame: usize, component: usize, frames: &[Node]) -> Result<DMatrix<f64>, FemError> {
        let unit: [f64; 6] = std::array::from_fn(|k| f64::from(u8::from(k == component)));
        let (rigid, interfaces) = (self.interfaces.rigid.len(), self.map.interfaces());
        let mut load = Loads::none(self.mesh, interfaces);
        if frame < rigid {
            load.interface[frame] = unit;
            return self.work(&load, frames);
        }
        // on a mean, the load is that of its nodes
        let mut pattern = vec![0.0; self.map.full()];
        match self.map.averages().get(frame - rigid) {
            Some(average) => average.add_forces(&unit, &mut pattern),
            None => self.points.get(frame - interfaces).into_iter().for_each(|p| p.add_load(&unit, &mut pattern)),
        }
        load.nodal.copy_from_slice(&pattern);
        let turned = turning_work(
            &virial(self.mesh, 0..self.mesh.nodes().len(), &frames[frame].position, &pattern),
            &frames[frame],
        );
        Ok(self.work(&load, frames)? - turned)
    }

    /// `f · g_ij` of a load.
    fn work(&self, load: &Loads, frames: &[Node]) -> Result<DMatrix<f64>, FemError> {
        let answer = self.relief.solve(load)?;
        let k = modal_geometric_stiffness(self.mesh, self.materials, &answer.displacement, self.shapes)?;
        let mut work = DMatrix::from_fn(k.nrows(), k.ncols(), |i, j| -0.5 * (k[(i, j)] + k[(j, i)]));
        for (interface, frame) in self.interfaces.rigid.iter().zip(frames) {
            let nodes = interface.nodes.iter().copied();
            work -= turning_work(&virial(self.mesh, nodes, &interface.reference, &answer.reaction), frame);
        }
        Ok(work)
    }
}

/// `W = Σ_a (x_a - p) f_aᵀ`, N m.
fn virial(mesh: &TetMesh, nodes: impl Iterator<Item = usize>, p: &Vector3<f64>, forces: &[f64]) -> Matrix3<f64> {
    let force = |node: usize| Vector3::new(forces[3 * node], forces[3 * node + 1], forces[3 * node + 2]);
    nodes.map(|node| (mesh.nodes()[node] - p) * force(node).transpose()).sum()
}

/// `Σ_a f_a · sym(θ_i × (θ_j × (x_a - p))) = ½ θ_iᵀ (W + Wᵀ) θ_j - tr W θ_i · θ_j`.
fn turning_work(virial: &Matrix3<f64>, frame: &Node) -> DMatrix<f64> {
    let symmetric = (virial + virial.transpose()) * 0.5 - Matrix3::identity() * virial.trace();
    frame.rotation.tr_mul(&(symmetric * &frame.rotation))
}
