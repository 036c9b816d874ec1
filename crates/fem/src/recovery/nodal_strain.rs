//! Strain at nodes from displacements: averaged over the elements around a node, with an estimate of its error.
//!
//! Strains of neighbouring elements differ at the node they share. The recovered strain is their mean weighted by
//! volume,
//!
//! ```text
//! ε̄ = Σ_e V_e ε_e(x) / Σ_e V_e              jump² = Σ_e V_e |ε_e(x) - ε̄|² / Σ_e V_e
//! ```
//!
//! and their scatter about it, the jump, estimates the error of the strain of an element (Zienkiewicz and Zhu 1987,
//! Int. J. Numer. Methods Eng. 24, 337-357, with nodal averaging in place of their projection). Limits: the jump does
//! not see what neighbours have in common: where a strain bends within elements, quadratic ones overshoot it on both
//! sides of a corner (by 4 % in a tube of 8 cells around, 1 % with 16), so refine until gauges settle. Where two
//! materials meet, the true strain jumps, the mean smears it and the jump counts as error; at edges and under point
//! loads the strain is singular and no mean helps.
//!
//! Strain is in the order `xx, yy, zz, xy, yz, zx` with engineering shear, in the axes of the mesh.

use faer::MatRef;
use nalgebra::{DMatrix, Matrix3, Matrix6, Matrix6x3, Vector3, Vector6};
use wolff_flexbody::measures;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::system::element::strain_operator;
use crate::system::material::MaterialField;

/// The elements around every node of a mesh.
#[derive(Debug, Clone)]
pub struct Recovery<'a> {
    mesh: &'a TetMesh,
    /// Start of each node in `around`, and the end of the last.
    start: Vec<usize>,
    /// Element, and place of the node in it.
    around: Vec<(u32, u8)>,
    /// Element volumes, m³.
    volume: Vec<f64>,
}

/// A linear map from the displacements of a few nodes to a strain: `ε = Σ_a B_a u_a`.
#[derive(Debug, Clone, PartialEq)]
pub struct StrainOperator {
    /// Node and `B_a`, 1/m, nodes ascending.
    blocks: Vec<(usize, Matrix6x3<f64>)>,
}

/// Recovered strains of m nodes for n displacement fields.
#[derive(Debug, Clone, PartialEq)]
pub struct NodalStrain {
    /// The nodes.
    pub nodes: Vec<usize>,
    /// `ε̄`, 6 m by n.
    pub strain: DMatrix<f64>,
    /// Jump between elements, m by n: the norm of six numbers, with engineering shear.
    pub jump: DMatrix<f64>,
}

impl<'a> Recovery<'a> {
    /// Finds the elements around the nodes.
    pub fn new(mesh: &'a TetMesh) -> Self {
        let mut start = vec![0; mesh.nodes().len() + 1];
        mesh.elements().flatten().for_each(|&node| start[node + 1] += 1);
        for node in 0..mesh.nodes().len() {
            start[node + 1] += start[node];
        }
        let mut next = start.clone();
        let mut around = vec![(0, 0); mesh.element_count() * mesh.kind().node_count()];
        for (index, element) in mesh.elements().enumerate() {
            for (local, &node) in element.iter().enumerate() {
                around[next[node]] = (index as u32, local as u8);
                next[node] += 1;
            }
        }
        Self { mesh, start, around, volume: volumes(mesh) }
    }

