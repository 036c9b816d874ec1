//! The frame in which a recorded person walks: forward is X, the walk is straight, the floor stands still.

use super::contacts::{MeasuredForce, Stance};
use crate::error::MovementError;
use crate::imported::bodies::{Bodies, Snapshot};
use crate::model::stance::FLAT_FOOT;
use wolff_anatomy::Side;
use wolff_spatial::{Mat3, Pose, Vec3};

/// A person whose hips move slower than this is assumed to walk on a treadmill \[m/s\]; chosen here.
const BELT_SPEED: f64 = 0.3;
/// Fraction of a cycle that must have been recorded to evaluate both sides separately: one or two frames may be
/// missing.
const WHOLE: f64 = 0.97;
/// Range of stride times that is accepted as walking \[s\].
const STRIDE_TIME: [f64; 2] = [0.7, 2.0];

/// Range of the duty factor (fraction of the cycle that a foot is on the ground) that is accepted as walking; below 0.5
/// both feet leave the ground, as in running.
const WALKING_DUTY: [f64; 2] = [0.5, 0.85];
/// Minimum speed over ground or belt that is accepted as walking \[m/s\]; chosen here.
const LEAST_SPEED: f64 = 0.3;

/// Range of the fraction of a stride between the strikes of the right and the left foot that is accepted as walking;
/// far wider than in persons with a limp.
const ALTERNATING: [f64; 2] = [0.25, 0.75];

/// Times, direction and frame of a recorded walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// A heel strike of the right foot \[s\], where the cycle begins.
    pub start: f64,
    /// Time of a stride \[s\].
    pub cycle_time: f64,
    /// Duty factor: fraction of the stride that a foot is on the ground, mean of all complete stances.
    pub duty: f64,
    /// Whether the sides are assumed to be mirror images half a cycle apart.
    pub symmetric: bool,
    /// Fractions of the cycle at which the right and the left heel strike: 0, and ½ if symmetric.
    pub strikes: [f64; 2],
    /// Duty factors of the right and the left foot; equal if symmetric.
    pub duties: [f64; 2],
    /// Speed over the ground or the belt \[m/s\].
    pub speed: f64,
    /// Speed of the belt \[m/s\]; zero on firm ground.
    pub belt: f64,
    /// Angle about the vertical from the recording's X to the direction of walking \[rad\].
    pub heading: f64,
    /// Whether the time of a stride is that between two strikes of one foot.
    timed_by_one_foot: bool,
    /// Origin of the frame in the recording \[m\].
    origin: Vec3,
}

impl Gait {
    /// Evaluates a motion and its stances, assuming a symmetric walk.
    pub(super) fn find(bodies: &Bodies, snapshots: &[Snapshot], stances: &[Stance]) -> Result<Self, MovementError> {
        let Stride { start, time: cycle_time, timed_by_one_foot } = stride(stances)?;
        alternating(stances, cycle_time)?;
        let whole = stances.iter().filter_map(Stance::whole);
        let lasting: Vec<f64> = whole.map(|[on, off]| off - on).collect();
        if lasting.is_empty() {
            let reason = "no foot was recorded from heel strike to toe off; record one complete stance on a plate";
            return Err(MovementError::rule("ground forces", reason));
        }
        let duty = lasting.iter().sum::<f64>() / lasting.len() as f64 / cycle_time;
        let velocity = slope(snapshots.iter().map(|s| (s.time, s.mid_hips(bodies))));
        let foot = stance_velocity(bodies, snapshots, stances);
        let on_belt = velocity.x.hypot(velocity.z) < BELT_SPEED;
        let travel = if on_belt { -foot } else { velocity };
        let heading = (-travel.z).atan2(travel.x);
        let mut gait = Gait {
            start,
            cycle_time,
            duty,
            symmetric: true,
            strikes: [0.0, 0.5],
            duties: [duty; 2],
            speed: 0.0,
            belt: 0.0,
            heading,
            timed_by_one_foot,
            origin: Vec3::zeros(),
        };
        let turn = gait.turn();
        gait.belt = if on_belt { -(turn * foot).x } else { 0.0 };
        gait.speed = (turn * velocity).x + gait.belt;
        gait.origin = gait.middle_line(bodies, snapshots);
        if !(WALKING_DUTY[0]..=WALKING_DUTY[1]).contains(&duty) || gait.speed < LEAST_SPEED {
            return Err(MovementError::rule("measured gait", not_walking(duty, gait.speed)));
        }
        Ok(gait)
    }

    /// A steady, symmetric walk along X from the origin.
    pub(crate) fn steady(cycle_time: f64, speed: f64, duty: f64) -> Self {
        Gait {
            start: 0.0,
            cycle_time,
            duty,
            symmetric: true,
            strikes: [0.0, 0.5],
            duties: [duty; 2],
            speed,
            belt: 0.0,
            heading: 0.0,
            timed_by_one_foot: true,
            origin: Vec3::zeros(),
        }
    }

