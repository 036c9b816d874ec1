//! Frames that are missing or there twice, times, and the height of the subject.

use crate::support::{FRAMES, RATE, edit, of_markers, only, walker};
use wolff_doctor::{Fault, Finding, Patient, Severity, examine};
use wolff_formats::trial::{Marker, MarkerTrial};

/// The walk with other frames of it at times that are counted from them.
fn with_frames(frames: &[usize]) -> MarkerTrial {
    let walk = walker();
    let chosen = |m: &Marker| Marker { name: m.name.clone(), points: frames.iter().map(|&f| m.points[f]).collect() };
    let times = (0..frames.len()).map(|i| i as f64 / RATE).collect();
    MarkerTrial::new("walk", RATE, times, walk.markers().iter().map(chosen).collect()).unwrap()
}

#[test]
fn frames_that_are_missing_are_found_by_the_jump_of_all_markers() {
    let cut: Vec<usize> = (0..100).chain(110..FRAMES).collect();
    let finding = only(of_markers(&with_frames(&cut)), Fault::Rate);
    assert!(finding.severity == Severity::Error && finding.message.contains("at 1.000 s"), "{finding}");
    assert!(finding.remedy.contains("frames are missing"), "{finding}");
}

#[test]
fn frames_that_are_there_twice_are_found() {
    let often: Vec<usize> = (0..FRAMES).map(|f| f - f / 20).collect();
    let finding = only(of_markers(&with_frames(&often)), Fault::Rate);
    assert!(finding.severity == Severity::Error && finding.message.contains("14 of 300"), "{finding}");
    let once: Vec<usize> = (0..100).chain(99..FRAMES).collect();
    assert_eq!(only(of_markers(&with_frames(&once)), Fault::Rate).severity, Severity::Warning);
    // a person who stands may be recorded with the same digits
    assert_eq!(of_markers(&with_frames(&[5; 50])), []);
}

fn at_times(times: Vec<f64>) -> Vec<Finding> {
    of_markers(&MarkerTrial::new("walk", RATE, times, walker().markers().to_vec()).unwrap())
}

#[test]
fn times_that_run_backwards_are_told_from_repeated_ones() {
    let times: Vec<f64> = walker().times().to_vec();
    let reversed = at_times(times.iter().rev().copied().collect());
    assert!(only(reversed, Fault::Time).remedy.contains("reverse the order"));
    let mut repeated = times.clone();
    repeated[50] = repeated[49];
    let found = at_times(repeated);
    assert!(found.iter().any(|f| f.remedy.contains("delete the repeated rows")), "{found:?}");
    // a hole is counted in frames
    let hole: Vec<f64> = times.iter().map(|t| if *t < 1.0 { *t } else { t + 0.3 }).collect();
    assert!(only(at_times(hole), Fault::Rate).message.contains("30 frames are missing"));
}

/// The markers are those of a person of 1.75 to 1.8 m.
#[test]
fn a_height_that_is_not_that_of_the_markers_is_told() {
    let walk = walker();
    let of = |height: f64| examine(&Patient { markers: Some(&walk), height: Some(height), ..Patient::default() });
    for sound in [1.65, 1.75, 1.85, 2.0] {
        assert_eq!(of(sound), [], "{sound}");
    }
    assert_eq!(only(of(1.2), Fault::Stature).severity, Severity::Error);
    assert_eq!(only(of(1.5), Fault::Stature).severity, Severity::Warning);
    assert_eq!(only(of(2.5), Fault::Stature).severity, Severity::Warning);
}

#[test]
fn a_body_mass_index_that_no_adult_has_is_refused() {
    let of = |mass, height| examine(&Patient { mass: Some(mass), height: Some(height), ..Patient::default() });
    assert_eq!(of(70.0, 1.75), []);
    assert!(only(of(35.0, 1.95), Fault::Mass).message.contains("35 kg at 1.95 m is a body mass index of 9"));
    assert!(only(of(160.0, 1.803_400_000_000_000_1), Fault::Mass).message.contains("at 1.803 m"));
}

/// A marker that is seen by itself is no body.
#[test]
fn few_markers_say_nothing_about_frames() {
    let few = edit(with_frames(&(0..100).chain(110..FRAMES).collect::<Vec<_>>()), |m| m.truncate(3));
    assert!(of_markers(&few).iter().all(|f| f.fault != Fault::Rate), "{:?}", of_markers(&few));
}
