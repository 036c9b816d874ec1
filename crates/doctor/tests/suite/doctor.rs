use crate::support::{FRAMES, RATE, SPEED, edit, ground, index, of_both, of_markers, only, walker};
use std::f64::consts::TAU;
use wolff_doctor::{Fault, Patient, Severity, examine, judge};
use wolff_formats::trial::{Axes, ForcePlateTrial, LengthUnit, MarkerTrial};
use wolff_formats::{sto, trc};

/// The bytes of a file of the shared data.
fn shared_bytes(path: &str) -> Option<Vec<u8>> {
    wolff_testdata::shared(&format!("data/{path}")).map(|p| std::fs::read(p).unwrap())
}

#[test]
fn a_sound_trial_has_no_findings() {
    let (markers, forces) = (walker(), ground(1000.0));
    let patient = Patient { markers: Some(&markers), forces: Some(&forces), mass: Some(70.0), height: Some(1.75) };
    assert_eq!(examine(&patient), []);
}

#[test]
fn a_wrong_unit_is_named_with_the_right_one() {
    let scaled = |factor: f64| {
        edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| *p = p.map(|x| x * factor)))
    };
    for (factor, said, words) in [
        (1000.0, LengthUnit::Metre, "the file says m, but the numbers are mm: read it with --input-unit mm"),
        (100.0, LengthUnit::Metre, "the file says m, but the numbers are cm"),
        (0.001, LengthUnit::Millimetre, "the file says mm, but the numbers are m: read it with --input-unit m"),
    ] {
        let trial = scaled(factor).told(said, &[], &[]);
        let found = examine(&Patient { markers: Some(&trial), ..Patient::default() });
        let unit = found.iter().find(|f| f.fault == Fault::Unit).unwrap_or_else(|| panic!("{factor}: {found:#?}"));
        assert!(unit.remedy.contains(words) && unit.severity == Severity::Error, "{unit:?}");
    }
    let tall = examine(&Patient { height: Some(178.0), ..Patient::default() });
    assert!(only(tall, Fault::Unit).remedy.contains("cm were meant: give 1.78 m"));
}

/// Whatever the laboratory's axes are, the remedy names those that make the trial sound again.
#[test]
fn the_remedy_for_other_axes_undoes_them() {
    for text in ["x,z", "-y,z", "y,x", "z,-x", "-x,y", "z,y"] {
        let axes: Axes = text.parse().unwrap();
        // the inverse of a rotation is its transpose: apply it by where it takes the unit vectors
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| axes.apply(e));
        let back = |p: [f64; 3]| rows.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
        let turned = edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| *p = back(*p)));
        let finding = only(of_markers(&turned), Fault::Axes);
        let told = finding.remedy.split("--axes ").nth(1).unwrap().trim_end_matches(')').to_string();
        assert_eq!(told, text, "{finding:?}");
        assert_eq!(of_markers(&turned.rotated(&told.parse().unwrap())), [], "{text}");
    }
}

#[test]
fn walking_backwards_is_named() {
    let reversed = edit(walker(), |m| m.iter_mut().for_each(|m| m.points.reverse()));
    let finding = only(of_markers(&reversed), Fault::Backwards);
    assert!(finding.message.contains("moves 3.59 m against"), "{finding}");
}

#[test]
fn gaps_are_told_with_marker_time_and_length() {
    let gappy = edit(walker(), |m| {
        m[index("L.Knee")].points[50..80].fill(None);
        m[index("R.Heel")].points[10..14].fill(None);
        m[index("C7")].points[0..3].fill(Some([0.0; 3]));
    });
    let findings = of_markers(&gappy);
    let find = |name: &str, fault: Fault| findings.iter().find(|f| f.fault == fault && f.subjects == [name]).unwrap();
    let long = find("L.Knee", Fault::Gap);
    assert_eq!((long.severity, long.span), (Severity::Warning, Some([0.5, 0.79])));
    assert!(long.message.contains("30 of 300 frames") && long.message.contains("(0.300 s)"), "{long}");
    assert_eq!(find("R.Heel", Fault::Gap).severity, Severity::Note);
    assert_eq!(find("C7", Fault::AtOrigin).span, Some([0.0, 0.02]));
}

