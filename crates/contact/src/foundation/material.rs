//! How a thin bonded layer answers an overlap: pressure, stiffness and stored energy per area.

use super::cubic::cubic_root;
use crate::error::{ContactError, not_negative, positive, require};

/// Part of the thickness beyond which the logarithm of the large strain measure is continued by its tangent.
///
/// At the full thickness the pressure of that measure is infinite. The tangent keeps trial steps of an integrator
/// finite; every result that needed it says so ([`super::Overlap`]).
pub const LARGEST_STRAIN: f64 = 0.98;

const NAME: &str = "layer";

/// Strain x of a layer of thickness h at the overlap d.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strain {
    /// `x = d/h`, for d much less than h (eq. 1).
    #[default]
    Small,
    /// `x = -ln(1 - d/h)`, which stiffens as the layer is used up (eq. 2).
    Large,
}

/// How the three parameters of the nonlinear law (eq. 3) are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Tangent modulus dp/dε (eq. 4) in place of E in eq. 1 or 2: as published.
    #[default]
    Tangent,
    /// Secant modulus p/ε in place of E.
    Secant,
    /// Eq. 3 itself, ε = x, without the factor of lateral confinement.
    Uniaxial,
}

/// `p = k x`, or the root of `y + m yⁿ = κ x` with `p = σ0 y`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Elasticity {
    Linear { k: f64 },
    Power { sigma0: f64, kappa: f64, m: f64, n: f64 },
}

/// A layer bonded to a rigid base: bed of springs.
///
/// ```text
/// linear      p = E c x                    c = (1-ν)/((1+ν)(1-2ν))
/// tangent     p = E_t(p) c x               E_t = 1/(ε0/(2σ0) (1 + n (p/σ0)^(n-1)))
/// secant      p = E_s(p) c x               E_s = 1/(ε0/(2σ0) (1 + (p/σ0)^(n-1)))
/// uniaxial    x = ε0/2 (p/σ0 + (p/σ0)^n)
/// viscous     p (1 + a d'), not below zero
/// ```
///
/// p pressure \[Pa\], x strain \[-\] of overlap d \[m\] in thickness h \[m\] ([`Strain`]), E Young's modulus \[Pa\], ν
/// Poisson's ratio, ε0, σ0 \[Pa\], n parameters of the nonlinear law, d' rate of the overlap \[m/s\], a damping
/// \[s/m\].
///
/// Source: Bei and Fregly, Multibody dynamic simulation of knee contact mechanics, Med Eng Phys 2004, eqs. 1-4; the
/// viscous factor is that of Hunt and Crossley. Limits: neighbouring springs do not feel each other; singular as ν →
/// 1/2. In eq. 4 the modulus at rest, 2σ0/ε0, need not be that of the linear law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerMaterial {
    strain: Strain,
    elasticity: Elasticity,
    damping: f64,
}

impl LayerMaterial {
    /// A linear layer: Young's modulus \[Pa\], Poisson's ratio.
    pub fn linear(youngs_modulus: f64, poissons_ratio: f64, strain: Strain) -> Result<Self, ContactError> {
        let k = positive(NAME, "Young's modulus [Pa]", youngs_modulus)? * confinement(poissons_ratio)?;
        Ok(LayerMaterial { strain, elasticity: Elasticity::Linear { k }, damping: 0.0 })
    }

    /// A layer of the three-parameter law: `strain0` ε0 \[-\], `stress0` σ0 \[Pa\], `exponent` n ≥ 1.
    pub fn nonlinear(
        (strain0, stress0, exponent): (f64, f64, f64),
        poissons_ratio: f64,
        reading: Reading,
        strain: Strain,
    ) -> Result<Self, ContactError> {
        positive(NAME, "reference strain ε0 [-]", strain0)?;
        let sigma0 = positive(NAME, "reference stress σ0 [Pa]", stress0)?;
        let rule = "must be a finite number, one or more";
        let n = require(exponent.is_finite() && exponent >= 1.0, NAME, "exponent n [-]", exponent, rule)?;
        let c = confinement(poissons_ratio)?;
        let (kappa, m) = match reading {
            Reading::Tangent => (2.0 * c / strain0, n),
            Reading::Secant => (2.0 * c / strain0, 1.0),
            Reading::Uniaxial => (2.0 / strain0, 1.0),
        };
        Ok(LayerMaterial { strain, elasticity: Elasticity::Power { sigma0, kappa, m, n }, damping: 0.0 })
    }

