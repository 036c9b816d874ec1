//! Lowest vibration modes by block Lanczos with shift and inversion.
//!
//! `K φ = λ M φ`, `λ = ω²`. The operator `A = (K - σ M)⁻¹ M` is self-adjoint in the inner product `xᵀ M y` and has the
//! eigenvalues `θ = 1 / (λ - σ)`: the lowest modes become the largest. A Krylov basis of blocks is kept M-orthonormal
//! by two full passes; Ritz values come from `Vᵀ M A V`; the basis grows until the wanted ones have converged (Grimes,
//! Lewis and Simon 1994, SIAM J. Matrix Anal. 15, 228-272, without its restarts). Blocks find modes of multiplicity up
//! to the block's size, as bending pairs of round bones are.
//!
//! A free body has six motions with `λ = 0`. They are known exactly, so the basis is kept orthogonal to them and the
//! shift is slightly negative, which makes `K - σ M` positive definite.

use std::f64::consts::TAU;

use faer::{Mat, MatRef};

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::solver::dense::{divide_by_cholesky, product, subtract_product, symmetrised};
use crate::solver::factor::Cholesky;
use crate::solver::fronts::DofTree;
use crate::solver::krylov::{Krylov, dot};
use crate::solver::sturm::negative_eigenvalues;
use crate::system::assembly::Assembled;
use crate::system::dofs::{Constraints, DofMap};
use crate::system::projection::{self, ProjectedMass};
use crate::system::sparse::SymmetricMatrix;

/// How the modes are sought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeOptions {
    /// Relative residual `‖A φ - θ φ‖ / θ` (M norm) at which a mode counts as converged. The relative error of λ is
    /// about its square over the relative gap to the next mode: 1e-7 leaves less than 1e-10 unless modes are closer
    /// than 1e-4, and then they converge together.
    pub tolerance: f64,
    /// Vectors per block.
    pub block: usize,
    /// Largest basis; 0 for `8 count + 80`.
    pub max_vectors: usize,
    /// Whether to count the modes below the highest gap in the result by a second factorisation, so that none is
    /// overlooked ([`FemError::MissedModes`]).
    pub verify: bool,
}

impl Default for ModeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-7, block: 4, max_vectors: 0, verify: false }
    }
}

/// Modes in ascending order, `φᵀ M φ = 1`.
#[derive(Debug, Clone)]
pub struct Modes {
    /// `λ = ω²`, 1/s².
    pub eigenvalues: Vec<f64>,
    /// One column per mode.
    pub shapes: Mat<f64>,
    /// `‖K φ - λ M φ‖ / ‖λ M φ‖` of each.
    pub residuals: Vec<f64>,
    /// Size of the Krylov basis that was needed.
    pub vectors: usize,
}

impl Modes {
    /// Natural frequencies, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.eigenvalues.iter().map(|lambda| lambda.abs().sqrt().copysign(*lambda) / TAU).collect()
    }

    /// The largest residual.
    pub fn worst_residual(&self) -> f64 {
        self.residuals.iter().copied().fold(0.0, f64::max)
    }
}

/// The eigenproblem `K φ = λ M φ` on the φ with `A φ = 0`, if there are constraints.
pub(crate) struct Problem<'a> {
    pub(crate) k: &'a SymmetricMatrix,
    pub(crate) m: ProjectedMass<'a>,
    /// The factor of `K - σ M`, or of `[K - σ M  Aᵀ; A 0]`.
    pub(crate) factor: &'a Cholesky,
    /// `σ`, below what is sought, 1/s².
    pub(crate) shift: f64,
    /// M-orthonormal vectors to stay clear of.
    pub(crate) avoid: MatRef<'a, f64>,
    /// Orthonormal vectors that span the columns of `Aᵀ`.
    pub(crate) reactions: MatRef<'a, f64>,
    /// The number of `λ` below a bound, those of `avoid` included.
    pub(crate) below: &'a dyn Fn(f64) -> Result<usize, FemError>,
}

