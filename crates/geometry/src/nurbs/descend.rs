//! The way down to the nearest point: Newton's method that walks from patch to patch.

use super::jet::Jet;
use super::patch::{Beyond, Patch, Side};
use super::set::NurbsPatchSet;
use crate::surface::Place;
use wolff_spatial::Vec3;

/// Newton steps and crossings before a search is given up.
const MAX_STEPS: usize = 40;
/// A Newton step shorter than this, in the parameters, is the last: what remains is its square.
const LAST_STEP: f64 = 2e-7;
/// A step shorter than this fraction of the patch is rounding, whatever it is in the parameters (next to a pole).
const NO_STEP: f64 = 1e-13;
/// After a last step longer than this the derivatives are taken anew; they change by as much.
const SAME_SHAPE: f64 = 1e-8;
/// Where the squared distance is curved less than this part of that from a plane, the point is close to a centre of
/// curvature.
const LEAST_CONVEXITY: f64 = 0.05;
/// A step out of the patch shorter than this, in its parameters, is rounding.
const ROUNDING: f64 = 1e-13;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the foot of a perpendicular, where the distance has a strict minimum.
    Foot,
    /// At a place where the distance is stationary but hardly curved: close to a centre of curvature.
    Flat,
    /// On the rim.
    Rim,
    /// On a crease between two patches.
    Crease,
    /// On a pole or a side without one neighbour: other patches must be asked.
    Unresolved,
}

/// The end of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    pub place: Place,
    pub jet: Jet,
    /// Squared distance \[m²\].
    pub squared: f64,
    pub ending: Ending,
}

/// The step proposed at an iterate.
pub(crate) struct Step {
    du: f64,
    dv: f64,
    /// Side against which a free step would run, and which holds it back.
    held: [Option<Side>; 2],
    /// Whether the distance has a clear minimum here.
    clear: bool,
}

impl Step {
    /// A step that nothing holds.
    pub fn free(du: f64, dv: f64) -> Step {
        Step { du, dv, held: [None, None], clear: true }
    }
}

/// Where the walk is.
#[derive(Clone, Copy)]
pub(crate) struct Walker {
    pub patch: usize,
    pub u: f64,
    pub v: f64,
    /// The side through which the walk just came: it does not go straight back.
    pub entered: Option<Side>,
    /// Whether it crosses creases; a walk that does not ends there.
    pub over_creases: bool,
}

impl Walker {
    pub fn new(start: &Place, over_creases: bool) -> Walker {
        Walker { patch: start.patch as usize, u: start.u, v: start.v, entered: None, over_creases }
    }

    /// Whether it may go on beyond a side of its patch.
    #[inline]
    fn passes(&self, patch: &Patch, side: Side) -> bool {
        matches!(patch.beyond[side as usize], Beyond::Joined { smooth, .. } if smooth || self.over_creases)
    }
}

/// What a search has already looked at.
#[derive(Default)]
struct Tried {
    crease: bool,
    pole: bool,
}

