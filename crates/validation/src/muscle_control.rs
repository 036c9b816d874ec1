//! Computed muscle control of OpenSim's own tests.

use crate::difference::Difference;
use crate::records::{Records, add_loads};
use crate::{ValidationRow, attempt};
use wolff_control::{CmcOptions, Target, Tracked, track};
use wolff_formats::Table;
use wolff_motion::{Accelerations, CoordinateHistory, Lowpass, MotionError, Motors, Subject};
use wolff_opensim::setup::Setup;
use wolff_opensim::{actuators, control_bounds, tracking_tasks, with_plain_labels};

/// Tolerances of OpenSim's tests, root mean square: of positions and speeds, and of activations and fibre lengths
/// (`testCMCArm26_Thelen.cpp`, `testCMCGait10dof18musc.cpp`).
const SOURCE: &str = "OpenSim's own test";

/// What the rows were when this was written, with room: activations of the arm differ because the record was made
/// with a loose optimiser, those of the walk because excitations jump from window to window.
const BOUNDS: [[f64; 4]; 2] = [[0.002, 0.006, 0.0125, 3e-4], [5e-4, 0.012, 0.035, 4e-4]];

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let trials = [
        ("CMC arm26", "arm26_Setup_CMC.xml", "std_arm26_states.sto", [0.01, 0.01]),
        (
            "CMC gait10dof",
            "gait10dof18musc_Setup_CMC.xml",
            "gait10dof18musc_std_walk_subject_states_unix.sto",
            [0.01, 0.02],
        ),
    ];
    let of = |((trial, setup, record, [motion, muscles]), bounds): ((&str, &str, &str, [f64; 2]), [f64; 4])| {
        attempt(trial, "computed muscle control", || {
            let limits = [motion, motion, muscles, muscles].into_iter().zip(bounds);
            let rows = compare(records, trial, setup, record)?.into_iter().zip(limits);
            Ok(rows.map(|(row, (limit, bound))| row.limited(limit, SOURCE).bounded(bound)).collect())
        })
    };
    trials.into_iter().zip(BOUNDS).flat_map(of).collect()
}

/// A tracked motion with what it was made of.
#[derive(Debug)]
pub struct TrackedRecord {
    /// The subject.
    pub subject: Subject,
    /// Its muscles and actuators.
    pub motors: Motors,
    /// The result.
    pub tracked: Tracked,
}

/// Runs a set-up of computed muscle control in the folder of OpenSim's tests.
pub fn run(records: &Records, setup: &str) -> Result<TrackedRecord, MotionError> {
    let place = |path: &Option<std::path::PathBuf>| {
        let path = path.as_ref().and_then(|p| p.strip_prefix(records.folder()).ok());
        let missing = || MotionError::input(setup, "does not name all files");
        path.map(|p| p.to_string_lossy().into_owned()).ok_or_else(missing)
    };
    let folder = "opensim-core/CMC";
    let choose = |s| if let Setup::MuscleControl(tool) = s { Some(tool) } else { None };
    let tool = records.setup(&format!("{folder}/{setup}"), choose)?;
    let motion = records.storage(&place(&tool.kinematics_file)?)?;
    let accelerations = Accelerations::SecondDerivative;
    let mut subject = records.subject(&place(&tool.model_file)?)?.subject;
    let (motion, filter) = (with_plain_labels(&motion)?, tool.cutoff.map(Lowpass::Sinc));
    let history = CoordinateHistory::filtered(&motion, &subject, filter, accelerations)?;
    if tool.external_loads_file.is_some() {
        add_loads(records, &place(&tool.external_loads_file)?, &mut subject.model)?;
    }
    for file in &tool.force_set_files {
        let choose = |s| if let Setup::Actuators(set) = s { Some(set) } else { None };
        subject.actuators.extend(actuators(&records.setup(&place(&Some(file.clone()))?, choose)?));
    }
    let choose = |s| if let Setup::Tracking(set) = s { Some(set) } else { None };
    let tasks = tracking_tasks(&records.setup(&place(&tool.task_set_file)?, choose)?);
    let motors = subject.motors()?;
    let bounds = control_bounds(&motors, &[])?;
    let target = if tool.fast { Target::Fast } else { Target::Slow };
    let options = CmcOptions { window: tool.window, target, ..CmcOptions::default() };
    let tracked = track(&subject, &motors, &history, (&tasks, bounds), tool.time_range, &options, &mut |_| true)?;
    Ok(TrackedRecord { subject, motors, tracked })
}

