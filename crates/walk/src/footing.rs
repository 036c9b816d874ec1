//! Footing: a walk on rigid ground carried over to a floor that gives way.
//!
//! A foot of the wanted motion must stand as deep in the floor as the wanted force needs; else the floor answers with another force,
//! and the person has to be held. At every instant of stance the foot is moved up or down and tilted by the little that makes the
//! pads press with the wanted vertical force at the wanted centre of pressure, and the leg follows. A foot tilted about its ankle would
//! slide and turn on the floor by some millimetres, as measured ones seem to, while friction holds it: that slip is taken out, its mean over the
//! stance kept. In a symmetric walk the right foot tells what both do.

use crate::error::WalkError;
use crate::ground::Floor;
use crate::leg::{LEVER, Leg};
use crate::stage::{StageSettings, floor_of};
use nalgebra::{Matrix3, Vector3, Vector6};
use std::f64::consts::TAU;
use wolff_human::ReferenceWalk;
use wolff_human::walk::{Foot, Harmonic, InverseWalk};
use wolff_multibody::{Instant, Model};
use wolff_spatial::Vec3;

/// Prices of a displacement, as shares of body weight: of a metre up or down, of a radian about the foot's long axis and about the lateral one. They
/// keep a foot that cannot do better where it is; the pitch of a foot is better known than where in a shoe the pressure is (own trials).
const SINKING: f64 = 20.0;
const ROLLING: f64 = 2.0;
const PITCHING: f64 = 8.0;

/// Depth of a first guess [m].
const TOUCH: f64 = 1e-4;

/// How a walk was changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Footing {
    /// The walk with feet in the floor.
    pub walk: ReferenceWalk,
    /// Greatest change of an angle [rad].
    pub greatest_change: f64,
    /// Rms error of the pads' vertical force against the wanted one over the stance, over body weight, before and after.
    pub force_error: [f64; 2],
}

/// Lets the feet of a walk sink into the floor of `settings`, keeping harmonics up to `harmonics` of the change.
pub fn settle_feet(walk: &ReferenceWalk, settings: &StageSettings, harmonics: u32) -> Result<Footing, WalkError> {
    let model = Model::build(&walk.skeleton.spec()?)?;
    let symmetric = walk.is_symmetric();
    let mut settled = if symmetric { walk.clone() } else { walk.unfolded() };
    // what the right leg does the left one does half a cycle later
    let feet = if symmetric { &Foot::BOTH[..1] } else { &Foot::BOTH };
    let legs = feet.iter().map(|foot| Ok((*foot, Leg::new(&model, *foot)?))).collect::<Result<Vec<_>, WalkError>>()?;
    let all = |walk: &ReferenceWalk| -> Result<Vec<Changes>, WalkError> {
        legs.iter().map(|(foot, leg)| changes(walk, &model, *foot, leg, settings)).collect()
    };
    let mut found = all(&settled)?;
    let before = force_error(&found);
    for _ in 0..PASSES {
        let angles: Vec<(&Leg, Vec<Vec<f64>>)> =
            legs.iter().zip(found).map(|((_, leg), changes)| (leg, changes.angles)).collect();
        settled = with_changes(&settled, &angles, harmonics)?;
        found = all(&settled)?;
    }
    let greatest_change = greatest_change(walk, &settled, &legs, settings.samples);
    Ok(Footing { walk: settled, greatest_change, force_error: [before, force_error(&found)] })
}

/// Greatest difference of an angle of the legs between two walks [rad].
fn greatest_change(before: &ReferenceWalk, after: &ReferenceWalk, legs: &[(Foot, Leg)], samples: usize) -> f64 {
    let is_of_leg: Vec<bool> =
        before.coordinate_names().iter().map(|name| legs.iter().any(|(_, leg)| leg.names.contains(name))).collect();
    let mut greatest = 0.0_f64;
    for i in 0..samples {
        let t = before.constants.cycle_time * i as f64 / samples as f64;
        let (was, is) = (before.coordinates(t).q, after.coordinates(t).q);
        let angles = was.iter().zip(&is).zip(&is_of_leg).filter(|(_, of_leg)| **of_leg);
        greatest = angles.fold(greatest, |most, ((was, is), _)| most.max((is - was).abs()));
    }
    greatest
}

