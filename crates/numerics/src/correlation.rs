//! Similarity of two equally sampled signals.

use crate::error::{NumericsError, input_error, require_finite};

/// Largest correlation over all shifts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LagCorrelation {
    /// Correlation coefficient at the best shift.
    pub value: f64,
    /// Shift k of the best match of `x_{n+k}` with `y_n`; -1 means y lags x by one sample.
    pub lag: isize,
}

/// Pearson's coefficient `Σ (x-x̄)(y-ȳ) / √(Σ (x-x̄)² Σ (y-ȳ)²)`.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<f64, NumericsError> {
    check_pair(x, y)?;
    let (mx, my) = (mean(x), mean(y));
    Ok(lagged_product(x, y, mx, my, 0) / norm_product(x, y, mx, my)?)
}

/// Normalised product `Σ x y / √(Σ x² Σ y²)`, without removing the means.
pub fn normalised(x: &[f64], y: &[f64]) -> Result<f64, NumericsError> {
    check_pair(x, y)?;
    Ok(lagged_product(x, y, 0.0, 0.0, 0) / norm_product(x, y, 0.0, 0.0)?)
}

/// Largest `r_k = Σ_n (x_{n+k}-x̄)(y_n-ȳ) / √(Σ (x-x̄)² Σ (y-ȳ)²)` over all shifts k.
///
/// Sums run over overlapping samples; means and norms over all of them. Quadratic in the number of samples.
pub fn maximum_over_lags(x: &[f64], y: &[f64]) -> Result<LagCorrelation, NumericsError> {
    check_pair(x, y)?;
    let (mx, my) = (mean(x), mean(y));
    let norm = norm_product(x, y, mx, my)?;
    let reach = x.len() as isize - 1;
    let mut best = LagCorrelation { value: f64::NEG_INFINITY, lag: 0 };
    for lag in -reach..=reach {
        let value = lagged_product(x, y, mx, my, lag) / norm;
        if value > best.value {
            best = LagCorrelation { value, lag };
        }
    }
    Ok(best)
}

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// `Σ_n (x_{n+lag} - mx)(y_n - my)` over overlapping samples.
fn lagged_product(x: &[f64], y: &[f64], mx: f64, my: f64, lag: isize) -> f64 {
    let shift = lag.unsigned_abs();
    let (x, y) = if lag >= 0 { (&x[shift..], y) } else { (x, &y[shift..]) };
    x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum()
}

fn norm_product(x: &[f64], y: &[f64], mx: f64, my: f64) -> Result<f64, NumericsError> {
    let norm = (lagged_product(x, x, mx, mx, 0) * lagged_product(y, y, my, my, 0)).sqrt();
    if norm > 0.0 {
        Ok(norm)
    } else {
        Err(input_error("variation of a signal", norm, "a constant signal has no correlation coefficient"))
    }
}

fn check_pair(x: &[f64], y: &[f64]) -> Result<(), NumericsError> {
    if x.is_empty() || x.len() != y.len() {
        return Err(input_error(
            "pair of signals",
            format!("{} and {} samples", x.len(), y.len()),
            "both need the same number of samples, at least one; resample one of them",
        ));
    }
    require_finite("first signal", x)?;
    require_finite("second signal", y)
}
