//! Timoshenko's beam, exactly: natural frequencies and deflections with shear and rotary inertia.
//!
//! Deflection `w(x)` and rotation `ψ(x)` of the sections of a uniform beam that vibrates with `ω`:
//!
//! ```text
//! kGA (w' - ψ)' + ω² ρA w = 0            EI ψ'' + kGA (w' - ψ) + ω² ρI ψ = 0
//! ```
//!
//! With `b² = ω² ρA L⁴ / EI`, `r² = ρI / (ρA L²)` and `s² = EI / (kGA L²)`, solutions `exp(λ x / L)` have
//! `λ⁴ + b² (r² + s²) λ² + b⁴ r² s² - b² = 0`: a real pair `±α` and an imaginary one `±iβ`. Which combination meets the
//! ends follows from a 4 by 4 determinant, in closed form (Huang 1961, J. Appl. Mech. 28, 579-584), here with
//! `S(z) = sinh z / z`, `sin z / z`:
//!
//! ```text
//! free-free        2 - 2 cosh α cos β + b² (b² r² (r² - s²)² + 3 r² - s²) S(α) S(β) = 0
//! clamped-clamped  the same with r and s exchanged
//! clamped-free     2 + (b² (r² - s²)² + 2) cosh α cos β - b² (r² + s²) S(α) S(β) = 0
//! ```
//!
//! The unknown is the wave number `β`, which grows by about `π` from mode to mode whatever the slenderness; `b²` is the
//! lower root of `r² s² b⁴ - (1 + (r² + s²) β²) b² + β⁴ = 0`. Each change of sign is halved down to the last bit.
//!
//! Limits: up to the cut-off `ω² = kGA / ρI` (`b r s = 1`), above which `α` is imaginary and a second spectrum of shear
//! waves begins. A beam of Euler and Bernoulli is the case of no rotary inertia and infinite shear stiffness.

use std::f64::consts::{PI, TAU};

use crate::error::FlexBodyError;

/// A uniform beam that shears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimoshenkoBeam {
    /// Length `L` \[m\].
    pub length: f64,
    /// Mass per length `ρA` \[kg/m\].
    pub mass_per_length: f64,
    /// Rotary inertia per length `ρI` \[kg m\].
    pub rotary_inertia: f64,
    /// Bending stiffness `EI` \[N m²\].
    pub bending_stiffness: f64,
    /// Shear stiffness `kGA` \[N\]; infinite where sections stay square to the axis.
    pub shear_stiffness: f64,
}

/// How the ends are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Neither is.
    FreeFree,
    /// Both are built in.
    ClampedClamped,
    /// One is built in.
    ClampedFree,
}

/// The numbers without units that decide the frequencies.
#[derive(Clone, Copy)]
struct Slenderness {
    /// `r²`.
    rotary: f64,
    /// `s²`.
    shear: f64,
}

/// Step of `β` in search of changes of sign: modes are about `π` apart.
const STEP: f64 = PI / 16.0;

/// Most modes: `cosh` of their wave numbers is finite.
const MAX_MODES: usize = 100;

/// Cowper's shear coefficient of a ring (Cowper 1966, J. Appl. Mech. 33, 335-340), with `m` the ratio of the inner to
/// the outer radius: `k = 6 (1 + ν) (1 + m²)² / ((7 + 6 ν) (1 + m²)² + (20 + 12 ν) m²)`.
pub fn ring_shear_coefficient(inner: f64, outer: f64, poisson: f64) -> f64 {
    let m2 = (inner / outer).powi(2);
    let both = (1.0 + m2).powi(2);
    6.0 * (1.0 + poisson) * both / ((7.0 + 6.0 * poisson) * both + (20.0 + 12.0 * poisson) * m2)
}