    /// The same layer with the viscous factor `1 + a d'`, a in s/m.
    pub fn with_damping(self, damping: f64) -> Result<Self, ContactError> {
        Ok(LayerMaterial { damping: not_negative(NAME, "damping [s/m]", damping)?, ..self })
    }

    /// Damping a of the viscous factor \[s/m\].
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Pressure per strain at rest \[Pa\].
    pub fn modulus_at_rest(&self) -> f64 {
        match self.elasticity {
            Elasticity::Linear { k } => k,
            Elasticity::Power { sigma0, kappa, m, n } => sigma0 * kappa / if n == 1.0 { 1.0 + m } else { 1.0 },
        }
    }

    /// Whether the pressure is linear in the overlap.
    pub(crate) fn is_linear(&self) -> bool {
        self.strain == Strain::Small && matches!(self.elasticity, Elasticity::Linear { .. })
    }

    /// Whether the overlap d in thickness h \[m\] is beyond what the strain measure can describe.
    #[inline]
    pub fn is_crushed(&self, d: f64, h: f64) -> bool {
        self.strain == Strain::Large && d > LARGEST_STRAIN * h
    }

    /// Deepest overlap that the strain measure describes in thickness h \[m\]: no layer is compressed by more than
    /// itself.
    #[inline]
    pub fn deepest(&self, h: f64) -> f64 {
        match self.strain {
            Strain::Small => h,
            Strain::Large => LARGEST_STRAIN * h,
        }
    }

    /// Elastic pressure \[Pa\] at the overlap d in thickness h \[m\]; zero for d ≤ 0.
    #[inline]
    pub fn pressure(&self, d: f64, h: f64) -> f64 {
        if !(d > 0.0) { 0.0 } else { self.pressure_at(self.strain_of(d / h).0) }
    }

    /// The same at several overlaps at once.
    #[inline(always)]
    pub(crate) fn pressures<const N: usize>(&self, d: &[f64; N], h: f64) -> [f64; N] {
        let inverse = 1.0 / h;
        let mut pressures = *d;
        match (self.strain, self.elasticity) {
            (Strain::Small, Elasticity::Linear { k }) => {
                for p in &mut pressures {
                    *p = k * inverse * p.max(0.0);
                }
            }
            (Strain::Small, Elasticity::Power { sigma0, kappa, m, n }) if n == 3.0 => {
                let (stretch, scale) = (m.sqrt(), sigma0 / m.sqrt());
                let inward = stretch * kappa * inverse;
                for p in &mut pressures {
                    let xi = inward * p.max(0.0);
                    *p = scale * cubic_root(xi).unwrap_or_else(|| stretch * searched_root(xi / stretch, m, n));
                }
            }
            _ => {
                for p in &mut pressures {
                    *p = self.pressure(*p, h);
                }
            }
        }
        pressures
    }

    /// Elastic pressure \[Pa\] and its derivative by the overlap \[Pa/m\].
    #[inline]
    pub fn response(&self, d: f64, h: f64) -> (f64, f64) {
        if !(d > 0.0) {
            return (0.0, 0.0);
        }
        let (x, slope) = self.strain_of(d / h);
        match self.elasticity {
            Elasticity::Linear { k } => (k * x, k * slope / h),
            Elasticity::Power { sigma0, kappa, m, n } => {
                let y = power_root(kappa * x, m, n);
                (sigma0 * y, sigma0 * kappa / (1.0 + m * n * power(y, n - 1.0)) * slope / h)
            }
        }
    }

    /// Energy stored per area \[J/m²\], `∫ p dd`.
    pub fn energy(&self, d: f64, h: f64) -> f64 {
        if !(d > 0.0) {
            return 0.0;
        }
        let u = d / h;
        if self.strain == Strain::Small {
            return h * self.work(u);
        }
        // ∫ p(x) e^-x dx up to the last strain of the logarithm, its tangent beyond
        let logarithmic = h * self.logarithmic_work(u.min(LARGEST_STRAIN));
        if u <= LARGEST_STRAIN {
            return logarithmic;
        }
        let (x, last) = (self.strain_of(u).0, -(1.0 - LARGEST_STRAIN).ln());
        logarithmic + h * (1.0 - LARGEST_STRAIN) * (self.work(x) - self.work(last))
    }

    /// Strain x and dx/du at u = d/h.
    #[inline]
    fn strain_of(&self, u: f64) -> (f64, f64) {
        match self.strain {
            Strain::Small => (u, 1.0),
            Strain::Large if u <= LARGEST_STRAIN => (-(-u).ln_1p(), 1.0 / (1.0 - u)),
            Strain::Large => {
                let slope = 1.0 / (1.0 - LARGEST_STRAIN);
                (slope.ln() + (u - LARGEST_STRAIN) * slope, slope)
            }
        }
    }