impl NurbsPatchSet {
    /// Local minimum of f = ½ |S(u, v) - p|² from a start: Newton steps with
    ///
    /// ```text
    /// ∇f = (Su·r, Sv·r),   ∇²f = [Su·Su + r·Suu, Su·Sv + r·Suv; ·, Sv·Sv + r·Svv],   r = S - p
    /// ```
    ///
    /// (Gauss–Newton without the second derivatives where the full matrix is not positive), shortened when the distance
    /// grows, stopped at patch sides and carried on beyond them (beyond creases only if asked). `None` if it does not
    /// settle.
    #[inline]
    pub(crate) fn descend(&self, p: &Vec3, start: &Place, over_creases: bool) -> Option<Foot> {
        let mut walker = Walker::new(start, over_creases);
        let (mut best, mut last) = (f64::INFINITY, (0.0, 0.0));
        let mut tried = Tried::default();
        for _ in 0..MAX_STEPS {
            let patch = &self.patches[walker.patch];
            let jet = self.jet(walker.patch, walker.u, walker.v);
            let r = jet.s - p;
            let squared = r.norm_squared();
            // too far: go back half the way, unless only rounding speaks
            if squared > best && (jet.su * last.0 + jet.sv * last.1).norm() > 1e-9 * patch.size {
                last = (0.5 * last.0, 0.5 * last.1);
                (walker.u, walker.v) = (walker.u - last.0, walker.v - last.1);
                continue;
            }
            best = squared;
            let step = newton_step(&jet, &r, patch, &walker);
            let out = exit(&walker, &step);
            let longest = step.du.abs().max(step.dv.abs());
            let settled = longest <= LAST_STEP || {
                let way = jet.su * step.du + jet.sv * step.dv;
                way.norm_squared() <= (NO_STEP * patch.size).powi(2)
            };
            let next = if out.is_none() && settled {
                match self.second_thought(&walker, &step, p, &mut tried) {
                    Some(next) => next,
                    None => return Some(self.settle(&walker, &jet, &step, p)),
                }
            } else {
                tried.crease &= out.is_some() || longest <= 1e-6;
                match out {
                    None => Walker { u: walker.u + step.du, v: walker.v + step.dv, ..walker },
                    Some((side, fraction)) => self.pass(&walker, &step, side, fraction),
                }
            };
            // distances are compared along one patch only
            let stayed = next.patch == walker.patch && next.entered == walker.entered && !(out.is_none() && settled);
            (best, last) =
                if stayed { (best, (next.u - walker.u, next.v - walker.v)) } else { (f64::INFINITY, (0.0, 0.0)) };
            walker = next;
        }
        None
    }

    /// Where a search that came to rest against a side should look before it ends: once on the other patch of a crease,
    /// once along the other lines through a pole.
    fn second_thought(&self, walker: &Walker, step: &Step, p: &Vec3, tried: &mut Tried) -> Option<Walker> {
        match held_beyond(&self.patches[walker.patch], step)? {
            Beyond::Joined { .. } if !tried.crease => {
                tried.crease = true;
                let side = walker.entered.filter(|side| step.held.contains(&Some(*side)))?;
                self.cross(walker, side)
            }
            Beyond::Pole if !tried.pole => {
                tried.pole = true;
                self.leave_pole(walker, step, p)
            }
            _ => None,
        }
    }

