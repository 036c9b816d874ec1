//! One frame after the other.

mod determined;

use super::factor::factor_in_place;
use super::freedoms::Freedoms;
use super::loops::Loops;
use super::normal::{Curvature, Normal, Point, cost};
use super::tasks::{Matched, Target, Tasks};
use crate::{MotionError, Subject};
use nalgebra::DMatrix;
use wolff_multibody::{Kinematics, Model};
use wolff_numerics::dense;
use wolff_spatial::Vec3;

/// Settings of the search for a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Tolerance of a coordinate \[rad or m\], estimated from the last step and from the rate of convergence.
    pub tolerance: f64,
    /// Maximum number of iterations per frame.
    pub max_iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 200 }
    }
}

/// Report of the search for the pose of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameFit {
    /// Iterations.
    pub iterations: usize,
    /// Cost at the pose found.
    pub cost: f64,
    /// Number of visible markers with a weight.
    pub seen: usize,
    /// Whether the estimated distance to the solution is below the tolerance.
    pub converged: bool,
}

/// A tracked coordinate.
#[derive(Clone, Debug)]
struct Followed {
    speed: usize,
    weight: f64,
    wanted: Target,
    target: f64,
}

/// Finds poses of one model; keeps its memory from frame to frame.
#[derive(Debug)]
pub struct Solver<'m> {
    model: &'m Model,
    freedoms: Freedoms,
    options: Options,
    points: Vec<Point>,
    weights: Vec<f64>,
    followed: Vec<Followed>,
    /// Range of each free coordinate.
    range: Vec<[f64; 2]>,
    kin: Kinematics,
    rest: Vec<f64>,
    normal: Normal,
    loops: Option<Loops>,
    work: Work,
}

/// Work memory of a step.
#[derive(Debug)]
struct Work {
    factor: DMatrix<f64>,
    rows: Vec<usize>,
    step: Vec<f64>,
    held: Vec<bool>,
    trial: Vec<f64>,
}

/// Fraction of the largest diagonal entry that is added to every diagonal entry: coordinates that no marker determines
/// stay unchanged.
const FLOOR: f64 = 1e-10;

/// Damping after the first rejected step; damping below which it is set to zero; maximum damping at which a small step
/// counts as convergence; damping at which the search gives up.
const FIRST_DAMPING: f64 = 1e-4;
const LEAST_DAMPING: f64 = 1e-6;
const TRUSTED_DAMPING: f64 = 1.0;
const HOPELESS_DAMPING: f64 = 1e8;

/// Bounds of the estimated convergence rate of the steps.
const FASTEST_RATE: f64 = 0.1;
const SLOWEST_RATE: f64 = 0.9;

/// Violations of loops, summed [m or rad]: the tolerance of the search, the limit for an error, and the level of
/// rounding.
const LOOP_TOLERANCE: f64 = 1e-9;
const LOOP_FAILURE: f64 = 1e-6;
const LOOP_ROUNDING: f64 = 1e-12;

/// Minimum weight of violations relative to the cost.
const LEAST_PENALTY: f64 = 1e-3;

/// Maximum number of loop corrections per step.
const LOOP_CORRECTIONS: usize = 4;

