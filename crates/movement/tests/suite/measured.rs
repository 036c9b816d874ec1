//! Measured walks: real trials beside the workspace, and copies of them with faults.

use crate::simulate::plan;
use std::path::{Path, PathBuf};
use wolff_anatomy::Sex;
use wolff_anatomy::Side;
use wolff_evidence::{emg_matches, ground_match, read_emg};
use wolff_movement::measured::{Person, SkeletonChoice, Symmetry, Trial, TrialFiles, read_trial};
use wolff_movement::simulate::{MovementPlan, MovementResult, simulate_movement};
use wolff_testdata::shared;

const ANYONE: Person = Person { mass: None, stature: None, sex: Sex::Male, ankle: None };

fn files(model: &str, markers: &str, forces: &str) -> Option<TrialFiles> {
    let file = |name: &str| shared(&format!("data/{name}"));
    let (model, markers, forces) = (file(model)?, file(markers)?, file(forces)?);
    Some(TrialFiles { model, markers, forces, tasks: None, reading: Default::default(), force_axes: None })
}

/// The second of two subjects on firm ground, one whole stance.
fn overground() -> Option<TrialFiles> {
    let folder = "addbiomechanics-walk/subject02/processed";
    let [model, markers, forces] = ["optimized_scale_and_markers.osim", "walk2.trc", "walk2_grf.mot"];
    files(&format!("{folder}/{model}"), &format!("{folder}/{markers}"), &format!("{folder}/{forces}"))
}

/// A trial on a treadmill.
fn treadmill() -> Option<TrialFiles> {
    let folder = "gait1992-pipeline";
    let [model, markers, forces] =
        ["scale/model_scaled.osim", "experimental_data/task.trc", "experimental_data/task_grf.mot"];
    files(&format!("{folder}/{model}"), &format!("{folder}/{markers}"), &format!("{folder}/{forces}"))
}

/// Two strides with rigid bones.
fn walked(trial: &Trial) -> MovementResult {
    let plan = MovementPlan { walk: trial.walk.clone(), ..plan(2) };
    simulate_movement(&plan, &mut |_, _| true).unwrap()
}

#[test]
fn a_walk_on_firm_ground_is_walked_as_it_was_measured() {
    let Some(files) = overground() else { return };
    let trial = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::Auto).unwrap();
    let gait = &trial.gait;
    // from the files: heel strikes at 3.10 (right) and 3.69 s (left), toe off at 3.81 s; 76.48 kg, 1.853 m
    assert!((gait.cycle_time - 1.18).abs() < 0.01 && (gait.duty - 0.6).abs() < 0.01 && gait.belt == 0.0, "{gait:?}");
    assert!((trial.subject.mass - 76.48).abs() < 1e-6 && (trial.subject.stature - 1.853).abs() < 0.03);
    // the model fits markers to 6 mm and the person the model as well; steady walking in Hicks' limits
    assert!(trial.marker_error.unwrap() < 0.008 && trial.retarget_error < 0.008);
    assert!(trial.after.force < 0.03 && trial.after.moment < 0.01, "{:?}", trial.after);
    assert!(trial.findings.iter().any(|f| f.message.contains("left foot")), "{:?}", trial.findings);
    let result = walked(&trial);
    assert!(result.ended.is_none());
    let found = ground_match(gait, &trial.stances, &result.record, trial.walk.constants.weight()).unwrap();
    // what the source document reached is 0.95 to 0.97; along the way and sideways too the plates are followed
    assert!(found.correlation[1] > 0.985 && found.stances == 1, "{found:?}");
    assert!(found.correlation[0] > 0.95 && found.correlation[2] > 0.9, "{found:?}");
    // the first peak is 10.4 % too high
    for (driven, measured) in result.fidelity.ground_peaks.iter().zip(found.peaks) {
        assert!((driven / measured - 1.0).abs() < 0.12, "{driven} {measured}");
    }
}

/// Peaks of the ground force within a tenth of the plates', where both feet were measured.
#[test]
fn peaks_of_the_ground_force_are_those_of_the_plates() {
    let folder = "rajagopal-walk";
    let names = ["subject_walk_scaled.osim", "markers_walk.trc", "grf_walk.xml"].map(|name| format!("{folder}/{name}"));
    let Some(files) = files(&names[0], &names[1], &names[2]) else { return };
    let trial = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::Yes).unwrap();
    let result = walked(&trial);
    let weight = trial.walk.constants.weight();
    let found = ground_match(&trial.gait, &trial.stances, &result.record, weight).unwrap();
    assert!(found.correlation[1] > 0.985, "{found:?}");
    for (driven, measured) in result.fidelity.ground_peaks.iter().zip(found.peaks) {
        assert!((driven / measured - 1.0).abs() < 0.1, "{driven} {measured}");
    }
}

