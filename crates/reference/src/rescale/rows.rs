//! Residuals of a walk at one instant, and their derivatives by its coefficients.
//!
//! Rows: residual force and moment at the pelvis, positions of resting points, other points that come too near the
//! floor, hyperextended knees; on a compliant floor also its pressure on each foot, and the joint moments of the legs,
//! which should not change. Each row is divided by its scale, the error that counts as one.

use super::contact::Contact;
use super::unknowns::{Slot, Term, Unknown, change_ground};
use super::{Restoring, YieldingFloor};
use crate::walk::{FootStance, GroundReaction, InverseWalk, ReferenceWalk};
use std::f64::consts::{PI, TAU};
use wolff_anatomy::{CoordinateRole, Joint, Motion, Side};
use wolff_multibody::Kinematics;
use wolff_spatial::Force;

/// Residual force that counts as one, over body weight. The scales of residuals are chosen here.
const FORCE_SCALE: f64 = 0.003;
/// Residual moment that counts as one, over body weight times height.
const MOMENT_SCALE: f64 = 0.001;
/// Distance of a resting point from its target position that counts as one \[m\].
const PLACE_SCALE: f64 = 0.001;
/// Hyperextension of a knee that counts as one \[rad\].
const KNEE_SCALE: f64 = 0.01;
/// Error of a compliant floor's vertical force that counts as one, over body weight; of its moments over
/// [`PRESSURE_LEVER`].
const PRESSURE_SCALE: f64 = 0.01;
/// Force times sliding velocity under a compliant floor that counts as one, over body weight \[m/s\].
const SLIDING_SCALE: f64 = 0.001;
/// Lever that makes a moment of the floor comparable with a force \[m\].
const PRESSURE_LEVER: f64 = 0.1;
/// Knee flexion below which a knee counts as hyperextended \[rad\].
const KNEE_MARGIN: f64 = 0.015;
/// Change of a coordinate for finite differences [rad or m]: truncation and rounding errors are then about equal.
const DIFFERENCE: f64 = 1e-6;

/// The quantity of a row at an instant.
#[derive(Clone, Copy)]
enum Watch {
    /// A component of the position of a contact at rest.
    Rest(usize, usize),
    /// Depth of a contact below its minimum height.
    Depth(usize),
    /// A knee.
    Knee(Knee),
    /// A component of the difference of a compliant floor's reaction on a foot from the reference reaction.
    Pressure(Side, usize),
}

/// A knee: its index in the model, and 1 where its angle increases with flexion, -1 where it decreases.
#[derive(Clone, Copy)]
struct Knee {
    place: usize,
    sense: f64,
}

/// A linear model of the residuals at one instant: values, and one row of derivatives per value.
pub(super) struct Rows {
    pub faults: Vec<f64>,
    pub slopes: Vec<Vec<f64>>,
}

/// Evaluates the residuals of a walk instant by instant.
pub(super) struct Observer<'a> {
    walk: &'a ReferenceWalk,
    contacts: &'a [Contact],
    inverse: InverseWalk<'a>,
    knees: Vec<Knee>,
    /// Minimum heights of contacts that are not at rest \[m\].
    clearance: &'a [f64],
    floor: Option<&'a dyn YieldingFloor>,
    settings: &'a Restoring,
    /// Coordinates whose moments should not change, each with the change that counts as one \[N m\].
    joints: Vec<(usize, f64)>,
    joint_moments: &'a [f64],
}

/// An instant, the minimum heights of the contacts then \[m\], and the joint moments that should not change \[N m\].
pub(super) struct Moment {
    pub t: f64,
    pub clearance: Vec<f64>,
    pub joint_moments: Vec<f64>,
}

impl<'a> Observer<'a> {
    pub fn new(
        walk: &'a ReferenceWalk,
        contacts: &'a [Contact],
        inverse: InverseWalk<'a>,
        (floor, settings): (Option<&'a dyn YieldingFloor>, &'a Restoring),
    ) -> Self {
        let knees = knees(walk, &inverse);
        let joints = settings.moments.map_or_else(Vec::new, |units| leg_joints(walk, &inverse, units));
        Observer { walk, contacts, inverse, knees, clearance: &[], floor, settings, joints, joint_moments: &[] }
    }

    /// Joint moments of the legs at the time `t` \[N m\]; empty where they may change.
    pub fn joint_moments(&mut self, t: f64) -> Vec<f64> {
        let moments = self.inverse.at(t);
        self.joints.iter().map(|(k, _)| moments[*k]).collect()
    }

