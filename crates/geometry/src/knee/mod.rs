//! Knees of our own design: condyles and plateaus from a few radii.

mod condyle;
mod plateau;

pub use condyle::Condyle;
pub use plateau::Plateau;

use crate::error::GeometryError;
use crate::nurbs::NurbsSurface;
use crate::nurbs::fit::{FitOptions, fit_grid};
use wolff_spatial::Vec3;

/// Points of the fit along each parameter.
const FIT_POINTS: usize = 41;

/// A B-spline surface within `tolerance` \[m\] of the points that `point` gives over the unit square.
fn fitted(point: impl Fn(f64, f64) -> Vec3, tolerance: f64) -> Result<NurbsSurface, GeometryError> {
    let share = |k: usize| k as f64 / (FIT_POINTS - 1) as f64;
    let points: Vec<Vec3> =
        (0..FIT_POINTS * FIT_POINTS).map(|k| point(share(k / FIT_POINTS), share(k % FIT_POINTS))).collect();
    // taking knots out again costs more than it saves on so few
    let options = FitOptions { reduce: false, ..FitOptions::to_tolerance(tolerance) };
    let fit = fit_grid(&points, FIT_POINTS, &options)?;
    match fit.within_tolerance {
        true => Ok(fit.surface),
        false => Err(GeometryError::Parameter {
            object: "knee surface".into(),
            quantity: "largest error of the fit [m]",
            value: fit.errors.max,
            rule: "which is more than the tolerance; choose a larger tolerance or gentler radii",
        }),
    }
}
