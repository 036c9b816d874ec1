//! Integrals over the mass of a flexible body.
//!
//! ```text
//! s(η)   = ∫ x dm        = s₀ + Σ S_i η_i + ½ Σ S2_ij η_i η_j           first moment
//! P(η)   = ∫ x xᵀ dm     = P₀ + Σ (B_i + B_iᵀ) η_i + Σ C_ij η_i η_j + …  second moment
//! E_i(η) = ∫ x φ_iᵀ dm   = B_i + Σ_j (C_ji + B2_ij) η_j                  moment with a shape
//! ```
//!
//! From these follow the moment of inertia `tr(P) 1 - P`, the coupling of mode i to rotation `∫ x × φ_i dm` (the
//! antisymmetric part of `E_i`) and to translation `S_i + Σ S2_ij η_j`, the modal mass `tr C_ij`, and all velocity
//! terms: Shabana, Dynamics of Multibody Systems, ch. 5; the second-order terms as in Schwertassek and Wallrapp,
//! Dynamik flexibler Mehrkörpersysteme, 1999. `S2`, `B2` are kept to first order in `η` in the modal equations, which
//! makes the truncated kinetic energy exact to itself: a free body conserves energy and momentum with them as without.
//! That energy is positive only while the deformation is small against the inertia that the modes leave to the frame;
//! beyond, the mass matrix has no factor and the run stops.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use wolff_spatial::{Mat3, Vec3};

use crate::error::FlexBodyError;

/// Constant integrals over the undeformed body, in the axes of its floating frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InertiaIntegrals {
    /// Mass \[kg\].
    pub mass: f64,
    /// `s₀ = ∫ X dm` \[kg m\].
    pub first: Vec3,
    /// `P₀ = ∫ X Xᵀ dm` \[kg m²\].
    pub second: Mat3,
    /// `S_i = ∫ φ_i dm`, one a mode.
    pub S: Vec<Vec3>,
    /// `B_i = ∫ X φ_iᵀ dm`, one a mode.
    pub B: Vec<Mat3>,
    /// `C_ij = ∫ φ_i φ_jᵀ dm` at `i n + j`.
    pub C: Vec<Mat3>,
    /// `S2_ij = ∫ g_ij dm` at `i n + j`, symmetric; empty without geometric stiffening.
    pub S2: Vec<Vec3>,
    /// `B2_ij = ∫ X g_ijᵀ dm` at `i n + j`, symmetric in i, j; empty without geometric stiffening.
    pub B2: Vec<Mat3>,
}

impl InertiaIntegrals {
    /// Integrals of point masses: `masses[p]` at `positions[p]` with shapes `shapes[p]` (3 rows, a column a mode).
    ///
    /// # Errors
    /// When the lists do not fit together.
    pub fn lumped(masses: &[f64], positions: &[Vec3], shapes: &[DMatrix<f64>]) -> Result<Self, FlexBodyError> {
        let modes = shapes.first().map_or(0, |s| s.ncols());
        let fits = positions.len() == masses.len()
            && shapes.len() == masses.len()
            && shapes.iter().all(|s| s.shape() == (3, modes));
        if !fits {
            return Err(FlexBodyError::invalid(
                "lumped body",
                "give each mass a position and a 3 by n matrix of shapes",
            ));
        }
        let mut integrals = Self::rigid(0.0, Vec3::zeros(), Mat3::zeros(), modes);
        for ((&m, X), shape) in masses.iter().zip(positions).zip(shapes) {
            let phi: Vec<Vec3> = (0..modes).map(|i| shape.fixed_view::<3, 1>(0, i).into_owned()).collect();
            integrals.add_point(m, X, &phi);
        }
        Ok(integrals)
    }

    /// A body that has `modes` shapes which move no mass yet.
    pub fn rigid(mass: f64, first: Vec3, second: Mat3, modes: usize) -> Self {
        InertiaIntegrals {
            mass,
            first,
            second,
            S: vec![Vec3::zeros(); modes],
            B: vec![Mat3::zeros(); modes],
            C: vec![Mat3::zeros(); modes * modes],
            S2: Vec::new(),
            B2: Vec::new(),
        }
    }