impl Problem<'_> {
    /// Number of modes there are.
    pub(crate) fn available(&self) -> usize {
        self.k.dim().saturating_sub(self.avoid.ncols() + self.reactions.ncols())
    }

    /// `√(xᵀ M x)` of each column.
    pub(crate) fn m_norms(&self, x: &Mat<f64>) -> Vec<f64> {
        let image = self.m.mul(x.as_ref());
        (0..x.ncols()).map(|j| dot(x.col_as_slice(j), image.col_as_slice(j)).max(0.0).sqrt()).collect()
    }

    /// Modes with their residuals, apart from what the constraints bear.
    pub(crate) fn with_residuals(
        &self,
        eigenvalues: Vec<f64>,
        shapes: Mat<f64>,
        vectors: usize,
    ) -> Result<Modes, FemError> {
        if !eigenvalues.iter().all(|lambda| lambda.is_finite()) {
            return Err(FemError::NonFinite("an eigenvalue".into()));
        }
        let mut error = self.k.mul(shapes.as_ref());
        let mut forces = self.m.mul(shapes.as_ref());
        for (j, lambda) in eigenvalues.iter().enumerate() {
            forces.col_as_slice_mut(j).iter_mut().for_each(|f| *f *= lambda);
        }
        error -= &forces;
        let borne = product(self.reactions.transpose(), error.as_ref());
        subtract_product(&mut error, self.reactions, borne.as_ref());
        let norm = |x: &Mat<f64>, j: usize| dot(x.col_as_slice(j), x.col_as_slice(j)).sqrt();
        let residuals = (0..eigenvalues.len()).map(|j| norm(&error, j) / norm(&forces, j)).collect();
        Ok(Modes { eigenvalues, shapes, residuals, vectors })
    }
}

/// The residual above which a mode is refused, whatever the basis said.
const MAX_RESIDUAL: f64 = 1e-5;

/// The residual above which the shapes get one more inverse iteration.
const REFINE_RESIDUAL: f64 = 1e-7;

/// The relative distance of two eigenvalues between which modes can be counted safely.
const CLEAR_GAP: f64 = 1e-3;

/// A free body's shift relative to `tr K / tr M`: small against the first flexible mode or not far above it, so that
/// few vectors are needed, and large enough for a safe factorisation.
const FREE_SHIFT: f64 = 1e-6;

/// The lowest modes of a mesh under its constraints, with shapes on the mesh dof. Without prescribed dof the body is
/// free and its six rigid motions are left out.
///
/// # Errors
/// When `count` exceeds what the model has, prescribed displacements are not zero, supports leave a motion free, or the
/// modes do not converge.
pub fn vibration_modes(
    mesh: &TetMesh,
    system: &Assembled,
    constraints: &Constraints,
    count: usize,
    options: &ModeOptions,
) -> Result<Modes, FemError> {
    if constraints.prescribed.iter().any(|&(_, _, value)| value != 0.0) {
        return Err(FemError::Boundary("vibration about prescribed displacements: set them to zero".into()));
    }
    let map = DofMap::new(mesh, constraints)?;
    if system.stiffness.dim() != map.full() {
        return Err(FemError::Mesh("the matrices belong to another mesh".into()));
    }
    let tree = projection::tree(&map, mesh, &system.mass, map.independent());
    let k = projection::project(&map, &system.stiffness);
    let m = || ProjectedMass { map: &map, mass: &system.mass, dim: map.independent() };
    let none = Mat::zeros(k.dim(), 0);
    let below = |lambda: f64| count_below(&map, system, &tree, lambda);
    let problem =
        |factor, shift, avoid| Problem { k: &k, m: m(), factor, shift, avoid, reactions: none.as_ref(), below: &below };
    let reduced = if constraints.prescribed.is_empty() {
        let shift = -FREE_SHIFT * system.stiffness.trace() / system.mass.trace();
        let rigid = m_orthonormal(map.rigid_motions(mesh.nodes()), &m())?;
        let shifted = projection::project(&map, &system.stiffness.plus(-shift, &system.mass)?);
        let factor = Cholesky::new(&shifted, &tree, 0, "shifted stiffness matrix")?;
        lowest_modes(&problem(&factor, shift, rigid.as_ref()), count, options)?
    } else {
        let factor = Cholesky::new(&k, &tree, 0, "stiffness matrix")?;
        lowest_modes(&problem(&factor, 0.0, none.as_ref()), count, options)?
    };
    Ok(Modes { shapes: map.expand_block(reduced.shapes.as_ref()), ..reduced })
}

