//! Reference trajectories of the muscles: their lengths and, by static optimisation, their tensions along a reference
//! motion.

use super::ReferenceMuscle;
use super::inverse::InverseMotion;
use super::sharing::Sampler;
use crate::error::MovementError;
use crate::model::Track;
use wolff_anatomy::CoordinateRole;
use wolff_multibody::force::PassiveJointTorque;

/// Time span of a reference motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// One cycle of a periodic motion.
    Cycle {
        /// Cycle time \[s\].
        period: f64,
        /// Advance of the person along X per cycle \[m\].
        advance: f64,
    },
    /// A motion that is not periodic.
    Once {
        /// Start \[s\].
        start: f64,
        /// End \[s\].
        end: f64,
    },
}

/// A spring and damper of a joint's tissues about the standing posture, and the moments at its limits.
#[derive(Clone, Debug)]
pub struct Tissue {
    /// Speed of the coordinate in the rigid model.
    pub speed: usize,
    /// Stiffness \[N m/rad\].
    pub stiffness: f64,
    /// Damping \[N m s/rad\].
    pub damping: f64,
    /// Moments at the limits of the joint; `None`: none.
    pub limits: Option<PassiveJointTorque>,
}

/// Settings of the computation of a reference.
#[derive(Clone, Debug)]
pub struct ReferenceSettings {
    /// Time span.
    pub timing: Timing,
    /// Number of samples per cycle, or of the whole motion if it is not periodic.
    pub samples: usize,
    /// Roles of the coordinates of the rigid model, in its order.
    pub roles: Vec<CoordinateRole>,
    /// Coordinates that muscles must carry.
    pub balanced: Vec<String>,
    /// Strength of the reserves [N m]: a reserve moment of this size costs as much as a fully active muscle.
    pub reserve: f64,
    /// Tissues that carry a part of the moments.
    pub tissues: Vec<Tissue>,
}

/// Reference trajectories of a movement: coordinates, muscle lengths and tensions, ground forces.
#[derive(Clone, Debug)]
pub struct TrackingReference {
    /// Time span.
    pub timing: Timing,
    /// Reference coordinates by name, in the order of the rigid model.
    pub coordinates: Vec<(String, Track)>,
    /// Their roles.
    pub roles: Vec<CoordinateRole>,
    /// Generalised forces of inverse dynamics, in the same order.
    pub forces: Vec<Track>,
    /// Generalised forces of all muscles with the tensions of static optimisation, in the same order.
    pub muscle_forces: Vec<Track>,
    /// Reference length of each muscle \[m\].
    pub lengths: Vec<Track>,
    /// Tension of each muscle by static optimisation \[N\].
    pub tensions: Vec<Track>,
    /// Reference ground force on the right and the left foot, X, Y, Z \[N\].
    pub ground: [[Track; 3]; 2],
    /// Displacement of the centres of mass of segments by bending bones, by name: X, Y, Z \[m\]; empty on rigid bones.
    pub bending: Vec<(String, [Track; 3])>,
    /// Report of static optimisation.
    pub report: SharingReport,
}

/// Report of static optimisation along the reference motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharingReport {
    /// Mean over time of the sum of squared muscle forces, each divided by its maximum force.
    pub effort: f64,
    /// Maximum reserve moment, which muscles could not carry \[N m\].
    pub reserve_peak: f64,
    /// Its coordinate.
    pub reserve_coordinate: String,
    /// Maximum activation.
    pub activation_peak: f64,
    /// Its muscle.
    pub activation_muscle: String,
}

/// Times of the samples of a cycle \[s\], without the end point.
pub(super) fn cycle_times(period: f64, samples: usize) -> Vec<f64> {
    (0..samples).map(|i| period * i as f64 / samples as f64).collect()
}

/// Computes the reference trajectories along a reference motion.
pub fn tracking_reference(
    motion: &mut dyn InverseMotion,
    reference_muscles: &[ReferenceMuscle],
    settings: &ReferenceSettings,
) -> Result<TrackingReference, MovementError> {
    let mut notes = Sampler::new(motion, reference_muscles, settings)?;
    notes.activations = run_in(motion, reference_muscles, settings)?;
    for i in 0..settings.samples {
        notes.take(motion, reference_muscles, settings, settings.time(i))?;
    }
    notes.finish(motion, reference_muscles, settings)
}

/// Fraction of a cycle after which the activations of Hill muscles no longer depend on their initial values.
const RUN_IN: f64 = 0.3;

/// Initial activations of Hill muscles in a periodic cycle; `None` without Hill muscles or for a motion that is not
/// periodic.
fn run_in(
    motion: &mut dyn InverseMotion,
    reference_muscles: &[ReferenceMuscle],
    settings: &ReferenceSettings,
) -> Result<Option<Vec<f64>>, MovementError> {
    let repeats = matches!(settings.timing, Timing::Cycle { .. });
    if !repeats || reference_muscles.iter().all(|p| p.fibre.is_none()) {
        return Ok(None);
    }
    let mut notes = Sampler::new(motion, reference_muscles, settings)?;
    for i in ((1.0 - RUN_IN) * settings.samples as f64) as usize..settings.samples {
        notes.take(motion, reference_muscles, settings, settings.time(i))?;
    }
    Ok(notes.activations)
}

impl ReferenceSettings {
    /// Time of a sample \[s\].
    pub(super) fn time(&self, i: usize) -> f64 {
        match self.timing {
            Timing::Cycle { period, .. } => period * i as f64 / self.samples as f64,
            Timing::Once { start, end } => start + (end - start) * i as f64 / (self.samples - 1).max(1) as f64,
        }
    }

    pub(super) fn track(&self, name: &str, advance: f64, samples: Vec<[f64; 2]>) -> Result<Track, MovementError> {
        match self.timing {
            Timing::Cycle { period, .. } => Track::cyclic(name, period, advance, samples),
            Timing::Once { start, .. } => Track::single(name, start, self.time(1) - start, samples),
        }
    }

    /// A track from values without slopes.
    pub(super) fn value_track(&self, name: &str, values: &[f64]) -> Result<Track, MovementError> {
        match self.timing {
            Timing::Cycle { period, .. } => Track::cyclic_values(name, period, values),
            Timing::Once { start, .. } => {
                let step = self.time(1) - start;
                let n = values.len();
                let slope = |i: usize| {
                    let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
                    (values[b] - values[a]) / ((b - a).max(1) as f64 * step)
                };
                Track::single(name, start, step, (0..n).map(|i| [values[i], slope(i)]).collect())
            }
        }
    }
}