/// Times that the change is found and smoothed.
const PASSES: usize = 3;

/// What a leg should do otherwise.
struct Changes {
    /// Of each angle of the leg over the cycle [rad].
    angles: Vec<Vec<f64>>,
    /// Mean square error of the force as it is, over body weight.
    error: f64,
}

/// Rms error over the stances of several legs.
fn force_error(legs: &[Changes]) -> f64 {
    (legs.iter().map(|leg| leg.error).sum::<f64>() / legs.len() as f64).sqrt()
}

/// Changes of a leg's angles over the cycle, and the error of the force as it is.
fn changes(
    walk: &ReferenceWalk,
    model: &Model,
    foot: Foot,
    leg: &Leg,
    settings: &StageSettings,
) -> Result<Changes, WalkError> {
    let floor = under(foot, floor_of(model, &walk.skeleton.contacts, settings)?);
    let mut inverse = InverseWalk::new(walk, model)?;
    let weight = walk.constants.weight();
    let mut angles = vec![vec![0.0; settings.samples]; leg.names.len()];
    let (mut square, mut count, mut sunk) = (0.0, 0, Vector3::zeros());
    let mut stands = vec![false; settings.samples];
    let slips = slips(walk, &mut inverse, &floor, (foot, leg.foot), settings.samples);
    for i in from_strike(walk, foot, settings.samples) {
        let t = walk.constants.cycle_time * i as f64 / settings.samples as f64;
        let wanted = walk.ground(t, foot);
        let at = inverse.move_to(t);
        let ankle = at.kin.bodies[leg.foot].X_GB.p;
        let pads: Vec<Pressed> = floor.pads.iter().map(|p| Pressed::new(p, &at)).collect();
        let aim = Aim { force: wanted.force.y, center: wanted.point, ankle, weight };
        if wanted.force.y > 0.0 {
            square += (aim.load(&pads, &Vector3::zeros())[0] - aim.force).powi(2);
            count += 1;
        }
        stands[i] = wanted.force.y > 0.0;
        sunk = if wanted.force.y > 0.0 { aim.sink(&pads, &sunk) } else { Vector3::zeros() };
        let slip = slips[i];
        let wanted = Vector6::new(sunk[1] * LEVER, -slip[2] * LEVER, sunk[2] * LEVER, -slip[0], sunk[0], -slip[1]);
        let change = leg.angles(&at, &wanted);
        for (track, dq) in angles.iter_mut().zip(change.iter()) {
            track[i] = *dq;
        }
    }
    let strike = from_strike(walk, foot, settings.samples).next().unwrap_or(0);
    angles.iter_mut().for_each(|track| bridge(track, &stands, strike));
    Ok(Changes { angles, error: square / f64::from(count.max(1)) / (weight * weight) })
}

/// The part of a floor that is under a foot.
fn under(foot: Foot, mut floor: Floor) -> Floor {
    floor.pads.retain(|pad| Foot::BOTH.get(pad.foot) == Some(&foot));
    floor
}

/// Samples of a cycle in order, from the heel strike of a foot on: its stance may reach over the end of the cycle.
fn from_strike(walk: &ReferenceWalk, foot: Foot, samples: usize) -> impl Iterator<Item = usize> + use<> {
    let strike = (walk.stance(foot).strike * samples as f64) as usize;
    (0..samples).map(move |i| (strike + i) % samples)
}

