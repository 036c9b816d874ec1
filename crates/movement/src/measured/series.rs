//! One cycle from a recorded motion: Fourier series of coordinates.

use super::gait::Gait;
use super::retarget::Retargeted;
use crate::error::MovementError;
use crate::reference::walk::{Harmonic, Series};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;
use wolff_anatomy::{CoordinateRole, mirror_name};

/// Ratio of singular values below which a direction is not changed.
const NEGLIGIBLE: f64 = 1e-8;

/// Least squares `min |A x - b|`, minimum norm solution.
pub(super) fn least_squares(rows: &[Vec<f64>], right: &[f64]) -> Result<Vec<f64>, MovementError> {
    let n = rows.first().map_or(0, Vec::len);
    let matrix = DMatrix::from_fn(rows.len(), n, |i, j| rows[i][j]);
    let svd = matrix.svd(true, true);
    let tolerance = NEGLIGIBLE * svd.singular_values.max();
    let x = svd.solve(&DVector::from_column_slice(right), tolerance);
    let failed =
        |reason: &str| MovementError::NotConverged { object: "fit of a measured walk".into(), reason: reason.into() };
    x.map(|x| x.as_slice().to_vec()).map_err(failed)
}

/// Series of the recorded coordinates with the harmonics of `like`; coordinates that were not recorded keep the series
/// of `like`.
///
/// Where the left side has no series in `like`, its samples enter the series of the right side half a cycle later:
/// differences between the sides are averaged. No recorded cycle ends exactly as it began; where sides are separate, a
/// linear drift is fitted too and then removed, so that the harmonics do not follow the jump from end to start.
pub(crate) fn motion_series(like: &[Series], motion: &Retargeted, gait: &Gait) -> Result<Vec<Series>, MovementError> {
    let omega = TAU / gait.cycle_time;
    let whole = |t: f64| (-1e-9..gait.cycle_time - 1e-9).contains(&t);
    let covers = motion.times.first().is_some_and(|t| *t <= 0.01 * gait.cycle_time)
        && motion.times.last().is_some_and(|t| *t >= 0.98 * gait.cycle_time);
    let fit = |series: &Series| {
        let (mut rows, mut right) = (Vec::new(), Vec::new());
        let twins = [series.coordinate.clone(), mirror_name(&series.coordinate)];
        let alone = twins[0] == twins[1] || like.iter().any(|s| s.coordinate == twins[1]);
        let sides = if alone { &twins[..1] } else { &twins[..] };
        for name in sides {
            let Some(column) = motion.columns.get(name) else { continue };
            let shift = if name == &series.coordinate { 0.0 } else { 0.5 * gait.cycle_time };
            for (&t, &q) in motion.times.iter().zip(column).filter(|(t, _)| !covers || whole(**t)) {
                let forward =
                    if CoordinateRole::of(name).is_some_and(CoordinateRole::is_forward) { gait.speed * t } else { 0.0 };
                let wave = |h: &Harmonic| (f64::from(h.order) * omega * (t + shift)).sin_cos();
                let waves = series.harmonics.iter().map(wave).flat_map(|(s, c)| [c, s]);
                let one = if has_mean(series) { 1.0 } else { 0.0 };
                let slope = (!gait.symmetric).then(|| t / gait.cycle_time - 0.5);
                rows.push(std::iter::once(one).chain(waves).chain(slope).collect::<Vec<f64>>());
                right.push(q - forward);
            }
        }
        if rows.is_empty() {
            return Ok(series.clone());
        }
        let x = least_squares(&rows, &right)?;
        let harmonic = |(h, pair): (&Harmonic, &[f64])| Harmonic { order: h.order, cos: pair[0], sin: pair[1] };
        let harmonics = series.harmonics.iter().zip(x[1..].chunks(2)).map(harmonic).collect();
        Ok(Series { coordinate: series.coordinate.clone(), mean: x[0], harmonics })
    };
    like.iter().map(fit).collect()
}

/// Whether a coordinate may have a mean: coordinates that swing from side to side have zero mean.
fn has_mean(series: &Series) -> bool {
    series.harmonics.iter().any(|h| h.order % 2 == 0)
}
