//! Results: motion, masses and residuals.

use super::MassChange;
use super::linear::Problem;
use crate::MotionError;
use crate::coordinate::Coordinate;
use crate::history::{Accelerations, CoordinateHistory};
use crate::inverse_dynamics::{GeneralizedForces, inverse_dynamics};
use wolff_formats::sto::Storage;
use wolff_spatial::{MassProperties, Vec3};

/// Relative change of masses for the finite difference of the residuals.
const MASS_STEP: f64 = 1e-3;

/// Sizes of a residual before and after \[N or N m\].
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualSize {
    /// The coordinate.
    pub coordinate: String,
    /// Whether it is a moment.
    pub moment: bool,
    /// Root mean square before and after.
    pub rms: [f64; 2],
    /// Largest before and after.
    pub peak: [f64; 2],
    /// Mean before and after.
    pub mean: [f64; 2],
}

/// Change of a coordinate \[rad or m\].
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateChange {
    /// The coordinate.
    pub coordinate: String,
    /// Whether it is an angle.
    pub turns: bool,
    /// Root mean square.
    pub rms: f64,
    /// Largest.
    pub max: f64,
}

/// A motion and a model with reduced residuals.
#[derive(Clone, Debug)]
pub struct ResidualReduction {
    /// The motion, angles in degrees.
    pub motion: Storage,
    /// Bodies whose mass properties changed, with the new ones.
    pub bodies: Vec<(String, MassProperties)>,
    /// Residuals of each coordinate of the joint to ground.
    pub residuals: Vec<ResidualSize>,
    /// Changes of the coordinates that may change.
    pub changes: Vec<CoordinateChange>,
    /// Shift of the mass centre of the chosen body, in its axes \[m\].
    pub centre_shift: [f64; 3],
    /// Mass of all bodies before and after \[kg\].
    pub mass: [f64; 2],
    /// Recommended further change of the total mass, from the mean of the remaining residual forces \[kg\].
    pub recommended_mass_change: f64,
    /// Weight before \[N\].
    pub weight: f64,
}

/// Residuals before and after, with the motion as it will be read from the file.
pub(super) fn describe(problem: &Problem<'_>, times: &[f64]) -> Result<ResidualReduction, MotionError> {
    let change = problem.mass_change();
    let motion = motion(problem, times)?;
    let unchanged = problem.changed(MassChange { shift: Vec3::zeros(), factor: 1.0 })?;
    let changed = problem.changed(change)?;
    let history = CoordinateHistory::from_storage(&motion, problem.subject, None, Accelerations::SecondDerivative)?;
    let before = inverse_dynamics(&unchanged, problem.history, times, |_| {})?;
    let after = inverse_dynamics(&changed, &history, times, |_| {})?;
    let heavier = MassChange { factor: change.factor * (1.0 + MASS_STEP), ..change };
    let heavier = inverse_dynamics(&problem.changed(heavier)?, &history, times, |_| {})?;
    let mass = [problem.mass, problem.mass * change.factor];
    let pairs = changed.bodies().iter().zip(problem.subject.model.bodies());
    let bodies = pairs.filter(|(after, before)| after.mass != before.mass).map(|(b, _)| (b.name.clone(), b.mass));
    Ok(ResidualReduction {
        residuals: problem.root.iter().map(|c| size(c, [&before, &after])).collect(),
        changes: changes(problem, times),
        centre_shift: change.shift.into(),
        mass,
        recommended_mass_change: mass[1] * missing_mass(problem.root, &after, &heavier),
        weight: problem.weight,
        motion,
        bodies: bodies.collect(),
    })
}

/// Relative change of masses that minimises the mean residual forces.
fn missing_mass(root: &[Coordinate], after: &GeneralizedForces, heavier: &GeneralizedForces) -> f64 {
    let sum = |forces: &GeneralizedForces, k: usize| forces.rows.iter().map(|row| row[k]).sum::<f64>();
    let (mut along, mut square) = (0.0, 0.0);
    for c in root.iter().filter(|c| !c.is_angle()) {
        let (force, slope) = (sum(after, c.speed), (sum(heavier, c.speed) - sum(after, c.speed)) / MASS_STEP);
        along -= force * slope;
        square += slope * slope;
    }
    if square > 0.0 { along / square } else { 0.0 }
}

fn size(c: &Coordinate, forces: [&GeneralizedForces; 2]) -> ResidualSize {
    let column = |f: &GeneralizedForces| -> Vec<f64> { f.rows.iter().map(|row| row[c.speed]).collect() };
    let columns = forces.map(column);
    let of = |measure: fn(&[f64]) -> f64| [measure(&columns[0]), measure(&columns[1])];
    ResidualSize {
        coordinate: c.name.clone(),
        moment: c.is_angle(),
        rms: of(rms),
        peak: of(|x| x.iter().fold(0.0, |m, x| m.max(x.abs()))),
        mean: of(|x| x.iter().sum::<f64>() / x.len().max(1) as f64),
    }
}

fn rms(x: &[f64]) -> f64 {
    (x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64).sqrt()
}

fn changes(problem: &Problem<'_>, times: &[f64]) -> Vec<CoordinateChange> {
    let all: Vec<Vec<[f64; 3]>> = times.iter().map(|t| problem.changes(&problem.correction.weights(*t))).collect();
    let change = |(j, c): (usize, &Coordinate)| {
        let values: Vec<f64> = all.iter().map(|row| row[j][0]).collect();
        let max = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        CoordinateChange { coordinate: c.name.clone(), turns: c.is_angle(), rms: rms(&values), max }
    };
    problem.adjusted.iter().enumerate().map(change).collect()
}

/// All coordinates at the instants, changed.
fn motion(problem: &Problem<'_>, times: &[f64]) -> Result<Storage, MotionError> {
    let subject = problem.subject;
    let (nq, nv) = (subject.model.nq(), subject.model.nv());
    let (mut q, mut v, mut a) = (vec![0.0; nq], vec![0.0; nv], vec![0.0; nv]);
    let mut rows = Vec::with_capacity(times.len());
    for &t in times {
        problem.history.evaluate(t, &mut q, &mut v, &mut a);
        for (c, change) in problem.adjusted.iter().zip(problem.changes(&problem.correction.weights(t))) {
            q[c.position] += change[0];
        }
        rows.push((t, q.clone()));
    }
    subject.motion_file("Kinematics_q", &rows)
}