#[test]
fn an_exchange_of_two_markers_is_told_from_when_to_when() {
    let swapped = edit(walker(), |m| {
        let (i, j) = (index("R.Knee"), index("L.Knee"));
        for frame in 120..160 {
            let kept = m[i].points[frame];
            m[i].points[frame] = m[j].points[frame];
            m[j].points[frame] = kept;
        }
    });
    let finding = only(of_markers(&swapped), Fault::Swap);
    assert_eq!(finding.subjects, ["R.Knee", "L.Knee"]);
    assert_eq!(finding.span, Some([1.2, 1.6]));
    assert!(finding.remedy.contains("exchange their names from 1.200 s to 1.600 s"), "{finding}");
}

#[test]
fn markers_on_the_wrong_side_are_named() {
    let swapped = edit(walker(), |m| {
        let (i, j) = (index("R.Shoulder"), index("L.Shoulder"));
        let kept = std::mem::take(&mut m[i].points);
        m[i].points = std::mem::replace(&mut m[j].points, kept);
    });
    assert_eq!(only(of_markers(&swapped), Fault::Swap).subjects, ["R.Shoulder", "L.Shoulder"]);
    let mirrored = edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| p[2] = -p[2]));
    assert!(only(of_markers(&mirrored), Fault::Axes).remedy.contains("left-handed"));
}

#[test]
fn a_spike_is_told_with_its_time() {
    let spiky = edit(walker(), |m| m[index("R.Toe")].points[200].as_mut().unwrap()[1] += 0.1);
    let finding = only(of_markers(&spiky), Fault::Spike);
    assert_eq!((finding.subjects, finding.span), (vec!["R.Toe".to_string()], Some([2.0, 2.0])));
}

/// A marker that stays where it is for half a second, one that jumps for good, and one of the laboratory.
#[test]
fn markers_that_stand_still_or_jump_are_named() {
    let still = |from: usize, to: usize| {
        edit(walker(), |m| {
            let kept = m[index("R.Knee")].points[from];
            m[index("R.Knee")].points[from..to].fill(kept);
        })
    };
    // the marker comes back with a jump
    let half = of_markers(&still(100, 150));
    let finding = half.iter().find(|f| f.fault == Fault::Frozen).unwrap_or_else(|| panic!("{half:#?}"));
    assert_eq!((finding.severity, finding.span), (Severity::Warning, Some([1.0, 1.49])));
    let long = of_markers(&still(100, 250));
    assert!(long.iter().any(|f| f.fault == Fault::Frozen && f.severity == Severity::Error), "{long:#?}");
    let fixed = only(of_markers(&still(0, FRAMES)), Fault::Frozen);
    assert_eq!(fixed.severity, Severity::Warning, "{fixed}");
    let away = edit(walker(), |m| m[index("R.Toe")].points[200..].iter_mut().flatten().for_each(|p| p[1] += 0.6));
    let jump = only(of_markers(&away), Fault::Jump);
    assert!(jump.message.contains("0.60 m") && jump.message.contains("1.990 s"), "{jump}");
}

#[test]
fn times_in_milliseconds_or_frames_are_refused() {
    let trial = walker();
    for (factor, words) in [(1000.0, "in ms"), (100.0, "numbers of frames")] {
        let times = trial.times().iter().map(|t| t * factor).collect();
        let slow = MarkerTrial::new("", RATE / factor, times, trial.markers().to_vec()).unwrap();
        let found = of_markers(&slow);
        let rate = found.iter().find(|f| f.fault == Fault::Rate).unwrap_or_else(|| panic!("{found:#?}"));
        assert!(rate.severity == Severity::Error && rate.remedy.contains(words), "{rate}");
    }
}

#[test]
fn feet_far_from_the_floor_are_told() {
    let raised = edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| p[1] += 1.0));
    assert!(only(of_markers(&raised), Fault::Floor).message.contains("1.05 m above"));
}

