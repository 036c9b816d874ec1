//! Activations and forces of static optimisation.

use crate::difference::{Difference, larger};
use crate::records::{Records, Walk, rows_within, times};
use crate::{ValidationRow, attempt};
use wolff_formats::Table;
use wolff_motion::{Accelerations, MotionError, Motors, MuscleForces, SharingOptions, static_optimization};

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let quantity = "static optimisation";
    let mut rows = attempt("gait1992", quantity, || gait1992(records));
    for name in ["arm26", "arm26_bounds"] {
        rows.extend(attempt(name, quantity, || arm(records, name)));
    }
    rows
}

/// Our sharing of a motion beside a recorded one.
#[derive(Debug)]
pub struct SharedRecord {
    /// Of each instant, one entry a muscle or actuator.
    pub found: MuscleForces,
    /// Number of muscles, which come first.
    pub muscles: usize,
    /// Recorded controls of each instant.
    pub controls: Vec<Vec<f64>>,
    /// Recorded forces of each instant \[N or N m\].
    pub forces: Vec<Vec<f64>>,
}

impl SharedRecord {
    /// Shares the moments of a walk at the instants of a record.
    pub fn new(walk: &Walk, activations: &Table, forces: &Table) -> Result<Self, MotionError> {
        let motors = walk.subject.motors()?;
        let options = SharingOptions::default();
        let found =
            static_optimization(&walk.subject.model, &motors, &walk.history, &times(activations), options, |_| {})?;
        let controls = columns(activations, &motors.names)?;
        Ok(SharedRecord { found, muscles: motors.muscles.len(), controls, forces: columns(forces, &motors.names)? })
    }

    /// The walk of 92 muscles between 0.5 and 2 s.
    pub fn gait1992(records: &Records) -> Result<Self, MotionError> {
        let walk = Walk::gait1992_with_reserves(records)?;
        let table = |what: &str| {
            let file = format!("gait1992-pipeline/static_optimization/task_StaticOptimization_{what}.sto");
            rows_within(&records.storage(&file)?.table, [0.5, 2.0])
        };
        SharedRecord::new(&walk, &table("activation")?, &table("force")?)
    }

    /// Root mean square differences of activation and force \[N\] of each muscle.
    pub fn rms_by_muscle(&self) -> Vec<[f64; 2]> {
        let column =
            |rows: &[Vec<f64>], k: usize| -> Vec<f64> { rows.iter().filter_map(|r| r.get(k).copied()).collect() };
        let rms = |found: &[Vec<f64>], recorded: &[Vec<f64>], k: usize| {
            Difference::new("", "", &column(found, k), &column(recorded, k)).rms
        };
        let of = |k| [rms(&self.found.controls, &self.controls, k), rms(&self.found.forces, &self.forces, k)];
        (0..self.muscles).map(of).collect()
    }

    /// The same over all muscles.
    pub fn rms(&self) -> [f64; 2] {
        let each = self.rms_by_muscle();
        [0, 1].map(|i| (each.iter().map(|rms| rms[i] * rms[i]).sum::<f64>() / each.len() as f64).sqrt())
    }

    /// Largest ratio over the instants of our cost `Σ a²` to the recorded one.
    pub fn cost_ratio(&self) -> f64 {
        let cost = |controls: &[f64]| -> f64 { controls.iter().map(|x| x * x).sum() };
        let ratios = self.found.controls.iter().zip(&self.controls).map(|(ours, theirs)| cost(ours) / cost(theirs));
        ratios.fold(0.0, larger)
    }
}

/// Activations above the bound of 0.01 that OpenSim 4.6 finds for the walk of 92 muscles where it is told to stop at
/// 1e-10.
const CONVERGED: &str = include_str!("opensim_sharing.txt");

/// The largest difference from activations at which OpenSim converges, and where it is.
pub fn converged_difference(walk: &Walk, motors: &Motors) -> Result<(f64, String), MotionError> {
    let mut worst = (0.0, String::new());
    for part in CONVERGED.split("time ").skip(1) {
        let mut lines = part.lines();
        let number = |text: Option<&str>| text.and_then(|t| t.parse::<f64>().ok()).unwrap_or(f64::NAN);
        let time = number(lines.next());
        let options = SharingOptions::default();
        let found = static_optimization(&walk.subject.model, motors, &walk.history, &[time], options, |_| {})?;
        for (name, activation) in lines.filter_map(|line| line.split_once(' ')) {
            let k = motors.names.iter().position(|n| n == name);
            let ours = k.and_then(|k| found.controls.first()?.get(k).copied()).unwrap_or(f64::NAN);
            let off = larger(worst.0, ours - number(Some(activation)));
            if off != worst.0 {
                worst = (off, format!("{name} at {time} s"));
            }
        }
    }
    Ok(worst)
}

