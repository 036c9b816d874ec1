//! Joint angles and marker errors of inverse kinematics.

use crate::difference::{self, Difference, Goal};
use crate::records::Records;
use crate::{ValidationRow, attempt};
use wolff_formats::sto::Storage;
use wolff_formats::trial::MarkerTrial;
use wolff_motion::ik::{IkMotion, Matched, Options, solve_trial};
use wolff_motion::{Coordinate, MotionError};
use wolff_multibody::Kinematics;
use wolff_opensim::setup::{InverseKinematicsTool, Setup};
use wolff_opensim::{OpensimSubject, ik_tasks, read_tasks};
use wolff_spatial::Vec3;

/// Root mean square difference of angles that OpenSim's own tests allow \[deg\].
const ANGLE: f64 = 0.2;

/// The same for displacements \[mm\]; OpenSim's tests allow 0.2 m, which is no limit.
const DISPLACEMENT: f64 = 1.0;

/// How names of patellae's angles end. Couplers make them follow the knees, and records have them in degrees where they
/// say radians.
const PATELLA: &str = "_beta";

/// A trial with the motion that someone recorded for it.
struct Case {
    name: &'static str,
    model: &'static str,
    /// Set-up of the tool, for weights and times.
    tool: Option<&'static str>,
    /// Weights, where not those of the set-up.
    tasks: Option<&'static str>,
    markers: &'static str,
    record: &'static str,
    /// Times where no set-up has them \[s\].
    range: Option<[f64; 2]>,
    /// Squared marker error a frame that OpenSim leaves \[m²\]; without it that of the recorded poses.
    squared: Option<f64>,
    /// Bounds of angles, root mean square and largest \[deg\], of displacements \[mm\], and of the ratio of marker
    /// errors.
    bounds: ([f64; 2], [f64; 2], f64),
    note: &'static str,
}

const CASES: [Case; 6] = [
    Case {
        name: "gait1992",
        model: "gait1992-pipeline/scale/model_scaled.osim",
        tool: Some("gait1992-pipeline/inverse_kinematics/setup_ik.xml"),
        tasks: None,
        markers: "gait1992-pipeline/experimental_data/task.trc",
        record: "gait1992-pipeline/inverse_kinematics/task_InverseKinematics.mot",
        range: None,
        squared: None,
        bounds: ([0.05, 0.2], [0.05, 0.2], 1.0),
        note: "",
    },
    Case {
        name: "gait2354",
        model: "opensim-core/IK/subject01_simbody.osim",
        tool: Some("opensim-core/IK/subject01_Setup_InverseKinematics.xml"),
        tasks: Some("opensim-core/IK/gait2354_IK_Tasks_uniform.xml"),
        markers: "opensim-core/IK/subject01_synthetic_marker_data.trc",
        record: "opensim-core/IK/std_subject01_walk1_ik.mot",
        range: None,
        squared: None,
        bounds: ([0.034, 0.1], [0.05, 0.2], 1.0),
        note: "OpenSim's own rerun is 0.034° off",
    },
    Case {
        name: "shoulder with a loop",
        model: "opensim-core/IK/subject1_abdbonepin.osim",
        tool: Some("opensim-core/IK/setup_ik_abdbonepin.xml"),
        tasks: None,
        markers: "opensim-core/IK/abdbonepin.trc",
        record: "opensim-core/IK/std_subject1_abdbonepin_IK.mot",
        range: None,
        squared: None,
        bounds: ([0.2, 1.0], [0.05, 0.2], 1.0),
        note: "",
    },
    Case {
        name: "rajagopal",
        model: "rajagopal-walk/subject_walk_scaled.osim",
        tool: None,
        tasks: Some("rajagopal-walk/ik_tasks_walk.xml"),
        markers: "rajagopal-walk/markers_walk.trc",
        record: "rajagopal-walk/coordinates.sto",
        range: Some([0.45, 1.79]),
        squared: Some(0.003551),
        bounds: ([35.0, 40.0], [8.0, 15.0], 1.0),
        note: "the record went through residual reduction; the forearm has a marker too few for its turn",
    },
    addbiomechanics(
        "addbiomechanics subject01",
        "addbiomechanics-walk/subject01/processed/optimized_scale_and_markers.osim",
        "addbiomechanics-walk/subject01/processed/walk2_ik_setup.xml",
        "addbiomechanics-walk/subject01/processed/walk2.trc",
        "addbiomechanics-walk/subject01/processed/walk2_ik.mot",
        0.00165016,
    ),
    addbiomechanics(
        "addbiomechanics subject02",
        "addbiomechanics-walk/subject02/processed/optimized_scale_and_markers.osim",
        "addbiomechanics-walk/subject02/processed/walk2_ik_setup.xml",
        "addbiomechanics-walk/subject02/processed/walk2.trc",
        "addbiomechanics-walk/subject02/processed/walk2_ik.mot",
        0.00222101,
    ),
];

