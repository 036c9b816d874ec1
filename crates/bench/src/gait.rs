//! Recorded walks compared with OpenSim: inverse kinematics, inverse dynamics and static optimisation of a frame.

use super::opensim::Answer;
use super::{BenchReport, BenchRow, gait_forward};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;
use wolff_motion::ik::{IkMotion, Options, solve_trial};
use wolff_motion::{Accelerations, MotionError, SharingOptions, inverse_dynamics, static_optimization};
use wolff_opensim::{ik_tasks, read_tasks};
use wolff_validation::{Records, Walk};

/// Runs of Wolff, of which the fastest counts, since other work on the machine disturbs it least.
const RUNS: usize = 20;

/// Trials of inverse kinematics: name, model, markers, tasks.
const TRIALS: [[&str; 4]; 3] = [
    [
        "walk of gait1992, 19 coordinates, 31 markers",
        "gait1992-pipeline/scale/model_scaled.osim",
        "gait1992-pipeline/experimental_data/task.trc",
        "gait1992-pipeline/inverse_kinematics/setup_ik.xml",
    ],
    [
        "walk of Rajagopal's model, 33 coordinates, 24 markers",
        "rajagopal-walk/subject_walk_scaled.osim",
        "rajagopal-walk/markers_walk.trc",
        "rajagopal-walk/ik_tasks_walk.xml",
    ],
    [
        "walk of Rajagopal's model, 39 coordinates, 64 markers",
        "addbiomechanics-walk/subject01/processed/optimized_scale_and_markers.osim",
        "addbiomechanics-walk/subject01/processed/walk2.trc",
        "addbiomechanics-walk/subject01/processed/walk2_ik_setup.xml",
    ],
];

/// A motion and its loads for inverse dynamics: name, model, motion, loads; time range \[s\] and row increment.
const MOTIONS: [([&str; 4], [f64; 2], usize); 2] = [
    (
        [
            "walk of gait1992, 19 coordinates",
            "gait1992-pipeline/residual_reduction_algorithm/model_adjusted.osim",
            "gait1992-pipeline/residual_reduction_algorithm/task_Kinematics_q.sto",
            "gait1992-pipeline/experimental_data/setup_grf_after_rra.xml",
        ],
        [0.5, 2.0],
        10,
    ),
    (
        [
            "walk of Rajagopal's model, 33 coordinates",
            "rajagopal-walk/subject_walk_scaled.osim",
            "rajagopal-walk/coordinates.sto",
            "rajagopal-walk/grf_walk.xml",
        ],
        [0.6, 1.6],
        10,
    ),
];

/// Set-up of static optimisation, and the part of its walk \[s\] for which OpenSim is timed: from the second instant to
/// the third.
const SHARING: (&str, [f64; 3]) = ("gait1992-pipeline/static_optimization/setup_so.xml", [0.5, 0.52, 0.6]);

/// Adds the rows of this part.
pub(super) fn run(report: &mut BenchReport) {
    let folder = PathBuf::from("../shared/data");
    let Ok(folder) = folder.canonicalize() else {
        report.remarks.push(format!("recorded walks were not measured: there is no folder {}", folder.display()));
        return;
    };
    let records = Records::new(folder);
    for trial in &TRIALS {
        keep(report, trial[0], |report| kinematics(report, &records, trial));
    }
    for (files, range, every) in &MOTIONS {
        keep(report, files[0], |report| moments(report, &records, files, *range, *every));
    }
    keep(report, "static optimisation", |report| sharing(report, &records));
    keep(report, "forward dynamics with muscles", |report| gait_forward::measure(report, &records));
}

/// Adds a remark that states why there is no row.
fn keep(report: &mut BenchReport, what: &str, measure: impl FnOnce(&mut BenchReport) -> Result<(), MotionError>) {
    if let Err(problem) = measure(report) {
        report.remarks.push(format!("{what}: {problem}"));
    }
}

/// The results of OpenSim; if there are none, a remark states why.
pub(super) fn ask(report: &mut BenchReport, work: &str, arguments: Vec<OsString>) -> Option<Answer> {
    let answer = Answer::to(work, arguments);
    answer.map_err(|reason| report.remarks.push(format!("OpenSim was not measured: {reason}"))).ok()
}

/// Time of the fastest run \[us\] per frame, with the result of the last run.
fn fastest<T>(frames: usize, mut work: impl FnMut() -> Result<T, MotionError>) -> Result<(f64, T), MotionError> {
    let mut found = work()?;
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        found = work()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok((1e6 * best / frames.max(1) as f64, found))
}

