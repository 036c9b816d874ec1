//! Coordinates of a motion file over time, with speeds and accelerations.

use crate::MotionError;
use crate::lowpass::Lowpass;
use crate::quintic::QuinticSplines;
use crate::subject::Subject;
use wolff_formats::sto::Storage;
use wolff_multibody::Model;
use wolff_multibody::constraint::Row;
use wolff_numerics::TimeFunction;

/// Method for accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accelerations {
    /// Second derivative of the splines through the coordinates, as in OpenSim's inverse dynamics tool.
    #[default]
    SecondDerivative,
    /// Derivative of splines through the speeds at the file's instants, as in OpenSim's analyses.
    OfSpeeds,
}

/// Coordinates of a model over time by natural quintic splines; those that the file does not name keep their default
/// value, and those that are coupled to another one follow it, even if the file contains other values.
///
/// Limits: every coordinate must be a separate position (in OpenSim models this is always so).
#[derive(Clone, Debug)]
pub struct CoordinateHistory {
    splines: QuinticSplines,
    /// Indices of position and speed of each signal.
    places: Vec<[usize; 2]>,
    speeds: Option<QuinticSplines>,
    rest: Vec<f64>,
    times: Vec<f64>,
    couplers: Vec<Coupler>,
}

/// A coordinate that is a function of another; position and speed of both.
#[derive(Clone, Debug)]
struct Coupler {
    dependent: [usize; 2],
    independent: [usize; 2],
    function: TimeFunction,
}

impl CoordinateHistory {
    /// The coordinates of a motion file whose labels are names of coordinates; degrees where the file says so. Other
    /// columns are not used, nor are rows that are not later than the previous row. `cutoff` \[Hz\] is that of a
    /// low-pass filter that is applied first ([`crate::lowpass::filtered`]).
    pub fn from_storage(
        storage: &Storage,
        subject: &Subject,
        cutoff: Option<f64>,
        accelerations: Accelerations,
    ) -> Result<Self, MotionError> {
        Self::filtered(storage, subject, cutoff.map(Lowpass::Butterworth), accelerations)
    }

    /// The same with a choice of the low-pass filter.
    pub fn filtered(
        storage: &Storage,
        subject: &Subject,
        filter: Option<Lowpass>,
        accelerations: Accelerations,
    ) -> Result<Self, MotionError> {
        let model = &subject.model;
        let (times, samples, places) = columns(storage, subject)?;
        let couplers = couplers(model)?;
        let Some(filter) = filter else {
            let history = CoordinateHistory::new(&times, &samples, places, model, accelerations)?;
            return Ok(CoordinateHistory { couplers, ..history });
        };
        let (padded, samples) = filter.apply(&times, &samples)?;
        let history = CoordinateHistory::new(&padded, &samples, places, model, accelerations)?;
        Ok(CoordinateHistory { times, couplers, ..history })
    }

    /// From samples \[rad or m\] of some coordinates by name.
    pub fn from_samples(
        times: &[f64],
        named: &[(String, Vec<f64>)],
        model: &Model,
        accelerations: Accelerations,
    ) -> Result<Self, MotionError> {
        let places: Result<Vec<_>, _> = named.iter().map(|(name, _)| place_of(model, "motion", name)).collect();
        let samples: Vec<Vec<f64>> = named.iter().map(|(_, y)| y.clone()).collect();
        CoordinateHistory::new(times, &samples, places?, model, accelerations)
    }

    fn new(
        times: &[f64],
        samples: &[Vec<f64>],
        places: Vec<[usize; 2]>,
        model: &Model,
        accelerations: Accelerations,
    ) -> Result<Self, MotionError> {
        let splines = QuinticSplines::new(times, samples)?;
        let speeds = match accelerations {
            Accelerations::SecondDerivative => None,
            Accelerations::OfSpeeds => {
                let mut speeds = vec![vec![0.0; times.len()]; samples.len()];
                for (row, t) in times.iter().enumerate() {
                    splines.evaluate(*t, |k, d| speeds[k][row] = d.d1);
                }
                Some(QuinticSplines::new(times, &speeds)?)
            }
        };
        Ok(CoordinateHistory {
            splines,
            places,
            speeds,
            rest: model.q0.clone(),
            times: times.to_vec(),
            couplers: Vec::new(),
        })
    }

    /// The file's instants \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The file's instants within a closed range, extended by a microsecond; every `step`-th of them.
    pub fn times_within(&self, [start, end]: [f64; 2], step: usize) -> Vec<f64> {
        const MARGIN: f64 = 1e-6;
        let inside = |t: &&f64| **t >= start - MARGIN && **t <= end + MARGIN;
        self.times().iter().filter(inside).step_by(step.max(1)).copied().collect()
    }

