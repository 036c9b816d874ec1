//! Sine series of the ground force from recorded stances.

use super::contacts::{MeasuredForce, Stance};
use super::gait::{Gait, flat_of};
use super::retarget::Retargeted;
use super::series::least_squares;
use crate::error::MovementError;
use crate::model::stance::LEAST_PRESSURE_WEIGHT_BW;
use crate::reference::walk::{GroundSeries, StanceFoot};
use std::f64::consts::PI;
use wolff_anatomy::Side;
use wolff_anatomy::skeleton::{mirror_axis, mirror_point};
use wolff_spatial::{Pose, Vec3};

/// Plausible range of the centre of pressure on the sole, along and across from the ankle \[m\]. Plates report values
/// outside it where the force is small.
const SOLE: [[f64; 2]; 2] = [[-0.06, 0.21], [-0.04, 0.04]];

/// A stance of either foot, converted to a stance of the right foot that begins at the start of a cycle.
struct RightStance {
    foot: StanceFoot,
    /// Fraction of stance, and the measured force there.
    samples: Vec<(f64, MeasuredForce)>,
}

impl RightStance {
    /// Mean force over body weight.
    fn mean_force(&self, weight: f64) -> Vec3 {
        self.samples.iter().map(|(_, m)| m.force).sum::<Vec3>() / (weight * self.samples.len().max(1) as f64)
    }
}

/// Input for the conversion of recorded stances to series.
pub(super) struct StanceFit<'a> {
    /// A walk whose series define the number of coefficients.
    pub like: &'a GroundSeries,
    pub motion: &'a Retargeted,
    /// Poses of the right and the left foot over time.
    pub feet: &'a [Vec<Pose>; 2],
    pub gait: &'a Gait,
    /// Body weight \[N\].
    pub weight: f64,
}

