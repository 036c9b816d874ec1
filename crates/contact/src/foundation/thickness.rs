//! The layer on the moving body.

use crate::error::{ContactError, not_negative, positive, require};
use wolff_geometry::Place;

/// The layer that the moving surface carries.
///
/// Layers of one material act as one layer of the summed thickness. Two materials are springs in series: the moving
/// layer counts as `h k_f/k_m` of the fixed body's material, k pressure per strain at rest. That is exact for linear
/// small strain and holds for small pressures otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MovingLayer {
    /// None: the moving body is rigid.
    #[default]
    Rigid,
    /// The same thickness everywhere \[m\].
    Constant(f64),
    /// A map over the parameters of each patch of the moving surface; patches without a map are rigid.
    Map(Vec<ThicknessMap>),
}

impl MovingLayer {
    /// Thickness \[m\] at a place; places off the maps take the nearest value.
    #[inline]
    pub fn at(&self, place: &Place) -> f64 {
        match self {
            MovingLayer::Rigid => 0.0,
            MovingLayer::Constant(h) => *h,
            MovingLayer::Map(maps) => maps.get(place.patch as usize).map_or(0.0, |map| map.at(place.u, place.v)),
        }
    }

    pub(crate) fn check(&self) -> Result<(), ContactError> {
        match self {
            MovingLayer::Constant(h) => not_negative("moving layer", "thickness [m]", *h).map(|_| ()),
            _ => Ok(()),
        }
    }
}

/// Thickness over the two parameters of a patch, bilinear between samples.
#[derive(Clone, Debug, PartialEq)]
pub struct ThicknessMap {
    u: (f64, f64),
    v: (f64, f64),
    counts: (usize, usize),
    /// Row by row, v fastest \[m\].
    values: Vec<f64>,
}

impl ThicknessMap {
    /// `counts` samples, ends included, evenly spaced over the ranges `u` and `v`; `values` row by row with v fastest
    /// \[m\].
    pub fn new(u: (f64, f64), v: (f64, f64), counts: (usize, usize), values: Vec<f64>) -> Result<Self, ContactError> {
        let name = "thickness map";
        for (lo, hi) in [u, v] {
            positive(name, "width of a parameter range", hi - lo)?;
        }
        let fewest = counts.0.min(counts.1);
        require(fewest >= 2, name, "number of samples along a parameter", fewest as f64, "must be at least two")?;
        let rule = "must be the product of the samples along both parameters";
        require(values.len() == counts.0 * counts.1, name, "number of values", values.len() as f64, rule)?;
        for &value in &values {
            not_negative(name, "thickness [m]", value)?;
        }
        Ok(ThicknessMap { u, v, counts, values })
    }

    /// Thickness \[m\] at (u, v), the nearest value outside of the ranges.
    #[inline]
    pub fn at(&self, u: f64, v: f64) -> f64 {
        let (i, s) = cell(u, self.u, self.counts.0);
        let (j, t) = cell(v, self.v, self.counts.1);
        let value = |k: usize, l: usize| self.values[(i + k) * self.counts.1 + j + l];
        (1.0 - s) * ((1.0 - t) * value(0, 0) + t * value(0, 1)) + s * ((1.0 - t) * value(1, 0) + t * value(1, 1))
    }
}

/// Cell of x among `count` samples and the fraction inside of it; NaN counts as the lower end.
fn cell(x: f64, (lo, hi): (f64, f64), count: usize) -> (usize, f64) {
    let position = ((x - lo) / (hi - lo)).clamp(0.0, 1.0) * (count - 1) as f64;
    let index = (position as usize).min(count - 2);
    (index, if position.is_nan() { 0.0 } else { position - index as f64 })
}
