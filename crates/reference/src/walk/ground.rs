//! Ground reactions on the feet.

use super::{ReferenceWalk, WalkConstants};
use std::f64::consts::PI;
use wolff_anatomy::Side;
use wolff_anatomy::error::{AnatomyError, all_finite, require};
use wolff_anatomy::skeleton::{mirror_axis, mirror_point};
use wolff_spatial::Vec3;

/// Where a foot stands flat: the right one in the stance that begins at t = 0, a left one mirrored (see
/// [`LeftStance`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StanceFoot {
    /// Forward position of the ankle \[m\].
    pub x: f64,
    /// Sideways position of the ankle \[m\], outward for the left foot too.
    pub z: f64,
    /// Turn of the foot outward \[rad\].
    pub turn: f64,
}

/// Ground reaction of a right foot over its stance, s from 0 to 1.
///
/// ```text
/// F_a = BW sin(π s) Σ_{k≥1} a_k sin(k π s)      a = X, Y, Z
/// c   =             Σ_{k≥0} c_k cos(k π s)      in the frame of the flat foot
/// M_Y = BW sin(π s) Σ_{k≥1} t_k sin(k π s)      at the centre of pressure
/// ```
/// BW body weight \[N\]; value and slope of force and moment vanish at both ends, so there is no heel-strike transient.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundSeries {
    /// The flat foot.
    pub foot: StanceFoot,
    /// Coefficients of the force along X, Y, Z, as fractions of body weight.
    pub force: [Vec<f64>; 3],
    /// Coefficients of the centre of pressure along and across the foot \[m\].
    pub centre: [Vec<f64>; 2],
    /// Coefficients of the free moment over body weight \[m\].
    pub free_moment: Vec<f64>,
}

/// Stance of a left foot that differs from that of the right foot half a cycle before.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftStance {
    /// Fraction of the cycle at which the left heel strikes; 0.5 in a symmetric walk.
    pub strike: f64,
    /// Fraction of the cycle that the left foot is on the floor.
    pub duty: f64,
    /// Its ground reaction as that of a right foot whose stance begins at t = 0: mirrored in the median plane, Z
    /// outward and turns outward positive as on the right, and moved back by the distance that the person travels until
    /// the strike.
    pub series: GroundSeries,
}

impl LeftStance {
    /// Rejects stances in which a foot is not on the floor when the other one strikes or leaves it.
    pub(super) fn check(&self, right: &WalkConstants) -> Result<(), AnatomyError> {
        let rule =
            "must lie between 0 and the duty of the right foot, which is still on the floor when the left one strikes";
        let strikes = self.strike > 0.0 && self.strike < right.duty;
        require(strikes, "left stance", "strike (fraction of the cycle)", self.strike, rule)?;
        let rule = "must be less than 1 and reach to the next strike of the right foot, 1 - strike or more";
        let stays = self.duty < 1.0 && self.strike + self.duty > 1.0;
        require(stays, "left stance", "duty (fraction of the cycle on the floor)", self.duty, rule)?;
        self.series.check()
    }
}

/// Stance of a foot of a walk: its times and its ground reaction.
#[derive(Clone, Copy, Debug)]
pub struct FootStance<'a> {
    /// Which foot.
    pub foot: Side,
    /// Fraction of the cycle at which its heel strikes, 0 or more and less than 1.
    pub strike: f64,
    /// Fraction of the cycle that it is on the floor.
    pub duty: f64,
    /// Ground reaction as that of a right foot whose stance begins at t = 0.
    pub series: &'a GroundSeries,
}

/// Ground reaction on a foot, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundReaction {
    /// Force \[N\]; zero in swing.
    pub force: Vec3,
    /// Its point of application on the floor \[m\]; in swing the point at the end of the last stance.
    pub point: Vec3,
    /// Moment about the point of application \[N m\].
    pub moment: Vec3,
}

impl GroundSeries {
    /// Rejects numbers that are not finite.
    pub(super) fn check(&self) -> Result<(), AnatomyError> {
        let StanceFoot { x, z, turn } = self.foot;
        all_finite("ground reaction", "place or turn of the flat foot [m, rad]", &[x, z, turn])?;
        for series in self.force.iter().chain(&self.centre).chain([&self.free_moment]) {
            all_finite("ground reaction", "coefficient of a series", series)?;
        }
        Ok(())
    }

    /// Force \[N\], point \[m\] and moment \[N m\] at the fraction `s` of stance, 0 to 1, of the stance that begins at
    /// t = 0.
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

impl<'a> FootStance<'a> {
    /// The stance of a foot; a left foot without a stance of its own has that of the right foot half a cycle later.
    pub(crate) fn of(foot: Side, duty: f64, right: &'a GroundSeries, left: Option<&'a LeftStance>) -> Self {
        match (foot, left) {
            (Side::Right, _) => FootStance { foot, strike: 0.0, duty, series: right },
            (Side::Left, None) => FootStance { foot, strike: 0.5, duty, series: right },
            (Side::Left, Some(own)) => FootStance { foot, strike: own.strike, duty: own.duty, series: &own.series },
        }
    }

    /// Fraction of the cycle by which the stance is shifted, `1 - strike`; 0 for the right foot.
    pub fn ahead(&self) -> f64 {
        match self.foot {
            Side::Right => 0.0,
            Side::Left => 1.0 - self.strike,
        }
    }

    /// Ground reaction on the foot at the time `t` \[s\].
    ///
    /// The left foot's is that of a right foot that is [`FootStance::ahead`], mirrored in the median plane and moved
    /// back by the distance travelled in that time.
    pub(crate) fn reaction(&self, constants: &WalkConstants, t: f64) -> GroundReaction {
        let ahead = self.ahead() * constants.cycle_time;
        let right = self.as_right(constants, t + ahead);
        match self.foot {
            Side::Right => right,
            Side::Left => {
                let mut point = mirror_point(&right.point);
                point.x -= constants.speed * ahead;
                GroundReaction { force: mirror_point(&right.force), point, moment: mirror_axis(&right.moment) }
            }
        }
    }

    fn as_right(&self, constants: &WalkConstants, t: f64) -> GroundReaction {
        let cycles = t / constants.cycle_time;
        let (n, phase) = (cycles.floor(), cycles - cycles.floor());
        let s = phase / self.duty;
        let mut reaction = self.series.at(s.min(1.0), constants.weight());
        reaction.point.x += n * constants.stride();
        if s >= 1.0 {
            reaction.force = Vec3::zeros();
            reaction.moment = Vec3::zeros();
        }
        reaction
    }
}

impl ReferenceWalk {
    /// The stance of a foot.
    pub fn stance(&self, foot: Side) -> FootStance<'_> {
        FootStance::of(foot, self.constants.duty, &self.ground, self.left.as_ref())
    }

    /// Ground reaction on a foot at the time `t` \[s\].
    pub fn ground(&self, t: f64, foot: Side) -> GroundReaction {
        self.stance(foot).reaction(&self.constants, t)
    }
}