    /// Adds a point mass at `X` with shapes `phi`.
    pub fn add_point(&mut self, m: f64, X: &Vec3, phi: &[Vec3]) {
        let n = phi.len();
        self.mass += m;
        self.first += X * m;
        self.second += X * X.transpose() * m;
        for i in 0..n {
            self.S[i] += phi[i] * m;
            self.B[i] += X * phi[i].transpose() * m;
            for j in 0..n {
                self.C[i * n + j] += phi[i] * phi[j].transpose() * m;
            }
        }
    }

    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.S.len()
    }

    /// Whether second-order displacements are in.
    pub fn has_stiffening(&self) -> bool {
        !self.S2.is_empty()
    }

    /// The integrals without second-order displacements.
    pub fn without_stiffening(mut self) -> Self {
        self.S2.clear();
        self.B2.clear();
        self
    }

    /// Modal mass matrix `tr C_ij`.
    pub fn modal_mass(&self) -> DMatrix<f64> {
        let n = self.modes();
        DMatrix::from_fn(n, n, |i, j| self.C[i * n + j].trace())
    }

    /// Mass matrix of the undeformed body for (angular velocity, velocity, modal speeds) about the origin of its frame.
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        let n = self.modes();
        let mut m = DMatrix::zeros(6 + n, 6 + n);
        let s = wolff_spatial::skew(&self.first);
        m.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * self.second.trace() - self.second));
        m.fixed_view_mut::<3, 3>(0, 3).copy_from(&s);
        m.fixed_view_mut::<3, 3>(3, 0).copy_from(&s.transpose());
        m.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Mat3::identity() * self.mass));
        for i in 0..n {
            let (turning, moving) = (axial(&self.B[i]), self.S[i]);
            for k in 0..3 {
                for (row, value) in [(k, turning[k]), (3 + k, moving[k])] {
                    m[(row, 6 + i)] = value;
                    m[(6 + i, row)] = value;
                }
            }
        }
        m.view_mut((6, 6), (n, n)).copy_from(&self.modal_mass());
        m
    }

    /// Refuses wrong sizes, values that are not finite, and modes that with the rigid motions leave no inertia to some
    /// motion.
    ///
    /// # Errors
    /// With the rule that was broken.
    pub fn check(&self, object: &str) -> Result<(), FlexBodyError> {
        let n = self.modes();
        let sizes = [self.B.len() == n, self.C.len() == n * n, matches!(self.S2.len(), 0) || self.S2.len() == n * n];
        if sizes.contains(&false) || self.B2.len() != self.S2.len() {
            return Err(FlexBodyError::invalid(object, format!("the integrals do not belong to the same {n} modes")));
        }
        let mut values = self.first.iter().chain(self.second.iter()).chain(self.S.iter().flatten());
        let matrices = [&self.B, &self.C, &self.B2];
        let finite = self.mass.is_finite()
            && values.all(|x| x.is_finite())
            && self.S2.iter().flatten().all(|x| x.is_finite())
            && matrices.into_iter().flatten().flatten().all(|x| x.is_finite());
        if !finite {
            return Err(FlexBodyError::NonFinite(format!("an inertia integral of {object}")));
        }
        if !(self.mass > 0.0) {
            return Err(FlexBodyError::invalid(object, format!("mass is {} kg, must be greater than zero", self.mass)));
        }
        self.check_inertia(object)
    }

    /// The scaled mass matrix must be positive definite.
    fn check_inertia(&self, object: &str) -> Result<(), FlexBodyError> {
        /// Smallest eigenvalue of the mass matrix with unit diagonal; a rigid motion among the modes leaves about
        /// 1e-14.
        const SMALLEST: f64 = 1e-10;
        let mut m = self.mass_matrix();
        let mut scale = DVector::from_fn(m.nrows(), |i, _| m[(i, i)].sqrt());
        if let Some(i) = scale.iter().skip(6).position(|s| !(*s > 0.0)) {
            return Err(FlexBodyError::invalid(object, format!("mode {} moves no mass", i + 1)));
        }
        // a line has no inertia about itself: its joint must hold that turn, the tree will tell
        for i in (0..6).filter(|&i| m[(i, i)] == 0.0).collect::<Vec<_>>() {
            m[(i, i)] = 1.0;
            scale[i] = 1.0;
        }
        for i in 0..m.nrows() {
            for j in 0..m.ncols() {
                m[(i, j)] /= scale[i] * scale[j];
            }
        }
        let smallest = m.symmetric_eigenvalues().min();
        if smallest > SMALLEST {
            return Ok(());
        }
        Err(FlexBodyError::invalid(
            object,
            format!(
                "the modes and the rigid motions are not independent (smallest scaled inertia {smallest:.1e}, must exceed \
                 {SMALLEST:.0e}); remove rigid motions and repeated modes"
            ),
        ))
    }
}

/// `∫ a × b` from `∫ a bᵀ`.
#[inline]
pub fn axial(ab: &Mat3) -> Vec3 {
    Vec3::new(ab[(1, 2)] - ab[(2, 1)], ab[(2, 0)] - ab[(0, 2)], ab[(0, 1)] - ab[(1, 0)])
}