    /// Heights of the contacts at the time `t` \[m\].
    pub fn heights(&mut self, t: f64) -> Vec<f64> {
        self.inverse.move_to(t);
        self.contacts.iter().map(|contact| contact.place(self.walk, &self.inverse).y).collect()
    }

    /// The residuals at an instant.
    pub fn faults(&mut self, moment: &'a Moment) -> Vec<f64> {
        let ground = self.go_to(moment);
        let watches = self.watches(moment.t, &ground);
        let mut faults = self.balance(&ground);
        faults.extend(self.watched(&watches, &ground));
        faults
    }

    /// Moves the model to an instant; returns the reference reactions of the ground.
    fn go_to(&mut self, moment: &'a Moment) -> [GroundReaction; 2] {
        self.clearance = &moment.clearance;
        self.joint_moments = &moment.joint_moments;
        self.inverse.move_to(moment.t);
        Side::BOTH.map(|foot| self.walk.ground(moment.t, foot))
    }

    /// The residuals at an instant and their derivatives.
    pub fn rows(&mut self, moment: &'a Moment, unknowns: &[Unknown]) -> Rows {
        let t = moment.t;
        let ground = self.go_to(moment);
        let watches = self.watches(t, &ground);
        let balance = self.balance(&ground);
        let watched = self.watched(&watches, &ground);
        let by_state = self.by_state(&ground, &watches, &balance, &watched);
        let slopes = unknowns.iter().map(|u| match u.slot {
            Slot::Mean(i) => self.motion_slope(&by_state, i, t, |_, _| [1.0, 0.0, 0.0]),
            Slot::Cos(i, k) => {
                let order = self.walk.motion[i].harmonics[k].order;
                self.motion_slope(&by_state, i, t, |w, t| wave(order, w, t, 0.0))
            }
            Slot::Sin(i, k) => {
                let order = self.walk.motion[i].harmonics[k].order;
                self.motion_slope(&by_state, i, t, |w, t| wave(order, w, t, -0.5 * PI))
            }
            slot @ (Slot::Ground(..) | Slot::Share(_)) => self.ground_slope(slot, t, &ground, &watches),
        });
        let columns: Vec<Vec<f64>> = slopes.collect();
        let faults: Vec<f64> = balance.into_iter().chain(watched).collect();
        let slopes = (0..faults.len()).map(|r| columns.iter().map(|c| c[r]).collect()).collect();
        Rows { faults, slopes }
    }

    /// Rows in addition to the balance at this instant.
    fn watches(&self, t: f64, ground: &[GroundReaction; 2]) -> Vec<Watch> {
        let mut watches = Vec::new();
        for (foot, ground) in Side::BOTH.into_iter().zip(ground) {
            if ground.force.y > 0.0 || self.pressure(foot, ground).iter().any(|p| *p != 0.0) {
                watches.extend((0..6).filter(|_| self.floor.is_some()).map(|k| Watch::Pressure(foot, k)));
            }
        }
        for (i, contact) in self.contacts.iter().enumerate() {
            if contact.rests(self.walk, t) {
                let axes = if self.settings.heights { &[0, 1, 2][..] } else { &[0, 2] };
                watches.extend(axes.iter().map(|axis| Watch::Rest(i, *axis)));
            } else if self.is_left_to_itself(contact.foot, ground)
                && contact.place(self.walk, &self.inverse).y < self.clearance[i]
            {
                watches.push(Watch::Depth(i));
            }
        }
        let straight = |knee: &&Knee| self.flexion(knee) < KNEE_MARGIN;
        watches.extend(self.knees.iter().filter(straight).map(|&knee| Watch::Knee(knee)));
        watches
    }

    /// Whether the height of a foot is not determined by the pressure of a compliant floor.
    fn is_left_to_itself(&self, foot: Side, ground: &[GroundReaction; 2]) -> bool {
        self.floor.is_none() || ground[foot.index()].force.y <= 0.0
    }

    fn flexion(&self, knee: &Knee) -> f64 {
        knee.sense * self.inverse.state.q[knee.place]
    }

    /// Difference of the floor's reaction on a foot from the reference reaction, as residuals: vertical force, and its
    /// moments about the axes through the ankle; then the sliding and turning of the foot under it.
    fn pressure(&self, foot: Side, reaction: &GroundReaction) -> [f64; 6] {
        let Some(floor) = self.floor else { return [0.0; 6] };
        let ankle = self.inverse.kin.bodies[self.inverse.foot(foot)].X_GB.p;
        let (press, arm) = (floor.press(&self.inverse.instant(), foot, &ankle), reaction.point - ankle);
        let ([along, across], force) = (press.moments, reaction.force.y);
        let missing =
            [press.force - force, (along - arm.x * force) / PRESSURE_LEVER, (across - arm.z * force) / PRESSURE_LEVER];
        let [forward, sideways, turning] = press.sliding;
        let sliding = [forward, sideways, turning / PRESSURE_LEVER];
        let weight = self.walk.constants.weight();
        let faults =
            missing.iter().map(|x| x / (weight * PRESSURE_SCALE)).chain(sliding.map(|x| x / (weight * SLIDING_SCALE)));
        let mut all = [0.0; 6];
        all.iter_mut().zip(faults).for_each(|(fault, x)| *fault = x);
        all
    }