/// How far a foot has slid and turned on the floor at each instant of its stance, from the mean of the stance: ankle along X and Z [m],
/// about the vertical [rad]; zero in swing. What a foot does while it hardly presses is left to it.
fn slips(
    walk: &ReferenceWalk,
    inverse: &mut InverseWalk<'_>,
    floor: &Floor,
    (foot, body): (Foot, usize),
    samples: usize,
) -> Vec<Vector3<f64>> {
    let step = walk.constants.cycle_time / samples as f64;
    let pressed = |i: usize| walk.ground(step * i as f64, foot).force.y / walk.constants.weight();
    let standing: Vec<usize> = from_strike(walk, foot, samples).filter(|i| pressed(*i) > 0.0).collect();
    let mut slips = vec![Vector3::zeros(); samples];
    let (mut slid, mut sum, mut count) = (Vector3::zeros(), Vector3::zeros(), 0.0_f64);
    for &i in &standing {
        let share = (pressed(i) / FIRM).min(1.0);
        slid += sliding(&inverse.move_to(step * i as f64), floor, body) * (share * step);
        slips[i] = slid;
        (sum, count) = (sum + slid * share, count + share);
    }
    standing.iter().for_each(|&i| slips[i] -= sum / count.max(1.0));
    slips
}

/// Share of body weight above which a foot stands firm.
const FIRM: f64 = 0.5;

/// Velocity of the ankle along X and Z [m/s] and turn of the foot about the vertical [rad/s] that go best with what its pads do on the floor: least
/// squares, weighted with their pressure.
fn sliding(at: &Instant<'_>, floor: &Floor, foot: usize) -> Vector3<f64> {
    let ankle = at.kin.bodies[foot].X_GB.p;
    let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for pad in &floor.pads {
        let lowest = pad.lowest(at);
        let (pressure, velocity) = (pad.pressure(-lowest.y).0, at.point_velocity(pad.frame.body, &lowest));
        let arm = lowest - ankle;
        for (row, speed) in [(Vector3::new(1.0, 0.0, arm.z), velocity.x), (Vector3::new(0.0, 1.0, -arm.x), velocity.z)]
        {
            normal += row * row.transpose() * pressure;
            right += row * speed * pressure;
        }
        // what turns the foot about one pad is not known
        normal[(2, 2)] += pressure * (UNKNOWN_TURN * LEVER).powi(2);
    }
    normal.cholesky().map_or(Vector3::zeros(), |c| c.solve(&right))
}

/// Share of [`LEVER`] that pads must be apart to tell how a foot turns: half the width of a forefoot.
const UNKNOWN_TURN: f64 = 0.5;

/// Lets a change go over from the last instant of the stance that begins with sample `strike` to the first of the next in swing, so that few
/// harmonics can follow it.
fn bridge(track: &mut [f64], stands: &[bool], strike: usize) {
    let n = track.len();
    let mut standing = (strike..strike + n).filter(|i| stands[i % n]);
    let Some(first) = standing.next() else { return };
    let last = standing.next_back().unwrap_or(first);
    let (before, after, swing) = (track[last % n], track[first % n], n + first - last);
    for i in 1..swing {
        let ease = 0.5 * (1.0 - (0.5 * TAU * i as f64 / swing as f64).cos());
        track[(last + i) % n] = before + (after - before) * ease;
    }
}

/// A pad as the wanted motion has it.
struct Pressed<'a> {
    pad: &'a crate::ground::Pad,
    lowest: Vec3,
}

impl<'a> Pressed<'a> {
    fn new(pad: &'a crate::ground::Pad, at: &Instant<'_>) -> Self {
        Pressed { pad, lowest: pad.lowest(at) }
    }
}

/// What the floor shall answer under a foot.
struct Aim {
    force: f64,
    center: Vec3,
    ankle: Vec3,
    weight: f64,
}