impl<'m> Solver<'m> {
    /// A solver for the markers and coordinates given.
    pub fn new(subject: &'m Subject, tasks: &Tasks, matched: &Matched, options: Options) -> Result<Self, MotionError> {
        let model = &subject.model;
        let freedoms = Freedoms::new(model);
        let mut followed = Vec::new();
        for (name, weight, wanted) in &tasks.coordinates {
            let owner = || "the task set".to_string();
            let unknown = || MotionError::Unknown { owner: owner(), what: "coordinate", name: name.clone() };
            let speed = subject.coordinate(name).ok_or_else(unknown)?.speed;
            // fixed and coupled coordinates are not free to follow a target
            if *weight > 0.0 && freedoms.free().contains(&speed) {
                followed.push(Followed { speed, weight: *weight, wanted: wanted.clone(), target: 0.0 });
            }
        }
        let range_of = |k: &usize| {
            let range = subject.coordinates.iter().find(|c| c.speed == *k).and_then(|c| c.range);
            range.filter(|[low, high]| low <= high).unwrap_or([f64::NEG_INFINITY, f64::INFINITY])
        };
        let place = |m: &super::tasks::MatchedMarker| Point {
            body: m.frame.body,
            p_B: m.frame.X_BF.p,
            weight: 0.0,
            target: Vec3::zeros(),
        };
        let n = freedoms.free().len();
        Ok(Self {
            model,
            options,
            points: matched.markers.iter().map(place).collect(),
            weights: matched.markers.iter().map(|m| m.weight).collect(),
            followed,
            range: freedoms.free().iter().map(range_of).collect(),
            kin: Kinematics::new(model),
            rest: vec![0.0; model.nv()],
            normal: Normal::new(model),
            loops: Loops::new(model, &freedoms),
            work: Work {
                factor: DMatrix::zeros(n, n),
                rows: Vec::with_capacity(n),
                step: vec![0.0; n],
                held: vec![false; n],
                trial: vec![0.0; model.nq()],
            },
            freedoms,
        })
    }

    /// The coordinates that it moves.
    pub fn freedoms(&self) -> &Freedoms {
        &self.freedoms
    }

    /// Finds the pose at time `t` \[s\] for measured marker positions `observed` \[m\], in the order of the matched
    /// markers; `q` is the initial guess on entry and the pose found on return.
    pub fn solve(&mut self, t: f64, observed: &[Option<[f64; 3]>], q: &mut [f64]) -> Result<FrameFit, MotionError> {
        self.solve_damped(t, observed, q, 0.0)
    }

    /// The same with an initial damping: with 0 the first step is a full one, with 1 and more the steps are small and
    /// along the gradient.
    pub fn solve_damped(
        &mut self,
        t: f64,
        observed: &[Option<[f64; 3]>],
        q: &mut [f64],
        damping: f64,
    ) -> Result<FrameFit, MotionError> {
        let failed = |reason: String| MotionError::Pose { time: t, reason };
        if q.len() != self.model.nq() {
            return Err(failed(format!("{} coordinates for a model of {}", q.len(), self.model.nq())));
        }
        let seen = self.observe(t, observed).map_err(failed)?;
        self.admit(t, q);
        let start = self.evaluate(t, q);
        if !(start.cost + start.violation).is_finite() {
            return Err(failed("the pose to start from is not finite; correct the default values of the model".into()));
        }
        let (end, iterations, converged) = self.descend(t, q, start, damping).map_err(failed)?;
        if end.violation > LOOP_FAILURE {
            let reason = format!("loops of the model stay open by {:.3e}; check its constraints", end.violation);
            return Err(failed(reason));
        }
        Ok(FrameFit { iterations, cost: end.cost, seen, converged })
    }

    /// Steps until they are small; leaves `q` and the kinematics at the pose found.
    fn descend(&mut self, t: f64, q: &mut [f64], start: Merit, damping: f64) -> Result<(Merit, usize, bool), String> {
        let (mut merit, mut damping) = (start, damping);
        let mut last = None;
        let mut fresh = false;
        for iteration in 1..=self.options.max_iterations {
            if !fresh {
                self.linearise(q, Curvature::With);
                fresh = true;
            }
            let size = match self.step(q, damping)? {
                Some(size) => size,
                // no minimum of the quadratic model: without curvature there is one
                None => {
                    self.linearise(q, Curvature::Without);
                    self.step(q, damping)?.ok_or("the normal equations are not finite")?
                }
            };
            let trial = self.evaluate_trial(t)?;
            // a step that is small because of damping does not indicate convergence
            let small = damping <= TRUSTED_DAMPING && left_after(size, last) <= self.options.tolerance;
            last = Some(size);
            let penalty = self.penalty();
            if trial.with(penalty) <= merit.with(penalty) {
                q.copy_from_slice(&self.work.trial);
                merit = trial;
                damping = if damping > LEAST_DAMPING { damping * 0.1 } else { 0.0 };
                fresh = false;
            } else {
                self.evaluate(t, q);
                damping = (damping * 10.0).max(FIRST_DAMPING);
            }
            // a small step that does not reduce the cost is rounding
            if small && merit.violation <= LOOP_TOLERANCE {
                return Ok((merit, iteration, true));
            }
            if damping > HOPELESS_DAMPING {
                return Ok((merit, iteration, false));
            }
        }
        Ok((merit, self.options.max_iterations, false))
    }

