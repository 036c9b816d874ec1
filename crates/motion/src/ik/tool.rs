//! A whole set-up, and the files of a result.

use super::solver::Options;
use super::tasks::{Tasks, read_tasks};
use super::trial::{IkMotion, solve_trial};
use crate::recording::{read_markers, read_storage};
use crate::signal::{foot_cycles, over_cycle};
use crate::{MotionError, SubjectModel};
use wolff_formats::atomic::File;
use wolff_formats::plot::{Curve, LinePlot};
use wolff_formats::setup::InverseKinematicsTool;
use wolff_formats::sto;
use wolff_formats::trial::Axes;
use wolff_opensim::MotionType;

/// What a set-up gave.
#[derive(Debug)]
pub struct IkResult {
    /// The model.
    pub subject: SubjectModel,
    /// Its motion.
    pub motion: IkMotion,
    /// What a reader should be told.
    pub remarks: Vec<String>,
    /// Time that the frames took, files apart [s].
    pub seconds: f64,
}

/// Reads the files of a set-up and finds the motion; `progress` is told the fraction done.
///
/// `axes` turns the laboratory's axes into the model's. Constraints hold exactly whatever weight the set-up gives them, and poses are found to
/// the program's own accuracy where that is better than the set-up's.
pub fn run_tool(
    tool: &InverseKinematicsTool,
    axes: Option<&Axes>,
    progress: &mut dyn FnMut(f64),
) -> Result<IkResult, MotionError> {
    let missing = |what: &str| MotionError::input("the set-up", format!("it names no {what}; add it"));
    let subject = SubjectModel::read(tool.model_file.as_deref().ok_or_else(|| missing("model_file"))?)?;
    let trial = read_markers(tool.marker_file.as_deref().ok_or_else(|| missing("marker_file"))?, axes)?;
    let list = match &tool.tasks.file {
        Some(file) => read_tasks(file)?,
        None => tool.tasks.tasks.clone(),
    };
    let recorded = tool.coordinate_file.as_deref().map(read_storage).transpose()?;
    let tasks = Tasks::from_set(&subject, &list, recorded.as_ref())?;
    let mut options = Options::default();
    if tool.accuracy > 0.0 {
        options.tolerance = options.tolerance.min(tool.accuracy);
    }
    let start = std::time::Instant::now();
    let motion = solve_trial(&subject, &tasks, &trial, tool.time_range, options, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut remarks = trial.remarks().to_vec();
    remarks.extend(remarks_on(&motion));
    Ok(IkResult { subject, motion, remarks, seconds })
}

/// What did not match, and frames that are not as wanted.
fn remarks_on(motion: &IkMotion) -> Vec<String> {
    let mut out = Vec::new();
    let mut list = |names: &[String], what: &str| {
        if !names.is_empty() {
            out.push(format!("{what}: {}", names.join(", ")));
        }
    };
    let m = &motion.matched;
    list(&m.idle_tasks, "tasks whose marker is not in the model or not in the trial");
    list(&m.not_in_model, "recorded markers that the model does not have");
    list(&m.without_task, "markers of model and trial that no task follows");
    if !motion.left_out.is_empty() {
        out.push(format!("{} frames without any marker were left out", motion.left_out.len()));
    }
    let rough = motion.frames.iter().filter(|f| !f.converged).count();
    if rough > 0 {
        out.push(format!("{rough} frames did not settle to the accuracy wanted"));
    }
    out
}

/// The files of a result, named after `name`: the motion as OpenSim writes it, marker errors as OpenSim has them and marker by marker, two
/// pictures.
pub fn result_files(subject: &SubjectModel, motion: &IkMotion, name: &str) -> Result<Vec<File>, MotionError> {
    let text = |ending: &str, text: String| File { name: format!("{name}{ending}"), bytes: text.into_bytes() };
    let table = subject.motion_file(name, &motion.poses)?;
    let mut files = vec![
        text("_ik.mot", sto::write(&table)?),
        text("_ik_marker_errors.sto", sto::write(&motion.error_file(name)?)?),
        text("_ik_marker_distances.sto", sto::write(&motion.distance_file(name)?)?),
        text("_ik_marker_errors.svg", error_plot(motion, name)),
        text("_ik_angles.svg", angle_plot(subject, motion, name)),
    ];
    let feet = foot_cycles(&subject.model, &motion.poses, &[]);
    let moving: Vec<String> = moving_angles(subject, motion).into_iter().map(|(label, _)| label.into()).collect();
    let curves = over_cycle(&table.table, &feet, &moving);
    if !curves.is_empty() {
        files.push(text("_ik_angles_cycle.svg", cycle_plot(&curves, name)));
    }
    Ok(files)
}

/// The angles that move most over the gait cycle.
fn cycle_plot(curves: &[(String, Points)], name: &str) -> String {
    LinePlot {
        title: &format!("{name}: angles that move most, mean of the gait cycles"),
        x_label: "gait cycle [%]",
        y_label: "angle [deg]",
        curves: curves.iter().map(|(label, points)| Curve { label, points }).collect(),
        log_y: false,
    }
    .to_svg()
}

fn error_plot(motion: &IkMotion, name: &str) -> String {
    let over_time = |f: &dyn Fn(usize) -> f64| -> Points {
        motion.poses.iter().enumerate().map(|(i, (t, _))| (*t, 1e3 * f(i))).collect()
    };
    let rms = over_time(&|i| motion.fits[i].rms);
    let max = over_time(&|i| motion.fits[i].max);
    LinePlot {
        title: &format!("{name}: marker errors"),
        x_label: "time [s]",
        y_label: "distance [mm]",
        curves: vec![Curve { label: "root mean square", points: &rms }, Curve { label: "largest", points: &max }],
        log_y: false,
    }
    .to_svg()
}

/// Angles in a picture; more cannot be told apart.
const MOST_CURVES: usize = 8;

/// A curve over time.
type Points = Vec<(f64, f64)>;

/// The angles that move most, in degrees.
fn moving_angles<'a>(subject: &'a SubjectModel, motion: &IkMotion) -> Vec<(&'a str, Points)> {
    let mut angles: Vec<(&str, Points, f64)> = Vec::new();
    for c in subject.coordinates.iter().filter(|c| c.kind == MotionType::Rotational) {
        let points: Points = motion.poses.iter().map(|(t, q)| (*t, q[c.position].to_degrees())).collect();
        let low = points.iter().fold(f64::INFINITY, |m, p| m.min(p.1));
        let high = points.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p.1));
        angles.push((&c.name, points, high - low));
    }
    angles.sort_by(|a, b| b.2.total_cmp(&a.2));
    angles.truncate(MOST_CURVES);
    angles.into_iter().map(|(label, points, _)| (label, points)).collect()
}

fn angle_plot(subject: &SubjectModel, motion: &IkMotion, name: &str) -> String {
    let angles = moving_angles(subject, motion);
    LinePlot {
        title: &format!("{name}: angles that move most"),
        x_label: "time [s]",
        y_label: "angle [deg]",
        curves: angles.iter().map(|(label, points)| Curve { label, points }).collect(),
        log_y: false,
    }
    .to_svg()
}