    fn watched(&self, watches: &[Watch], ground: &[GroundReaction; 2]) -> Vec<f64> {
        let pressures = Side::BOTH.map(|foot| self.pressure(foot, &ground[foot.index()]));
        let value = |watch: &Watch| match *watch {
            Watch::Rest(i, axis) => {
                let contact = &self.contacts[i];
                let off = contact.place(self.walk, &self.inverse) - contact.resting_place(self.walk);
                off[axis] / PLACE_SCALE
            }
            Watch::Depth(i) => (self.contacts[i].place(self.walk, &self.inverse).y - self.clearance[i]) / PLACE_SCALE,
            Watch::Knee(knee) => (self.flexion(&knee) - KNEE_MARGIN) / KNEE_SCALE,
            Watch::Pressure(foot, k) => pressures[foot.index()][k],
        };
        watches.iter().map(value).collect()
    }

    /// Residual and joint moments of the present state.
    fn balance(&mut self, ground: &[GroundReaction; 2]) -> Vec<f64> {
        let residual = self.inverse.balance(ground);
        let moments = self.inverse.generalised_forces();
        let kept = self.joints.iter().zip(self.joint_moments);
        let kept = kept.map(|((k, unit), given)| (moments[*k] - given) / unit);
        self.scaled(&residual).into_iter().chain(kept).collect()
    }

    fn scaled(&self, force: &Force) -> [f64; 6] {
        let weight = self.walk.constants.weight();
        let f = force.f / (weight * FORCE_SCALE);
        let n = force.n / (weight * self.walk.constants.stature * MOMENT_SCALE);
        [f.x, f.y, f.z, n.x, n.y, n.z]
    }

    /// Derivatives of all rows by the coordinate, speed and acceleration of each of the walk's coordinates, by
    /// differences.
    fn by_state(
        &mut self,
        ground: &[GroundReaction; 2],
        watches: &[Watch],
        balance: &[f64],
        watched: &[f64],
    ) -> Vec<[Vec<f64>; 3]> {
        let order = self.inverse.order().to_vec();
        let state = self.inverse.state.clone();
        let difference = |now: &[f64], before: &[f64], step: f64| -> Vec<f64> {
            now.iter().zip(before).map(|(a, b)| (a - b) / step).collect()
        };
        let mut table = Vec::with_capacity(order.len());
        for &k in &order {
            self.inverse.state.q[k] += DIFFERENCE;
            self.inverse.place();
            let mut by_q = difference(&self.balance(ground), balance, DIFFERENCE);
            by_q.extend(difference(&self.watched(watches, ground), watched, DIFFERENCE));
            self.inverse.state.q[k] = state.q[k];
            self.inverse.state.v[k] += DIFFERENCE;
            self.inverse.place();
            let mut by_v = difference(&self.balance(ground), balance, DIFFERENCE);
            by_v.extend(difference(&self.watched(watches, ground), watched, DIFFERENCE));
            self.inverse.state.v[k] = state.v[k];
            table.push([by_q, by_v, vec![]]);
        }
        self.inverse.place();
        for (entry, &k) in table.iter_mut().zip(&order) {
            // accelerations enter linearly: any step is exact
            self.inverse.state.a[k] += 1.0;
            entry[2] = difference(&self.balance(ground), balance, 1.0);
            self.inverse.state.a[k] = state.a[k];
        }
        table
    }

    /// Derivative by a coefficient of series `i` with the shape `wave(ω, t)` and its two rates.
    fn motion_slope(
        &self,
        by_state: &[[Vec<f64>; 3]],
        i: usize,
        t: f64,
        wave: impl Fn(f64, f64) -> [f64; 3],
    ) -> Vec<f64> {
        let T = self.walk.constants.cycle_time;
        let mut slope = vec![0.0; by_state.first().map_or(0, |s| s[0].len())];
        for (source, by) in self.walk.sources.iter().zip(by_state).filter(|(s, _)| s.series == i) {
            let shift = if source.other_side { 0.5 * T } else { 0.0 };
            for (factor, by) in wave(TAU / T, t + shift).into_iter().zip(by) {
                slope.iter_mut().zip(by).for_each(|(s, b)| *s += factor * b);
            }
        }
        slope
    }

