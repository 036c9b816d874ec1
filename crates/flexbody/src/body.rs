//! The flexible body as a value.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::f64::consts::TAU;
use wolff_spatial::{MassProperties, Mat3};

use crate::error::FlexBodyError;
use crate::gauge::Gauge;
use crate::inertia::InertiaIntegrals;
use crate::node::Node;

/// A reduced flexible body: everything the dynamics and the gauges need, nothing of the mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlexBody {
    /// Name.
    pub name: String,
    /// Integrals over the mass.
    pub inertia: InertiaIntegrals,
    /// Modal stiffness, n by n, symmetric; `ω²` on the diagonal for orthonormal modes.
    #[serde(with = "crate::matrix")]
    pub stiffness: DMatrix<f64>,
    /// Modal damping, n by n, symmetric; `2 ζ ω` on the diagonal for orthonormal modes.
    #[serde(with = "crate::matrix")]
    pub damping: DMatrix<f64>,
    /// Places to attach to; the first is [`crate::node::BASE`], the floating frame.
    pub nodes: Vec<Node>,
    /// Places where strain is measured.
    pub gauges: Vec<Gauge>,
}

/// The modes made orthogonal in mass and stiffness.
struct OrthogonalModes {
    /// `L` of `M = L Lᵀ`.
    lower: DMatrix<f64>,
    /// Eigenvalues `ω²` of `L⁻¹ K L⁻ᵀ`, ascending.
    values: Vec<f64>,
    /// Its eigenvectors.
    vectors: DMatrix<f64>,
}

impl FlexBody {
    /// A body without damping; the base node is added.
    ///
    /// # Errors
    /// When the parts do not fit together (see [`FlexBody::check`]).
    pub fn new(
        name: &str,
        inertia: InertiaIntegrals,
        stiffness: DMatrix<f64>,
        nodes: Vec<Node>,
        gauges: Vec<Gauge>,
    ) -> Result<Self, FlexBodyError> {
        let modes = inertia.modes();
        let nodes = std::iter::once(Node::base(modes)).chain(nodes).collect();
        let damping = DMatrix::zeros(modes, modes);
        let body = FlexBody { name: name.into(), inertia, stiffness, damping, nodes, gauges };
        body.check()?;
        Ok(body)
    }

    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.inertia.modes()
    }

    /// The node of a name, or a message that lists those there are.
    ///
    /// # Errors
    /// When there is none.
    pub fn node(&self, name: &str) -> Result<&Node, FlexBodyError> {
        self.nodes.iter().find(|n| n.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.nodes.iter().map(|n| n.name.as_str()).collect();
            FlexBodyError::invalid(
                format!("{}.{name}", self.name),
                format!("no such node; it has {}", names.join(", ")),
            )
        })
    }

    /// Critical damping ratio `zeta` for every mode: `D = 2 ζ M √(M⁻¹K)`, the diagonal `2 ζ ω` for orthonormal modes.
    ///
    /// # Errors
    /// When a ratio is negative or not finite, or there is not one for every mode.
    pub fn with_damping_ratios(mut self, zeta: &[f64]) -> Result<Self, FlexBodyError> {
        if zeta.len() != self.modes() || zeta.iter().any(|z| !(z.is_finite() && *z >= 0.0)) {
            return Err(FlexBodyError::invalid(
                &self.name,
                format!("give {} damping ratios, each zero or more (1 is critical)", self.modes()),
            ));
        }
        // M = L Lᵀ, L⁻¹ K L⁻ᵀ = U Ω² Uᵀ, D = L U (2 ζ Ω) Uᵀ Lᵀ
        let modes = self.orthogonal_modes()?;
        let LU = modes.lower * modes.vectors;
        let mut scaled = LU.clone();
        for (i, mut column) in scaled.column_iter_mut().enumerate() {
            column *= 2.0 * zeta[i] * modes.values[i].max(0.0).sqrt();
        }
        self.damping = scaled * LU.transpose();
        Ok(self)
    }

    /// Damping `α M + β K`, with `α` in 1/s and `β` in s.
    pub fn with_rayleigh_damping(mut self, alpha: f64, beta: f64) -> Self {
        self.damping = self.inertia.modal_mass() * alpha + &self.stiffness * beta;
        self
    }

    /// Natural frequencies with the floating frame held still \[Hz\], ascending; those of the free body for free
    /// orthonormal modes.
    pub fn frequencies(&self) -> Vec<f64> {
        self.orthogonal_modes()
            .map(|modes| modes.values.iter().map(|lambda| lambda.max(0.0).sqrt() / TAU).collect())
            .unwrap_or_default()
    }

    /// `M = L Lᵀ` and the eigenvalues (ascending) and vectors of `L⁻¹ K L⁻ᵀ`.
    fn orthogonal_modes(&self) -> Result<OrthogonalModes, FlexBodyError> {
        let failed = || FlexBodyError::invalid(&self.name, "the modal mass matrix is not positive definite");
        let lower = self.inertia.modal_mass().cholesky().ok_or_else(failed)?.l();
        let half = lower.solve_lower_triangular(&self.stiffness).ok_or_else(failed)?;
        let full = lower.solve_lower_triangular(&half.transpose()).ok_or_else(failed)?;
        let eigen = ((&full + full.transpose()) * 0.5).symmetric_eigen();
        let mut order: Vec<usize> = (0..self.modes()).collect();
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let values = order.iter().map(|&i| eigen.eigenvalues[i]).collect();
        let vectors = DMatrix::from_fn(self.modes(), self.modes(), |i, j| eigen.eigenvectors[(i, order[j])]);
        Ok(OrthogonalModes { lower, values, vectors })
    }

    /// Mass properties of the undeformed body.
    pub fn mass_properties(&self) -> MassProperties {
        let i = &self.inertia;
        let com = i.first / i.mass;
        let central = i.second - com * com.transpose() * i.mass;
        MassProperties { mass: i.mass, com, inertia: Mat3::identity() * central.trace() - central }
    }

    /// Refuses a body whose parts do not fit together, with values that are not finite, or that has no inertia or
    /// negative stiffness in some motion.
    ///
    /// # Errors
    /// With the rule that was broken.
    pub fn check(&self) -> Result<(), FlexBodyError> {
        let n = self.modes();
        self.inertia.check(&self.name)?;
        for (what, matrix) in [("stiffness", &self.stiffness), ("damping", &self.damping)] {
            if matrix.shape() != (n, n) {
                return Err(FlexBodyError::invalid(&self.name, format!("{what} is not {n} by {n}, one row a mode")));
            }
            if matrix.iter().any(|x| !x.is_finite()) {
                return Err(FlexBodyError::NonFinite(format!("the {what} of {}", self.name)));
            }
            let scale = matrix.amax();
            if (matrix - matrix.transpose()).amax() > 1e-9 * scale {
                return Err(FlexBodyError::invalid(&self.name, format!("{what} is not symmetric")));
            }
            let least = if n == 0 { 0.0 } else { matrix.symmetric_eigenvalues().min() };
            if least < -1e-9 * scale {
                return Err(FlexBodyError::invalid(
                    &self.name,
                    format!("{what} has a negative eigenvalue ({least:.3e})"),
                ));
            }
        }
        let mut names = HashSet::new();
        for node in &self.nodes {
            node.check(&self.name, n)?;
            if !names.insert(&node.name) {
                return Err(FlexBodyError::invalid(&self.name, format!("two nodes are called `{}`", node.name)));
            }
        }
        self.gauges.iter().try_for_each(|g| g.check(&self.name, n))
    }
}
