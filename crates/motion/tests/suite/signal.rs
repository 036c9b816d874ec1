use std::f64::consts::TAU;
use wolff_formats::Table;
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_motion::signal::{
    Closing, Cycle, EventKind, ForceThresholds, GapOutcome, LowPass, Thinned, cut_cycles, events_of_force,
    events_of_markers, fill_gaps, low_pass_columns, low_pass_markers, normalise,
};

const RATE: f64 = 100.0;

fn times(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64 / RATE).collect()
}

/// A name and where the marker is at a time.
type Course<'a> = (&'a str, &'a dyn Fn(f64) -> [f64; 3]);

fn trial(n: usize, courses: &[Course]) -> MarkerTrial {
    let marker = |(name, path): &Course| Marker {
        name: name.to_string(),
        points: times(n).iter().map(|&t| Some(path(t))).collect(),
    };
    MarkerTrial::new("trial", RATE, times(n), courses.iter().map(marker).collect()).unwrap()
}

fn hide(trial: MarkerTrial, frames: std::ops::Range<usize>) -> MarkerTrial {
    let mut markers = trial.markers().to_vec();
    markers[0].points[frames].fill(None);
    trial.with_markers(markers).unwrap()
}

/// A spline through points of a cubic is that cubic.
#[test]
fn short_gaps_are_filled_and_all_are_reported() {
    let cubic = |t: f64| [1.0 + t, t * t - 0.5 * t * t * t, -2.0];
    let whole = trial(100, &[("a", &cubic)]);
    let (filled, reports) = fill_gaps(&hide(hide(hide(whole.clone(), 20..30), 50..75), 95..100), 0.1).unwrap();
    let outcomes: Vec<_> = reports.iter().map(|r| (r.first, r.frames, r.outcome)).collect();
    let wanted = [(20, 10, GapOutcome::Filled), (50, 25, GapOutcome::TooLong), (95, 5, GapOutcome::AtEnd)];
    assert_eq!(outcomes, wanted);
    for i in 20..30 {
        let (a, b) = (filled.markers()[0].points[i].unwrap(), whole.markers()[0].points[i].unwrap());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{i}: {a:?} {b:?}");
    }
    assert!(filled.markers()[0].points[60].is_none() && filled.markers()[0].points[97].is_none());
    assert!(fill_gaps(&whole, f64::NAN).is_err());
}

/// Far below the corner nothing is lost, far above it nothing is left, at it 1/√2; no shift in time.
#[test]
fn the_low_pass_has_its_corner_where_it_says() {
    let n = 1000;
    let gain = |hz: f64| {
        let mut columns = vec![times(n).iter().map(|t| (TAU * hz * t).sin()).collect::<Vec<f64>>()];
        let before = columns[0].clone();
        low_pass_columns(&mut columns, RATE, &LowPass::default()).unwrap();
        let middle = 300..700;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&columns[0][middle.clone()], &before[middle.clone()]) / dot(&before[middle.clone()], &before[middle])
    };
    assert!((gain(0.5) - 1.0).abs() < 1e-3);
    assert!((gain(5.0) - 0.5_f64.sqrt()).abs() < 2e-3, "{}", gain(5.0));
    assert!(gain(25.0).abs() < 2e-3);
}

#[test]
fn markers_are_filtered_piece_by_piece() {
    let line = |t: f64| [3.0 * t, 1.0 - t, 0.25];
    let broken = hide(trial(60, &[("a", &line)]), 40..52);
    let (filtered, short) = low_pass_markers(&broken, &LowPass::default()).unwrap();
    assert_eq!(short, [("a".to_string(), 52..60)]);
    for (a, b) in filtered.markers()[0].points.iter().zip(&broken.markers()[0].points) {
        assert_eq!(a.is_some(), b.is_some());
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        // straight lines pass a filter that starts in its steady state but for the turn of the extension
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.02), "{a:?} {b:?}");
    }
}

/// Steps of 0.6 s every second: crossings are where the ramps meet the thresholds; noise around them makes no events.
#[test]
fn force_events_are_interpolated_and_noise_makes_none() {
    let force = |t: f64| {
        let phase = t.rem_euclid(1.0);
        (2000.0 * (phase - 0.2)).min(2000.0 * (0.8 - phase)).clamp(0.0, 700.0)
    };
    let t: Vec<f64> = (0..3000).map(|i| i as f64 / 1000.0).collect();
    let noise = |i: usize| if i.is_multiple_of(2) { 6.0 } else { -6.0 };
    let f: Vec<f64> = t.iter().enumerate().map(|(i, &t)| force(t) + noise(i)).collect();
    let events = events_of_force(&t, &f, &ForceThresholds::default()).unwrap();
    assert_eq!(events.len(), 6);
    for (k, pair) in events.chunks(2).enumerate() {
        assert_eq!((pair[0].kind, pair[1].kind), (EventKind::HeelStrike, EventKind::ToeOff));
        // noise of 6 N on a ramp of 2 N/ms moves a crossing by 3 ms at most
        assert!((pair[0].time - (k as f64 + 0.21)).abs() < 4e-3 && (pair[1].time - (k as f64 + 0.795)).abs() < 4e-3);
    }
    let cycles = cut_cycles(&events);
    assert_eq!(cycles.len(), 2);
    assert!((cycles[0][1] - cycles[0][0] - 1.0).abs() < 1e-2);
    assert!(events_of_force(&t, &[f64::NAN], &ForceThresholds::default()).is_err());
    let upside_down = ForceThresholds { on: 5.0, off: 10.0, shortest: 0.0 };
    assert!(events_of_force(&t, &f, &upside_down).is_err());
}