    /// The gait with separate times of each side, from motion and stances in the frame; the error says what the record
    /// lacks.
    pub(super) fn with_sides_apart(self, shots: &[Snapshot], stances: &[Stance]) -> Result<Self, String> {
        let [from, to] = [shots.first(), shots.last()].map(|s| s.map_or(0.0, |s| s.time));
        let (mut strikes, mut duties) = (self.strikes, self.duties);
        for (foot, name) in [(Side::Right, "right"), (Side::Left, "left")] {
            let known = |[on, off]: &[f64; 2]| flat_of(*on, *off).iter().all(|t| (from..=to).contains(t));
            let whole: Vec<[f64; 2]> =
                stances.iter().filter(|s| s.foot == foot).filter_map(Stance::whole).filter(known).collect();
            let Some([first, _]) = whole.first() else {
                return Err(format!("no complete stance of the {name} foot on a plate while the motion was recorded"));
            };
            let mean = |of: &dyn Fn(&[f64; 2]) -> f64| whole.iter().map(of).sum::<f64>() / whole.len() as f64;
            duties[foot.index()] = mean(&|[on, off]| off - on) / self.cycle_time;
            if foot == Side::Left {
                let later = mean(&|[on, _]| (on - first) / self.cycle_time - ((on - first) / self.cycle_time).round());
                strikes[1] = (first / self.cycle_time + later).rem_euclid(1.0);
            }
        }
        if !self.timed_by_one_foot {
            return Err("no foot strikes a plate twice, so a step cannot be distinguished from half a stride".into());
        }
        if to - from < WHOLE * self.cycle_time {
            return Err(format!("the motion lasts {:.2} s of a stride of {:.2} s", to - from, self.cycle_time));
        }
        Ok(Gait { symmetric: false, strikes, duties, ..self })
    }

    /// Rotation from the recording's axes to the frame's.
    fn turn(&self) -> Mat3 {
        let (s, c) = self.heading.sin_cos();
        Mat3::new(c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c)
    }

    /// Position of the person on the floor at the start: the mean over the record, moved back by the distance
    /// travelled.
    fn middle_line(&self, bodies: &Bodies, snapshots: &[Snapshot]) -> Vec3 {
        let turn = self.turn();
        let within = |s: &&Snapshot| s.time >= self.start && s.time <= self.start + self.cycle_time;
        let back = |s: &Snapshot| {
            let p = turn * s.mid_hips(bodies);
            Vec3::new(p.x - (self.speed - self.belt) * (s.time - self.start), 0.0, p.z)
        };
        let all: Vec<Vec3> = snapshots.iter().filter(within).map(back).collect();
        turn.transpose() * (all.iter().sum::<Vec3>() / all.len().max(1) as f64)
    }

    /// Time of the frame \[s\]: zero at the start.
    pub fn time(&self, recorded: f64) -> f64 {
        recorded - self.start
    }

    /// Fraction of the cycle that has passed at a time of the frame since the heel strike of a foot.
    pub(crate) fn phase(&self, time: f64, foot: Side) -> f64 {
        (time / self.cycle_time - self.strikes[foot.index()]).rem_euclid(1.0)
    }

    /// A point of the recording in the frame \[m\].
    pub(super) fn point(&self, recorded: f64, p: &Vec3) -> Vec3 {
        self.turn() * (p - self.origin) + Vec3::x() * (self.belt * self.time(recorded))
    }

    /// A snapshot in the frame.
    pub(super) fn snapshot(&self, shot: &Snapshot) -> Snapshot {
        let turn = self.turn();
        let pose = |X: &Pose| Pose::new(turn * X.R, self.point(shot.time, &X.p));
        Snapshot { time: self.time(shot.time), poses: shot.poses.iter().map(pose).collect() }
    }

    /// A stance in the frame.
    pub(super) fn stance(&self, stance: &Stance) -> Stance {
        let turn = self.turn();
        let sample = |s: &MeasuredForce| MeasuredForce {
            time: self.time(s.time),
            force: turn * s.force,
            point: self.point(s.time, &s.point),
            moment: turn * s.moment,
        };
        Stance {
            foot: stance.foot,
            strike: stance.strike.map(|t| self.time(t)),
            leave: stance.leave.map(|t| self.time(t)),
            samples: stance.samples.iter().map(sample).collect(),
        }
    }
}

/// Why a gait is not accepted as walking.
fn not_walking(duty: f64, speed: f64) -> String {
    let [low, high] = WALKING_DUTY;
    let percent = |x: f64| format!("{:.0} %", 100.0 * x);
    let remedy = if duty < low {
        "both feet leave the ground, as in running and jumping, which this study cannot simulate; if it is walking, \
         check axes and threshold of the forces"
    } else {
        "if it is walking, check that forces and motion are of the same trial, with Y up"
    };
    format!(
        "each foot is on the ground for {} of the stride at {speed:.2} m/s; walking is {} to {} and at least \
         {LEAST_SPEED} m/s: {remedy}",
        percent(duty),
        percent(low),
        percent(high)
    )
}

