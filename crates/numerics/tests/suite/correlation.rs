//! Correlation coefficients against an independent reference solution (SciPy).

use wolff_numerics::correlation::{maximum_over_lags, normalised, pearson};

use super::assert_close;

const REFERENCE: f64 = 1e-9;

fn signals() -> (Vec<f64>, Vec<f64>) {
    use std::f64::consts::PI;
    let times = (0..41).map(|i| i as f64 / 40.0);
    times
        .map(|t| {
            let x = (PI * t).sin().max(0.0).powi(2);
            let y = (PI * t - 0.25).sin().max(0.0).powi(2) + 0.02 * (17.0 * t).cos();
            (x, y)
        })
        .unzip()
}

#[test]
fn reference_values() {
    let (x, y) = signals();
    assert_close(pearson(&x, &y).unwrap(), 0.8832399408646544, REFERENCE);
    assert_close(normalised(&x, &y).unwrap(), 0.9588352959079965, REFERENCE);
    let best = maximum_over_lags(&x, &y).unwrap();
    assert_close(best.value, 0.9013237986611117, REFERENCE);
    assert_eq!(best.lag, -1);
}

#[test]
fn scale_and_offset_do_not_matter_to_pearson() {
    let (x, _) = signals();
    let z: Vec<f64> = x.iter().map(|v| 3.0 - 2.0 * v).collect();
    assert_close(pearson(&x, &z).unwrap(), -1.0, 1e-14);
}

#[test]
fn refuses_what_has_no_coefficient() {
    assert!(pearson(&[1.0, 1.0], &[0.0, 2.0]).is_err());
    assert!(pearson(&[1.0], &[0.0, 2.0]).is_err());
    assert!(pearson(&[], &[]).is_err());
    assert!(maximum_over_lags(&[f64::NAN, 1.0], &[0.0, 2.0]).is_err());
}
