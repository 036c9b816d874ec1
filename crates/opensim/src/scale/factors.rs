//! Factors of bodies.

use crate::OpensimSubject;
use crate::setup::{Measurement, ModelScaler};
use std::collections::BTreeMap;
use wolff_formats::trial::MarkerTrial;
use wolff_motion::MotionError;
use wolff_motion::ik::Freedoms;
use wolff_multibody::Kinematics;
use wolff_spatial::Vec3;

/// Factors along the axes of each body, by name; ground and bodies that are not scaled have factors of one.
pub type BodyFactors = BTreeMap<String, [f64; 3]>;

/// Result of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurementResult {
    /// Its name.
    pub name: String,
    /// Mean factor of its pairs, or the reason why it is not available.
    pub factor: Result<f64, String>,
    /// Distances of each pair on the model and in the trial \[m\].
    pub lengths: Vec<[f64; 2]>,
}

/// Factors of all bodies, applied in the order of the set-up, and the results of the measurements.
///
/// A measurement with a marker that is missing in the model or in the trial is not used, and its result says so.
pub fn body_factors(
    subject: &OpensimSubject,
    scaler: &ModelScaler,
    trial: Option<&MarkerTrial>,
) -> Result<(BodyFactors, Vec<MeasurementResult>), MotionError> {
    let names = subject.file.bodies.iter().map(|b| b.name.clone());
    let mut factors: BodyFactors = names.map(|name| (name, [1.0; 3])).collect();
    let mut results = Vec::new();
    for step in &scaler.order {
        match step.as_str() {
            "measurements" => measure(subject, scaler, trial, &mut factors, &mut results)?,
            "manualScale" => {
                for scale in scaler.scales.iter().filter(|s| s.apply) {
                    check(&scale.body, &scale.factors)?;
                    if let Some(f) = factors.get_mut(&scale.body) {
                        *f = scale.factors;
                    }
                }
            }
            other => {
                let reason = format!("`{other}` is not a valid step; use measurements, manualScale or both");
                return Err(MotionError::input("scaling_order", reason));
            }
        }
    }
    Ok((factors, results))
}

pub(super) fn check(body: &str, factors: &[f64; 3]) -> Result<(), MotionError> {
    if factors.iter().all(|f| f.is_finite() && *f > 0.0) {
        return Ok(());
    }
    Err(MotionError::input(format!("body `{body}`"), format!("factors {factors:?}; they must be positive numbers")))
}

fn measure(
    subject: &OpensimSubject,
    scaler: &ModelScaler,
    trial: Option<&MarkerTrial>,
    factors: &mut BodyFactors,
    results: &mut Vec<MeasurementResult>,
) -> Result<(), MotionError> {
    let wanted: Vec<&Measurement> = scaler.measurements.iter().filter(|m| m.apply).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let missing = |what: &str| MotionError::input("ModelScaler", format!("measurements need a {what}; add it"));
    let trial = trial.ok_or_else(|| missing("marker_file"))?;
    let frames = frame_range(trial, scaler.time_range.ok_or_else(|| missing("time_range"))?);
    let places = default_places(subject);
    for m in wanted {
        let result = measurement(m, &places, trial, frames.clone());
        if let Ok(factor) = result.factor {
            for body in &m.bodies {
                check(&body.body, &[factor; 3])?;
                let Some(f) = factors.get_mut(&body.body) else { continue };
                for (f, axis) in f.iter_mut().zip(body.axes) {
                    if axis {
                        *f = factor;
                    }
                }
            }
        }
        results.push(result);
    }
    Ok(())
}

fn measurement(
    m: &Measurement,
    places: &BTreeMap<&str, Vec3>,
    trial: &MarkerTrial,
    frames: std::ops::Range<usize>,
) -> MeasurementResult {
    let mut lengths = Vec::new();
    let mut lengths_of = |pair: &[String; 2]| -> Result<f64, String> {
        let place =
            |name: &String| places.get(name.as_str()).ok_or_else(|| format!("the model has no marker `{name}`"));
        let seen = |name: &String| trial.marker(name).ok_or_else(|| format!("the trial has no marker `{name}`"));
        let model = (place(&pair[0])? - place(&pair[1])?).norm();
        let (a, b) = (seen(&pair[0])?, seen(&pair[1])?);
        let distance = |i: usize| Some((Vec3::from(a.points[i]?) - Vec3::from(b.points[i]?)).norm());
        let distances: Vec<f64> = frames.clone().filter_map(distance).collect();
        if distances.is_empty() || model <= 0.0 {
            return Err(format!("`{}` and `{}` are never seen together", pair[0], pair[1]));
        }
        let recorded = distances.iter().sum::<f64>() / distances.len() as f64;
        lengths.push([model, recorded]);
        Ok(recorded / model)
    };
    let all: Result<Vec<f64>, String> = m.pairs.iter().map(&mut lengths_of).collect();
    let mean = |f: Vec<f64>| {
        if f.is_empty() { Err("no pair of markers".into()) } else { Ok(f.iter().sum::<f64>() / f.len() as f64) }
    };
    MeasurementResult { name: m.name.clone(), factor: all.and_then(mean), lengths }
}

/// Positions of the markers in the default pose \[m\], with couplers satisfied.
fn default_places(subject: &OpensimSubject) -> BTreeMap<&str, Vec3> {
    let (kin, _) = default_pose(subject);
    let markers = subject.converted.markers.iter();
    markers.filter_map(|(name, spec)| Some((name.as_str(), kin.pose(&subject.subject.model.frame(spec)?).p))).collect()
}

/// Origins of all bodies in the default pose, in ground \[m\].
pub fn default_origins(subject: &OpensimSubject) -> BTreeMap<String, Vec3> {
    let (kin, _) = default_pose(subject);
    let origin = |b: &wolff_formats::osim::OsimBody| {
        Some((b.name.clone(), kin.bodies.get(subject.subject.model.body_index(&b.name)?)?.X_GB.p))
    };
    subject.file.bodies.iter().filter_map(origin).collect()
}

/// Kinematics and coordinates of the default pose, including locked and coupled coordinates.
pub(super) fn default_pose(subject: &OpensimSubject) -> (Kinematics, Vec<f64>) {
    let freedoms = Freedoms::new(&subject.subject.model);
    let mut q = subject.subject.model.q0.clone();
    freedoms.fix(0.0, &mut q);
    freedoms.follow(&mut q);
    let mut kin = Kinematics::new(&subject.subject.model);
    kin.update(&subject.subject.model, &q, &vec![0.0; subject.subject.model.nv()]);
    (kin, q)
}

/// From the last frame not after the start to the first not before the end, as OpenSim counts.
pub(super) fn frame_range(trial: &MarkerTrial, [start, end]: [f64; 2]) -> std::ops::Range<usize> {
    let times = trial.times();
    let first = times.iter().rposition(|t| *t <= start).unwrap_or(0);
    let last = times.iter().position(|t| *t >= end).unwrap_or(times.len().saturating_sub(1)).max(first);
    first..(last + 1).min(times.len())
}
