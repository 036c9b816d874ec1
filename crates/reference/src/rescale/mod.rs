//! A walk carried over to another person.
//!
//! Lengths, speed and times are first scaled as dynamic similarity asks (`similar`); bodies that are not similar (other
//! proportions, other shares of mass, another speed) then walk with residuals and sliding feet. Least squares (`fit`)
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

/// How a walk is carried over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RescaleSettings {
    /// TensionReference speed [m/s]; none: the speed of the same Froude number `v²/(g l)`.
    pub speed: Option<f64>,
    /// Most steps of the least squares; 0 leaves the similar walk as it is.
    pub iterations: usize,
}

impl Default for RescaleSettings {
    fn default() -> Self {
        RescaleSettings { speed: None, iterations: 8 }
    }
}

/// A walk for another person, and how well it holds together.
#[derive(Clone, Debug)]
pub struct Rescaled {
    /// The walk.
    pub walk: ReferenceWalk,
    /// Of the similar walk, before the least squares.
    pub before: Consistency,
    /// Of the walk.
    pub after: Consistency,
    /// Steps of the least squares.
    pub iterations: usize,
}

/// The walk of a person of given mass, height and sex, on the skeleton of [`Skeleton::walking`].
pub fn rescale(walk: &ReferenceWalk, subject: &Subject, settings: &RescaleSettings) -> Result<Rescaled, AnatomyError> {
    rescale_to(walk, Skeleton::walking(subject)?, subject.stature, settings)
}

/// The walk of a person with a given skeleton and height [m], symmetric if the given walk is: for legs of unequal
/// length give it [unfolded](ReferenceWalk::unfolded). Coordinates of the skeleton that the walk does not know rest at
/// zero, and those that the skeleton does not have are left out.
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

/// How a walk is made to hold together again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restoring {
    /// Most steps of the least squares.
    pub iterations: usize,
    /// A point in swing that is so high or higher in the walk that is given stays so high [m], a lower one stays where
    /// it is: a foot that strikes too early pushes the person up. Zero where the heights that are given mean nothing,
    /// as those of another person.
    pub clearance: f64,
    /// Change of a coefficient of the ground force, as share of body weight, that costs as much as one fault: small
    /// where forces were measured.
    pub force: f64,
    /// Change of a joint moment of the legs over body mass [N m/kg] that costs as much as one fault, about axes of
    /// flexion and about others, which hang on sideways forces and places; none: moments become what they will, as
    /// those of another person.
    pub moments: Option<[f64; 2]>,
    /// Whether resting points must lie on the floor; not where a floor that yields will tell how high they are.
    pub heights: bool,
}

impl Default for Restoring {
    /// For a walk of another person (own choice).
    fn default() -> Self {
        Restoring { iterations: 8, clearance: 0.0, force: 0.03, moments: None, heights: true }
    }
}

/// A walk that holds together again: least squares over all its coefficients. A symmetric walk stays symmetric.
pub fn restore(start: ReferenceWalk, settings: &Restoring) -> Result<Rescaled, AnatomyError> {
    restored(start, settings, None)
}

/// What a floor that gives way answers to a foot.
pub trait YieldingFloor {
    /// What it does to a foot, x and z forward and to the right of a point.
    fn press(&self, at: &Instant<'_>, foot: Side, about: &Vec3) -> Pressure;
}

/// What a floor does to a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// Vertical force `Σ F` [N].
    pub force: f64,
    /// Its moments `Σ F x`, `Σ F z` [N m].
    pub moments: [f64; 2],
    /// How pressed points slide: `Σ F u`, `Σ F w` [N m/s], `Σ F (z u - x w)` [N m²/s], u and w their velocities forward
    /// and to the right.
    pub sliding: [f64; 3],
}

/// The walk on a floor that gives way: least squares as for [`restore`], in which the floor must answer the feet with
/// the ground force of the walk, at its centre of pressure, and the joint moments of the legs stay as they are.
///
/// A foot of the reference motion stands then as deep in the floor as the reference force needs; else the floor would
/// answer with another force, and the person would have to be held.
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
