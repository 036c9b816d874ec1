//! A walk rescaled to another person.
//!
//! Lengths, speed and times are first scaled by dynamic similarity (`similar`); for bodies that are not similar (other
//! proportions, other mass fractions, another speed) this leaves residuals and sliding feet. Least squares (`fit`)
//! changes all coefficients a little until motion, ground force and floor agree again.

mod consistency;
mod contact;
mod fit;
mod rows;
mod similar;
mod unknowns;

pub use consistency::{Consistency, consistency};

use crate::walk::ReferenceWalk;
use wolff_anatomy::Side;
use wolff_anatomy::anthropometry::Subject;
use wolff_anatomy::error::{AnatomyError, require};
use wolff_anatomy::skeleton::Skeleton;
use wolff_multibody::Instant;
use wolff_spatial::Vec3;

/// Settings of the rescaling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RescaleSettings {
    /// Speed \[m/s\]; `None`: the speed of the same Froude number `v²/(g l)`.
    pub speed: Option<f64>,
    /// Maximum number of least-squares steps; with 0 the similar walk is not changed.
    pub iterations: usize,
}

impl Default for RescaleSettings {
    fn default() -> Self {
        RescaleSettings { speed: None, iterations: 8 }
    }
}

/// A walk for another person, and its consistency.
#[derive(Clone, Debug)]
pub struct Rescaled {
    /// The walk.
    pub walk: ReferenceWalk,
    /// Consistency of the similar walk, before the least squares.
    pub before: Consistency,
    /// Consistency of the walk.
    pub after: Consistency,
    /// Number of least-squares steps done.
    pub iterations: usize,
}

/// The walk of a person of given mass, height and sex, on the skeleton of [`Skeleton::walking`].
pub fn rescale(walk: &ReferenceWalk, subject: &Subject, settings: &RescaleSettings) -> Result<Rescaled, AnatomyError> {
    rescale_to(walk, Skeleton::walking(subject)?, subject.stature, settings)
}

/// The walk of a person with a given skeleton and height \[m\], symmetric if the given walk is: for legs of unequal
/// length give it [unfolded](ReferenceWalk::unfolded). Coordinates of the skeleton that the walk does not have stay at
/// zero, and those that the skeleton does not have are omitted.
pub fn rescale_to(
    walk: &ReferenceWalk,
    skeleton: Skeleton,
    stature: f64,
    settings: &RescaleSettings,
) -> Result<Rescaled, AnatomyError> {
    if let Some(speed) = settings.speed {
        let walks = "must be a walking speed, above 0.5 and below 2.2 m/s";
        require(speed > 0.5 && speed < 2.2, "rescaled walk", "speed [m/s]", speed, walks)?;
    }
    let restoring = Restoring { iterations: settings.iterations, ..Restoring::default() };
    restore(similar::similar(walk, skeleton, stature, settings.speed)?, &restoring)
}

/// Settings of the restoration of consistency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restoring {
    /// Maximum number of least-squares steps.
    pub iterations: usize,
    /// Clearance of swinging points \[m\]: a point that is higher than this in the given walk must stay at least this
    /// high, a lower one must not come lower, because a foot that strikes too early pushes the person up. Zero where
    /// the given heights are not meaningful, such as those of another person.
    pub clearance: f64,
    /// Standard deviation of the change of a ground force coefficient, as fraction of body weight: small where forces
    /// were measured.
    pub force: f64,
    /// Standard deviations of the change of a leg joint moment over body mass \[N m/kg\], about axes of flexion and
    /// about others, which depend on sideways forces and positions; `None`: moments may change freely, as for another
    /// person.
    pub moments: Option<[f64; 2]>,
    /// Whether resting points must lie on the floor; false where a compliant floor determines their heights.
    pub heights: bool,
}

impl Default for Restoring {
    /// For the walk of another person; chosen here.
    fn default() -> Self {
        Restoring { iterations: 8, clearance: 0.0, force: 0.03, moments: None, heights: true }
    }
}

/// The walk made consistent again by least squares over all its coefficients. A symmetric walk stays symmetric.
pub fn restore(start: ReferenceWalk, settings: &Restoring) -> Result<Rescaled, AnatomyError> {
    restored(start, settings, None)
}

/// A compliant floor.
pub trait YieldingFloor {
    /// Its forces on a foot, with x and z counted forward and to the right from a point.
    fn press(&self, at: &Instant<'_>, foot: Side, about: &Vec3) -> Pressure;
}

/// Forces of a floor on a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// Vertical force `Σ F` \[N\].
    pub force: f64,
    /// Its moments `Σ F x`, `Σ F z` \[N m\].
    pub moments: [f64; 2],
    /// Sliding of loaded points: `Σ F u`, `Σ F w` \[N m/s\], `Σ F (z u - x w)` \[N m²/s\], u and w their velocities
    /// forward and to the right.
    pub sliding: [f64; 3],
}

/// The walk on a compliant floor: least squares as for [`restore`], in which the reaction of the floor on the feet must
/// be the ground force of the walk at its centre of pressure, and the joint moments of the legs must not change.
///
/// A foot of the reference motion then penetrates the floor as deep as the reference force requires; otherwise the
/// floor would react with another force, and the tracking agent would have to support the person.
pub fn settle_on(
    floor: &dyn YieldingFloor,
    start: ReferenceWalk,
    settings: &Restoring,
) -> Result<Rescaled, AnatomyError> {
    restored(start, settings, Some(floor))
}

fn restored(
    start: ReferenceWalk,
    settings: &Restoring,
    floor: Option<&dyn YieldingFloor>,
) -> Result<Rescaled, AnatomyError> {
    let before = consistency(&start)?;
    let (walk, iterations) = fit::fit(start, settings, floor)?;
    let after = consistency(&walk)?;
    Ok(Rescaled { walk, before, after, iterations })
}
