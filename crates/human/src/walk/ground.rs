//! The ground's force on the feet.

use super::{Foot, ReferenceWalk};
use crate::error::{HumanError, all_finite};
use crate::skeleton::{mirror_axis, mirror_point};
use std::f64::consts::PI;
use wolff_spatial::Vec3;

/// Where the right foot stands flat in the stance that begins at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StanceFoot {
    /// Forward position of the ankle [m].
    pub x: f64,
    /// Sideways position of the ankle [m].
    pub z: f64,
    /// Turn of the foot outward [rad].
    pub turn: f64,
}

/// Ground reaction of the right foot over its stance, s from 0 to 1.
///
/// ```text
/// F_a = BW sin(π s) Σ_{k≥1} a_k sin(k π s)      a = X, Y, Z
/// c   =             Σ_{k≥0} c_k cos(k π s)      in the frame of the flat foot
/// M_Y = BW sin(π s) Σ_{k≥1} t_k sin(k π s)      at the centre of pressure
/// ```
/// BW body weight [N]; value and slope of force and moment vanish at both ends, so there is no heel-strike transient.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundSeries {
    /// The flat foot.
    pub foot: StanceFoot,
    /// Coefficients of the force along X, Y, Z, as shares of body weight.
    pub force: [Vec<f64>; 3],
    /// Coefficients of the centre of pressure along and across the foot [m].
    pub centre: [Vec<f64>; 2],
    /// Coefficients of the free moment over body weight [m].
    pub free_moment: Vec<f64>,
}

/// What the ground does to a foot, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundReaction {
    /// Force [N]; zero in swing.
    pub force: Vec3,
    /// Its point of application on the floor [m]; in swing where the last stance ended.
    pub point: Vec3,
    /// Moment about the point of application [N m].
    pub moment: Vec3,
}

impl GroundSeries {
    /// Refuses numbers that are not finite.
    pub(super) fn check(&self) -> Result<(), HumanError> {
        let StanceFoot { x, z, turn } = self.foot;
        all_finite("ground reaction", "place or turn of the flat foot [m, rad]", &[x, z, turn])?;
        for series in self.force.iter().chain(&self.centre).chain([&self.free_moment]) {
            all_finite("ground reaction", "coefficient of a series", series)?;
        }
        Ok(())
    }

    /// Force [N], point [m] and moment [N m] at the share `s` of stance, 0 to 1, of the stance that begins at t = 0.
    pub fn at(&self, s: f64, weight: f64) -> GroundReaction {
        let [x, y, z] = &self.force;
        let longest = self.force.iter().chain([&self.free_moment]).map(Vec::len).max().unwrap_or(0);
        let sines: Vec<f64> = (0..longest).map(|k| (((k + 1) as f64) * PI * s).sin()).collect();
        let rising = |a: &[f64]| -> f64 { weight * (PI * s).sin() * sum(a, |k| sines[k]) };
        let [along, across] = self.centre.each_ref().map(|c| sum(c, |k| ((k as f64) * PI * s).cos()));
        let (sin, cos) = self.foot.turn.sin_cos();
        GroundReaction {
            force: Vec3::new(rising(x), rising(y), rising(z)),
            point: Vec3::new(self.foot.x + cos * along - sin * across, 0.0, self.foot.z + sin * along + cos * across),
            moment: Vec3::new(0.0, rising(&self.free_moment), 0.0),
        }
    }
}

/// `Σ a_k shape(k)`.
fn sum(coefficients: &[f64], shape: impl Fn(usize) -> f64) -> f64 {
    coefficients.iter().enumerate().map(|(k, a)| a * shape(k)).sum()
}

impl ReferenceWalk {
    /// What the ground does to a foot at the time `t` [s].
    ///
    /// The left foot does what the right one did half a cycle before, mirrored in the median plane and half a stride on.
    pub fn ground(&self, t: f64, foot: Foot) -> GroundReaction {
        self.reaction(&self.ground, t, foot)
    }

    /// The same with another series in place of the walk's.
    pub(crate) fn reaction(&self, series: &GroundSeries, t: f64, foot: Foot) -> GroundReaction {
        let half = 0.5 * self.constants.cycle_time;
        match foot {
            Foot::Right => self.right_reaction(series, t),
            Foot::Left => {
                let right = self.right_reaction(series, t + half);
                let mut point = mirror_point(&right.point);
                point.x -= self.constants.speed * half;
                GroundReaction { force: mirror_point(&right.force), point, moment: mirror_axis(&right.moment) }
            }
        }
    }

    fn right_reaction(&self, series: &GroundSeries, t: f64) -> GroundReaction {
        let cycles = t / self.constants.cycle_time;
        let (n, phase) = (cycles.floor(), cycles - cycles.floor());
        let s = phase / self.constants.duty;
        let mut reaction = series.at(s.min(1.0), self.constants.weight());
        reaction.point.x += n * self.constants.stride();
        if s >= 1.0 {
            reaction.force = Vec3::zeros();
            reaction.moment = Vec3::zeros();
        }
        reaction
    }
}
