//! Mass properties of a rigid body, spatial inertia, articulated inertia.

use crate::{Force, Mat3, Motion, Pose, Vec3, skew};

/// Why mass properties were refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InertiaError {
    /// The mass is not a finite number ≥ 0.
    Mass(f64),
    /// A component of the centre of mass or of the inertia is not finite.
    NotFinite,
    /// The inertia matrix is not symmetric.
    NotSymmetric,
    /// A principal moment is negative, or larger than the sum of the other two: no distribution of mass has such an
    /// inertia.
    Triangle([f64; 3]),
}

impl std::fmt::Display for InertiaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mass(m) => write!(f, "mass is {m}, must be a finite number, zero or more"),
            Self::NotFinite => write!(f, "centre of mass and inertia must be finite numbers"),
            Self::NotSymmetric => write!(f, "the inertia matrix must be symmetric"),
            Self::Triangle([a, b, c]) => write!(
                f,
                "principal moments of inertia {a}, {b}, {c} belong to no body: each must be zero or more and at most \
                 the sum of the other two"
            ),
        }
    }
}

impl std::error::Error for InertiaError {}

/// Mass, centre of mass and inertia of a body, in its own frame B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in B \[m\].
    pub com: Vec3,
    /// Inertia about the centre of mass, in B's axes \[kg m²\].
    pub inertia: Mat3,
}

impl MassProperties {
    /// Checks and stores. Slender and flat bodies (a zero principal moment) and massless bodies are allowed.
    pub fn new(mass: f64, com: Vec3, inertia: Mat3) -> Result<Self, InertiaError> {
        if !(mass.is_finite() && mass >= 0.0) {
            return Err(InertiaError::Mass(mass));
        }
        if !com.iter().chain(inertia.iter()).all(|x| x.is_finite()) {
            return Err(InertiaError::NotFinite);
        }
        let scale = inertia.amax();
        if (inertia - inertia.transpose()).amax() > 1e-9 * scale {
            return Err(InertiaError::NotSymmetric);
        }
        let mut principal: [f64; 3] = inertia.symmetric_eigenvalues().into();
        principal.sort_by(f64::total_cmp);
        let [a, b, c] = principal;
        // measured inertias carry a few digits: a violation below 1e-6 of the largest moment is rounding
        if a < -1e-6 * c || c > a + b + 1e-6 * c {
            return Err(InertiaError::Triangle(principal));
        }
        Ok(MassProperties { mass, com, inertia })
    }

    /// A point mass at `com`.
    pub fn point(mass: f64, com: Vec3) -> Result<Self, InertiaError> {
        Self::new(mass, com, Mat3::zeros())
    }

    /// The same mass seen from a frame in which the body's frame has the pose `X`.
    pub fn seen_from(&self, X: &Pose) -> Self {
        MassProperties { mass: self.mass, com: X.point(&self.com), inertia: rotate_symmetric(&X.R, &self.inertia) }
    }

    /// This mass and another as one rigid piece, both in the same frame: centres add by mass, inertias with
    /// `m (|d|² 1 - d dᵀ)`.
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return MassProperties { mass, com: self.com, inertia: self.inertia + other.inertia };
        }
        let com = (self.com * self.mass + other.com * other.mass) / mass;
        let about_com = |m: &Self| m.inertia + outer_shift(&(m.com - com), &((m.com - com) * m.mass));
        MassProperties { mass, com, inertia: about_com(self) + about_com(other) }
    }

    /// Spatial inertia about a reference point, for a body turned by `R` whose origin is at `p` from that point.
    #[inline]
    pub fn spatial(&self, R: &Mat3, p: &Vec3) -> SpatialInertia {
        let c = R * self.com + p;
        let h = c * self.mass;
        SpatialInertia { mass: self.mass, h, I: rotate_symmetric(R, &self.inertia) + outer_shift(&c, &h) }
    }
}

/// `R A Rᵀ` for symmetric `A`.
#[inline]
fn rotate_symmetric(R: &Mat3, A: &Mat3) -> Mat3 {
    R * A * R.transpose()
}

/// `m (|c|² 1 - c cᵀ)` with `h = m c`: the parallel-axis term.
#[inline]
fn outer_shift(c: &Vec3, h: &Vec3) -> Mat3 {
    let d = c.dot(h);
    let (xx, yy, zz) = (c.x * h.x, c.y * h.y, c.z * h.z);
    let (xy, xz, yz) = (c.x * h.y, c.x * h.z, c.y * h.z);
    Mat3::new(d - xx, -xy, -xz, -xy, d - yy, -yz, -xz, -yz, d - zz)
}

/// Inertia of a rigid body about a reference point: maps a motion to a momentum.
///
/// ```text
/// n = I w + h × v        h = m c, c from the reference point to the centre of mass
/// f = m v - h × w        I about the reference point
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialInertia {
    /// Mass \[kg\].
    pub mass: f64,
    /// First moment `m c` \[kg m\].
    pub h: Vec3,
    /// Second moment about the reference point \[kg m²\].
    pub I: Mat3,
}

impl SpatialInertia {
    /// No mass.
    pub const ZERO: SpatialInertia = SpatialInertia {
        mass: 0.0,
        h: Vec3::new(0.0, 0.0, 0.0),
        I: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Momentum of a motion, or inertia force of an acceleration.
    #[inline]
    pub fn apply(&self, m: &Motion) -> Force {
        Force::new(self.I * m.w + self.h.cross(&m.v), m.v * self.mass - self.h.cross(&m.w))
    }
}

impl std::ops::AddAssign for SpatialInertia {
    #[inline]
    fn add_assign(&mut self, o: SpatialInertia) {
        self.mass += o.mass;
        self.h += o.h;
        self.I += o.I;
    }
}

/// Symmetric 6 × 6 inertia of a body that carries moving bodies (Featherstone's articulated-body inertia).
///
/// ```text
/// [n]   [A   H] [w]
/// [f] = [Hᵀ  M] [v]
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia {
    /// Angular block, symmetric.
    pub A: Mat3,
    /// Coupling block.
    pub H: Mat3,
    /// Linear block, symmetric.
    pub M: Mat3,
}

impl ArticulatedInertia {
    /// No mass.
    pub const ZERO: ArticulatedInertia =
        ArticulatedInertia { A: SpatialInertia::ZERO.I, H: SpatialInertia::ZERO.I, M: SpatialInertia::ZERO.I };

    /// Force that gives the body the acceleration `m`.
    #[inline]
    pub fn apply(&self, m: &Motion) -> Force {
        Force::new(self.A * m.w + self.H * m.v, self.H.tr_mul(&m.w) + self.M * m.v)
    }

    /// `self -= s u uᵀ`.
    #[inline]
    pub fn subtract_outer(&mut self, u: &Force, s: f64) {
        let (n, f) = (u.n * s, u.f * s);
        for c in 0..3 {
            for r in 0..3 {
                self.A[(r, c)] -= n[r] * u.n[c];
                self.H[(r, c)] -= n[r] * u.f[c];
                self.M[(r, c)] -= f[r] * u.f[c];
            }
        }
    }
}

impl From<&SpatialInertia> for ArticulatedInertia {
    #[inline]
    fn from(s: &SpatialInertia) -> Self {
        ArticulatedInertia { A: s.I, H: skew(&s.h), M: Mat3::from_diagonal_element(s.mass) }
    }
}

impl std::ops::AddAssign<&ArticulatedInertia> for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, o: &ArticulatedInertia) {
        self.A += o.A;
        self.H += o.H;
        self.M += o.M;
    }
}