impl StanceFit<'_> {
    /// One series for both feet, from every complete stance whose motion is known.
    ///
    /// The first vertical and forward coefficients are those of steady walking: body weight, and zero on average.
    pub fn both_feet(&self, stances: &[Stance]) -> Result<GroundSeries, MovementError> {
        let all: Vec<RightStance> = stances.iter().filter_map(|s| self.as_right(s)).collect();
        self.series(&all, [Some(0.0), Some(1.0 / self.gait.duty), None])
    }

    /// A series for each foot; that of the left foot is mirrored to a right foot.
    ///
    /// Steady walking: on average over a cycle the feet together carry body weight and no horizontal force,
    ///
    /// ```text
    /// ½ Σ D a_1 = 1 (Y), 0 (X, Z)
    /// ```
    /// D duty, a_1 first coefficient, whose mean over the stance is one half. The measured coefficients are corrected
    /// to satisfy this, equally on both sides.
    pub fn each_foot(&self, stances: &[Stance]) -> Result<[GroundSeries; 2], MovementError> {
        let of = |foot: Side| stances.iter().filter(|s| s.foot == foot).filter_map(|s| self.as_right(s)).collect();
        let feet: [Vec<RightStance>; 2] = [of(Side::Right), of(Side::Left)];
        let [right, left] = feet
            .each_ref()
            .map(|all| 2.0 * all.iter().map(|s| s.mean_force(self.weight)).sum::<Vec3>() / all.len().max(1) as f64);
        let [dr, dl] = self.gait.duties;
        let forward = (dr * right.x + dl * left.x) / (dr + dl);
        let vertical = 2.0 / (dr * right.y + dl * left.y);
        // outward has the opposite sign on the left
        let outward = 0.5 * (dr * right.z + dl * left.z);
        let first = |a: Vec3, duty: f64| [Some(a.x - forward), Some(a.y * vertical), Some(outward / duty)];
        Ok([self.series(&feet[0], first(right, dr))?, self.series(&feet[1], first(left, dl))?])
    }

    /// Series of stances, the first coefficients of the forces along X, Y, Z prescribed or free.
    fn series(&self, all: &[RightStance], first: [Option<f64>; 3]) -> Result<GroundSeries, MovementError> {
        if all.is_empty() {
            let reason = "no stance was recorded from heel strike to toe off while the motion was recorded";
            return Err(MovementError::rule("ground forces", reason));
        }
        let (like, weight) = (self.like, self.weight);
        let n = all.len() as f64;
        let mean = |value: &dyn Fn(&StanceFoot) -> f64| all.iter().map(|s| value(&s.foot)).sum::<f64>() / n;
        let foot = StanceFoot { x: mean(&|f| f.x), z: mean(&|f| f.z), turn: mean(&|f| f.turn) };
        let samples: Vec<(f64, &MeasuredForce, &StanceFoot)> =
            all.iter().flat_map(|s| s.samples.iter().map(move |(share, m)| (*share, m, &s.foot))).collect();
        let rising = |count: usize, first: Option<f64>, value: &dyn Fn(&MeasuredForce) -> f64| {
            let shape = |s: f64, k: usize| (PI * s).sin() * ((k + 1) as f64 * PI * s).sin();
            let skip = usize::from(first.is_some());
            let row = |s: f64| (skip..count).map(|k| shape(s, k)).collect::<Vec<f64>>();
            let rows: Vec<Vec<f64>> = samples.iter().map(|(s, ..)| row(*s)).collect();
            let known = |s: f64| first.map_or(0.0, |a| a * shape(s, 0));
            let right: Vec<f64> = samples.iter().map(|(s, m, _)| value(m) / weight - known(*s)).collect();
            let rest = least_squares(&rows, &right)?;
            Ok::<_, MovementError>(first.into_iter().chain(rest).collect::<Vec<f64>>())
        };
        let centre = |count: usize, axis: usize| {
            let load = |m: &MeasuredForce| (m.force.y / weight).clamp(LEAST_PRESSURE_WEIGHT_BW, 1.0);
            let row = |(s, m, _): &(f64, &MeasuredForce, &StanceFoot)| {
                (0..count).map(|k| load(m) * (k as f64 * PI * s).cos()).collect::<Vec<f64>>()
            };
            let rows: Vec<Vec<f64>> = samples.iter().map(row).collect();
            let place = |(_, m, f): &(f64, &MeasuredForce, &StanceFoot)| {
                load(m) * on_sole(f, &m.point)[axis].clamp(SOLE[axis][0], SOLE[axis][1])
            };
            least_squares(&rows, &samples.iter().map(place).collect::<Vec<f64>>())
        };
        let [x, y, z] = &like.force;
        Ok(GroundSeries {
            foot,
            force: [
                rising(x.len(), first[0], &|m| m.force.x)?,
                rising(y.len(), first[1], &|m| m.force.y)?,
                rising(z.len(), first[2], &|m| m.force.z)?,
            ],
            centre: [centre(like.centre[0].len(), 0)?, centre(like.centre[1].len(), 1)?],
            free_moment: rising(like.free_moment.len(), None, &|m| m.moment.y)?,
        })
    }

    /// A complete stance, converted to a stance of the right foot that begins at t = 0; `None` where the motion of its
    /// flat foot is not known.
    fn as_right(&self, stance: &Stance) -> Option<RightStance> {
        let (motion, gait) = (self.motion, self.gait);
        let [on, off] = stance.whole()?;
        let flat = flat_of(on, off);
        let within = |t: f64| t >= flat[0] && t <= flat[1];
        let left = stance.foot == Side::Left;
        let mirror = |p: &Vec3| if left { mirror_point(p) } else { *p };
        let poses: Vec<&Pose> = motion
            .times
            .iter()
            .zip(&self.feet[stance.foot.index()])
            .filter(|(t, _)| within(**t))
            .map(|(_, pose)| pose)
            .collect();
        let n = poses.len() as f64;
        if poses.is_empty() || motion.times.last().is_none_or(|t| *t < flat[1]) {
            return None;
        }
        let place = mirror(&(poses.iter().map(|X| X.p).sum::<Vec3>() / n));
        let forward = mirror(&(poses.iter().map(|X| X.R * Vec3::x()).sum::<Vec3>() / n));
        // shifted to begin at zero: back by whole strides, and by the distance travelled until this foot strikes
        let strike = gait.strikes[stance.foot.index()];
        let back = -gait.speed * ((on / gait.cycle_time - strike).round() + strike) * gait.cycle_time;
        let foot = StanceFoot { x: place.x + back, z: place.z, turn: forward.z.atan2(forward.x) };
        let sample = |m: &MeasuredForce| {
            let point = mirror(&m.point) + Vec3::x() * back;
            let moment = if left { mirror_axis(&m.moment) } else { m.moment };
            ((m.time - on) / (off - on), MeasuredForce { force: mirror(&m.force), point, moment, ..*m })
        };
        Some(RightStance { foot, samples: stance.samples.iter().map(sample).collect() })
    }
}

/// Position along and across the flat foot \[m\].
fn on_sole(foot: &StanceFoot, point: &Vec3) -> [f64; 2] {
    let (dx, dz) = (point.x - foot.x, point.z - foot.z);
    let (sin, cos) = foot.turn.sin_cos();
    [cos * dx + sin * dz, -sin * dx + cos * dz]
}