const fn addbiomechanics(
    name: &'static str,
    model: &'static str,
    tool: &'static str,
    markers: &'static str,
    record: &'static str,
    squared: f64,
) -> Case {
    let note = "the record is no inverse kinematics: it trades markers for forces";
    let bounds = ([2.2, 3.5], [2.6, 4.5], 1.0);
    let squared = Some(squared);
    Case { name, model, tool: Some(tool), tasks: None, markers, record, range: None, squared, bounds, note }
}

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    CASES.iter().flat_map(|case| attempt(case.name, "inverse kinematics", || case.rows(records))).collect()
}

/// The set-up of OpenSim's tool.
pub fn tool(records: &Records, file: &str) -> Result<InverseKinematicsTool, MotionError> {
    records.setup(file, |s| if let Setup::InverseKinematics(tool) = s { Some(tool) } else { None })
}

impl Case {
    fn rows(&self, records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
        let subject = records.subject(self.model)?;
        let tool = self.tool.map(|file| tool(records, file)).transpose()?;
        let set = match (self.tasks, &tool) {
            (Some(file), _) => read_tasks(&records.path(file))?,
            (None, tool) => tool.as_ref().map(|t| t.tasks.tasks.clone()).unwrap_or_default(),
        };
        let tasks = ik_tasks(&subject, &set, None)?;
        let trial = records.markers(self.markers)?;
        // infinite ends mean the whole trial
        let range =
            self.range.or(tool.and_then(|t| t.time_range)).filter(|[start, end]| start.is_finite() && end.is_finite());
        let motion = solve_trial(&subject.subject, &tasks, &trial, range, Options::default(), &mut |_| {})?;
        let record = records.storage(self.record)?;
        let mut off = coordinate_differences(&subject, &motion, &record)?;
        off.retain(|d| !d.name.ends_with(PATELLA));
        let mut rows = self.coordinate_rows(&off, motion.poses.len());
        if self.name == "rajagopal" {
            let quantity = "angles where OpenSim converges, worst";
            let converged = converged_difference(&subject, &motion)?;
            let row =
                ValidationRow::measured(self.name, quantity, converged.worst, "deg").limited(ANGLE, "OpenSim's test");
            rows.push(row.bounded(1e-3).noted(converged.name).noted("OpenSim 4.6 with accuracy 1e-10"));
        }
        rows.push(self.marker_row(&subject, &motion, &trial, &record)?);
        Ok(rows)
    }

    /// Rows of angles and displacements over so many frames.
    fn coordinate_rows(&self, off: &[Difference], frames: usize) -> Vec<ValidationRow> {
        let degrees = Goal { unit: "deg", limit: ANGLE, source: "OpenSim's test", bounds: self.bounds.0 };
        let millimetres = Goal { unit: "mm", limit: DISPLACEMENT, source: "own choice", bounds: self.bounds.1 };
        let mut rows = difference::rows(self.name, "angles", off, degrees);
        rows.extend(difference::rows(self.name, "displacements", off, millimetres));
        let frames = format!("{frames} frames");
        rows.into_iter().map(|row| row.noted(&frames).noted(self.note)).collect()
    }

    /// Our squared marker error over OpenSim's.
    fn marker_row(
        &self,
        subject: &OpensimSubject,
        motion: &IkMotion,
        trial: &MarkerTrial,
        record: &Storage,
    ) -> Result<ValidationRow, MotionError> {
        let (ratio, note) = match self.squared {
            Some(theirs) => {
                let ours = motion.fits.iter().map(|f| f.total_squared).sum::<f64>() / motion.fits.len() as f64;
                (ours / theirs, format!("squared error a frame {ours:.6} m², OpenSim 4.6 {theirs:.6} m²"))
            }
            None => {
                let [ours, theirs] = costs(subject, motion, trial, record)?;
                let mm = |cost: f64| 1e3 * cost.sqrt();
                (ours / theirs, format!("weighted RMS {:.4} mm, recorded poses {:.4} mm", mm(ours), mm(theirs)))
            }
        };
        let row = ValidationRow::measured(self.name, "squared marker error over OpenSim's", ratio, "");
        Ok(row.limited(1.0, "least is best").bounded(self.bounds.2).noted(note))
    }
}