    #[inline]
    fn pressure_at(&self, x: f64) -> f64 {
        match self.elasticity {
            Elasticity::Linear { k } => k * x,
            Elasticity::Power { sigma0, kappa, m, n } => sigma0 * power_root(kappa * x, m, n),
        }
    }

    /// `∫_0^x p dx` \[Pa\].
    fn work(&self, x: f64) -> f64 {
        match self.elasticity {
            Elasticity::Linear { k } => 0.5 * k * x * x,
            Elasticity::Power { sigma0, kappa, m, n } => {
                let y = power_root(kappa * x, m, n);
                sigma0 / kappa * (0.5 * y * y + m * n * y.powf(n + 1.0) / (n + 1.0))
            }
        }
    }

    /// `∫_0^u p du` \[Pa\] with `x = -ln(1 - u)`.
    fn logarithmic_work(&self, u: f64) -> f64 {
        match self.elasticity {
            Elasticity::Linear { k } => k * ((1.0 - u) * (-u).ln_1p() + u),
            // u = 1 - e^-x(y): smooth in y, where x(y) = (y + m yⁿ)/κ
            Elasticity::Power { sigma0, kappa, m, n } => {
                let top = power_root(kappa * self.strain_of(u).0, m, n);
                let term = |y: f64| {
                    let y_n = y.powf(n);
                    (y + m * n * y_n) * (-(y + m * y_n) / kappa).exp()
                };
                let panel = |k: usize| GAUSS8.iter().map(move |(s, w)| w * term(top * (k as f64 + s) / PANELS as f64));
                sigma0 / kappa * top / PANELS as f64 * (0..PANELS).flat_map(panel).sum::<f64>()
            }
        }
    }
}

/// `c = (1-ν)/((1+ν)(1-2ν))`: a layer that cannot bulge sideways is stiffer by this factor.
pub fn confinement(poissons_ratio: f64) -> Result<f64, ContactError> {
    let nu = poissons_ratio;
    let rule =
        "must be above -1 and below 1/2; an incompressible bonded layer has no finite stiffness, take 0.45 to 0.49";
    require(nu > -1.0 && nu < 0.5, NAME, "Poisson's ratio [-]", nu, rule)?;
    Ok((1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)))
}

/// The root y ≥ 0 of `y + m yⁿ = X`. For the usual n = 3 it is `z/√m` with `z + z³ = √m X`, from a table; otherwise
/// Newton from above, where the function is convex, so every step lands above the root.
///
/// Start: y ≤ X, and `y + m yⁿ ≥ 2 √m y^((n+1)/2)` bounds y as well.
#[inline]
fn power_root(X: f64, m: f64, n: f64) -> f64 {
    let stretch = m.sqrt();
    let tabled = if n == 3.0 { cubic_root(stretch * X) } else { None };
    tabled.map_or_else(|| searched_root(X, m, n), |z| z / stretch)
}

fn searched_root(X: f64, m: f64, n: f64) -> f64 {
    let mut y = X.min((X / (2.0 * m.sqrt())).powf(2.0 / (n + 1.0)));
    for _ in 0..60 {
        let slope_power = m * power(y, n - 1.0);
        let step = (y * (1.0 + slope_power) - X) / (1.0 + n * slope_power);
        y -= step;
        // quadratic convergence: what is left is the square of the step
        if !(step > 1e-8 * y) {
            break;
        }
    }
    y
}

/// `y^e`, quick for the square of the usual n = 3.
#[inline]
fn power(y: f64, e: f64) -> f64 {
    if e == 2.0 { y * y } else { y.powf(e) }
}

/// Panels of the energy integral: rounding up to strains of 0.5, 1e-9 at the largest.
const PANELS: usize = 3;

/// Nodes and weights of the eight-point Gauss rule on \[0, 1\].
const GAUSS8: [(f64, f64); 8] = [
    (0.019855071751231856, 0.05061426814518813),
    (0.10166676129318664, 0.11119051722668724),
    (0.2372337950418355, 0.15685332293894363),
    (0.4082826787521751, 0.181341891689181),
    (0.591717321247825, 0.181341891689181),
    (0.7627662049581645, 0.15685332293894363),
    (0.8983332387068134, 0.11119051722668724),
    (0.9801449282487681, 0.05061426814518813),
];
