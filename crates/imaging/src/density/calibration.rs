//! From grey values to density.

use crate::error::ImagingError;

/// The line from grey values to apparent bone density, ρ = a + b HU; what it makes negative is no bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Density at 0 HU \[kg/m³\].
    pub offset: f64,
    /// Change with the grey value \[kg/m³ per HU\].
    pub slope: f64,
}

impl Calibration {
    /// A line from its two numbers \[kg/m³\] and \[kg/m³ per HU\].
    ///
    /// # Errors
    /// When a number is not finite or the slope not positive.
    pub fn new(offset: f64, slope: f64) -> Result<Self, ImagingError> {
        if offset.is_finite() && slope.is_finite() && slope > 0.0 {
            return Ok(Calibration { offset, slope });
        }
        let rule = format!("density = {offset} + {slope} HU kg/m³; both must be finite and the second positive");
        Err(ImagingError::invalid("calibration", rule))
    }

    /// The line of `A,B` in the units of the field: density \[g/cm³\] = A + B HU.
    ///
    /// # Errors
    /// When the text is not two numbers with a comma between, or they are refused by [`Calibration::new`].
    pub fn parse(text: &str) -> Result<Self, ImagingError> {
        const G_PER_CM3: f64 = 1e3;
        let numbers = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        let (a, b): (f64, f64) = numbers.ok_or_else(|| {
            let rule = "must be two numbers A,B with density [g/cm³] = A + B HU, for example 0.05,0.00125";
            ImagingError::invalid(format!("calibration `{}`", text.chars().take(40).collect::<String>()), rule)
        })?;
        Calibration::new(G_PER_CM3 * a, G_PER_CM3 * b)
    }

    /// The density of a grey value \[kg/m³\], negative where the line is.
    #[inline]
    pub fn line(&self, grey: f64) -> f64 {
        self.offset + self.slope * grey
    }

    /// The density of a grey value \[kg/m³\], not negative.
    #[inline]
    pub fn density(&self, grey: f64) -> f64 {
        self.line(grey).max(0.0)
    }
}