/// The heel is farthest ahead of the sacrum a quarter period after its zero, the toe farthest behind three quarters
/// after.
#[test]
fn marker_events_are_where_feet_are_farthest() {
    for direction in [1.0, -1.0] {
        let sacrum = |t: f64| [direction * 1.3 * t, 1.0, 0.0];
        let foot = |t: f64| direction * (1.3 * t + 0.3 * (TAU * t).sin());
        let heel = |t: f64| [foot(t) - direction * 0.1, 0.1, 0.1];
        let toe = |t: f64| [foot(t) + direction * 0.15, 0.1, 0.1];
        let walk = trial(400, &[("S", &sacrum), ("H", &heel), ("T", &toe)]);
        let events = events_of_markers(&walk, "H", "T", "S").unwrap();
        let strikes: Vec<f64> = events.iter().filter(|e| e.kind == EventKind::HeelStrike).map(|e| e.time).collect();
        let offs: Vec<f64> = events.iter().filter(|e| e.kind == EventKind::ToeOff).map(|e| e.time).collect();
        assert_eq!((strikes.len(), offs.len()), (4, 3), "{events:?}");
        assert!(strikes.iter().enumerate().all(|(k, t)| (t - (k as f64 + 0.25)).abs() < 1e-4), "{strikes:?}");
        assert!(offs.iter().enumerate().all(|(k, t)| (t - (k as f64 + 0.75)).abs() < 1e-4), "{offs:?}");
        assert!(events_of_markers(&walk, "H", "no", "S").is_err());
    }
}

fn steps() -> Table {
    let row = |&t: &f64| vec![t, 1.1 * t + 0.05 * (TAU * t).sin(), 0.4 * (TAU * t).cos() + 0.02 * t];
    Table::new(["time", "forward", "knee"].map(String::from).to_vec(), times(200).iter().map(row).collect()).unwrap()
}

#[test]
fn a_cycle_is_normalised_by_a_spline() {
    let normal = normalise(&steps(), [0.3, 1.3], 101).unwrap();
    assert_eq!((normal.rows().len(), normal.rows()[100][0]), (101, 100.0));
    let knee = normal.column("knee").unwrap();
    // fourth-order error of a cubic spline at 100 samples a cycle
    assert!((knee[25] - (0.4 * (TAU * 0.55_f64).cos() + 0.011)).abs() < 1e-7);
    assert!(normalise(&steps(), [1.5, 2.5], 101).is_err());
}

/// At the seams value and slope are continuous; a walker advances by the same amount in every cycle.
#[test]
fn repeated_cycles_have_no_seams() {
    let closing = |label: &str| if label == "forward" { Closing::Advances } else { Closing::Returns };
    let cycle = Cycle::new(&steps(), [0.3, 1.3], 101, closing).unwrap();
    assert!((cycle.mismatch()[1] - 0.02).abs() < 1e-9 && cycle.mismatch()[0] == 0.0);
    for column in 0..2 {
        for seam in [1.0, 2.0, 5.0] {
            let (a, b) = (cycle.evaluate(column, seam - 1e-9).unwrap(), cycle.evaluate(column, seam + 1e-9).unwrap());
            assert!((a.value - b.value).abs() < 1e-7 && (a.d1 - b.d1).abs() < 1e-5, "{column} {seam}: {a:?} {b:?}");
        }
    }
    let five = cycle.repeat(5, 100).unwrap();
    let forward = five.column("forward").unwrap();
    for k in 1..5 {
        let advance = forward[100 * (k + 1)] - forward[100 * k];
        assert!((advance - 1.1).abs() < 1e-9, "{advance}");
    }
    // slopes within the cycle are those of the recording
    let slope = cycle.evaluate(0, 0.45).unwrap().d1;
    assert!((slope - (1.1 + 0.05 * TAU * (TAU * 0.75).cos())).abs() < 1e-4, "{slope}");
    assert!(cycle.repeat(0, 10).is_err());
}

/// No more than the most, evenly spaced from the first on.
#[test]
fn long_courses_are_thinned_out() {
    let mut course = Thinned::new(8);
    for i in 0..1000 {
        course.add(|| i);
        let kept = course.kept();
        assert!(kept.len() <= 8 && kept[0] == 0);
        assert!(i < 8 || kept.len() >= 4, "{kept:?}");
        assert!(kept.windows(2).all(|w| w[1] - w[0] == course.every()), "{kept:?}");
        assert!(i - kept[kept.len() - 1] < course.every());
    }
    assert_eq!(course.every(), 128);
}
