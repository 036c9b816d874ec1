//! Statics: displacements, reactions and strains under loads and supports.

use faer::Mat;
use nalgebra::{Vector3, Vector6};

use crate::error::FemError;
use crate::mesh::{SurfaceFace, TetMesh};
use crate::solver::factor::Cholesky;
use crate::system::assembly::Assembled;
use crate::system::dofs::{Constraints, DofMap};
use crate::system::element::triangle::triangle_shape;
use crate::system::projection;

/// A supported structure, factorised once for any number of load cases.
#[derive(Debug)]
pub struct Statics<'a> {
    system: &'a Assembled,
    map: DofMap,
    factor: Cholesky,
}

/// Loads of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Loads {
    /// Nodal forces, N, one per mesh dof.
    pub nodal: Vec<f64>,
    /// Force, N, and moment about the reference point, N m, of each rigid interface, then of each averaging one.
    pub interface: Vec<[f64; 6]>,
}

/// The answer to one load case.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticSolution {
    /// Displacements, m, one per mesh dof.
    pub displacement: Vec<f64>,
    /// Displacement, m, and rotation, rad, of each rigid interface, then of each averaging one.
    pub interface: Vec<[f64; 6]>,
    /// `K u - f`, N, one per mesh dof: support reactions and forces of rigid interfaces, rounding elsewhere.
    pub reaction: Vec<f64>,
}

impl Loads {
    /// No loads on a mesh with this many rigid and averaging interfaces.
    pub fn none(mesh: &TetMesh, interfaces: usize) -> Self {
        Self { nodal: vec![0.0; 3 * mesh.nodes().len()], interface: vec![[0.0; 6]; interfaces] }
    }

    /// Adds the work-equivalent nodal forces of a uniform traction, Pa, on surface faces.
    ///
    /// `f_a = ∫ N_a t dA` with the area element of the curved face, by a six-point rule exact to degree 4 (Dunavant
    /// 1985).
    pub fn add_traction(&mut self, mesh: &TetMesh, faces: &[SurfaceFace], traction: &Vector3<f64>) {
        for face in faces {
            for (l2, l3, weight) in TRIANGLE_DEGREE_4 {
                let (shape, by_l2, by_l3) = triangle_shape(face.nodes.len(), l2, l3);
                let tangent = |by: &[f64; 6]| -> Vector3<f64> {
                    face.nodes.iter().zip(by).map(|(&node, d)| mesh.nodes()[node] * *d).sum()
                };
                let area = 0.5 * weight * tangent(&by_l2).cross(&tangent(&by_l3)).norm();
                for (&node, n) in face.nodes.iter().zip(shape) {
                    for axis in 0..3 {
                        self.nodal[3 * node + axis] += n * area * traction[axis];
                    }
                }
            }
        }
    }
}

/// L₂, L₃ and weight (sum 1) on the triangle.
const TRIANGLE_DEGREE_4: [(f64, f64, f64); 6] = {
    const A: f64 = 0.445_948_490_915_965;
    const B: f64 = 0.091_576_213_509_771;
    const WA: f64 = 0.223_381_589_678_011;
    const WB: f64 = 0.109_951_743_655_322;
    [
        (A, A, WA),
        (1.0 - 2.0 * A, A, WA),
        (A, 1.0 - 2.0 * A, WA),
        (B, B, WB),
        (1.0 - 2.0 * B, B, WB),
        (B, 1.0 - 2.0 * B, WB),
    ]
};

impl<'a> Statics<'a> {
    /// Factorises `Tᵀ K T`. To hold a rigid interface still, clamp its nodes instead of tying them.
    ///
    /// # Errors
    /// When the constraints contradict each other, or leave a motion free.
    pub fn new(mesh: &TetMesh, system: &'a Assembled, constraints: &Constraints) -> Result<Self, FemError> {
        let map = DofMap::new(mesh, constraints)?;
        if map.full() != system.stiffness.dim() {
            return Err(FemError::Mesh("the matrices belong to another mesh".into()));
        }
        let tree = projection::tree(&map, mesh, &system.mass, map.independent());
        let factor = Cholesky::new(&projection::project(&map, &system.stiffness), &tree, 0, "stiffness matrix")?;
        Ok(Self { system, map, factor })
    }

    /// Solves `Tᵀ K T q = Tᵀ (f - K g)` and returns `u = T q + g`.
    ///
    /// # Errors
    /// When the loads do not fit the mesh, or the solution is not finite.
    pub fn solve(&self, loads: &Loads) -> Result<StaticSolution, FemError> {
        let n = self.map.full();
        let interfaces = self.map.interfaces();
        if loads.nodal.len() != n || loads.interface.len() != interfaces {
            return Err(FemError::Boundary(format!(
                "loads for {} dof and {} interfaces on a model of {n} and {interfaces}",
                loads.nodal.len(),
                loads.interface.len()
            )));
        }
        let (on_rigid, on_averages) = loads.interface.split_at(interfaces - self.map.averages().len());
        let mut forces = loads.nodal.clone();
        for (average, load) in self.map.averages().iter().zip(on_averages) {
            average.add_forces(load, &mut forces);
        }
        let mut internal = vec![0.0; n];
        self.system.stiffness.mul_vec(self.map.offset(), &mut internal);
        let unbalanced: Vec<f64> = forces.iter().zip(&internal).map(|(f, k)| f - k).collect();
        let mut rhs = self.map.project_forces(&unbalanced);
        for (slot, load) in rhs[self.map.rigid_dof(0)..].iter_mut().zip(on_rigid.iter().flatten()) {
            *slot += load;
        }
        let mut q = Mat::from_fn(rhs.len(), 1, |i, _| rhs[i]);
        self.factor.solve_in_place(q.as_mut());
        let mut displacement = self.map.expand(q.col_as_slice(0));
        displacement.iter_mut().zip(self.map.offset()).for_each(|(u, g)| *u += g);
        if !displacement.iter().all(|u| u.is_finite()) {
            return Err(FemError::NonFinite("a static displacement".into()));
        }
        self.system.stiffness.mul_vec(&displacement, &mut internal);
        let reaction = internal.iter().zip(&forces).map(|(k, f)| k - f).collect();
        let motion = |k: usize| std::array::from_fn(|i| q[(self.map.rigid_dof(k) + i, 0)]);
        let mut interface: Vec<[f64; 6]> = (0..on_rigid.len()).map(motion).collect();
        interface.extend(self.map.averages().iter().map(|average| average.motion(&displacement)));
        Ok(StaticSolution { displacement, interface, reaction })
    }
}

/// Strain of an element at volume coordinates (L₂, L₃, L₄) for mesh displacements, m.
///
/// # Errors
/// When the element does not exist, or is folded there.
pub fn strain_at(mesh: &TetMesh, element: usize, at: [f64; 3], displacement: &[f64]) -> Result<Vector6<f64>, FemError> {
    let nodes = mesh.element(element).ok_or_else(|| {
        FemError::Mesh(format!("there is no element {element}; the mesh has {}", mesh.element_count()))
    })?;
    if displacement.len() != 3 * mesh.nodes().len() {
        return Err(FemError::Mesh(format!("{} displacements for {} nodes", displacement.len(), mesh.nodes().len())));
    }
    let x: Vec<_> = nodes.iter().map(|&node| mesh.nodes()[node]).collect();
    let u: Vec<_> =
        nodes.iter().map(|&node| Vector3::from_column_slice(&displacement[3 * node..3 * node + 3])).collect();
    let point = mesh.kind().sample(at, 0.0);
    point.strain(&x, &u).ok_or_else(|| FemError::Quality(format!("element {element} is folded at {at:?}")))
}