/// Time interval of a stance in which the foot is flat \[s\].
pub(super) fn flat_of(on: f64, off: f64) -> [f64; 2] {
    FLAT_FOOT.map(|share| on + share * (off - on))
}

/// Heel strike of the right foot at which the cycle begins, and the time of a stride \[s\].
struct Stride {
    start: f64,
    time: f64,
    timed_by_one_foot: bool,
}

/// Stride time: between two heel strikes of the same foot where both were recorded, else twice the time from one foot
/// to the other.
fn stride(stances: &[Stance]) -> Result<Stride, MovementError> {
    let strikes =
        |foot: Side| -> Vec<f64> { stances.iter().filter(|s| s.foot == foot).filter_map(|s| s.strike).collect() };
    let is_stride = |t: &f64| *t > STRIDE_TIME[0] && *t < STRIDE_TIME[1];
    let (right, left) = (strikes(Side::Right), strikes(Side::Left));
    let same = [&right, &left].into_iter().flat_map(|list| list.windows(2).map(|w| w[1] - w[0])).find(&is_stride);
    let steps = right.iter().flat_map(|r| left.iter().map(move |l| 2.0 * (l - r).abs()));
    let cycle = same
        .or_else(|| steps.min_by(f64::total_cmp))
        .filter(&is_stride)
        .ok_or_else(|| MovementError::rule("ground forces", no_stride(&right, &left)))?;
    let whole = |foot: Side| stances.iter().filter(move |s| s.foot == foot).find_map(Stance::whole);
    let start = whole(Side::Right).map(|[on, _]| on).or_else(|| right.first().copied());
    // the other foot is half a stride off
    let start = start.or_else(|| left.first().map(|l| l - 0.5 * cycle));
    let stride = |start| Stride { start, time: cycle, timed_by_one_foot: same.is_some() };
    start.map(stride).ok_or_else(|| MovementError::rule("ground forces", "no heel strike was recorded on a plate"))
}

/// Why no stride was found among the strikes of both feet \[s\].
fn no_stride(right: &[f64], left: &[f64]) -> String {
    let intervals = || [right, left].into_iter().flat_map(|list| list.windows(2).map(|w| w[1] - w[0]));
    let [low, high] = STRIDE_TIME;
    match intervals().min_by(f64::total_cmp) {
        Some(time) => format!(
            "a foot strikes a plate again after {time:.2} s; strides of walking last {low} to {high} s: this is no \
             walking, such as running, or a plate is touched by both feet"
        ),
        None => format!(
            "the stride time cannot be determined from {} heel strikes of the right and {} of the left foot: record \
             two heel strikes on plates, of one foot or of both",
            right.len(),
            left.len()
        ),
    }
}

/// The feet must strike in turn: where both were recorded, the left one about half a stride after the right one.
fn alternating(stances: &[Stance], cycle_time: f64) -> Result<(), MovementError> {
    let strikes = |foot: Side| stances.iter().filter(move |s| s.foot == foot).filter_map(|s| s.strike);
    let shares: Vec<f64> = strikes(Side::Right)
        .flat_map(|right| strikes(Side::Left).map(move |left| ((left - right) / cycle_time).rem_euclid(1.0)))
        .collect();
    let [low, high] = ALTERNATING;
    match shares.first() {
        Some(share) if !shares.iter().any(|share| (low..=high).contains(share)) => {
            let reason = format!(
                "the left foot strikes {share:.2} of a stride after the right one; in walking it is {low} to {high}: \
                 this is no walking, such as a jump or a squat, or left and right of the markers are exchanged"
            );
            Err(MovementError::rule("measured gait", reason))
        }
        _ => Ok(()),
    }
}

/// Mean velocity of the feet while they are flat on the ground \[m/s\].
fn stance_velocity(bodies: &Bodies, snapshots: &[Snapshot], stances: &[Stance]) -> Vec3 {
    let mut all = Vec::new();
    for stance in stances {
        let Some([on, off]) = stance.whole() else { continue };
        let flat = flat_of(on, off);
        let ankle = |s: &Snapshot| (s.time, s.poses[bodies.legs[stance.foot.index()].talus].p);
        let points: Vec<_> = snapshots.iter().filter(|s| s.time >= flat[0] && s.time <= flat[1]).map(ankle).collect();
        if points.len() > 3 {
            all.push(slope(points.into_iter()));
        }
    }
    all.iter().sum::<Vec3>() / all.len().max(1) as f64
}

/// Slope of points over time by least squares.
fn slope(points: impl Iterator<Item = (f64, Vec3)> + Clone) -> Vec3 {
    let n = points.clone().count().max(1) as f64;
    let mean_t = points.clone().map(|(t, _)| t).sum::<f64>() / n;
    let spread: f64 = points.clone().map(|(t, _)| (t - mean_t).powi(2)).sum();
    let along = points.map(|(t, p)| p * (t - mean_t)).sum::<Vec3>();
    if spread > 0.0 { along / spread } else { Vec3::zeros() }
}