/// The largest root mean square difference of coordinates, speeds, activations and fibre lengths.
fn compare(records: &Records, trial: &str, setup: &str, record: &str) -> Result<Vec<ValidationRow>, MotionError> {
    let found = run(records, setup)?;
    let record = records.storage(&format!("opensim-core/CMC/{record}"))?.table;
    let differences = found.differences(&record)?;
    let row = |(quantity, unit, all): (&str, &'static str, &Vec<Difference>)| {
        let worst = all.iter().max_by(|a, b| a.rms.total_cmp(&b.rms));
        let value = worst.map_or(f64::NAN, |d| d.rms);
        let note = worst.map_or(String::new(), |d| format!("worst `{}`", d.name));
        ValidationRow::measured(trial, quantity, value, unit).noted(note)
    };
    let [q, v, a, l] = &differences;
    let quantities = [
        ("coordinates, RMS", "rad, m", q),
        ("speeds, RMS", "rad/s, m/s", v),
        ("activations, RMS", "", a),
        ("fibre lengths, RMS", "m", l),
    ];
    Ok(quantities.into_iter().map(row).collect())
}

impl TrackedRecord {
    /// Differences of coordinates, speeds, activations and fibre lengths from recorded states, at the instants of the
    /// record that were simulated.
    pub fn differences(&self, record: &Table) -> Result<[Vec<Difference>; 4], MotionError> {
        let model = &self.subject.model;
        let (nq, nv, nm) = (model.nq(), model.nv(), self.motors.muscles.len());
        let coordinate = |suffixes: [&str; 2], speed: bool| {
            let of = |c: &wolff_motion::Coordinate| {
                let place = if speed { nq + c.speed } else { c.position };
                self.difference(record, &c.name, suffixes, place)
            };
            self.subject.coordinates.iter().filter_map(of).collect::<Vec<_>>()
        };
        let muscle = |suffixes: [&str; 2], first: usize| {
            let of = |k: usize| self.difference(record, &self.motors.names[k], suffixes, first + k);
            (0..nm).filter_map(of).collect::<Vec<_>>()
        };
        let found = [
            coordinate(["", "/value"], false),
            coordinate(["_u", "/speed"], true),
            muscle([".activation", "/activation"], nq + nv),
            muscle([".fiber_length", "/fiber_length"], nq + nv + nm),
        ];
        match found.iter().any(Vec::is_empty) {
            true => Err(MotionError::input("the record", "has no column of a state; give recorded states")),
            false => Ok(found),
        }
    }

    /// One state beside the column whose label is its name with one of the suffixes.
    fn difference(&self, record: &Table, name: &str, suffixes: [&str; 2], place: usize) -> Option<Difference> {
        let is = |label: &&String| {
            suffixes.iter().any(|s| {
                let end = format!("{name}{s}");
                **label == end || label.ends_with(&format!("/{end}"))
            })
        };
        let column = record.labels().iter().position(|l| is(&l))?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for row in record.rows() {
            let Some(value) = self.value_at(*row.first()?, place) else { continue };
            ours.push(value);
            theirs.push(*row.get(column)?);
        }
        (!ours.is_empty()).then(|| Difference::new(name, "", &ours, &theirs))
    }

    /// State `place` at a time \[s\], linear between samples; the first may be missed by rounding.
    pub fn value_at(&self, t: f64, place: usize) -> Option<f64> {
        let samples = &self.tracked.samples;
        let after = samples.partition_point(|s| s.t < t).max(1);
        let (a, b) = (samples.get(after - 1)?, samples.get(after)?);
        (t > a.t - 1e-9).then(|| a.y[place] + (b.y[place] - a.y[place]) * (t - a.t) / (b.t - a.t))
    }
}