    /// The mesh.
    pub fn mesh(&self) -> &'a TetMesh {
        self.mesh
    }

    fn around(&self, node: usize) -> &[(u32, u8)] {
        match (self.start.get(node), self.start.get(node + 1)) {
            (Some(&from), Some(&to)) => &self.around[from..to],
            _ => &[],
        }
    }

    /// Calls `visit` with the nodes of each element around `node`, its weight (sum 1) and the gradients of its shape
    /// functions at the node, 1/m.
    fn visit(&self, node: usize, mut visit: impl FnMut(&[usize], f64, &[Vector3<f64>; 10])) -> Result<(), FemError> {
        let around = self.around(node);
        if around.is_empty() {
            return Err(FemError::Mesh(format!("node {node} does not exist or belongs to no element")));
        }
        let total: f64 = around.iter().map(|&(element, _)| self.volume[element as usize]).sum();
        let mut x = [Vector3::zeros(); 10];
        for &(element, local) in around {
            let Some(nodes) = self.mesh.element(element as usize) else { continue };
            self.mesh.gather(nodes, &mut x);
            let point = &self.mesh.kind().tables().nodes[usize::from(local)];
            let (gradients, _) = point.spatial_gradients(&x).ok_or_else(|| {
                FemError::Quality(format!("element {element} is inverted or folded at node {node}; remesh there"))
            })?;
            visit(nodes, self.volume[element as usize] / total, &gradients);
        }
        Ok(())
    }

    /// The map from displacements to the recovered strain of a node.
    ///
    /// # Errors
    /// When the node does not exist, or an element around it is folded.
    pub fn operator(&self, node: usize) -> Result<StrainOperator, FemError> {
        let mut blocks = Vec::new();
        self.visit(node, |nodes, weight, gradients| {
            blocks.extend(nodes.iter().zip(gradients).map(|(&a, g)| (a, strain_operator(g) * weight)));
        })?;
        Ok(StrainOperator::merged(blocks))
    }

    /// Elasticity around a node in the axes of the mesh, Pa: the mean of its elements weighted by volume.
    ///
    /// # Errors
    /// When the node does not exist, or the materials belong to another mesh.
    pub fn elasticity(&self, materials: &MaterialField, node: usize) -> Result<Matrix6<f64>, FemError> {
        let around = self.around(node);
        if materials.element_count() != self.mesh.element_count() || around.is_empty() {
            return Err(FemError::Mesh(format!("there is no material at node {node}: it belongs to another mesh")));
        }
        let weighted =
            |&(element, _): &(u32, u8)| *materials.stiffness(element as usize) * self.volume[element as usize];
        let total: f64 = around.iter().map(|&(element, _)| self.volume[element as usize]).sum();
        Ok(around.iter().map(weighted).sum::<Matrix6<f64>>() / total)
    }

    /// All nodes of the elements around a node, ascending.
    pub fn neighbours(&self, node: usize) -> Vec<usize> {
        let elements = self.around(node).iter().filter_map(|&(element, _)| self.mesh.element(element as usize));
        let mut nodes: Vec<usize> = elements.flatten().copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Recovered strains and jumps of many nodes for all columns of `shapes` (mesh dof by n) at once. The result does
    /// not depend on the number of threads.
    ///
    /// # Errors
    /// When the shapes belong to another mesh, a node does not exist, or an element is folded.
    pub fn nodal(&self, nodes: &[usize], shapes: MatRef<'_, f64>) -> Result<NodalStrain, FemError> {
        if shapes.nrows() != 3 * self.mesh.nodes().len() {
            return Err(FemError::Mesh(format!(
                "shapes of {} dof on a mesh of {} nodes",
                shapes.nrows(),
                self.mesh.nodes().len()
            )));
        }
        let modes = shapes.ncols();
        let table = node_major(shapes);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = nodes.len().div_ceil(threads).max(1);
        let results = std::thread::scope(|scope| {
            let table = &table;
            let work = |part: &'_ [usize]| self.nodal_part(part, table, modes);
            let workers: Vec<_> = nodes.chunks(share).map(|part| scope.spawn(move || work(part))).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let strain: Vec<f64> = results.iter().flat_map(|(strain, _)| strain).copied().collect();
        let jump: Vec<f64> = results.iter().flat_map(|(_, jump)| jump).copied().collect();
        Ok(NodalStrain {
            nodes: nodes.to_vec(),
            strain: DMatrix::from_fn(6 * nodes.len(), modes, |i, j| strain[6 * (i / 6 * modes + j) + i % 6]),
            jump: DMatrix::from_fn(nodes.len(), modes, |i, j| jump[i * modes + j]),
        })
    }

    /// Strains (six a mode, mode by mode, node by node) and jumps (one a mode).
    fn nodal_part(&self, nodes: &[usize], table: &[f64], modes: usize) -> Result<(Vec<f64>, Vec<f64>), FemError> {
        let mut strains = Vec::with_capacity(6 * nodes.len() * modes);
        let mut jumps = Vec::with_capacity(nodes.len() * modes);
        let mut gradient = vec![0.0; 9 * modes];
        let mut each: Vec<(f64, Vector6<f64>)> = Vec::new();
        for &node in nodes {
            each.clear();
            self.visit(node, |element, weight, gradients| {
                displacement_gradient(element, gradients, table, &mut gradient);
                each.extend((0..modes).map(|mode| (weight, symmetric_part(&gradient, mode))));
            })?;
            for mode in 0..modes {
                let of_mode = || each.iter().skip(mode).step_by(modes.max(1));
                let mean: Vector6<f64> = of_mode().map(|(w, e)| e * *w).sum();
                let scatter: f64 = of_mode().map(|(w, e)| w * (e - mean).norm_squared()).sum();
                strains.extend(mean.iter());
                jumps.push(scatter.sqrt());
            }
        }
        Ok((strains, jumps))
    }
}

/// Element volumes by the rule of the stiffness, exact for `det J`.
fn volumes(mesh: &TetMesh) -> Vec<f64> {
    let mut x = [Vector3::zeros(); 10];
    let points = &mesh.kind().tables().stiffness;
    mesh.elements()
        .map(|element| {
            mesh.gather(element, &mut x);
            points.iter().map(|p| p.weight * p.jacobian(&x).determinant()).sum()
        })
        .collect()
}

/// Displacements node by node: `3 n` numbers a node, mode by mode.
fn node_major(shapes: MatRef<'_, f64>) -> Vec<f64> {
    let modes = shapes.ncols();
    let mut table = vec![0.0; shapes.nrows() * modes];
    for mode in 0..modes {
        for (node, row) in table.chunks_exact_mut(3 * modes).enumerate() {
            for axis in 0..3 {
                row[3 * mode + axis] = shapes[(3 * node + axis, mode)];
            }
        }
    }
    table
}

/// `∂u/∂x_d` of all modes, for d = x, y, z one after the other.
fn displacement_gradient(element: &[usize], gradients: &[Vector3<f64>; 10], table: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    let width = out.len() / 3;
    if width == 0 {
        return;
    }
    for (&node, g) in element.iter().zip(gradients) {
        let u = &table[node * width..(node + 1) * width];
        for (d, by_d) in out.chunks_exact_mut(width).enumerate() {
            by_d.iter_mut().zip(u).for_each(|(h, u)| *h += g[d] * u);
        }
    }
}

/// Strain of a mode from the displacement gradients.
fn symmetric_part(gradient: &[f64], mode: usize) -> Vector6<f64> {
    let width = gradient.len() / 3;
    let h = |component: usize, by: usize| gradient[by * width + 3 * mode + component];
    Vector6::new(h(0, 0), h(1, 1), h(2, 2), h(0, 1) + h(1, 0), h(1, 2) + h(2, 1), h(2, 0) + h(0, 2))
}

impl StrainOperator {
    /// Sums blocks of the same node.
    fn merged(mut blocks: Vec<(usize, Matrix6x3<f64>)>) -> Self {
        // Stable, so that sums have a fixed order.
        blocks.sort_by_key(|&(node, _)| node);
        let mut merged: Vec<(usize, Matrix6x3<f64>)> = Vec::new();
        for (node, block) in blocks {
            match merged.last_mut() {
                Some((last, sum)) if *last == node => *sum += block,
                _ => merged.push((node, block)),
            }
        }
        Self { blocks: merged }
    }

    /// The strain of one element at volume coordinates (L₂, L₃, L₄), without averaging.
    ///
    /// # Errors
    /// When the element does not exist, or is folded there.
    pub fn in_element(mesh: &TetMesh, element: usize, at: [f64; 3]) -> Result<Self, FemError> {
        let nodes = mesh.element(element).ok_or_else(|| {
            FemError::Mesh(format!("there is no element {element}; the mesh has {}", mesh.element_count()))
        })?;
        let mut x = [Vector3::zeros(); 10];
        mesh.gather(nodes, &mut x);
        let (gradients, _) = mesh
            .kind()
            .sample(at, 0.0)
            .spatial_gradients(&x)
            .ok_or_else(|| FemError::Quality(format!("element {element} is folded at {at:?}")))?;
        Ok(Self::merged(nodes.iter().zip(&gradients).map(|(&a, g)| (a, strain_operator(g))).collect()))
    }

    /// `Σ w_k ε_k`.
    pub fn weighted(parts: &[(f64, StrainOperator)]) -> Self {
        let scaled = |(w, part): &(f64, StrainOperator)| -> Vec<_> {
            part.blocks.iter().map(|(node, block)| (*node, block * *w)).collect()
        };
        Self::merged(parts.iter().flat_map(scaled).collect())
    }

    /// The strain in axes that are the columns of `axes`.
    pub fn rotated(&self, axes: &Matrix3<f64>) -> Self {
        let turn = |block: &Matrix6x3<f64>| {
            Matrix6x3::from_columns(&[0, 1, 2].map(|c| measures::rotated(&block.column(c).into_owned(), axes)))
        };
        Self { blocks: self.blocks.iter().map(|(node, block)| (*node, turn(block))).collect() }
    }

    /// The strain for mesh displacements, m; nodes beyond them count as at rest.
    pub fn apply(&self, displacement: &[f64]) -> Vector6<f64> {
        let at = |node: usize| displacement.get(3 * node..3 * node + 3).map(Vector3::from_column_slice);
        self.blocks.iter().filter_map(|(node, block)| at(*node).map(|u| block * u)).sum()
    }

    /// The strains for all columns of `shapes` (mesh dof by n): 6 by n.
    pub fn apply_all(&self, shapes: MatRef<'_, f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(6, shapes.ncols());
        for mode in 0..shapes.ncols() {
            let mut strain = Vector6::zeros();
            for (node, block) in self.blocks.iter().filter(|(node, _)| 3 * node + 2 < shapes.nrows()) {
                strain += block * Vector3::from_fn(|k, _| shapes[(3 * node + k, mode)]);
            }
            out.set_column(mode, &strain);
        }
        out
    }
}
