//! One cycle of walking as a formula: coordinates as Fourier series, ground forces as sine series over stance.
//!
//! The embedded walk is that of an average man (75 kg, 1.77 m, 1.4 m/s), symmetric and periodic. Its residual at the pelvis stays below
//! 0.75 % of body weight and 0.2 % of body weight times height.
//!
//! ```text
//! right stance   |=====================|              |=======
//! left stance   ====|              |=====================|
//! t/T            0                     D       ½         1        D = duty
//! ```

mod file;
mod ground;
mod inverse;
mod motion;

pub use ground::{GroundReaction, GroundSeries, StanceFoot};
pub use inverse::InverseWalk;
pub use motion::{Harmonic, Series, WalkState};

use crate::error::HumanError;
use crate::skeleton::Skeleton;

/// Numbers that hold for a whole walk.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct WalkConstants {
    /// Mass of the person [kg].
    pub mass: f64,
    /// Height of the person [m].
    pub stature: f64,
    /// Gravity [m/s²].
    pub gravity: f64,
    /// Time T from heel strike to heel strike of the same foot [s].
    pub cycle_time: f64,
    /// Mean forward speed [m/s].
    pub speed: f64,
    /// Share D of the cycle that a foot is on the floor.
    pub duty: f64,
}

impl WalkConstants {
    /// Body weight [N].
    pub fn weight(&self) -> f64 {
        self.mass * self.gravity
    }

    /// Length of two steps [m].
    pub fn stride(&self) -> f64 {
        self.speed * self.cycle_time
    }
}

/// Which foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foot {
    /// The right one, whose heel strikes at t = 0.
    Right,
    /// The left one, half a cycle later.
    Left,
}

impl Foot {
    /// Right, then left.
    pub const BOTH: [Foot; 2] = [Foot::Right, Foot::Left];

    /// The segment that takes the ground's force.
    pub fn segment(self) -> &'static str {
        match self {
            Foot::Right => "foot_r",
            Foot::Left => "foot_l",
        }
    }
}

/// A walk with the skeleton that walks it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceWalk {
    /// Mass, speed, times.
    pub constants: WalkConstants,
    /// Segments and points under the feet.
    pub skeleton: Skeleton,
    /// Series of the middle and right-side coordinates.
    pub motion: Vec<Series>,
    /// Series of the right foot's ground reaction.
    pub ground: GroundSeries,
    /// For every coordinate of the skeleton its series, and whether it is that of the other side.
    pub(crate) sources: Vec<motion::Source>,
}

impl ReferenceWalk {
    /// The walk that the program carries.
    pub fn embedded() -> Result<Self, HumanError> {
        file::read(include_str!("../../data/walk.json"))
    }

    /// Reads a walk written as the embedded one (`crates/human/data/walk.json`).
    pub fn from_json(text: &str) -> Result<Self, HumanError> {
        file::read(text)
    }

    /// Writes the walk as [`ReferenceWalk::from_json`] reads it, with a sentence each on what it is and where it comes from.
    pub fn to_json(&self, about: &str, source: &str) -> Result<String, HumanError> {
        file::write(self, about, source)
    }

    /// Puts a walk together; every coordinate of the skeleton needs a series, a left one that of its right twin.
    pub fn new(
        constants: WalkConstants,
        skeleton: Skeleton,
        motion: Vec<Series>,
        ground: GroundSeries,
    ) -> Result<Self, HumanError> {
        constants.check()?;
        motion.iter().try_for_each(Series::check)?;
        ground.check()?;
        let sources = motion::sources(&skeleton, &motion)?;
        Ok(ReferenceWalk { constants, skeleton, motion, ground, sources })
    }

    /// Names of the coordinates, in the order of [`ReferenceWalk::coordinates`].
    pub fn coordinate_names(&self) -> Vec<String> {
        self.skeleton.coordinate_names()
    }
}
