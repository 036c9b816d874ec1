//! From grey value to density, and from one density to another.
//!
//! Three densities of bone are in use, all of them mass over the whole volume, pores included:
//!
//! | density | mass of |
//! |---|---|
//! | ρ_QCT | the mineral of the calibration phantom that attenuates as much |
//! | ρ_ash | the ash that remains of the bone |
//! | ρ_app | the wet bone without marrow |

use wolff_verdict::{Judgement, Limit};

use crate::DensityError;
use crate::relation::Checked;

/// Which density is meant; all in g/cm³.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DensityKind {
    /// Equivalent mineral density of the phantom, ρ_QCT.
    Qct,
    /// Ash density, ρ_ash.
    Ash,
    /// Wet apparent density without marrow, ρ_app.
    Apparent,
}

impl DensityKind {
    /// The symbol in messages.
    pub fn symbol(self) -> &'static str {
        match self {
            DensityKind::Qct => "rho_QCT",
            DensityKind::Ash => "rho_ash",
            DensityKind::Apparent => "rho_app",
        }
    }
}

/// The line `ρ = a + b g` from grey values g (HU) to a density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// a, g/cm³.
    pub intercept: f64,
    /// b, g/cm³ per unit of grey value.
    pub slope: f64,
    /// The density it gives.
    pub density: DensityKind,
}

/// A calibration from a phantom and how well its points lie on a line.
#[derive(Debug, Clone, PartialEq)]
pub struct PhantomFit {
    /// The line.
    pub calibration: Calibration,
    /// Pearson's correlation of grey value and density.
    pub correlation: f64,
    /// Largest distance of a point from the line, g/cm³.
    pub largest_residual: f64,
    /// Verdict on both.
    pub judgement: Judgement,
}

impl Calibration {
    /// A line.
    ///
    /// # Errors
    /// When a number is not finite or the density does not grow with the grey value.
    pub fn line(intercept: f64, slope: f64, density: DensityKind) -> Result<Self, DensityError> {
        if !(intercept.is_finite() && slope.is_finite() && slope > 0.0) {
            return Err(DensityError::invalid(
                "calibration of the scan",
                format!("density = {intercept} + {slope} x grey value must be finite and grow; correct both numbers"),
            ));
        }
        Ok(Self { intercept, slope, density })
    }

    /// The line of `A,B` to apparent density: ρ_app \[g/cm³\] = A + B HU.
    ///
    /// # Errors
    /// When the text is not two numbers with a comma between, or they are refused by [`Calibration::line`].
    pub fn parse(text: &str) -> Result<Self, DensityError> {
        let numbers = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        let (a, b): (f64, f64) = numbers.ok_or_else(|| {
            let rule = "must be two numbers A,B with density [g/cm³] = A + B HU, for example 0.05,0.00125";
            DensityError::invalid(format!("calibration `{}`", text.chars().take(40).collect::<String>()), rule)
        })?;
        Self::line(a, b, DensityKind::Apparent)
    }

    /// The same line with what it gives converted to apparent density.
    pub fn to_apparent(&self, qct_to_ash: &Conversion, ash_to_apparent: &Conversion) -> Self {
        let then = |line: Self, c: &Conversion| Self {
            intercept: c.intercept + c.slope * line.intercept,
            slope: c.slope * line.slope,
            density: c.to,
        };
        match self.density {
            DensityKind::Qct => then(then(*self, qct_to_ash), ash_to_apparent),
            DensityKind::Ash => then(*self, ash_to_apparent),
            DensityKind::Apparent => *self,
        }
    }

    /// For a field that holds densities in g/cm³ already.
    pub fn identity(density: DensityKind) -> Self {
        Self { intercept: 0.0, slope: 1.0, density }
    }

    /// Density of a grey value, g/cm³; negative below the zero of the line.
    pub fn density(&self, grey: f64) -> f64 {
        self.intercept + self.slope * grey
    }