/// Without displacement, as on a treadmill: the feet are lifted on their way forward, or back in reverse order.
#[test]
fn a_walk_in_reverse_order_is_told_on_a_treadmill() {
    let treadmill = |reverse: bool| {
        edit(walker(), |m| {
            for marker in m.iter_mut() {
                let left = marker.name.starts_with('L');
                let is_foot = marker.name.ends_with("Heel") || marker.name.ends_with("Toe");
                for (f, p) in marker.points.iter_mut().enumerate() {
                    let (t, p) = (f as f64 / RATE, p.as_mut().unwrap());
                    p[0] += 0.02 * (2.0 * TAU * t).sin() - SPEED * t;
                    let forward = (TAU * (t + if left { 0.5 } else { 0.0 })).cos();
                    p[1] += if is_foot { 0.1 * forward.max(0.0) } else { 0.0 };
                }
                if reverse {
                    marker.points.reverse();
                }
            }
        })
    };
    assert_eq!(of_markers(&treadmill(false)), []);
    assert!(only(of_markers(&treadmill(true)), Fault::Backwards).message.contains("lifted while they move backwards"));
}

#[test]
fn times_that_stand_or_skip_are_told() {
    let trial = walker();
    let mut times = trial.times().to_vec();
    times[30] = times[29];
    let standing = MarkerTrial::new("", RATE, times, trial.markers().to_vec()).unwrap();
    let findings = of_markers(&standing);
    assert!(findings.iter().any(|f| f.fault == Fault::Time && f.span == Some([0.29, 0.29])), "{findings:#?}");
    let later = trial.times().iter().map(|t| if *t > 1.0 { t + 0.5 } else { *t }).collect();
    let hole = MarkerTrial::new("", RATE, later, trial.markers().to_vec()).unwrap();
    assert!(only(of_markers(&hole), Fault::Rate).message.contains("1 hole(s)"));
}

/// Trials that others published as sound have no errors; the ones with known faults have those.
#[test]
fn real_trials_are_judged_as_they_are() {
    let pairs = [
        ("gait1992-pipeline/experimental_data/task.trc", "gait1992-pipeline/experimental_data/task_grf.mot"),
        ("rajagopal-walk/markers_walk.trc", "rajagopal-walk/grf_walk.mot"),
        ("knee-lenhart/motion/overground_17.trc", "knee-lenhart/motion/overground_17_grf.mot"),
        (
            "addbiomechanics-walk/subject01/processed/walk2.trc",
            "addbiomechanics-walk/subject01/processed/walk2_grf.mot",
        ),
    ];
    for (markers, forces) in pairs {
        let (Some(m), Some(f)) = (shared_bytes(markers), shared_bytes(forces)) else { continue };
        let markers = trc::read(&m).unwrap();
        let forces = ForcePlateTrial::from_storage(&sto::read(&f).unwrap()).unwrap();
        let findings = of_both(&markers, &forces);
        assert!(findings.iter().all(|f| f.severity < Severity::Error), "{findings:#?}");
    }
    // recorded with Z up
    let Some(bytes) = shared_bytes("opensim-core/Scale/init100.trc") else { return };
    assert!(only(of_markers(&trc::read(&bytes).unwrap()), Fault::Axes).remedy.contains("--axes x,z"));
    // gaps written as zeros
    let Some(bytes) = shared_bytes("knee-tka-dm/motion/DM_ngait_og1_new.trc") else { return };
    let trial = trc::read(&bytes).unwrap();
    let told = judge(&Patient { markers: Some(&trial), ..Patient::default() });
    assert!(
        told.iter().any(|f| f.severity == Severity::Note && f.message.contains("zeros or fill values for 18 markers")),
        "{told:#?}"
    );
    let edge = told.iter().find(|f| f.message.contains("`L_Hindfoot`"));
    assert!(edge.is_some_and(|f| f.message.contains("outside 1.32 to 3.92 s")), "{told:#?}");
    assert!(told.iter().all(|f| f.severity < Severity::Error), "{told:#?}");
}
