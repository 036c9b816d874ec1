//! Contacts along a run: when they close and open, and their peaks.

use crate::force::{ContactElement, Indentation};
use crate::model::Model;
use crate::system::{Baumgarte, System};
use wolff_numerics::DenseStep;

/// Coordinates and speeds.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
}

/// A contact from first touch to separation.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Name of the contact.
    pub contact: String,
    /// First touch \[s\].
    pub t_start: f64,
    /// Separation \[s\]; none where the run ended before.
    pub t_end: Option<f64>,
    /// Speed of approach at first touch \[m/s\].
    pub approach: f64,
    /// Speed of separation \[m/s\], positive when moving apart; none where the contact ended at a rim.
    pub separation: Option<f64>,
    /// Largest depth \[m\].
    pub depth_max: f64,
    /// Its time \[s\].
    pub t_depth_max: f64,
    /// Largest normal force \[N\].
    pub force_max: f64,
    /// Its time \[s\].
    pub t_force_max: f64,
    /// The motion at first touch.
    pub before: State,
    /// The motion at separation.
    pub after: Option<State>,
}

/// A depth that jumped across zero: one shape passed the rim of the other, where the surface that was given ends.
#[derive(Clone, Debug, PartialEq)]
pub struct RimPassage {
    /// Name of the contact.
    pub contact: String,
    /// When \[s\].
    pub t: f64,
    /// Whether the shapes were found inside each other without a touch; no force acts on them until they have been
    /// apart. Otherwise they touched, and their contact ended.
    pub inwards: bool,
}

/// Where contacts begin and end the depth is zero to the accuracy of the located time; a depth beyond this part of the
/// reach is a jump. Own choice, far above the former and below a visible indentation.
const JUMP: f64 = 1e-3;

/// Approaches slower than this \[m/s\] count as this fast: laws divide by the speed of approach. A contact that begins
/// as slowly is no impact: its speed of approach is rounding.
pub const SLOWEST_APPROACH: f64 = 1e-9;

/// Time after which the direction of a motion that begins at rest is looked at \[s\].
const SOON: f64 = 1e-6;

/// State and history of all contacts of a model.
#[derive(Debug)]
pub(super) struct ContactLog {
    /// Indices of the force elements that are contacts.
    pub contacts: Vec<usize>,
    /// Speed of approach by force element; none while open.
    pub approach_speeds: Vec<Option<f64>>,
    /// Impacts, finished or under way.
    pub impacts: Vec<Impact>,
    /// Where a depth jumped across zero.
    pub rim_passages: Vec<RimPassage>,
    /// The impact under way of each closed contact.
    under_way: Vec<Option<usize>>,
}

impl ContactLog {
    /// Contacts of the system; those that overlap or are about to at the start are closed.
    pub fn new(system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) -> Self {
        let forces = system.model.forces();
        let contacts: Vec<usize> = (0..forces.len()).filter(|&k| forces[k].contact().is_some()).collect();
        let mut log = ContactLog {
            under_way: vec![None; contacts.len()],
            approach_speeds: vec![None; forces.len()],
            impacts: Vec::new(),
            rim_passages: Vec::new(),
            contacts,
        };
        system.update_kinematics(q, v);
        for i in 0..log.contacts.len() {
            let Indentation { depth, rate } = log.indentation(system, i, t, q, v);
            if depth > 0.0 || (depth == 0.0 && rate > 0.0) {
                log.close(system, i, t, q, v);
            } else if depth == 0.0 && rate == 0.0 && log.will_touch(system, i, t, q, v) {
                log.close(system, i, t, q, v);
                // laws relate their damping to the speed of approach; without any there is no impact to damp
                log.approach_speeds[log.contacts[i]] = Some(f64::INFINITY);
            }
        }
        log
    }