    /// From a pole into its patch along the parameter line that descends most steeply; `None` if none descends.
    fn leave_pole(&self, walker: &Walker, step: &Step, p: &Vec3) -> Option<Walker> {
        let patch = &self.patches[walker.patch];
        let side = *step.held.iter().flatten().find(|side| patch.beyond[**side as usize] == Beyond::Pole)?;
        let inward = if matches!(side, Side::LowU | Side::LowV) { 1.0 } else { -1.0 };
        let mut best: Option<(f64, Walker)> = None;
        for k in 0..=4 {
            let (u, v) = side.at(0.25 * k as f64);
            let jet = self.jet(walker.patch, u, v);
            let across = if matches!(side, Side::LowU | Side::HighU) { jet.su } else { jet.sv } * inward;
            let (slope, length) = (-across.dot(&(jet.s - p)), across.norm());
            let gain = slope / length;
            if gain > 1e-13 * patch.size && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                let (du, dv) = side.inward((slope / (length * length)).min(0.5));
                best = Some((gain, Walker { u: u + du, v: v + dv, ..*walker }));
            }
        }
        best.map(|(_, walker)| walker)
    }

    /// Moves to the side of the patch and, where there is a neighbour, onto it.
    pub(crate) fn pass(&self, walker: &Walker, step: &Step, side: Side, fraction: f64) -> Walker {
        let (u, v) = (walker.u + fraction * step.du, walker.v + fraction * step.dv);
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let (u, v) = match side {
            Side::LowU => (0.0, v),
            Side::HighU => (1.0, v),
            Side::LowV => (u, 0.0),
            Side::HighV => (u, 1.0),
        };
        let here = Walker { u, v, ..*walker };
        self.cross(&here, side).unwrap_or(here)
    }

    /// The same point on the patch beyond a side.
    fn cross(&self, walker: &Walker, side: Side) -> Option<Walker> {
        let here = &self.patches[walker.patch];
        let Beyond::Joined { patch, side: far, reversed, .. } = here.beyond[side as usize] else { return None };
        if !walker.passes(here, side) {
            return None;
        }
        let w = side.along((walker.u, walker.v));
        let (u, v) = far.at(if reversed { 1.0 - w } else { w });
        Some(Walker { patch: patch as usize, u, v, entered: Some(far), ..*walker })
    }

    /// Takes the last, tiny step with the derivatives at hand and says where the search ended.
    #[inline]
    fn settle(&self, walker: &Walker, jet: &Jet, step: &Step, p: &Vec3) -> Foot {
        let (du, dv) = (step.du, step.dv);
        let (u, v) = ((walker.u + du).clamp(0.0, 1.0), (walker.v + dv).clamp(0.0, 1.0));
        let moved = match du.abs().max(dv.abs()) <= SAME_SHAPE {
            true => jet.moved(du, dv),
            false => self.jet(walker.patch, u, v),
        };
        let squared = (moved.s - p).norm_squared();
        let ending = match held_beyond(&self.patches[walker.patch], step) {
            None if step.clear => Ending::Foot,
            None => Ending::Flat,
            Some(Beyond::Rim) => Ending::Rim,
            Some(Beyond::Joined { .. }) => Ending::Crease,
            Some(Beyond::Pole | Beyond::Covered) => Ending::Unresolved,
        };
        Foot { place: Place { patch: walker.patch as u32, u, v }, jet: moved, squared, ending }
    }
}

/// What lies beyond the sides that hold a step; of two, what leaves most open.
fn held_beyond(patch: &Patch, step: &Step) -> Option<Beyond> {
    let openness = |beyond: &Beyond| match beyond {
        Beyond::Pole | Beyond::Covered => 2,
        Beyond::Rim => 1,
        Beyond::Joined { .. } => 0,
    };
    step.held.iter().flatten().map(|side| patch.beyond[*side as usize]).max_by_key(openness)
}

/// The step from an iterate, with the coordinates that press against an impassable side kept.
#[inline]
fn newton_step(jet: &Jet, r: &Vec3, patch: &Patch, walker: &Walker) -> Step {
    let g = (jet.su.dot(r), jet.sv.dot(r));
    let (e, f, h) = (jet.su.norm_squared(), jet.su.dot(&jet.sv), jet.sv.norm_squared());
    let (a, b, c) = (e + r.dot(&jet.suu), f + r.dot(&jet.suv), h + r.dot(&jet.svv));
    let (det, flat_det) = (a * c - b * b, e * h - f * f);
    let convex = a > 0.0 && c > 0.0 && det > 1e-3 * flat_det.max(0.0) && det > 1e-14 * a * c;
    let exceeds = |full: f64, flat: f64| full > LEAST_CONVEXITY * flat;
    let clear = convex && flat_det > 0.0 && exceeds(det, flat_det) && exceeds(a, e) && exceeds(c, h);
    let (du, dv) = if convex { solve((a, b, c), det, g) } else { gauss_newton((e, f, h), flat_det, g) };
    let step = Step { du, dv, held: [None, None], clear };
    let inside = walker.u > 0.0 && walker.u < 1.0 && walker.v > 0.0 && walker.v < 1.0;
    if inside {
        return step;
    }
    let alone = (single(g.0, a, e), single(g.1, c, h));
    hold(step, alone, patch, walker, |axis| {
        let (gradient, metric) = if axis == 0 { (g.0, e) } else { (g.1, h) };
        gradient.abs() <= 1e-12 * metric.sqrt() * (r.norm() + 1e-3 * patch.size)
    })
}