    /// The least-squares line through the inserts of a phantom: pairs of grey value and density in g/cm³.
    ///
    /// A correlation below 0.999 or a residual above 20 mg/cm³ is doubtful: inserts of solid phantoms are made to a few
    /// mg/cm³, so more is a misplaced region, beam hardening or a wrong density. Own limits.
    ///
    /// # Errors
    /// When there are fewer than two different grey values, a number is not finite, or density does not grow.
    pub fn phantom(points: &[(f64, f64)], density: DensityKind) -> Result<PhantomFit, DensityError> {
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (g0, r0) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |of: fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - g0, p.1 - r0)).sum::<f64>();
        let (gg, gr, rr) = (sum(|g, _| g * g), sum(|g, r| g * r), sum(|_, r| r * r));
        if points.len() < 2 || !(gg > 0.0) {
            return Err(DensityError::invalid(
                "calibration phantom",
                format!("{} points with one grey value give no line; give at least two inserts", points.len()),
            ));
        }
        let slope = gr / gg;
        let calibration = Self::line(r0 - slope * g0, slope, density)?;
        let correlation = gr / (gg * rr).sqrt();
        let residual = |p: &(f64, f64)| (calibration.density(p.0) - p.1).abs();
        let largest_residual = points.iter().map(residual).fold(0.0, f64::max);
        let mut judgement = Judgement::default();
        let remedy = "check the regions and the densities of the inserts";
        let limit = Limit::at_least(0.999, 0.98).because("inserts of a phantom lie on a line");
        judgement.judge("correlation of the phantom", "", correlation, &limit, remedy);
        let limit = Limit::at_most(0.02, 0.1).because("inserts are made to a few mg/cm³");
        judgement.judge("largest residual of the phantom", "g/cm³", largest_residual, &limit, remedy);
        Ok(PhantomFit { calibration, correlation, largest_residual, judgement })
    }
}

/// A published line between two densities: `to = intercept + slope from`, g/cm³.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conversion {
    /// Its name.
    pub name: &'static str,
    /// The density it starts from.
    pub from: DensityKind,
    /// The density it gives.
    pub to: DensityKind,
    /// g/cm³.
    pub intercept: f64,
    /// 1.
    pub slope: f64,
    /// The publication.
    pub citation: &'static str,
    /// How the numbers were checked.
    pub checked: Checked,
}

/// All conversions by name.
pub const CONVERSIONS: [Conversion; 4] = [
    Conversion {
        name: "schileo-2008-ash",
        from: DensityKind::Qct,
        to: DensityKind::Ash,
        intercept: 0.079,
        slope: 0.877,
        citation: "Schileo et al. 2008, J. Biomech. 41, 2483-2491",
        checked: Checked::OneSource,
    },
    Conversion {
        name: "les-1994-ash",
        from: DensityKind::Qct,
        to: DensityKind::Ash,
        intercept: 0.0389,
        slope: 1.06,
        citation: "Les et al. 1994, J. Orthop. Res. 12, 822-833",
        checked: Checked::OneSource,
    },
    Conversion {
        name: "schileo-2008-apparent",
        from: DensityKind::Ash,
        to: DensityKind::Apparent,
        intercept: 0.0,
        slope: 1.0 / 0.6,
        citation: "rho_ash = 0.6 rho_app, Schileo et al. 2008, J. Biomech. 41, 2483-2491",
        checked: Checked::FromMemory,
    },
    Conversion {
        name: "qct-is-ash",
        from: DensityKind::Qct,
        to: DensityKind::Ash,
        intercept: 0.0,
        slope: 1.0,
        citation: "equality assumed, as Bonemat does without a correction",
        checked: Checked::TwoSources,
    },
];

impl Conversion {
    /// The conversion with its source, as a sentence.
    pub fn remark(&self) -> String {
        format!(
            "{} = {} + {:.4} {} by `{}`, {}; coefficients {}",
            self.to.symbol(),
            self.intercept,
            self.slope,
            self.from.symbol(),
            self.name,
            self.citation,
            self.checked.words()
        )
    }

    /// The conversion of a name.
    ///
    /// # Errors
    /// When there is none; the message lists the names.
    pub fn named(name: &str) -> Result<&'static Conversion, DensityError> {
        CONVERSIONS.iter().find(|c| c.name == name).ok_or_else(|| DensityError::Unknown {
            what: "density conversion",
            name: name.into(),
            known: CONVERSIONS.map(|c| c.name).join(", "),
        })
    }

    /// The density `to` of a density `from`.
    pub fn apply(&self, density: f64) -> f64 {
        self.intercept + self.slope * density
    }

    /// The density `from` of a density `to`.
    pub fn invert(&self, density: f64) -> f64 {
        (density - self.intercept) / self.slope
    }
}