    /// Whether shapes that just touch at rest are accelerated into each other.
    fn will_touch(&self, system: &mut System<'_>, i: usize, t: f64, q: &[f64], v: &[f64]) -> bool {
        let mut a = vec![0.0; v.len()];
        if system.accelerations(t, q, v, Baumgarte::NONE, &mut a).is_err() {
            return false;
        }
        let soon: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + SOON * a).collect();
        system.update_kinematics(q, &soon);
        let inwards = self.indentation(system, i, t, q, &soon).rate > 0.0;
        system.update_kinematics(q, v);
        inwards
    }

    /// Whether any contact is closed.
    pub fn any_closed(&self) -> bool {
        self.under_way.iter().any(Option::is_some)
    }

    /// Whether contact `i` is closed.
    pub fn is_closed(&self, i: usize) -> bool {
        self.under_way[i].is_some()
    }

    /// Names of the closed contacts.
    pub fn closed_names(&self, model: &Model) -> Vec<String> {
        let closed = (0..self.contacts.len()).filter(|&i| self.is_closed(i));
        closed.map(|i| model.forces()[self.contacts[i]].name().to_string()).collect()
    }

    /// Depth and rate of contact `i`; the system's kinematics must be those of `(q, v)`.
    pub fn indentation(&self, system: &System<'_>, i: usize, t: f64, q: &[f64], v: &[f64]) -> Indentation {
        let k = self.contacts[i];
        match system.model.forces()[k].contact() {
            Some(contact) => contact.indentation(&system.instant(t, q, v, Some(k))),
            None => Indentation { depth: 0.0, rate: 0.0 },
        }
    }

    /// The depth of contact `i` has become positive: it touches, unless the depth has jumped.
    pub fn touch(&mut self, system: &mut System<'_>, i: usize, t: f64, q: &[f64], v: &[f64]) {
        if self.has_jumped(system, i, t, q, v) {
            self.note_rim(system, i, t, true);
        } else {
            self.close(system, i, t, q, v);
        }
    }

    /// Whether the depth of contact `i`, which has just crossed zero, is far from it.
    fn has_jumped(&self, system: &System<'_>, i: usize, t: f64, q: &[f64], v: &[f64]) -> bool {
        let contact = system.model.forces()[self.contacts[i]].contact();
        let reach = contact.map_or(f64::INFINITY, ContactElement::reach);
        self.indentation(system, i, t, q, v).depth.abs() > JUMP * reach
    }

    fn note_rim(&mut self, system: &System<'_>, i: usize, t: f64, inwards: bool) {
        let contact = system.model.forces()[self.contacts[i]].name().to_string();
        self.rim_passages.push(RimPassage { contact, t, inwards });
    }

    /// Contact `i` acts from now on.
    fn close(&mut self, system: &mut System<'_>, i: usize, t: f64, q: &[f64], v: &[f64]) {
        let approach = self.indentation(system, i, t, q, v).rate.max(0.0);
        self.approach_speeds[self.contacts[i]] = Some(approach.max(SLOWEST_APPROACH));
        self.under_way[i] = Some(self.impacts.len());
        self.impacts.push(Impact {
            contact: system.model.forces()[self.contacts[i]].name().to_string(),
            t_start: t,
            t_end: None,
            approach,
            separation: None,
            depth_max: 0.0,
            t_depth_max: t,
            force_max: 0.0,
            t_force_max: t,
            before: State { q: q.to_vec(), v: v.to_vec() },
            after: None,
        });
    }

    /// Contact `i` separates.
    pub fn separate(&mut self, system: &mut System<'_>, i: usize, t: f64, q: &[f64], v: &[f64]) {
        if !self.is_closed(i) {
            return;
        }
        // behind a rim the rate is that to another place
        let jumped = self.has_jumped(system, i, t, q, v);
        let separation = (!jumped).then(|| -self.indentation(system, i, t, q, v).rate);
        if jumped {
            self.note_rim(system, i, t, false);
        }
        self.approach_speeds[self.contacts[i]] = None;
        if let Some(impact) = self.under_way[i].take().and_then(|n| self.impacts.get_mut(n)) {
            impact.t_end = Some(t);
            impact.separation = separation;
            impact.after = Some(State { q: q.to_vec(), v: v.to_vec() });
        }
    }

    /// Follows the peaks of closed contacts over a step: at its end, or `inside` it too, sampled and then refined
    /// between the neighbours of the best sample.
    pub fn follow(&mut self, system: &mut System<'_>, step: &DenseStep, inside: bool, y: &mut [f64]) {
        const SAMPLES: usize = 8;
        for i in 0..self.contacts.len() {
            let Some(n) = self.under_way[i] else { continue };
            system.approach_speeds.copy_from_slice(&self.approach_speeds);
            for quantity in [Peak::Depth, Peak::Force] {
                let h = (step.t1 - step.t0) / SAMPLES as f64;
                let mut value = |t: f64| self.value_at(system, i, quantity, step, t.min(step.t1), y);
                let (mut t_best, mut best) = (step.t1, value(step.t1));
                if !inside {
                    self.impacts[n].raise(quantity, t_best, best);
                    continue;
                }
                for k in 0..SAMPLES {
                    let t = step.t0 + k as f64 * h;
                    let x = value(t);
                    if x > best {
                        (t_best, best) = (t, x);
                    }
                }
                // on the way out nothing near the peak is left to find
                if best < 0.9 * self.impacts[n].peak(quantity) {
                    continue;
                }
                let (t, x) = golden_section(&mut value, (t_best - h).max(step.t0), (t_best + h).min(step.t1));
                let (t, x) = if x > best { (t, x) } else { (t_best, best) };
                self.impacts[n].raise(quantity, t, x);
            }
        }
    }

    fn value_at(
        &self,
        system: &mut System<'_>,
        i: usize,
        quantity: Peak,
        step: &DenseStep,
        t: f64,
        y: &mut [f64],
    ) -> f64 {
        step.interpolate(t, y);
        let (q, v) = y.split_at(system.model.nq());
        system.update_kinematics(q, v);
        let k = self.contacts[i];
        match (quantity, system.model.forces()[k].contact()) {
            (Peak::Depth, Some(contact)) => contact.indentation(&system.instant(t, q, v, Some(k))).depth,
            (Peak::Force, Some(contact)) => contact.normal_force(&system.instant(t, q, v, Some(k))),
            (_, None) => 0.0,
        }
    }
}