fn kinematics(report: &mut BenchReport, records: &Records, files: &[&str; 4]) -> Result<(), MotionError> {
    let [name, model, markers, tasks] = *files;
    let subject = records.subject(model)?;
    let trial = records.markers(markers)?;
    let set = ik_tasks(&subject, &read_tasks(&records.path(tasks))?, None)?;
    let (us, motion) = fastest(trial.times().len(), || {
        solve_trial(&subject.subject, &set, &trial, None, Options::default(), &mut |_| {})
    })?;
    let arguments = [model, markers, tasks].map(|f| records.path(f).into_os_string()).to_vec();
    let answer = ask(report, "ik", arguments);
    let row = format!("inverse kinematics of a frame, {name}");
    report.rows.push(BenchRow::against(row, "us", us, answer.as_ref().and_then(Answer::peer)));
    if let Some(answer) = answer {
        let [rms, weighted] = marker_errors(&motion);
        let verdict = if weighted <= answer.number("weighted") { "not worse" } else { "WORSE" };
        report.remarks.push(format!(
            "inverse kinematics, {name}: {verdict}: weighted root mean square marker error {:.6} mm, OpenSim \
             {:.6} mm (all weights one: {:.4} and {:.4} mm)",
            1e3 * weighted,
            1e3 * answer.number("weighted"),
            1e3 * rms,
            1e3 * answer.number("rms"),
        ));
    }
    Ok(())
}

/// Root mean squares over all frames except the first, of the marker errors without and with weights \[m\].
fn marker_errors(motion: &IkMotion) -> [f64; 2] {
    let mean = |squares: &mut dyn Iterator<Item = f64>| {
        let (sum, n) = squares.fold((0.0, 0), |(sum, n), x| (sum + x, n + 1));
        (sum / f64::from(n.max(1))).sqrt()
    };
    let unweighted = mean(&mut motion.fits.iter().skip(1).map(|f| f.rms * f.rms));
    [unweighted, mean(&mut motion.frames.iter().skip(1).map(|f| 2.0 * f.cost))]
}

fn moments(
    report: &mut BenchReport,
    records: &Records,
    files: &[&str; 4],
    range: [f64; 2],
    every: usize,
) -> Result<(), MotionError> {
    let [name, model, motion, loads] = *files;
    let storage = records.storage(motion)?;
    let walk = Walk::new(records, model, &storage, Some(loads), None, Accelerations::SecondDerivative)?;
    let times = walk.history.times_within(range, every);
    let (us, found) = fastest(times.len(), || inverse_dynamics(&walk.subject.model, &walk.history, &times, |_| {}))?;
    let mut arguments = [model, motion, loads].map(|f| records.path(f).into_os_string()).to_vec();
    arguments.extend([range[0].to_string(), range[1].to_string(), every.to_string()].map(OsString::from));
    let answer = ask(report, "id", arguments);
    let row = format!("inverse dynamics of a frame, {name}");
    report.rows.push(BenchRow::against(row, "us", us, answer.as_ref().and_then(Answer::peer)));
    let Some(answer) = answer else { return Ok(()) };
    let (mut off, mut largest) = (0.0_f64, 0.0_f64);
    for coordinate in &found.coordinates {
        let (Some(ours), Some(theirs)) = (found.column(coordinate), answer.column(coordinate)) else { continue };
        off = ours.iter().zip(&theirs).fold(off, |m, (a, b)| m.max((a - b).abs()));
        largest = ours.iter().fold(largest, |m, a| m.max(a.abs()));
    }
    report.remarks.push(format!(
        "inverse dynamics, {name}: maximum difference {off:.1e} N or N m at {} instants, maximum value {largest:.0}",
        times.len()
    ));
    Ok(())
}

fn sharing(report: &mut BenchReport, records: &Records) -> Result<(), MotionError> {
    let (setup, [start, middle, end]) = SHARING;
    let walk = Walk::gait1992_with_reserves(records)?;
    let motors = walk.subject.motors()?;
    let options = SharingOptions::default();
    let optimise =
        |times: &[f64]| static_optimization(&walk.subject.model, &motors, &walk.history, times, options, |_| {});
    let times = walk.history.times_within([start, 2.0], 10);
    let (us, _) = fastest(times.len(), || optimise(&times))?;
    let mut arguments = vec![records.path(setup).into_os_string()];
    arguments.extend([start, middle, end].map(|t| OsString::from(t.to_string())));
    let answer = ask(report, "so", arguments);
    let row = format!("static optimisation of a frame, {} muscles", motors.muscles.len());
    report.rows.push(BenchRow::against(row, "us", us, answer.as_ref().and_then(Answer::peer)));
    let Some(answer) = answer else { return Ok(()) };
    let found = optimise(&answer.numbers("times"))?;
    let (mut ours, mut theirs, mut squares) = (0.0, 0.0, 0.0);
    for (k, name) in motors.names.iter().enumerate() {
        let Some(column) = answer.column(name) else { continue };
        for (controls, theirs_at) in found.controls.iter().zip(&column) {
            ours += controls[k] * controls[k];
            theirs += theirs_at * theirs_at;
            squares += (controls[k] - theirs_at).powi(2);
        }
    }
    let count = found.controls.len() * motors.len();
    let residual = found.reports.iter().fold(0.0_f64, |m, r| m.max(r.sharing.residual));
    report.remarks.push(format!(
        "static optimisation: cost {ours:.6} and OpenSim's {theirs:.6} over {} frames, root mean square \
         difference of the controls {:.1e}; residual of our moments {residual:.1e} N m",
        found.controls.len(),
        (squares / count as f64).sqrt()
    ));
    Ok(())
}
