//! Points under the feet of a measured walk, placed by the measured centre of pressure, and their times of contact.

use super::feet::Feet;
use super::gait::Gait;
use super::retarget::Retargeted;
use crate::model::stance::TRUSTED_PRESSURE_BW;
use crate::reference::walk::GroundSeries;
use wolff_anatomy::Side;
use wolff_anatomy::skeleton::{FootPoint, SolePart};

/// Duty factor for which the contact windows of a skeleton are given.
const USUAL_DUTY: f64 = 0.63;
/// Distance by which the sole extends beyond the foremost centre of pressure \[m\].
const MARGIN: f64 = 0.005;
/// Number of instants of a stance at which the pressure is evaluated.
const INSTANTS: u32 = 200;

/// Data of the feet: their motion and the ground forces.
pub(crate) struct Sole<'a> {
    /// Motion of the feet.
    pub feet: &'a Feet,
    /// Coordinates over time.
    pub motion: &'a Retargeted,
    /// Times of heel strike and toe off.
    pub gait: &'a Gait,
    /// Ground force of the right and of the left foot, both expressed as for a right foot.
    pub grounds: [&'a GroundSeries; 2],
}

impl Sole<'_> {
    /// Places the points of both feet; `toe_joint` \[m\] is where toes begin in front of the ankle.
    ///
    /// The heel point is placed at the mean centre of pressure while the heel alone carries load: a point at the back
    /// end of the shoe would turn the foot down immediately. The toe point is placed in front of every centre of
    /// pressure, because shoes are longer than feet. All points lie on the floor while the feet are flat.
    pub fn place(&self, points: &mut [FootPoint], toe_joint: f64) {
        for (foot, ground) in Side::BOTH.into_iter().zip(self.grounds) {
            let pressure = pressure(ground);
            let front = pressure.iter().map(|p| p.along).fold(f64::NEG_INFINITY, f64::max);
            let alone = self.ball_comes_down(points, foot);
            let heel: Vec<&Pressure> = pressure.iter().filter(|p| p.share < alone).collect();
            let carried: f64 = heel.iter().map(|p| p.force).sum();
            for point in points.iter_mut().filter(|p| p.side() == foot) {
                let part = point.part();
                let x = &mut point.point.x;
                if part == Some(SolePart::Heel) && carried > 0.0 {
                    *x = heel.iter().map(|p| p.force * p.along).sum::<f64>() / carried;
                } else if part == Some(SolePart::Toe) {
                    *x = x.max(front - toe_joint + MARGIN);
                }
            }
        }
        self.feet.lay_down(points, self.motion, self.gait);
        points.iter_mut().for_each(|point| point.window = self.window(point));
    }

    /// Contact window of a point, as fractions of the cycle after the heel strike of its foot.
    fn window(&self, point: &FootPoint) -> [f64; 2] {
        let usual = point.window.map(|share| share * self.gait.duties[point.side().index()] / USUAL_DUTY);
        self.feet.window(point, self.motion, self.gait).unwrap_or(usual)
    }

    /// Fraction of the stance after which the ball of the foot carries load too.
    fn ball_comes_down(&self, points: &[FootPoint], foot: Side) -> f64 {
        let ball = points.iter().filter(|p| p.side() == foot && p.part() == Some(SolePart::Ball));
        ball.map(|p| self.window(p)[0] / self.gait.duties[foot.index()]).fold(1.0, f64::min)
    }
}

/// The vertical force at an instant of a stance.
struct Pressure {
    /// Fraction of the stance.
    share: f64,
    /// Over body weight.
    force: f64,
    /// Where it acts along the flat foot from the ankle \[m\].
    along: f64,
}

/// All instants of a stance whose centre of pressure is reliable.
fn pressure(ground: &GroundSeries) -> Vec<Pressure> {
    let at = |i: u32| {
        let share = f64::from(i) / f64::from(INSTANTS);
        let (reaction, foot) = (ground.at(share, 1.0), &ground.foot);
        let (x, z) = (reaction.point.x - foot.x, reaction.point.z - foot.z);
        Pressure { share, force: reaction.force.y, along: x * foot.turn.cos() + z * foot.turn.sin() }
    };
    (0..=INSTANTS).map(at).filter(|p| p.force > TRUSTED_PRESSURE_BW).collect()
}