    /// Derivative by a coefficient of the ground reaction or of the stance foot.
    fn ground_slope(&self, slot: Slot, t: f64, ground: &[GroundReaction; 2], watches: &[Watch]) -> Vec<f64> {
        // the first body after ground is the root
        let pelvis = self.inverse.kin.bodies[1].origin;
        let (mut right, mut left) = (self.walk.ground.clone(), self.walk.left.clone());
        let constants = &self.walk.constants;
        change_ground(slot, DIFFERENCE, constants.duty, &mut right, left.as_mut());
        let moved =
            Side::BOTH.map(|foot| FootStance::of(foot, constants.duty, &right, left.as_ref()).reaction(constants, t));
        let mut change = Force::ZERO;
        let mut moments = vec![0.0; self.inverse.generalised_forces().len()];
        for (foot, (now, moved)) in Side::BOTH.into_iter().zip(ground.iter().zip(&moved)) {
            let wrench = |g: &GroundReaction| Force::new((g.point - pelvis).cross(&g.force) + g.moment, g.force);
            change += (wrench(moved) - wrench(now)) * (1.0 / DIFFERENCE);
            let body = self.inverse.foot(foot);
            let on_foot = (self.inverse.wrench(moved, body) - self.inverse.wrench(now, body)) * (1.0 / DIFFERENCE);
            let model = self.inverse.instant().model;
            self.inverse.kin.powers(model, body, &on_foot, |k, power| moments[k] -= power);
        }
        // the ground reaction reduces the residual
        let mut slope = self.scaled(&(Force::ZERO - change)).to_vec();
        slope.extend(self.joints.iter().map(|(k, unit)| moments[*k] / unit));
        slope.extend(watches.iter().map(|watch| match (*watch, slot) {
            (Watch::Rest(i, axis), Slot::Ground(foot, Term::Foot(k)))
                if self.walk.left.is_none() || self.contacts[i].foot == foot =>
            {
                let (_, by_foot) = self.contacts[i].target(&self.walk.stance(foot).series.foot);
                -by_foot[k.min(2)][axis] / PLACE_SCALE
            }
            (Watch::Pressure(foot, k), _) => {
                let of = |g: &GroundReaction| self.pressure(foot, g)[k];
                (of(&moved[foot.index()]) - of(&ground[foot.index()])) / DIFFERENCE
            }
            (Watch::Rest(..) | Watch::Depth(_) | Watch::Knee(_), _) => 0.0,
        }));
        slope
    }
}

/// Indices of the leg angles in the model, and the changes of their moments that count as one \[N m\], of `units`
/// \[N m/kg\] about axes of flexion and about others.
fn leg_joints(walk: &ReferenceWalk, inverse: &InverseWalk<'_>, units: [f64; 2]) -> Vec<(usize, f64)> {
    let roles = walk.skeleton.coordinate_roles();
    let is_flexion = |role: CoordinateRole| matches!(role.joint_motion(), Some((_, Motion::Flexion)));
    let unit = |role: CoordinateRole| walk.constants.mass * units[usize::from(!is_flexion(role))];
    let joints = roles.into_iter().zip(inverse.order()).filter(|(role, _)| role.is_of_leg());
    joints.map(|(role, &place)| (place, unit(role))).collect()
}

/// The knees of a walk. Flexion turns the shank backwards, about -Z in standing, whatever the sign of the coordinate.
fn knees(walk: &ReferenceWalk, inverse: &InverseWalk<'_>) -> Vec<Knee> {
    let model = inverse.instant().model;
    let mut standing = Kinematics::new(model);
    standing.update(model, &model.q0, &vec![0.0; model.nv()]);
    let is_knee = |role: &CoordinateRole| role.joint_motion() == Some((Joint::Knee, Motion::Flexion));
    let roles = walk.skeleton.coordinate_roles().into_iter();
    let of_knees = roles.zip(inverse.order()).filter(|(role, _)| is_knee(role));
    of_knees.map(|(_, &place)| Knee { place, sense: if standing.S[place].w.z > 0.0 { -1.0 } else { 1.0 } }).collect()
}

/// `cos(k ω t + phase)` with two derivatives by time.
fn wave(order: u32, omega: f64, t: f64, phase: f64) -> [f64; 3] {
    let w = f64::from(order) * omega;
    let (sin, cos) = (w * t + phase).sin_cos();
    [cos, -w * sin, -w * w * cos]
}
