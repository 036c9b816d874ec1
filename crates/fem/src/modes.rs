//! Lowest vibration modes by block Lanczos with shift and inversion.
//!
//! `K φ = λ M φ`, `λ = ω²`. The operator `A = (K - σ M)⁻¹ M` is self-adjoint in the inner product `xᵀ M y` and has the
//! eigenvalues `θ = 1 / (λ - σ)`: the lowest modes become the largest. A Krylov basis of blocks is kept M-orthonormal by
//! two full passes; Ritz values come from `Vᵀ M A V`; the basis grows until the wanted ones have converged (Grimes,
//! Lewis and Simon 1994, SIAM J. Matrix Anal. 15, 228-272, without its restarts). Blocks find modes of multiplicity up
//! to the block's size, as bending pairs of round bones are.
//!
//! A free body has six motions with `λ = 0`. They are known exactly, so the basis is kept orthogonal to them and the
//! shift is slightly negative, which makes `K - σ M` positive definite.

use std::f64::consts::TAU;

use faer::{Mat, MatRef};

use crate::assembly::Assembled;
use crate::dofs::{Constraints, DofMap};
use crate::error::FemError;
use crate::krylov::{Krylov, m_orthonormal};
use crate::mesh::TetMesh;
use crate::sparse::{Cholesky, SymmetricMatrix};

/// How the modes are sought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeOptions {
    /// Relative residual `‖A φ - θ φ‖ / θ` (M norm) at which a mode counts as converged; the error of λ is about its
    /// square.
    pub tolerance: f64,
    /// Vectors per block.
    pub block: usize,
    /// Largest basis; 0 for `8 count + 80`.
    pub max_vectors: usize,
}

impl Default for ModeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, block: 4, max_vectors: 0 }
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

    /// Computes the residuals of `(K, M)`.
    pub(crate) fn with_residuals(mut self, k: &SymmetricMatrix, m: &SymmetricMatrix) -> Result<Self, FemError> {
        if !self.eigenvalues.iter().all(|lambda| lambda.is_finite()) {
            return Err(FemError::NonFinite("an eigenvalue".into()));
        }
        let (ks, ms) = (k.mul(self.shapes.as_ref()), m.mul(self.shapes.as_ref()));
        let residual = |(j, lambda): (usize, &f64)| {
            let (mut error, mut size) = (0.0, 0.0);
            for (k, m) in ks.col_as_slice(j).iter().zip(ms.col_as_slice(j)) {
                error += (k - lambda * m).powi(2);
                size += (lambda * m).powi(2);
            }
            (error / size).sqrt()
        };
        self.residuals = self.eigenvalues.iter().enumerate().map(residual).collect();
        Ok(self)
    }
}

/// The residual above which a mode is refused, whatever the basis said.
const MAX_RESIDUAL: f64 = 1e-5;

/// The residual above which the shapes get one more inverse iteration.
const REFINE_RESIDUAL: f64 = 1e-7;

/// A free body's shift relative to `tr K / tr M`: small against the first flexible mode or not far above it, so that
/// few vectors are needed, and large enough for a safe factorisation.
const FREE_SHIFT: f64 = 1e-6;

/// The lowest modes of a mesh under its constraints, with shapes on the mesh dof. Without prescribed dof the body is free
/// and its six rigid motions are left out.
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
    let (k, m) = map.project_both(system)?;
    let reduced = if constraints.prescribed.is_empty() {
        let shift = -FREE_SHIFT * k.trace() / m.trace();
        let rigid = m_orthonormal(map.rigid_motions(mesh.nodes()), &m)?;
        let factor = Cholesky::new(&k.plus(-shift, &m)?, "shifted stiffness matrix")?;
        lowest_modes(&k, &m, &factor, shift, rigid.as_ref(), count, options)?
    } else {
        let factor = Cholesky::new(&k, "stiffness matrix")?;
        lowest_modes(&k, &m, &factor, 0.0, Mat::zeros(k.dim(), 0).as_ref(), count, options)?
    };
    Ok(Modes { shapes: map.expand_block(reduced.shapes.as_ref()), ..reduced })
}

/// The lowest modes of `(K, M)` given the factor of `K - σ M`, with `σ` below what is sought, and M-orthonormal vectors
/// to stay clear of.
///
/// # Errors
/// As [`vibration_modes`].
pub(crate) fn lowest_modes(
    k: &SymmetricMatrix,
    m: &SymmetricMatrix,
    factor: &Cholesky,
    shift: f64,
    avoid: MatRef<'_, f64>,
    count: usize,
    options: &ModeOptions,
) -> Result<Modes, FemError> {
    let available = k.dim().saturating_sub(avoid.ncols());
    if count == 0 || count > available {
        return Err(FemError::ModeCount { asked: count, available });
    }
    let limit = if options.max_vectors == 0 { 8 * count + 80 } else { options.max_vectors.max(count) };
    let m = &m.compact();
    let mut krylov = Krylov::new(m, factor, avoid, options.block.max(1));
    let mut next_check = count;
    loop {
        krylov.advance()?;
        let applied = krylov.applied();
        let exhausted = applied >= available.min(limit);
        if applied < next_check && !exhausted {
            continue;
        }
        let ritz = krylov.ritz()?;
        let worst = ritz.residuals.iter().take(count).copied().fold(0.0f64, f64::max);
        if worst <= options.tolerance || exhausted {
            let mut modes = krylov.modes(&ritz, k, shift, count)?;
            if !(modes.worst_residual() <= REFINE_RESIDUAL) {
                modes = krylov.refined(&modes, k)?;
            }
            return check(modes);
        }
        next_check = applied + applied / 8;
    }
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
