//! Markers prepared: gaps, low-pass, another rate.

use std::f64::consts::TAU;
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_motion::signal::{Preparation, Prepared};

/// Four seconds at 100 Hz of `0.3 sin(2π t)` along x, with a tremor of 1 mm at 25 Hz along y.
fn trial(gap: std::ops::Range<usize>) -> MarkerTrial {
    let times: Vec<f64> = (0..400).map(|i| f64::from(i) / 100.0).collect();
    let point = |(i, t): (usize, &f64)| {
        (!gap.contains(&i)).then(|| [0.3 * (TAU * t).sin(), 1e-3 * (TAU * 25.0 * t).sin(), 1.0])
    };
    let points = times.iter().enumerate().map(point).collect();
    let still = Marker { name: "still".into(), points: vec![Some([0.0, 1.0, 0.0]); 400] };
    MarkerTrial::new("trial", 100.0, times, vec![Marker { name: "heel".into(), points }, still]).unwrap()
}

#[test]
fn nothing_asked_changes_nothing() {
    let (same, told) = Preparation::default().apply(trial(50..55)).unwrap();
    assert_eq!((same, told), (trial(50..55), Prepared::default()));
}

/// Gap, low-pass and rate at once: the motion of 1 Hz stays, the tremor goes, and the report has the numbers.
#[test]
fn each_step_does_what_it_says() {
    let asked = Preparation { fill: Some(0.1), cutoff: Some(6.0), rate: Some(60.0) };
    let (made, told) = asked.apply(trial(50..56)).unwrap();
    assert_eq!((made.rate(), made.times().len(), made.gaps().len()), (60.0, 240, 0));
    assert_eq!((told.filled(), told.left(), told.rates), (6, 0, Some([100.0, 60.0])));
    assert_eq!(told.filled_by_marker(), [("heel".to_string(), 6)]);
    let heel = made.marker("heel").unwrap();
    // away from the ends and from the gap at 0.5 s, in which the spline does not follow the tremor
    for (t, point) in made.times().iter().zip(&heel.points).filter(|(t, _)| (0.9..3.6).contains(*t)) {
        let [x, y, z] = point.unwrap();
        // gain of both passes at 1 Hz: 1 / (1 + 0.414 (1/6)^4) = 0.9997
        assert!((x - 0.3 * (TAU * t).sin()).abs() < 4e-4, "{t}: {x}");
        // at 25 Hz: below 1 / (1 + 0.414 (25/6)^4) = 0.008
        assert!(y.abs() < 2e-5 && (z - 1.0).abs() < 1e-9, "{t}: {y}");
    }
    // rms of a sine of 1 mm
    let (name, rms) = told.most_removed().unwrap();
    assert!(name == "heel" && (rms - 1e-3 / 2.0_f64.sqrt()).abs() < 4e-5, "{rms}");
    assert!(made.remarks().iter().any(|r| r.contains("6 frames")), "{:?}", made.remarks());
}

#[test]
fn a_long_gap_stays_one_at_any_rate() {
    let asked = Preparation { fill: Some(0.1), cutoff: None, rate: Some(250.0) };
    let (made, told) = asked.apply(trial(100..150)).unwrap();
    assert_eq!((told.filled(), told.left()), (0, 1));
    let heel = made.marker("heel").unwrap();
    for (t, point) in made.times().iter().zip(&heel.points) {
        // recorded until 0.99 s and from 1.50 s on
        assert_eq!(point.is_none(), *t > 0.99 + 1e-9 && *t < 1.5 - 1e-9, "{t}");
        if let Some([x, ..]) = point {
            assert!((x - 0.3 * (TAU * t).sin()).abs() < 1e-5, "{t}: {x}");
        }
    }
}

#[test]
fn what_cannot_be_right_is_refused() {
    let refused = |asked: Preparation, word: &str| {
        let message = asked.apply(trial(0..0)).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refused(Preparation { rate: Some(50.0), ..Preparation::default() }, "25 Hz");
    refused(Preparation { rate: Some(50.0), cutoff: Some(30.0), ..Preparation::default() }, "below that");
    refused(Preparation { cutoff: Some(-1.0), ..Preparation::default() }, "positive");
    refused(Preparation { fill: Some(f64::NAN), ..Preparation::default() }, "longest gap");
    refused(Preparation { cutoff: Some(60.0), ..Preparation::default() }, "half the sampling rate");
}