/// Keeps the coordinates of a step that press against an impassable side; `alone` are the steps of single coordinates,
/// and `rests` says whether the derivative along one vanishes.
fn hold(mut step: Step, alone: (f64, f64), patch: &Patch, walker: &Walker, rests: impl Fn(usize) -> bool) -> Step {
    step.held = [pressed(patch, walker, 0, step.du), pressed(patch, walker, 1, step.dv)];
    // a coordinate that presses stays; the other goes alone, and in a corner each is asked for itself
    match step.held {
        [None, None] => {}
        [Some(_), None] if pressed(patch, walker, 1, alone.1).is_none() => (step.du, step.dv) = (0.0, alone.1),
        [None, Some(_)] if pressed(patch, walker, 0, alone.0).is_none() => (step.du, step.dv) = (alone.0, 0.0),
        _ => {
            step.held = [pressed(patch, walker, 0, alone.0), pressed(patch, walker, 1, alone.1)];
            step.du = if step.held[0].is_some() { 0.0 } else { alone.0 };
            step.dv = if step.held[1].is_some() { 0.0 } else { alone.1 };
        }
    }
    // a foot exactly on a side is not held by it: the derivative across vanishes with the distance along
    for (axis, side) in step.held.iter_mut().enumerate() {
        if side.is_some() && rests(axis) {
            *side = side.filter(|side| patch.beyond[*side as usize] != Beyond::Rim);
        }
    }
    step
}

/// The impassable side against which coordinate `axis` presses.
#[inline]
fn pressed(patch: &Patch, walker: &Walker, axis: usize, step: f64) -> Option<Side> {
    let at = if axis == 0 { walker.u } else { walker.v };
    let side = match (at <= 0.0 && step < 0.0, at >= 1.0 && step > 0.0) {
        (true, _) => Side::ALL[2 * axis],
        (_, true) => Side::ALL[2 * axis + 1],
        _ => return None,
    };
    let passable = walker.passes(patch, side) && walker.entered != Some(side);
    (!passable).then_some(side)
}

#[inline]
fn solve((a, b, c): (f64, f64, f64), det: f64, g: (f64, f64)) -> (f64, f64) {
    let inverse = 1.0 / det;
    ((b * g.1 - c * g.0) * inverse, (b * g.0 - a * g.1) * inverse)
}

/// Step without second derivatives; where the tangents are parallel or one vanishes, along the longer one only.
fn gauss_newton((e, f, h): (f64, f64, f64), det: f64, g: (f64, f64)) -> (f64, f64) {
    if det > 1e-12 * e * h {
        solve((e, f, h), det, g)
    } else if e >= h {
        (single(g.0, e, e), 0.0)
    } else {
        (0.0, single(g.1, h, h))
    }
}

/// Step of one coordinate alone.
fn single(gradient: f64, full: f64, metric: f64) -> f64 {
    let curvature = if full > 0.1 * metric { full } else { metric };
    if curvature > 0.0 { -gradient / curvature } else { 0.0 }
}

/// The side through which a step leaves the unit square and the fraction of the step up to there.
#[inline]
pub(crate) fn exit(walker: &Walker, step: &Step) -> Option<(Side, f64)> {
    let mut first: Option<(Side, f64)> = None;
    for (axis, at, d) in [(0, walker.u, step.du), (1, walker.v, step.dv)] {
        let (side, fraction) = if at + d < -ROUNDING {
            (Side::ALL[2 * axis], at / -d)
        } else if at + d > 1.0 + ROUNDING {
            (Side::ALL[2 * axis + 1], (1.0 - at) / d)
        } else {
            continue;
        };
        if first.is_none_or(|(_, least)| fraction < least) {
            first = Some((side, fraction));
        }
    }
    first
}
