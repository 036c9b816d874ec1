//! Residual reduction: small changes of a motion and a model that make them consistent with the ground forces.
//!
//! Inverse dynamics of a measured walk leaves residual forces on the joint to ground that were not applied: markers,
//! masses and plates disagree. [`reduce_residuals`] finds a small smooth change of some coordinates (such as those of
//! the joint to ground and of the back), of one body's mass centre and, on request, of all masses, that minimises them.
//! OpenSim's residual reduction algorithm has the same purpose.

mod correction;
mod linear;
mod report;

pub use correction::Correction;
pub use report::{CoordinateChange, ResidualReduction, ResidualSize};

use crate::MotionError;
use crate::coordinate::Coordinate;
use crate::history::CoordinateHistory;
use crate::subject::Subject;
use linear::Problem;
use wolff_multibody::constraint::Row;
use wolff_spatial::Vec3;

/// Scales of the residuals and of the regularisation: sizes that have the same weight in the sum of squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReductionScales {
    /// A residual force over body weight, and a residual moment over body weight times a metre.
    pub residual: f64,
    /// A change of a translation \[m\].
    pub translation: f64,
    /// A change of an angle \[rad\].
    pub rotation: f64,
    /// A shift of the mass centre along an axis \[m\].
    pub centre: f64,
    /// A relative change of all masses.
    pub mass: f64,
}

impl Default for ReductionScales {
    /// Chosen here: half a percent of body weight against the uncertainty of marker placement and soft tissue.
    fn default() -> Self {
        ReductionScales { residual: 0.005, translation: 0.01, rotation: 0.0175, centre: 0.03, mass: 0.02 }
    }
}

/// Settings: what may change, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct ReductionOptions {
    /// Coordinates that may change in addition to those of the joint to ground.
    pub coordinates: Vec<String>,
    /// The body whose mass centre may move.
    pub body: Option<String>,
    /// Whether all masses may change in proportion.
    pub masses: bool,
    /// Time between the knots of the changes \[s\]: this limits their frequency.
    pub knots: f64,
    /// Scales of residuals and changes.
    pub scales: ReductionScales,
    /// Maximum number of Gauss-Newton steps.
    pub steps: usize,
}

impl Default for ReductionOptions {
    /// Knots every 60 ms: the changes stay below 8 Hz, little more than the usual cut-off frequency of coordinates
    /// (chosen here).
    fn default() -> Self {
        ReductionOptions {
            coordinates: Vec::new(),
            body: None,
            masses: false,
            knots: 0.06,
            scales: ReductionScales::default(),
            steps: 10,
        }
    }
}

/// Changes of masses: shift of one body's mass centre \[m\], and factor of all masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MassChange {
    pub shift: Vec3,
    pub factor: f64,
}

/// Changes motion and masses so that the forces on the joint to ground are minimal.
///
/// ```text
/// min  Σ_t |r(q + δ, v + δ', a + δ''; c, s) / R|² + Σ_t |δ / D|² + T (|c / C|² + |s / S|²)
/// ```
/// r generalised forces of inverse dynamics on the coordinates of the joint to ground \[N, N m\], δ changes of
/// coordinates by cubic B-splines ([`Correction`]), c shift of a mass centre \[m\], s relative change of masses, T
/// number of instants; R, D, C, S see [`ReductionScales`]. Gauss-Newton: derivatives of r by coordinates, speeds and
/// accelerations are central differences, those by c and s differences of models; every step is a linear least squares
/// problem. The residuals after the reduction are those of the returned motion, interpolated by splines like any other.
///
/// Limits: translations of the root move the feet too, so changes must stay within the uncertainty of the markers;
/// forces that were not measured (a foot next to the plates) cannot be balanced, so choose a time range without them.
/// OpenSim's algorithm tracks by controllers in forward simulation instead; its result is similar but not the same.
///
/// The measured loads are forces of the subject's model. `progress` receives the fraction of the work that is done, 0
/// to 1. The number of steps is not known in advance: each step counts for half of the remaining work.
pub fn reduce_residuals(
    subject: &Subject,
    history: &CoordinateHistory,
    range: [f64; 2],
    options: &ReductionOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<ResidualReduction, MotionError> {
    check_scales(&options.scales)?;
    let root = root_coordinates(subject)?;
    let adjusted = adjusted_coordinates(subject, &root, options)?;
    if let Some(body) = options.body.as_ref().filter(|b| subject.model.body_index(b).is_none_or(|i| i == 0)) {
        return Err(MotionError::Unknown { owner: "residual reduction".into(), what: "body", name: body.clone() });
    }
    let times = history.times_within(range, 1);
    let mut problem = Problem::new(subject, history, &times, &root, adjusted, options)?;
    for step in 0..options.steps {
        let last = problem.step(&mut |share| progress(1.0 - 0.5_f64.powf(step as f64 + share)))?;
        if last {
            break;
        }
    }
    let found = report::describe(&problem, &times)?;
    progress(1.0);
    Ok(found)
}

/// Scales are divisors, so zero is invalid.
fn check_scales(scales: &ReductionScales) -> Result<(), MotionError> {
    let ReductionScales { residual, translation, rotation, centre, mass } = *scales;
    let named = [residual, translation, rotation, centre, mass].into_iter();
    let names = ["residual", "translation", "rotation", "centre", "mass"];
    match names.iter().zip(named).find(|(_, x)| !(*x > 0.0 && x.is_finite())) {
        Some((name, x)) => {
            let reason = format!("the scale of `{name}` is {x}; give a finite number greater than zero");
            Err(MotionError::input("residual reduction", reason))
        }
        None => Ok(()),
    }
}

/// The coordinates of the joint to ground that has most coordinates.
fn root_coordinates(subject: &Subject) -> Result<Vec<Coordinate>, MotionError> {
    let of = |joint: &str| subject.coordinates.iter().filter(|c| c.joint == joint).cloned().collect::<Vec<_>>();
    let to_ground = subject.model.bodies().iter().skip(1).filter(|b| b.parent == 0);
    to_ground
        .map(|b| of(&b.joint_name))
        .max_by_key(Vec::len)
        .filter(|c| !c.is_empty())
        .ok_or_else(|| MotionError::input(&subject.name, "no joint to ground has coordinates; there are no residuals"))
}

/// Coordinates that may change; coupled ones are not allowed, because the other one would not follow.
fn adjusted_coordinates(
    subject: &Subject,
    root: &[Coordinate],
    options: &ReductionOptions,
) -> Result<Vec<Coordinate>, MotionError> {
    let mut adjusted = root.to_vec();
    for name in &options.coordinates {
        if adjusted.iter().any(|a| a.name == *name) {
            continue;
        }
        let unknown =
            || MotionError::Unknown { owner: "residual reduction".into(), what: "coordinate", name: name.clone() };
        adjusted.push(subject.coordinate(name).ok_or_else(unknown)?.clone());
    }
    let coupled = |speed: usize| {
        subject.model.constraints().iter().flat_map(|c| &c.rows).any(|row| match row {
            Row::Coupler { dependent, independent, .. } => *dependent == speed || *independent == speed,
            _ => false,
        })
    };
    match adjusted.iter().find(|a| coupled(a.speed)) {
        Some(a) => Err(MotionError::input(&a.name, "is coupled to another coordinate; choose others to adjust")),
        None => Ok(adjusted),
    }
}