    /// Coordinates, speeds and accelerations at time `t` \[s\].
    pub fn evaluate(&self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        q.copy_from_slice(&self.rest);
        v.fill(0.0);
        a.fill(0.0);
        self.splines.evaluate(t, |k, d| {
            let [position, speed] = self.places[k];
            (q[position], v[speed], a[speed]) = (d.value, d.d1, d.d2);
        });
        if let Some(speeds) = &self.speeds {
            speeds.evaluate(t, |k, d| a[self.places[k][1]] = d.d1);
        }
        for Coupler { dependent, independent, function } in &self.couplers {
            let speed = v[independent[1]];
            let f = function.evaluate(q[independent[0]]);
            q[dependent[0]] = f.value;
            v[dependent[1]] = f.d1 * speed;
            a[dependent[1]] = f.d1 * a[independent[1]] + f.d2 * speed * speed;
        }
    }
}

/// Rows closer than this \[s\] are the same instant twice, as sometimes at the end of a record (chosen here).
const SAME_INSTANT: f64 = 1e-7;

type Columns = (Vec<f64>, Vec<Vec<f64>>, Vec<[usize; 2]>);

/// Times, samples in rad and m, and the indices of their coordinates.
fn columns(storage: &Storage, subject: &Subject) -> Result<Columns, MotionError> {
    let table = &storage.table;
    let mut latest = f64::NEG_INFINITY;
    let later = |row: &&Vec<f64>| {
        let t = row.first().copied().unwrap_or(f64::NAN);
        let later = t > latest + SAME_INSTANT;
        latest = latest.max(t);
        later
    };
    let rows: Vec<&Vec<f64>> = table.rows().iter().filter(later).collect();
    let times: Vec<f64> = rows.iter().filter_map(|row| row.first().copied()).collect();
    let (mut samples, mut places) = (Vec::new(), Vec::new());
    for (column, label) in table.labels().iter().enumerate().skip(1) {
        let Some(coordinate) = subject.coordinate(label) else { continue };
        let unit = if storage.in_degrees && coordinate.is_angle() { std::f64::consts::PI / 180.0 } else { 1.0 };
        let place = [coordinate.position, coordinate.speed];
        if places.contains(&place) {
            let reason = format!("coordinate `{}` appears in two columns; remove one", coordinate.name);
            return Err(MotionError::input(&storage.name, reason));
        }
        let values: Vec<f64> = rows.iter().map(|row| unit * row.get(column).copied().unwrap_or(f64::NAN)).collect();
        let gaps: Vec<f64> = times.iter().zip(&values).filter(|(_, y)| !y.is_finite()).map(|(t, _)| *t).collect();
        if let Some(first) = gaps.first() {
            let count = gaps.len();
            let reason = format!("has {count} cells without a number, first at {first} s; fill them, or cut the rows");
            return Err(MotionError::input(format!("column `{label}`"), reason));
        }
        places.push(place);
        samples.push(values);
    }
    if samples.is_empty() {
        let reason = "no column is named like a coordinate of the model; give the motion of this model";
        return Err(MotionError::input("the motion", reason));
    }
    Ok((times, samples, places))
}

/// The couplers among the constraints of a model.
fn couplers(model: &Model) -> Result<Vec<Coupler>, MotionError> {
    let place = |speed: usize| {
        let name = || model.coordinate_names().get(speed).cloned().unwrap_or_default();
        let missing = || MotionError::input(name(), "is coupled to another coordinate but is not a position");
        Ok::<_, MotionError>([model.position_of_speed(speed).ok_or_else(missing)?, speed])
    };
    let mut found = Vec::new();
    for row in model.constraints().iter().flat_map(|c| &c.rows) {
        if let Row::Coupler { dependent, independent, function } = row {
            let (dependent, independent) = (place(*dependent)?, place(*independent)?);
            found.push(Coupler { dependent, independent, function: function.clone() });
        }
    }
    Ok(found)
}

fn place_of(model: &Model, owner: &str, name: &str) -> Result<[usize; 2], MotionError> {
    let missing = || MotionError::Unknown { owner: owner.into(), what: "coordinate", name: name.into() };
    let speed = model.coordinate_index(name).ok_or_else(missing)?;
    let position = model.position_of_speed(speed).ok_or_else(missing)?;
    Ok([position, speed])
}