impl Aim {
    /// Vertical force and its moments about the wanted centre of pressure, over the lever, for a displacement `u` = (up [m], tilt
    /// about X and Z [rad]) of the foot about its ankle.
    fn load(&self, pads: &[Pressed<'_>], u: &Vector3<f64>) -> Vector3<f64> {
        let mut load = Vector3::zeros();
        for p in pads {
            let (force, _) = p.pad.pressure(-self.height(p, u));
            let arm = p.lowest - self.center;
            load += force * Vector3::new(1.0, arm.x / LEVER, arm.z / LEVER);
        }
        load
    }

    fn height(&self, p: &Pressed<'_>, u: &Vector3<f64>) -> f64 {
        let arm = p.lowest - self.ankle;
        p.lowest.y + u[0] + u[2] * arm.x - u[1] * arm.z
    }

    /// The displacement that presses as wanted: Levenberg-Marquardt on three equations with a small price on the displacement.
    fn sink(&self, pads: &[Pressed<'_>], guess: &Vector3<f64>) -> Vector3<f64> {
        let wanted = Vector3::new(self.force, 0.0, 0.0);
        let price = Vector3::new(SINKING, ROLLING, PITCHING) * self.weight;
        let cost =
            |u: &Vector3<f64>| (self.load(pads, u) - wanted).norm_squared() + price.component_mul(u).norm_squared();
        let (mut u, mut damping) = (self.touching(pads, guess), 1e-3);
        let mut best = cost(&u);
        for _ in 0..60 {
            let (r, J) = (self.load(pads, &u) - wanted, self.slope(pads, &u));
            let normal = J.transpose() * J + Matrix3::from_diagonal(&price.component_mul(&price));
            let gradient = J.transpose() * r + price.component_mul(&price).component_mul(&u);
            let damped = normal + Matrix3::from_diagonal(&(normal.diagonal() * damping));
            let Some(step) = damped.cholesky().map(|c| -c.solve(&gradient)) else { break };
            let trial = cost(&(u + step));
            if trial < best {
                u += step;
                damping *= 0.3;
                if best - trial < 1e-12 * best {
                    break;
                }
                best = trial;
            } else {
                damping *= 4.0;
                if damping > 1e8 {
                    break;
                }
            }
        }
        u
    }

    /// A displacement near `guess` at which the floor answers if it shall: a foot in the air would not know where to go.
    fn touching(&self, pads: &[Pressed<'_>], guess: &Vector3<f64>) -> Vector3<f64> {
        let lowest = pads.iter().map(|p| self.height(p, guess)).fold(f64::INFINITY, f64::min);
        let touch = if self.force > 0.0 && lowest > -TOUCH { -lowest - TOUCH } else { 0.0 };
        guess + Vector3::new(touch, 0.0, 0.0)
    }

    fn slope(&self, pads: &[Pressed<'_>], u: &Vector3<f64>) -> Matrix3<f64> {
        let mut J = Matrix3::zeros();
        for p in pads {
            let (_, stiffness) = p.pad.pressure(-self.height(p, u));
            let (arm, lift) = (p.lowest - self.center, p.lowest - self.ankle);
            let out = Vector3::new(1.0, arm.x / LEVER, arm.z / LEVER);
            let by = Vector3::new(1.0, -lift.z, lift.x);
            J -= stiffness * out * by.transpose();
        }
        J
    }
}

/// The walk with the changes added to the series of the legs, harmonic by harmonic.
fn with_changes(
    walk: &ReferenceWalk,
    changes: &[(&Leg, Vec<Vec<f64>>)],
    harmonics: u32,
) -> Result<ReferenceWalk, WalkError> {
    let mut motion = walk.motion.clone();
    for (name, change) in changes.iter().flat_map(|(leg, angles)| leg.names.iter().zip(angles)) {
        let Some(series) = motion.iter_mut().find(|s| s.coordinate == *name) else { continue };
        let n = change.len() as f64;
        series.mean += change.iter().sum::<f64>() / n;
        for order in 1..=harmonics {
            let angle = |i: usize| TAU * f64::from(order) * i as f64 / n;
            let cos = 2.0 / n * change.iter().enumerate().map(|(i, c)| c * angle(i).cos()).sum::<f64>();
            let sin = 2.0 / n * change.iter().enumerate().map(|(i, c)| c * angle(i).sin()).sum::<f64>();
            match series.harmonics.iter_mut().find(|h| h.order == order) {
                Some(h) => (h.cos, h.sin) = (h.cos + cos, h.sin + sin),
                None => series.harmonics.push(Harmonic { order, cos, sin }),
            }
        }
    }
    Ok(walk.with_motion(motion)?)
}