    /// Evaluates the trial pose after closing the loops, which the step violates to second order.
    fn evaluate_trial(&mut self, t: f64) -> Result<Merit, String> {
        let mut q = std::mem::take(&mut self.work.trial);
        let mut merit = self.evaluate(t, &q);
        for _ in 0..LOOP_CORRECTIONS {
            let Some(loops) = &mut self.loops else { break };
            if merit.violation <= LOOP_ROUNDING {
                break;
            }
            let Work { factor, step, .. } = &mut self.work;
            loops.close(step);
            dense::solve_lower_transpose(factor, step);
            self.freedoms.free().iter().zip(&*step).for_each(|(&k, d)| q[self.freedoms.position(k)] += d);
            self.freedoms.follow(&mut q);
            let closed = self.evaluate(t, &q);
            let better = closed.violation < merit.violation;
            merit = closed;
            if !better {
                break;
            }
        }
        self.work.trial = q;
        Ok(merit)
    }

    /// Positions of the markers for the last pose found \[m\].
    pub fn model_markers(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.points.iter().map(|m| self.kin.bodies[m.body].X_GB.point(&m.p_B))
    }

    /// Copies the measured positions; weights are normalised over the visible markers.
    fn observe(&mut self, t: f64, observed: &[Option<[f64; 3]>]) -> Result<usize, String> {
        let seen_weight = |(w, o): (&f64, &Option<[f64; 3]>)| o.map_or(0.0, |_| *w);
        let total: f64 = self.weights.iter().zip(observed).map(seen_weight).sum();
        let mut seen = 0;
        for (i, m) in self.points.iter_mut().enumerate() {
            m.weight = 0.0;
            if let Some(target) = observed.get(i).copied().flatten() {
                if target.iter().any(|x| !x.is_finite()) {
                    return Err(format!("marker {} is not finite; a missing marker must be given as a gap", i + 1));
                }
                m.weight = self.weights[i] / total;
                m.target = Vec3::from(target);
                seen += 1;
            }
        }
        for f in &mut self.followed {
            f.target = f.wanted.at(t);
        }
        if seen == 0 && self.followed.is_empty() {
            return Err("no marker is visible; fill the gap or omit the frame".into());
        }
        Ok(seen)
    }

    /// Moves coordinates into their ranges and sets dependent ones.
    fn admit(&self, t: f64, q: &mut [f64]) {
        for (k, [low, high]) in self.freedoms.free().iter().zip(&self.range) {
            let at = self.freedoms.position(*k);
            q[at] = q[at].max(*low).min(*high);
        }
        self.freedoms.fix(t, q);
        self.freedoms.follow(q);
    }

    /// Cost and violation of a pose; its kinematics stay for [`Solver::linearise`].
    fn evaluate(&mut self, t: f64, q: &[f64]) -> Merit {
        self.kin.update(self.model, q, &self.rest);
        let follow = |f: &Followed| f.weight * (q[self.freedoms.position(f.speed)] - f.target).powi(2);
        let cost = cost(&self.kin, &self.points) + 0.5 * self.followed.iter().map(follow).sum::<f64>();
        let violation = match &mut self.loops {
            Some(loops) => loops.evaluate(t, self.model, &self.kin, q, &self.rest),
            None => 0.0,
        };
        Merit { cost, violation }
    }

