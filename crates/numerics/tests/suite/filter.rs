//! Butterworth filters against independent reference solutions and their definition.

use std::f64::consts::PI;

use wolff_numerics::filter::Butterworth;

use super::assert_close;
use super::filter_reference::{FIVE_HZ_AT_50, Reference, TEN_HZ_AT_2000};

/// Accuracy of the reference comparison.
const REFERENCE: f64 = 1e-9;

fn signal(r: &Reference) -> Vec<f64> {
    let value =
        |t: f64| (2.0 * PI * t).sin() + 0.3 * (8.0 * PI * t + 0.5).sin() + 0.2 * (30.0 * PI * t).sin() + 0.05 * t;
    (0..r.samples).map(|i| value(i as f64 / r.sample_rate_hz)).collect()
}

fn assert_every_fifth(y: &[f64], expected: &[f64]) {
    assert_eq!(expected.len(), y.len().div_ceil(5));
    for (i, e) in expected.iter().enumerate() {
        assert_close(y[5 * i], *e, REFERENCE);
    }
}

#[test]
fn reference_signals() {
    for r in [&FIVE_HZ_AT_50, &TEN_HZ_AT_2000] {
        let x = signal(r);
        let plain = Butterworth::low_pass(2, r.cutoff_hz, r.sample_rate_hz).unwrap();
        let corrected = Butterworth::low_pass_dual_pass(2, r.cutoff_hz, r.sample_rate_hz).unwrap();
        for (filter, b, a) in [(&plain, r.b, r.a), (&corrected, r.corrected_b, r.corrected_a)] {
            let s = filter.sections()[0];
            for k in 0..3 {
                assert_close(s.b[k], b[k], 1e-14);
            }
            assert_close(s.a[0], a[1], 1e-14);
            assert_close(s.a[1], a[2], 1e-14);
        }
        assert_every_fifth(&plain.single_pass(&x).unwrap(), r.single_pass);
        assert_every_fifth(&plain.zero_phase(&x, Some(9)).unwrap(), r.zero_phase);
        assert_every_fifth(&corrected.zero_phase(&x, None).unwrap(), r.corrected);
    }
}

#[test]
fn gain_at_the_cutoff() {
    for order in [2, 4, 8] {
        let single = Butterworth::low_pass(order, 6.0, 100.0).unwrap();
        assert_close(single.magnitude(6.0, 100.0), 0.5_f64.sqrt(), 1e-12);
        assert_close(single.magnitude(0.0, 100.0), 1.0, 1e-12);
        let dual = Butterworth::low_pass_dual_pass(order, 6.0, 100.0).unwrap();
        assert_close(dual.magnitude(6.0, 100.0).powi(2), 0.5_f64.sqrt(), 1e-12);
    }
}

#[test]
fn constants_and_lines_pass_without_phase_shift() {
    let filter = Butterworth::low_pass(4, 6.0, 100.0).unwrap();
    for y in filter.zero_phase(&[2.5; 40], None).unwrap() {
        assert_close(y, 2.5, 1e-12);
    }
    // far from the ends the start-up transients have decayed; any delay would shift the line
    let line: Vec<f64> = (0..401).map(|i| 0.3 * i as f64 - 4.0).collect();
    assert_close(filter.zero_phase(&line, None).unwrap()[200], line[200], 1e-10);
}

#[test]
fn refusals() {
    assert!(Butterworth::low_pass(3, 6.0, 100.0).is_err());
    assert!(Butterworth::low_pass(0, 6.0, 100.0).is_err());
    assert!(Butterworth::low_pass(2, 50.0, 100.0).is_err());
    assert!(Butterworth::low_pass(2, f64::NAN, 100.0).is_err());
    let filter = Butterworth::low_pass(2, 6.0, 100.0).unwrap();
    assert!(filter.zero_phase(&[1.0; 9], None).is_err());
    assert!(filter.zero_phase(&[1.0; 10], None).is_ok());
    assert!(filter.single_pass(&[1.0, f64::NAN]).is_err());
    assert!(filter.zero_phase(&[], Some(0)).is_err());
}