/// Differences of every coordinate [deg; mm of what is no turn] from a motion at the same times, to a millisecond;
/// those that the record does not name are left out.
pub fn coordinate_differences(
    subject: &OpensimSubject,
    motion: &IkMotion,
    record: &Storage,
) -> Result<Vec<Difference>, MotionError> {
    let (recorded, missing) = subject.positions(record)?;
    let pairs: Vec<(&[f64], &[f64])> =
        motion.poses.iter().filter_map(|(t, q)| Some((q.as_slice(), pose_at(&recorded, *t)?))).collect();
    if pairs.is_empty() {
        return Err(MotionError::input(&record.name, "has no instants in common with the trial"));
    }
    let difference = |c: &Coordinate| {
        let (scale, unit) = if c.is_angle() { (180.0 / std::f64::consts::PI, "deg") } else { (1e3, "mm") };
        let (ours, theirs): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|(ours, theirs)| (scale * ours[c.position], scale * theirs[c.position])).unzip();
        Difference::new(&c.name, unit, &ours, &theirs)
    };
    Ok(subject.subject.coordinates.iter().filter(|c| !missing.contains(&c.name)).map(difference).collect())
}

/// Angles \[deg\] to which OpenSim 4.6 comes for the rajagopal walk at 0.6 s with accuracy 1e-10; the turn of the
/// forearm, the flattest, is 0.0006° short there.
const CONVERGED: [(&str, f64); 7] = [
    ("pelvis_tilt", -4.6416),
    ("hip_flexion_r", 12.42534),
    ("knee_angle_l", 68.92318),
    ("ankle_angle_l", 3.4544),
    ("lumbar_extension", 1.16333),
    ("elbow_flex_l", 48.06544),
    ("pro_sup_l", 77.10152),
];

/// Difference \[deg\] over the angles of the rajagopal walk at 0.6 s from those to which OpenSim converges.
pub fn converged_difference(subject: &OpensimSubject, motion: &IkMotion) -> Result<Difference, MotionError> {
    let missing = |what: &str| MotionError::input(what, "is not in the motion of the rajagopal walk");
    let q = pose_at(&motion.poses, 0.6).ok_or_else(|| missing("0.6 s"))?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (name, converged) in CONVERGED {
        let coordinate = subject.coordinate(name).ok_or_else(|| missing(name))?;
        ours.push(q[coordinate.position].to_degrees());
        theirs.push(converged);
    }
    Ok(Difference::new("7 angles at 0.6 s", "deg", &ours, &theirs))
}

/// The pose recorded at a time \[s\].
fn pose_at(recorded: &[(f64, Vec<f64>)], time: f64) -> Option<&[f64]> {
    let nearest = recorded.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()))?;
    ((nearest.0 - time).abs() < 1e-3).then_some(nearest.1.as_slice())
}

/// Mean weighted squared marker error \[m²\] of our poses and of the recorded ones, over the frames that have both.
fn costs(
    subject: &OpensimSubject,
    motion: &IkMotion,
    trial: &MarkerTrial,
    record: &Storage,
) -> Result<[f64; 2], MotionError> {
    let (recorded, _) = subject.positions(record)?;
    let (mut sums, mut frames) = ([0.0; 2], 0.0);
    for (t, q) in &motion.poses {
        let Some(theirs) = pose_at(&recorded, *t) else { continue };
        let cost = |q: &[f64]| marker_cost(subject, &motion.matched, trial, *t, q);
        if let (Some(a), Some(b)) = (cost(q), cost(theirs)) {
            sums = [sums[0] + a, sums[1] + b];
            frames += 1.0;
        }
    }
    Ok(sums.map(|sum| sum / frames))
}

/// Weighted squared marker error of a pose \[m²\]: `Σ w |p - o|² / Σ w` over the markers seen in the frame of that time
/// \[s\].
pub fn marker_cost(
    subject: &OpensimSubject,
    matched: &Matched,
    trial: &MarkerTrial,
    time: f64,
    q: &[f64],
) -> Option<f64> {
    let frame = trial.times().iter().position(|t| (t - time).abs() < 1e-9)?;
    let mut kin = Kinematics::new(&subject.subject.model);
    kin.update(&subject.subject.model, q, &vec![0.0; subject.subject.model.nv()]);
    let (mut sum, mut weights) = (0.0, 0.0);
    for m in &matched.markers {
        let Some(Some(p)) = trial.markers().get(m.recorded).and_then(|marker| marker.points.get(frame)) else {
            continue;
        };
        sum += m.weight * (kin.pose(&m.frame).p - Vec3::from(*p)).norm_squared();
        weights += m.weight;
    }
    (weights > 0.0).then_some(sum / weights)
}