#[test]
fn a_walk_on_a_belt_becomes_one_over_ground() {
    let Some(files) = treadmill() else { return };
    let trial = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::Auto).unwrap();
    let gait = &trial.gait;
    assert!((gait.belt - 1.12).abs() < 0.03 && (gait.speed - gait.belt).abs() < 0.05, "{gait:?}");
    assert!((gait.cycle_time - 1.235).abs() < 0.01, "{gait:?}");
    let result = walked(&trial);
    let found = ground_match(gait, &trial.stances, &result.record, trial.walk.constants.weight()).unwrap();
    assert!(found.correlation[1] > 0.95, "{found:?}");
}

/// Both feet of the trial on a treadmill stood on plates: each keeps its own times, and the walk is as consistent as the symmetric one.
#[test]
fn both_sides_are_kept_apart_where_they_are_known() {
    let Some(files) = treadmill() else { return };
    let trial = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::No).unwrap();
    let gait = &trial.gait;
    assert!(!gait.symmetric && !trial.walk.is_symmetric());
    assert!((gait.strikes[1] - 0.5).abs() < 0.03 && gait.strikes[1] != 0.5, "{gait:?}");
    assert!(gait.duties.iter().all(|d| (d - gait.duty).abs() < 0.03) && gait.duties[0] != gait.duties[1], "{gait:?}");
    let constants = &trial.walk.constants;
    // the left foot is where and when it was measured to be
    let stance = trial.stances.iter().find(|s| s.foot == Side::Left && s.whole().is_some()).unwrap();
    let [on, off] = stance.whole().unwrap();
    let middle = stance.samples.iter().min_by(|a, b| {
        let far = |t: f64| (t - 0.5 * (on + off)).abs();
        far(a.time).total_cmp(&far(b.time))
    });
    let (measured, walked) = (middle.unwrap(), trial.walk.ground(middle.unwrap().time, Side::Left));
    assert!((measured.point - walked.point).norm() < 0.05, "{} {}", measured.point, walked.point);
    assert!((measured.force.y - walked.force.y).abs() < 0.15 * constants.weight());
    // joint moments stay as measured, so that 3.03 % of body weight remain at the pelvis; Hicks et al. 2015 ask for 5 and 1 %
    assert!(trial.after.force < 0.04 && trial.after.moment < 0.01, "{:?}", trial.after);
}

#[test]
fn one_stance_does_not_tell_both_sides() {
    let Some(files) = overground() else { return };
    let message = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::No).unwrap_err().to_string();
    assert!(message.contains("left foot") && message.contains("symmetric"), "{message}");
    let trial = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::Auto).unwrap();
    assert!(trial.gait.symmetric && trial.walk.is_symmetric());
}

#[test]
fn coordinates_serve_as_well_as_markers_and_muscles_stand_beside_electromyograms() {
    let folder = "rajagopal-walk";
    let [model, forces] = ["subject_walk_scaled.osim", "grf_walk.xml"].map(|f| format!("{folder}/{f}"));
    let Some(files) = files(&model, &format!("{folder}/coordinates.sto"), &forces) else { return };
    let trial = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::Auto).unwrap();
    assert!(trial.marker_error.is_none());
    let result = walked(&trial);
    let found = ground_match(&trial.gait, &trial.stances, &result.record, trial.walk.constants.weight()).unwrap();
    assert!(found.correlation[1] > 0.95 && found.stances == 3, "{found:?}");
    let emg = read_emg(&files.model.with_file_name("electromyography.sto")).unwrap();
    let names: Vec<String> = result.muscles.muscles.iter().map(|m| m.name.clone()).collect();
    let (matches, others) = emg_matches(&trial.gait, &emg, &names, &result.record).unwrap();
    assert_eq!((matches.len(), others.len()), (10, 0));
    let of = |name: &str| matches.iter().find(|m| m.muscle == name).unwrap();
    assert_eq!(of("vastus medialis").signal, "vastus_medius");
    // the calf is alone in what it does
    assert!(of("soleus").correlation > 0.8 && of("gastrocnemius").correlation > 0.8);
    assert_eq!(of("gastrocnemius").muscles.len(), 2);
    for m in &matches {
        assert!(m.delayed[0] >= m.correlation && m.correlation.abs() <= 1.0, "{m:?}");
    }
}