/// Rows of a table in the order of `names`.
fn columns(table: &Table, names: &[String]) -> Result<Vec<Vec<f64>>, MotionError> {
    let mut places = Vec::new();
    for name in names {
        let missing = || MotionError::input(name, "has no column in the record");
        places.push(table.labels().iter().position(|l| l == name).ok_or_else(missing)?);
    }
    let row = |row: &Vec<f64>| places.iter().map(|c| row.get(*c).copied().unwrap_or(f64::NAN)).collect();
    Ok(table.rows().iter().map(row).collect())
}

/// Rows of differences of activations and forces \[N\], `what` they are, with their limits and bounds, and of the cost.
fn shared_rows(
    name: &str,
    shared: &SharedRecord,
    (what, values): (&str, [f64; 2]),
    source: &'static str,
    limits: [f64; 2],
    bounds: [f64; 2],
) -> Vec<ValidationRow> {
    let row = |of: &str, unit, i: usize| {
        let row = ValidationRow::measured(name, &format!("{of}, {what}"), values[i], unit);
        row.limited(limits[i], source).bounded(bounds[i])
    };
    let cost = ValidationRow::measured(name, "cost over OpenSim's, worst", shared.cost_ratio(), "");
    let note = format!(
        "{} muscles, {} instants, {} without a solution",
        shared.muscles,
        shared.controls.len(),
        shared.found.failures().count()
    );
    let rows = [
        row("activations", "", 0).noted("OpenSim's interior point method stays off the bounds"),
        row("muscle forces", "N", 1),
        cost.limited(1.0, "least is best")
            .bounded(1.0)
            .noted(format!("at least {:.1e} less", 1.0 - shared.cost_ratio())),
    ];
    rows.into_iter().map(|row| row.noted(&note)).collect()
}

fn gait1992(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let shared = SharedRecord::gait1992(records)?;
    let walk = Walk::gait1992_with_reserves(records)?;
    let (worst, place) = converged_difference(&walk, &walk.subject.motors()?)?;
    let converged = ValidationRow::measured("gait1992", "activations where OpenSim converges, worst", worst, "")
        .limited(1e-3, "goal")
        .bounded(2e-5)
        .noted(place)
        .noted("OpenSim 4.6 told to stop at 1e-10");
    let rows = shared_rows("gait1992", &shared, ("RMS", shared.rms()), "goal", [1e-3, 1.0], [1.1e-3, 1.0]);
    Ok(rows.into_iter().chain([converged]).collect())
}

/// OpenSim's own tests of an arm with six muscles, `arm26`, also with bounds on some of them, `arm26_bounds`.
pub fn arm_record(records: &Records, name: &str) -> Result<SharedRecord, MotionError> {
    let path = |file: &str| format!("opensim-core/Analyze/{file}");
    let motion = records.degrees(&path("arm26_InverseKinematics.mot"))?;
    let model = path(&format!("{name}.osim"));
    let walk = Walk::new(records, &model, &motion, None, Some(6.0), Accelerations::OfSpeeds)?;
    let table = |what: &str| {
        records.storage(&path(&format!("std_Thelen2003Muscle_{name}_StaticOptimization_{what}.sto"))).map(|s| s.table)
    };
    SharedRecord::new(&walk, &table("activation")?, &table("force")?)
}

/// OpenSim's tests hold every muscle against their tolerance, so the worst one counts.
fn arm(records: &Records, name: &str) -> Result<Vec<ValidationRow>, MotionError> {
    let shared = arm_record(records, name)?;
    let each = shared.rms_by_muscle();
    let worst = [0, 1].map(|i| each.iter().map(|rms| rms[i]).fold(0.0, larger));
    Ok(shared_rows(name, &shared, ("RMS of the worst", worst), "OpenSim's test", [0.025, 4.0], [4e-3, 2.5]))
}