impl TimoshenkoBeam {
    /// The lowest frequencies of bending \[Hz\] without rigid motions.
    ///
    /// # Errors
    /// When a number is out of bounds or a mode lies above the cut-off.
    pub fn frequencies(&self, ends: Ends, count: usize) -> Result<Vec<f64>, FlexBodyError> {
        self.check(count)?;
        let L2 = self.length * self.length;
        let slenderness = Slenderness {
            rotary: self.rotary_inertia / (self.mass_per_length * L2),
            shear: self.bending_stiffness / (self.shear_stiffness * L2),
        };
        let scale = (self.bending_stiffness / self.mass_per_length).sqrt() / (TAU * L2);
        let mut found = Vec::with_capacity(count);
        let mut low = STEP;
        while found.len() < count {
            let high = low + STEP;
            if slenderness.squares(high).1 < 0.0 {
                let (mode, cut_off) = (found.len() + 1, (self.shear_stiffness / self.rotary_inertia).sqrt() / TAU);
                let rule = format!("mode {mode} lies above the cut-off of {cut_off} Hz: ask for fewer modes");
                return Err(FlexBodyError::invalid("Timoshenko beam", rule));
            }
            if slenderness.mismatch(ends, low) * slenderness.mismatch(ends, high) < 0.0 {
                let beta = bisect(|beta| slenderness.mismatch(ends, beta), low, high);
                found.push(scale * slenderness.squares(beta).0.sqrt());
            }
            low = high;
        }
        Ok(found)
    }

    /// Deflection \[m\] under a force \[N\] across the free end of a beam clamped at the other:
    /// `F L³ / (3 EI) + F L / kGA`.
    pub fn end_deflection(&self, force: f64) -> f64 {
        let L = self.length;
        force * L.powi(3) / (3.0 * self.bending_stiffness) + force * L / self.shear_stiffness
    }

    /// Deflection \[m\] under a force \[N\] in the middle of a beam on two supports: `F L³ / (48 EI) + F L / (4 kGA)`.
    pub fn middle_deflection(&self, force: f64) -> f64 {
        let L = self.length;
        force * L.powi(3) / (48.0 * self.bending_stiffness) + force * L / (4.0 * self.shear_stiffness)
    }

    fn check(&self, count: usize) -> Result<(), FlexBodyError> {
        let finite = [self.length, self.mass_per_length, self.bending_stiffness];
        let rotary = self.rotary_inertia >= 0.0 && self.rotary_inertia.is_finite();
        if !(rotary && self.shear_stiffness > 0.0 && finite.iter().all(|x| *x > 0.0 && x.is_finite())) {
            let rule = "length, mass and stiffness must be greater than zero, the rotary inertia zero or more, all but the shear \
                        stiffness finite";
            return Err(FlexBodyError::invalid("Timoshenko beam", rule));
        }
        if count > MAX_MODES {
            return Err(FlexBodyError::invalid("Timoshenko beam", format!("{count} modes: at most {MAX_MODES}")));
        }
        Ok(())
    }
}

impl Slenderness {
    /// `b²` and `α²` that belong to a wave number; `α²` is negative above the cut-off.
    fn squares(&self, beta: f64) -> (f64, f64) {
        let (sum, product) = (self.rotary + self.shear, self.rotary * self.shear);
        let half = 1.0 + sum * beta * beta;
        let b2 = 2.0 * beta.powi(4) / (half + (half * half - 4.0 * product * beta.powi(4)).sqrt());
        (b2, beta * beta - sum * b2)
    }

    /// The frequency equation over `cosh α`.
    fn mismatch(&self, ends: Ends, beta: f64) -> f64 {
        let (b2, alpha2) = self.squares(beta);
        let alpha = alpha2.max(0.0).sqrt();
        let (rotary, shear) = (self.rotary, self.shear);
        let square = (rotary - shear).powi(2);
        let sines = if alpha > 0.0 { alpha.tanh() / alpha } else { 1.0 } * beta.sin() / beta;
        let like = |own: f64, other: f64| b2 * own * square + 3.0 * own - other;
        match ends {
            Ends::FreeFree => 2.0 / alpha.cosh() - 2.0 * beta.cos() + b2 * like(rotary, shear) * sines,
            Ends::ClampedClamped => 2.0 / alpha.cosh() - 2.0 * beta.cos() + b2 * like(shear, rotary) * sines,
            Ends::ClampedFree => 2.0 / alpha.cosh() + (b2 * square + 2.0) * beta.cos() - b2 * (rotary + shear) * sines,
        }
    }
}

/// The zero between two places where `f` has different signs, to the last bit.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let sign = f(low).signum();
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if f(middle).signum() == sign { low = middle } else { high = middle }
    }
}