/// A copy of a file with every line changed.
fn changed(path: &Path, name: &str, change: impl Fn(usize, &str) -> String) -> PathBuf {
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<String> = text.lines().enumerate().map(|(i, line)| change(i, line)).collect();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let copy = folder.join(format!("trial-{name}")).with_extension(path.extension().unwrap());
    std::fs::write(&copy, lines.join("\n")).unwrap();
    copy
}

/// A line with some of its columns, counted from 0, changed.
fn columns(line: &str, change: impl Fn(usize, &str) -> String) -> String {
    line.split('\t').enumerate().map(|(k, cell)| change(k, cell)).collect::<Vec<_>>().join("\t")
}

fn refusal(files: &TrialFiles, person: &Person) -> String {
    read_trial(files, person, SkeletonChoice::Person, Symmetry::Auto).unwrap_err().to_string()
}

#[test]
fn a_marker_lost_for_a_while_is_told_and_does_little_harm() {
    let Some(files) = overground() else { return };
    // frames 40 to 160 at 200 Hz without the first marker on the right thigh
    let head = std::fs::read_to_string(&files.markers).unwrap().lines().nth(3).unwrap().to_string();
    let marker = head.split('\t').position(|cell| cell == "RTH1").unwrap();
    let lost = changed(&files.markers, "lost", |i, line| {
        let gone = |k: usize| (marker..marker + 3).contains(&k);
        if !(46..166).contains(&i) {
            return line.into();
        }
        columns(line, |k, cell| if gone(k) { String::new() } else { cell.into() })
    });
    let whole = read_trial(&files, &ANYONE, SkeletonChoice::Person, Symmetry::Auto).unwrap();
    let trial =
        read_trial(&TrialFiles { markers: lost, ..files }, &ANYONE, SkeletonChoice::Person, Symmetry::Auto).unwrap();
    let told = trial.findings.iter().find(|f| f.message.contains("RTH1")).unwrap().text();
    assert!(told.contains("0.600 s"), "{told}");
    for t in [0.1, 0.4, 0.8] {
        let knee = |trial: &Trial| trial.walk.coordinate_named("knee_flexion_r", t).unwrap().value;
        assert!((knee(&trial) - knee(&whole)).abs() < 0.03);
    }
}

#[test]
fn plates_without_force_are_explained() {
    let Some(files) = overground() else { return };
    let empty = changed(&files.forces, "empty", |i, line| {
        if i < 7 { line.into() } else { columns(line, |k, cell| if k == 0 { cell.into() } else { "0".into() }) }
    });
    let message = refusal(&TrialFiles { forces: empty, ..files }, &ANYONE);
    assert!(message.contains("no foot stands on a plate"), "{message}");
}

#[test]
fn forces_from_elsewhere_are_explained() {
    let Some(files) = overground() else { return };
    // centres of pressure in millimetres
    let far = changed(&files.forces, "far", |i, line| {
        let point = |k: usize| [4, 5, 6, 13, 14, 15].contains(&k);
        let thousand = |cell: &str| format!("{}", 1e3 * cell.trim().parse::<f64>().unwrap());
        if i < 7 { line.into() } else { columns(line, |k, cell| if point(k) { thousand(cell) } else { cell.into() }) }
    });
    let message = refusal(&TrialFiles { forces: far, ..files }, &ANYONE);
    assert!(message.contains("centre of pressure") && message.contains("another unit"), "{message}");
}

#[test]
fn a_mass_in_pounds_is_explained() {
    let Some(files) = overground() else { return };
    let message = refusal(&files, &Person { mass: Some(168.6), ..ANYONE });
    assert!(message.contains("pounds") && message.contains("76.5 kg"), "{message}");
}

#[test]
fn a_model_that_is_not_of_the_trial_is_explained() {
    let (Some(files), Some(model)) = (overground(), shared("data/opensim-models/arm26.osim")) else { return };
    let message = refusal(&TrialFiles { model, ..files }, &ANYONE);
    assert!(message.contains("only 0 names are equal") && message.contains("--marker-map"), "{message}");
}
