//! The whole way from a grey value to density and modulus.

use crate::DensityError;
use crate::calibration::{Calibration, Conversion, DensityKind};
use crate::relation::{Checked, Relation};

/// Calibration, conversions between densities and relation to the modulus.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Grey value to density.
    pub calibration: Calibration,
    /// ρ_QCT to ρ_ash.
    pub qct_to_ash: Conversion,
    /// ρ_ash to ρ_app.
    pub ash_to_apparent: Conversion,
    /// Density to modulus.
    pub relation: Relation,
}

/// What a grey value stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tissue {
    /// Apparent density of the wet bone without marrow, g/cm³, not below zero.
    pub apparent: f64,
    /// Young's modulus, MPa.
    pub modulus: f64,
    /// Whether the calibrated density was negative and counts as zero.
    pub clipped: bool,
}

impl Chain {
    /// A chain with the conversions of Schileo et al. 2008.
    ///
    /// # Errors
    /// Never for the conversions of the table.
    pub fn new(calibration: Calibration, relation: Relation) -> Result<Self, DensityError> {
        Ok(Self {
            calibration,
            qct_to_ash: *Conversion::named("schileo-2008-ash")?,
            ash_to_apparent: *Conversion::named("schileo-2008-apparent")?,
            relation,
        })
    }

    /// Density and modulus of a grey value.
    pub fn tissue(&self, grey: f64) -> Tissue {
        let calibrated = self.calibration.density(grey);
        let clipped = calibrated < 0.0;
        let from = self.calibration.density;
        // where there is no mineral there is no bone: the intercepts of the conversions hold for bone only
        let within = |to: DensityKind| if clipped { 0.0 } else { self.convert(calibrated, from, to) };
        Tissue {
            apparent: within(DensityKind::Apparent),
            modulus: self.relation.modulus(within(self.relation.density)),
            clipped,
        }
    }

    /// A density from one kind to another, g/cm³, not below zero.
    pub fn convert(&self, density: f64, from: DensityKind, to: DensityKind) -> f64 {
        let (ash, app) = (&self.qct_to_ash, &self.ash_to_apparent);
        let converted = match (from, to) {
            (DensityKind::Qct, DensityKind::Ash) => ash.apply(density),
            (DensityKind::Qct, DensityKind::Apparent) => app.apply(ash.apply(density)),
            (DensityKind::Ash, DensityKind::Apparent) => app.apply(density),
            (DensityKind::Ash, DensityKind::Qct) => ash.invert(density),
            (DensityKind::Apparent, DensityKind::Ash) => app.invert(density),
            (DensityKind::Apparent, DensityKind::Qct) => ash.invert(app.invert(density)),
            (DensityKind::Qct, DensityKind::Qct)
            | (DensityKind::Ash, DensityKind::Ash)
            | (DensityKind::Apparent, DensityKind::Apparent) => density,
        };
        converted.max(0.0)
    }

    /// The conversions that the chain uses.
    pub fn conversions(&self) -> Vec<&Conversion> {
        let ends = [self.calibration.density, self.relation.density, DensityKind::Apparent];
        let (first, last) = (ends.iter().min().copied(), ends.iter().max().copied());
        let uses = |c: &&Conversion| first <= Some(c.from) && Some(c.to) <= last;
        [&self.qct_to_ash, &self.ash_to_apparent].into_iter().filter(uses).collect()
    }

    /// What was done, as sentences; numbers that were not confirmed are named.
    pub fn remarks(&self) -> Vec<String> {
        let c = &self.calibration;
        let mut remarks = vec![format!("{} [g/cm³] = {} + {} x grey value", c.density.symbol(), c.intercept, c.slope)];
        remarks.extend(self.conversions().into_iter().map(Conversion::remark));
        remarks.push(self.relation.remark());
        remarks
    }

    /// The least certain of all numbers in the chain.
    pub fn checked(&self) -> Checked {
        self.conversions().iter().map(|c| c.checked).fold(self.relation.checked, Ord::min)
    }
}