    /// Normal equations at the pose last evaluated, dependent coordinates eliminated.
    fn linearise(&mut self, q: &[f64], curvature: Curvature) {
        self.normal.compute(self.model, &self.kin, &self.points, curvature);
        for f in &self.followed {
            self.normal.g[f.speed] += f.weight * (q[self.freedoms.position(f.speed)] - f.target);
            self.normal.H[(f.speed, f.speed)] += f.weight;
        }
        self.freedoms.gather_symmetric(q, &mut self.normal.H);
        self.freedoms.gather(q, &mut self.normal.g, 1);
        if let Some(loops) = &mut self.loops {
            loops.linearise(&self.freedoms, q);
        }
    }

    /// Weight of violations in the merit: above the multipliers, so that its minimum is that of the constrained cost.
    fn penalty(&self) -> f64 {
        self.loops.as_ref().map_or(0.0, |l| 2.0 * l.largest_multiplier() + LEAST_PENALTY)
    }

    /// A damped step from `q` into the trial pose; coordinates at the end of their range that would leave it are held.
    /// Returns its size, or `None` where the matrix is not positive definite.
    fn step(&mut self, q: &[f64], damping: f64) -> Result<Option<f64>, String> {
        let free = self.freedoms.free();
        let Work { factor, rows, step, held, trial } = &mut self.work;
        let largest = free.iter().fold(0.0_f64, |m, &k| m.max(self.normal.H[(k, k)]));
        for (i, &k) in free.iter().enumerate() {
            let (x, g, [low, high]) = (q[self.freedoms.position(k)], self.normal.g[k], self.range[i]);
            held[i] = (x <= low && g > 0.0) || (x >= high && g < 0.0);
            step[i] = if held[i] { 0.0 } else { -g };
        }
        for (j, &l) in free.iter().enumerate() {
            for (i, &k) in free.iter().enumerate().skip(j) {
                factor[(i, j)] = if held[i] || held[j] { 0.0 } else { self.normal.H[(k, l)] };
            }
            let diagonal = self.normal.H[(l, l)];
            factor[(j, j)] =
                if held[j] { 1.0 } else { diagonal * (1.0 + damping) + FLOOR * largest + f64::MIN_POSITIVE };
        }
        if factor_in_place(factor, rows).is_err() {
            return Ok(None);
        }
        dense::solve_lower(factor, step);
        if let Some(loops) = &mut self.loops {
            loops.restrict(free, held, factor, step)?;
        }
        dense::solve_lower_transpose(factor, step);
        trial.copy_from_slice(q);
        let mut size = 0.0_f64;
        for (i, &k) in free.iter().enumerate() {
            let at = self.freedoms.position(k);
            let [low, high] = self.range[i];
            trial[at] = (q[at] + step[i]).max(low).min(high);
            size = size.max((trial[at] - q[at]).abs());
        }
        self.freedoms.follow(trial);
        Ok(Some(size))
    }
}

/// Distance to the end of a search whose steps shrink by a constant rate: the rest of the geometric series.
///
/// Convergence is slower if more curvature is neglected and if markers determine a coordinate poorly. Limits: the rate
/// is assumed to be at least a tenth, because one fast first step does not predict the following ones.
fn left_after(size: f64, last: Option<f64>) -> f64 {
    let rate = last.map_or(SLOWEST_RATE, |l| size / l).clamp(FASTEST_RATE, SLOWEST_RATE);
    size * rate / (1.0 - rate)
}

/// Measures of a pose.
#[derive(Clone, Copy, Debug)]
struct Merit {
    cost: f64,
    violation: f64,
}

impl Merit {
    fn with(&self, penalty: f64) -> f64 {
        self.cost + penalty * self.violation
    }
}
