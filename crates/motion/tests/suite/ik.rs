use crate::data;
use std::time::Instant;
use wolff_formats::setup::Task;
use wolff_formats::sto::Storage;
use wolff_formats::trial::MarkerTrial;
use wolff_motion::SubjectModel;
use wolff_motion::ik::{IkMotion, Options, Tasks, solve_trial};
use wolff_opensim::MotionType;

/// A trial solved, with its time per frame.
fn solve(subject: &SubjectModel, tasks: &[Task], trial: &MarkerTrial, range: Option<[f64; 2]>) -> IkMotion {
    let tasks = Tasks::from_set(subject, tasks, None).unwrap();
    let start = Instant::now();
    let motion = solve_trial(subject, &tasks, trial, range, Options::default(), &mut |_| {}).unwrap();
    let frames = motion.poses.len();
    let iterations: usize = motion.frames.iter().map(|f| f.iterations).sum();
    println!(
        "{}: {frames} frames, {:.1} µs a frame, {:.2} iterations, marker RMS {:.4} mm, worst {:?}",
        trial.name(),
        1e6 * start.elapsed().as_secs_f64() / frames as f64,
        iterations as f64 / frames as f64,
        1e3 * motion.rms(),
        motion.worst(),
    );
    assert!(motion.frames.iter().all(|f| f.converged));
    motion
}

/// Root mean square and largest difference of every coordinate [deg or mm] from a motion file at the same times.
pub fn compare(subject: &SubjectModel, motion: &IkMotion, reference: &Storage) -> Vec<(String, f64, f64)> {
    let (rows, missing) = subject.positions(reference);
    let mut out = Vec::new();
    for c in subject.coordinates.iter().filter(|c| !missing.contains(&c.name)) {
        let scale = if c.kind == MotionType::Translational { 1e3 } else { 180.0 / std::f64::consts::PI };
        let mut differences = Vec::new();
        for (t, q) in &motion.poses {
            let nearest = rows.iter().min_by(|a, b| (a.0 - t).abs().total_cmp(&(b.0 - t).abs())).unwrap();
            if (nearest.0 - t).abs() < 1e-3 {
                differences.push(scale * (q[c.position] - nearest.1[c.position]));
            }
        }
        assert!(!differences.is_empty(), "no common times");
        let rms = (differences.iter().map(|d| d * d).sum::<f64>() / differences.len() as f64).sqrt();
        let worst = differences.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        out.push((c.name.clone(), rms, worst));
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("    worst coordinates (deg, mm): {:?}", &out[..4.min(out.len())]);
    out
}

#[test]
fn gait1992_is_as_opensim_has_it() {
    let Some(subject) = data::model("gait1992-pipeline/scale/model_scaled.osim") else { return };
    let tool = data::ik_tool("gait1992-pipeline/inverse_kinematics/setup_ik.xml").unwrap();
    let trial = data::markers("gait1992-pipeline/experimental_data/task.trc").unwrap();
    let motion = solve(&subject, &tool.tasks.tasks, &trial, tool.time_range);
    let reference = data::storage("gait1992-pipeline/inverse_kinematics/task_InverseKinematics.mot").unwrap();
    compare(&subject, &motion, &reference);
    let errors = data::storage("gait1992-pipeline/inverse_kinematics/task_ik_marker_errors.sto").unwrap();
    println!("{:?}", errors.table.labels());
    let mean = |c: &str| { let v = errors.table.column(c).unwrap(); v.iter().sum::<f64>()/v.len() as f64 };
    println!("theirs {} ours {}", mean("total_squared_error"), motion.fits.iter().map(|f| f.total_squared).sum::<f64>()/motion.fits.len() as f64);
}

#[test]
fn gait2354() {
    let Some(subject) = data::model("opensim-core/IK/subject01_simbody.osim") else { return };
    let tasks = data::tasks("opensim-core/IK/gait2354_IK_Tasks_uniform.xml").unwrap();
    let tool = data::ik_tool("opensim-core/IK/subject01_Setup_InverseKinematics.xml").unwrap();
    let trial = data::markers("opensim-core/IK/subject01_synthetic_marker_data.trc").unwrap();
    let motion = solve(&subject, &tasks, &trial, tool.time_range);
    compare(&subject, &motion, &data::storage("opensim-core/IK/std_subject01_walk1_ik.mot").unwrap());
}

#[test]
fn bonepin() {
    let Some(subject) = data::model("opensim-core/IK/subject1_abdbonepin.osim") else { return };
    let tool = data::ik_tool("opensim-core/IK/setup_ik_abdbonepin.xml").unwrap();
    let trial = data::markers("opensim-core/IK/abdbonepin.trc").unwrap();
    let motion = solve(&subject, &tool.tasks.tasks, &trial, tool.time_range);
    compare(&subject, &motion, &data::storage("opensim-core/IK/std_subject1_abdbonepin_IK.mot").unwrap());
}

#[test]
fn rajagopal() {
    let Some(subject) = data::model("rajagopal-walk/subject_walk_scaled.osim") else { return };
    let tasks = data::tasks("rajagopal-walk/ik_tasks_walk.xml").unwrap();
    let trial = data::markers("rajagopal-walk/markers_walk.trc").unwrap();
    let motion = solve(&subject, &tasks, &trial, Some([0.45, 1.79]));
    compare(&subject, &motion, &data::storage("rajagopal-walk/coordinates.sto").unwrap());
}

#[test]
fn addb() {
    for s in ["subject01", "subject02"] {
    let f = format!("addbiomechanics-walk/{s}/processed");
    let Some(subject) = data::model(&format!("{f}/optimized_scale_and_markers.osim")) else { return };
    let tool = data::ik_tool(&format!("{f}/walk2_ik_setup.xml")).unwrap();
    let trial = data::markers(&format!("{f}/walk2.trc")).unwrap();
    let motion = solve(&subject, &tool.tasks.tasks, &trial, None);
    compare(&subject, &motion, &data::storage(&format!("{f}/walk2_ik.mot")).unwrap());
    }
}
