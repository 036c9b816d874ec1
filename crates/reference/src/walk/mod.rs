//! One cycle of walking as a formula: coordinates as Fourier series, ground forces as sine series over stance.
//!
//! The embedded walk is that of an average man (75 kg, 1.77 m, 1.3 m/s), symmetric and periodic. Its residual at the
//! pelvis stays below 0.75 % of body weight and 0.2 % of body weight times height.
//!
//! ```text
//! right stance   |=====================|              |=======
//! left stance   ====|              |=====================|
//! t/T            0                 s   D              1
//!                D = duty, s = strike of the left heel, ½ if symmetric
//! ```
//! A walk need not be symmetric: left coordinates may have series of their own, and the left foot a stance of its own
//! ([`LeftStance`]).

mod file;
mod ground;
mod inverse;
mod motion;
mod symmetry;

pub use ground::{FootStance, GroundReaction, GroundSeries, LeftStance, StanceFoot};
pub use inverse::InverseWalk;
pub use motion::{Harmonic, Series, WalkState};

use wolff_anatomy::AnatomyError;
use wolff_anatomy::skeleton::Skeleton;

/// Constants of a walk.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct WalkConstants {
    /// Mass of the person \[kg\].
    pub mass: f64,
    /// Height of the person \[m\].
    pub stature: f64,
    /// Gravity \[m/s²\].
    pub gravity: f64,
    /// Time T from heel strike to heel strike of the same foot \[s\].
    pub cycle_time: f64,
    /// Mean forward speed \[m/s\].
    pub speed: f64,
    /// Duty factor D: fraction of the cycle that a foot is on the floor; of the right foot where the left has a stance
    /// of its own.
    pub duty: f64,
}

impl WalkConstants {
    /// Body weight \[N\].
    pub fn weight(&self) -> f64 {
        self.mass * self.gravity
    }

    /// Length of two steps \[m\].
    pub fn stride(&self) -> f64 {
        self.speed * self.cycle_time
    }
}

/// A walk with its skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceWalk {
    /// Mass, speed, times.
    pub constants: WalkConstants,
    /// Segments and points under the feet.
    pub skeleton: Skeleton,
    /// Series of the coordinates of the median plane and of the right side, and of those of the left side that have
    /// their own.
    pub motion: Vec<Series>,
    /// Series of the right foot's ground reaction.
    pub ground: GroundSeries,
    /// Stance of the left foot; `None`: that of the right one half a cycle later, mirrored.
    pub left: Option<LeftStance>,
    /// For every coordinate of the skeleton its series, and whether it is that of the other side.
    pub(crate) sources: Vec<motion::Source>,
}

impl ReferenceWalk {
    /// The embedded walk.
    pub fn embedded() -> Result<Self, AnatomyError> {
        file::read(include_str!("../../data/walk.json"))
    }

    /// Reads a walk written as the embedded one (`crates/reference/data/walk.json`).
    pub fn from_json(text: &str) -> Result<Self, AnatomyError> {
        file::read(text)
    }

    /// Writes the walk as [`ReferenceWalk::from_json`] reads it, with a sentence each for its description and its
    /// source.
    pub fn to_json(&self, about: &str, source: &str) -> Result<String, AnatomyError> {
        file::write(self, about, source)
    }

    /// Assembles a walk; every coordinate of the skeleton needs a series, a left one its own or that of the same
    /// coordinate on the right.
    ///
    /// The left foot has the stance of the right one half a cycle later, until [`ReferenceWalk::with_left_stance`]
    /// gives it a stance of its own.
    pub fn new(
        constants: WalkConstants,
        skeleton: Skeleton,
        motion: Vec<Series>,
        ground: GroundSeries,
    ) -> Result<Self, AnatomyError> {
        constants.check()?;
        motion.iter().try_for_each(Series::check)?;
        ground.check()?;
        let sources = motion::sources(&skeleton, &motion)?;
        Ok(ReferenceWalk { constants, skeleton, motion, ground, left: None, sources })
    }

    /// The walk with a separate stance of the left foot.
    pub fn with_left_stance(self, left: LeftStance) -> Result<Self, AnatomyError> {
        left.check(&self.constants)?;
        Ok(ReferenceWalk { left: Some(left), ..self })
    }

    /// The same walk with other series of its coordinates.
    pub fn with_motion(&self, motion: Vec<Series>) -> Result<Self, AnatomyError> {
        let walk = Self::new(self.constants, self.skeleton.clone(), motion, self.ground.clone())?;
        Ok(ReferenceWalk { left: self.left.clone(), ..walk })
    }

    /// The same series for another skeleton with the same coordinates; the walk must then be made consistent again.
    pub fn with_skeleton(&self, skeleton: Skeleton) -> Result<Self, AnatomyError> {
        let walk = Self::new(self.constants, skeleton, self.motion.clone(), self.ground.clone())?;
        Ok(ReferenceWalk { left: self.left.clone(), ..walk })
    }

    /// Names of the coordinates, in the order of [`ReferenceWalk::coordinates`].
    pub fn coordinate_names(&self) -> Vec<String> {
        self.skeleton.coordinate_names()
    }
}
