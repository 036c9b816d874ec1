//! Signals against the functions they were sampled from.

use std::f64::consts::TAU;
use wolff_movement::model::track::Track;

fn wave(t: f64) -> [f64; 2] {
    let w = TAU / 1.3;
    [(w * t).sin() + 0.5 * t, w * (w * t).cos() + 0.5]
}

/// A cycle that moves on by 0.65 is followed through many cycles, to the fourth order of the step.
#[test]
fn cycles_go_on() {
    let error = |n: usize| {
        let samples = (0..n).map(|i| wave(1.3 * i as f64 / n as f64)).collect();
        let track = Track::cyclic("wave", 1.3, 0.65, samples).unwrap();
        (0..997).map(|i| -3.0 + 0.01 * f64::from(i)).map(|t| (track.value(t) - wave(t)[0]).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(20), error(40));
    assert!((coarse / fine).log2() > 3.8 && fine < 1e-5, "{coarse} {fine}");
}

/// Slopes of values alone are of fourth order, and the value and slope fit together.
#[test]
fn slopes_follow_from_values() {
    let n = 100;
    let values: Vec<f64> = (0..n).map(|i| (TAU * f64::from(i) / f64::from(n)).sin()).collect();
    let track = Track::cyclic_values("wave", 2.0, &values).unwrap();
    for i in 0..400 {
        let t = 0.013 * f64::from(i);
        let (value, slope) = track.at(t);
        let (before, after) = (track.value(t - 1e-6), track.value(t + 1e-6));
        assert!((value - (TAU * t / 2.0).sin()).abs() < 2e-6, "{t}");
        assert!((slope - (after - before) / 2e-6).abs() < 1e-7, "{t}");
    }
}

/// A signal that happens once stays where it began and ended.
#[test]
fn once_is_once() {
    let track = Track::single("step", 1.0, 0.5, vec![[2.0, 0.0], [3.0, 1.0], [5.0, 0.0]]).unwrap();
    assert_eq!(track.at(0.0), (2.0, 0.0));
    assert_eq!(track.at(9.0), (5.0, 0.0));
    assert_eq!(track.at(1.5), (3.0, 1.0));
}

#[test]
fn what_is_no_signal_is_refused() {
    assert!(Track::cyclic("x", 1.0, 0.0, vec![]).is_err());
    assert!(Track::cyclic("x", 0.0, 0.0, vec![[0.0; 2]; 3]).is_err());
    assert!(Track::cyclic("x", 1.0, 0.0, vec![[f64::NAN, 0.0]; 3]).is_err());
    assert!(Track::cyclic_values("x", 1.0, &[1.0; 4]).is_err());
    assert!(Track::single("x", 0.0, f64::NAN, vec![[0.0; 2]; 3]).is_err());
}

/// Sums and multiples of signals, slopes and ways of a cycle included; signals of other times have no sum.
#[test]
fn signals_add() {
    let a = Track::cyclic("a", 2.0, 1.0, vec![[0.0, 0.5], [0.5, 0.5]]).unwrap();
    let b = Track::cyclic("b", 2.0, 0.0, vec![[1.0, 0.0], [3.0, 0.0]]).unwrap();
    let sum = a.plus(&b.scaled(-2.0)).unwrap();
    for t in [0.0, 0.3, 1.0, 1.7, 2.4] {
        let (value, slope) = sum.at(t);
        assert!((value - (a.at(t).0 - 2.0 * b.at(t).0)).abs() < 1e-14);
        assert!((slope - (a.at(t).1 - 2.0 * b.at(t).1)).abs() < 1e-13);
    }
    let other = Track::cyclic("c", 1.0, 0.0, vec![[1.0, 0.0], [3.0, 0.0]]).unwrap();
    assert!(a.plus(&other).is_err());
}
