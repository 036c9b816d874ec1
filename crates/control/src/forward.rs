//! Forward dynamics of a model with muscles under given controls.

use crate::plant::Plant;
use wolff_motion::{MotionError, Motors, Subject};
use wolff_multibody::DynamicsError;
use wolff_numerics::{Method, OdeError, OdeSystem, Options, Sampler, integrate};

/// Settings of the integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForwardOptions {
    /// Relative and absolute local error.
    pub accuracy: f64,
    /// Longest step \[s\].
    pub longest_step: f64,
    /// Time between samples \[s\].
    pub sampling: f64,
}

impl Default for ForwardOptions {
    /// Errors of 1e-6 in steps of at most 10 ms, and samples every 2 ms.
    fn default() -> Self {
        ForwardOptions { accuracy: 1e-6, longest_step: 0.01, sampling: 0.002 }
    }
}

/// A simulated instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time \[s\].
    pub t: f64,
    /// Coordinates, speeds, activations and fibre lengths.
    pub y: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Controls of muscles and actuators.
    pub controls: Vec<f64>,
    /// Forces of muscles \[N\] and actuators \[N or N m\].
    pub forces: Vec<f64>,
    /// Lengthening speeds of the muscles \[m/s\].
    pub speeds: Vec<f64>,
}

/// Controls over time.
pub trait Controls {
    /// Writes the controls of a time \[s\].
    fn at(&self, t: f64, out: &mut [f64]);
}

/// Controls of a window: excitations are constant, actuators go from one value to the next.
pub(crate) struct Ramp<'a> {
    pub muscles: usize,
    pub span: [f64; 2],
    pub from: &'a [f64],
    pub to: &'a [f64],
}

impl Controls for Ramp<'_> {
    fn at(&self, t: f64, out: &mut [f64]) {
        let part = ((t - self.span[0]) / (self.span[1] - self.span[0])).clamp(0.0, 1.0);
        for (k, out) in out.iter_mut().enumerate() {
            *out = if k < self.muscles { self.to[k] } else { self.from[k] + (self.to[k] - self.from[k]) * part };
        }
    }
}

/// The equations of a plant under controls.
struct Driven<'p, 'm, 'c> {
    plant: &'p mut Plant<'m>,
    controls: &'c dyn Controls,
    now: Vec<f64>,
}

impl OdeSystem for Driven<'_, '_, '_> {
    fn dim(&self) -> usize {
        self.plant.dim()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        self.controls.at(t, &mut self.now);
        self.plant.rates(t, y, &self.now, dy).map_err(|e| failure(t, &e))
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<bool, OdeError> {
        self.plant.project(t, y).map_err(|e| failure(t, &e))
    }

    fn component_name(&self, i: usize) -> String {
        let model = self.plant.model();
        let (nq, nv, nm) = (model.nq(), model.nv(), self.plant.fibres.len());
        let muscle = |k: usize| self.plant.motors.names.get(k % nm.max(1)).cloned().unwrap_or_default();
        match i {
            i if i < nq => format!("coordinate {i}"),
            i if i < nq + nv => format!("the speed of `{}`", model.coordinate_names()[i - nq]),
            i if i < nq + nv + nm => format!("the activation of `{}`", muscle(i - nq - nv)),
            i => format!("the fibre length of `{}`", muscle(i - nq - nv)),
        }
    }
}

fn failure(t: f64, cause: &DynamicsError) -> OdeError {
    OdeError::System { t, cause: cause.to_string() }
}

/// Advances a state over a span of time \[s\] and adds its samples; the first instant is sampled where `samples` is
/// empty.
pub(crate) fn advance(
    plant: &mut Plant<'_>,
    controls: &dyn Controls,
    [start, end]: [f64; 2],
    y: &mut [f64],
    options: &ForwardOptions,
    samples: &mut Vec<Sample>,
) -> Result<(), MotionError> {
    /// Maximum number of samples of one span.
    const MOST_SAMPLES: f64 = 1e6;
    let parts = ((end - start) / options.sampling).round().max(1.0);
    if !(options.sampling > 0.0 && parts <= MOST_SAMPLES) {
        let reason = format!("{} s is too short for {start} to {end} s", options.sampling);
        return Err(MotionError::input("time between samples", reason));
    }
    let parts = parts as usize;
    let mut sampler = Sampler::uniform(start, end, parts);
    let settings = Options { h_max: options.longest_step, ..Options::tolerances(options.accuracy, options.accuracy) };
    let count = plant.motors.len();
    let mut driven = Driven { plant, controls, now: vec![0.0; count] };
    let failed = |e: OdeError| MotionError::Instant { time: start, reason: e.to_string() };
    integrate(&mut driven, Method::DormandPrince5, &settings, start, y, end, &mut sampler).map_err(failed)?;
    let mut dy = vec![0.0; y.len()];
    let first = usize::from(!samples.is_empty());
    for (t, y) in sampler.times().iter().zip(sampler.states()).skip(first) {
        driven.rhs(*t, y, &mut dy).map_err(failed)?;
        let (nq, nv) = (driven.plant.model().nq(), driven.plant.model().nv());
        samples.push(Sample {
            t: *t,
            y: y.to_vec(),
            a: dy[nq..nq + nv].to_vec(),
            controls: driven.now.clone(),
            forces: driven.plant.forces.clone(),
            speeds: driven.plant.speeds.clone(),
        });
    }
    Ok(())
}

/// Simulates a subject from a state `[q, v, a, l]` under controls over time.
///
/// The state is moved onto the constraints first. `progress` receives the fraction that is done and returns whether to
/// go on.
pub fn simulate_controls(
    subject: &Subject,
    motors: &Motors,
    start: &[f64],
    controls: &dyn Controls,
    [first, last]: [f64; 2],
    options: &ForwardOptions,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<Sample>, MotionError> {
    /// Number of parts after which the user can stop.
    const PARTS: usize = 100;
    /// Maximum number of rows.
    const MOST_ROWS: f64 = 1e7;
    let mut plant = Plant::new(subject, motors)?;
    if start.len() != plant.dim() || !(last > first) {
        let reason =
            format!("{} states from {first} to {last} s; {} are needed, and a later end", start.len(), plant.dim());
        return Err(MotionError::input("forward dynamics", reason));
    }
    let mut y = start.to_vec();
    plant.project(first, &mut y).map_err(MotionError::instant(first))?;
    let mut samples = Vec::new();
    let rows = ((last - first) / options.sampling).round().max(1.0);
    if !(rows <= MOST_ROWS) {
        let reason =
            format!("samples every {} s are {rows:.1e} rows; give a longer time between them", options.sampling);
        return Err(MotionError::input("forward dynamics", reason));
    }
    // every part has whole rows
    let parts = rows.min(PARTS as f64) as usize;
    let time = |k: usize| {
        let row = (rows * k as f64 / parts as f64).round();
        if k == parts { last } else { first + (last - first) * row / rows }
    };
    for k in 0..parts {
        if !progress(k as f64 / parts as f64) {
            return Err(MotionError::Stopped);
        }
        advance(&mut plant, controls, [time(k), time(k + 1)], &mut y, options, &mut samples)?;
    }
    Ok(samples)
}