#[derive(Clone, Copy)]
enum Peak {
    Depth,
    Force,
}

impl Impact {
    fn peak(&self, quantity: Peak) -> f64 {
        match quantity {
            Peak::Depth => self.depth_max,
            Peak::Force => self.force_max,
        }
    }

    fn raise(&mut self, quantity: Peak, t: f64, value: f64) {
        let (best, time) = match quantity {
            Peak::Depth => (&mut self.depth_max, &mut self.t_depth_max),
            Peak::Force => (&mut self.force_max, &mut self.t_force_max),
        };
        if value > *best {
            *best = value;
            *time = t;
        }
    }
}

/// Largest value between `a` and `b` of a function with one peak there. Its 28 steps narrow the interval to 1.4e-6 of
/// itself, which leaves 1e-11 of a parabola's height.
fn golden_section(f: &mut dyn FnMut(f64) -> f64, mut a: f64, mut b: f64) -> (f64, f64) {
    const RATIO: f64 = 0.618_033_988_749_894_8;
    let (mut x1, mut x2) = (b - RATIO * (b - a), a + RATIO * (b - a));
    let (mut f1, mut f2) = (f(x1), f(x2));
    for _ in 0..28 {
        if f1 > f2 {
            (b, x2, f2) = (x2, x1, f1);
            x1 = b - RATIO * (b - a);
            f1 = f(x1);
        } else {
            (a, x1, f1) = (x1, x2, f2);
            x2 = a + RATIO * (b - a);
            f2 = f(x2);
        }
    }
    if f1 > f2 { (x1, f1) } else { (x2, f2) }
}