/// The lowest modes of a problem.
///
/// # Errors
/// As [`vibration_modes`].
pub(crate) fn lowest_modes(problem: &Problem<'_>, count: usize, options: &ModeOptions) -> Result<Modes, FemError> {
    let available = problem.available();
    if count == 0 || count > available {
        return Err(FemError::ModeCount { asked: count, available });
    }
    let limit = if options.max_vectors == 0 { 8 * count + 80 } else { options.max_vectors.max(count) };
    let mut krylov = Krylov::new(problem, options.block.max(1));
    let mut next_check = count;
    loop {
        krylov.advance();
        let applied = krylov.applied();
        let exhausted = applied >= available.min(limit);
        if applied < next_check && !exhausted {
            continue;
        }
        let ritz = krylov.ritz()?;
        let worst = ritz.residuals.iter().take(count).copied().fold(0.0f64, f64::max);
        if worst <= options.tolerance || exhausted {
            let mut modes = krylov.modes(&ritz, count)?;
            if !(modes.worst_residual() <= REFINE_RESIDUAL) {
                modes = krylov.refined(&modes)?;
            }
            let modes = check(modes)?;
            if options.verify {
                verify(&modes.eigenvalues, problem.avoid.ncols(), problem.below)?;
            }
            return Ok(modes);
        }
        next_check = applied + applied / 8;
    }
}

/// The number of modes of a mesh under its constraints below a frequency, Hz, by the signs of the pivots of `K - ω² M`.
/// The six rigid motions of a free body count.
///
/// # Errors
/// When the constraints contradict each other, or the frequency is so close to a mode that a pivot vanishes.
pub fn modes_below(
    mesh: &TetMesh,
    system: &Assembled,
    constraints: &Constraints,
    frequency: f64,
) -> Result<usize, FemError> {
    let map = DofMap::new(mesh, constraints)?;
    if system.stiffness.dim() != map.full() {
        return Err(FemError::Mesh("the matrices belong to another mesh".into()));
    }
    let tree = projection::tree(&map, mesh, &system.mass, map.independent());
    count_below(&map, system, &tree, (TAU * frequency).powi(2))
}

/// Checks that no mode is missing below the highest gap between the given modes.
///
/// # Errors
/// [`FemError::MissedModes`], or as [`modes_below`].
pub fn verify_modes(
    mesh: &TetMesh,
    system: &Assembled,
    constraints: &Constraints,
    modes: &Modes,
) -> Result<(), FemError> {
    let rigid = if constraints.prescribed.is_empty() { 6 } else { 0 };
    let below = |lambda: f64| modes_below(mesh, system, constraints, lambda.sqrt() / TAU);
    verify(&modes.eigenvalues, rigid, &below)
}

fn count_below(map: &DofMap, system: &Assembled, tree: &DofTree, lambda: f64) -> Result<usize, FemError> {
    let shifted = projection::project(map, &system.stiffness.plus(-lambda, &system.mass)?);
    negative_eigenvalues(&shifted, tree)
}

/// Compares the eigenvalues below the highest gap with a count of all.
fn verify(eigenvalues: &[f64], rigid: usize, below: &dyn Fn(f64) -> Result<usize, FemError>) -> Result<(), FemError> {
    let clear = |j: &usize| eigenvalues[*j] > eigenvalues[*j - 1] * (1.0 + CLEAR_GAP);
    let (bound, count) = match (1..eigenvalues.len()).rev().find(clear) {
        Some(j) => (0.5 * (eigenvalues[j - 1] + eigenvalues[j]), j),
        None => (eigenvalues.first().map_or(0.0, |first| first * (1.0 - CLEAR_GAP)), 0),
    };
    let (exist, found) = (below(bound)?, count + rigid);
    if exist != found {
        return Err(FemError::MissedModes { exist, found, frequency: bound.sqrt() / TAU });
    }
    Ok(())
}

/// Refuses modes that do not solve the eigenproblem.
fn check(modes: Modes) -> Result<Modes, FemError> {
    match modes.residuals.iter().position(|residual| !(*residual <= MAX_RESIDUAL)) {
        None => Ok(modes),
        Some(mode) => Err(FemError::NotConverged {
            mode,
            frequency: modes.frequencies()[mode],
            residual: modes.residuals[mode],
            vectors: modes.vectors,
            tolerance: MAX_RESIDUAL,
        }),
    }
}

/// `x` made M-orthonormal by the Cholesky factor of `xᵀ M x`, twice.
fn m_orthonormal(mut x: Mat<f64>, m: &ProjectedMass<'_>) -> Result<Mat<f64>, FemError> {
    for _ in 0..2 {
        let gram = product(x.transpose(), m.mul(x.as_ref()).as_ref());
        divide_by_cholesky(&mut x, symmetrised(gram.as_ref()).as_ref(), "mass of the rigid motions")?;
    }
    Ok(x)
}
