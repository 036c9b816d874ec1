//! Computed muscle control: excitations that make a model follow a motion.
//!
//! In every window of time:
//!
//! 1. desired accelerations at its end, from the motion and the errors at its beginning ([`crate::task`]);
//! 2. what force each muscle can have at its end: its dynamics along the motion, moved by the present errors, under
//!    least and greatest excitation ([`crate::window`]);
//! 3. the forces within these ranges that give the accelerations at least cost ([`crate::target`]);
//! 4. the constant excitation of each muscle that leads to its force; actuators ramp to theirs;
//! 5. the simulation of the whole model under these controls.
//!
//! Sources: Thelen, Anderson and Delp 2003, J Biomech 36:321; Thelen and Anderson 2006, J Biomech 39:1107; OpenSim 4,
//! class `CMC`. A muscle depends on the others only through the motion, which is prescribed within a window, so each is
//! predicted alone on lengths that are computed once.

use crate::bounds::Bounds;
use crate::forward::{ForwardOptions, Ramp, Sample, advance};
use crate::plant::Plant;
use crate::start::initial_states;
use crate::target::{ForceSearch, Target};
use crate::task::{Task, Tracking};
use crate::window::{Window, finite};
use wolff_motion::{CoordinateHistory, MotionError, Motors, Subject};

/// Settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CmcOptions {
    /// Length of a window \[s\].
    pub window: f64,
    /// How accelerations are asked for.
    pub target: Target,
    /// Length of the first window, in which the muscles get their states \[s\].
    pub settling: f64,
    /// Accuracy of the excitations; OpenSim's is 4e-3.
    pub tolerance: f64,
    /// The simulation.
    pub forward: ForwardOptions,
}

impl Default for CmcOptions {
    /// OpenSim's: windows of 10 ms after one of 30 ms, fast target; but excitations to 1e-6.
    fn default() -> Self {
        let forward = ForwardOptions::default();
        CmcOptions { window: 0.01, target: Target::Fast, settling: 0.03, tolerance: 1e-6, forward }
    }
}

/// Result of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowReport {
    /// Its beginning \[s\].
    pub time: f64,
    /// Errors of position and speed of each task at its beginning.
    pub errors: Vec<[f64; 2]>,
    /// Motors whose force is at an end of its range.
    pub at_limit: Vec<usize>,
}

/// A tracked motion.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// States, controls and forces over time.
    pub samples: Vec<Sample>,
    /// One per window.
    pub windows: Vec<WindowReport>,
}

/// The controller with its memory.
pub(crate) struct Controller<'m, 'h> {
    pub plant: Plant<'m>,
    pub tracking: Tracking<'h>,
    pub bounds: Bounds,
    search: ForceSearch,
    tolerance: f64,
    window: Window,
    errors: Vec<[f64; 2]>,
    desired: Vec<f64>,
    ranges: Vec<[f64; 2]>,
    /// Controls found for the end of the last window.
    pub controls: Vec<f64>,
    /// Pose at the end of the window.
    q: Vec<f64>,
    v: Vec<f64>,
}

/// Follows a motion over a range of time \[s\], from its first to its last instant less one window.
///
/// The simulation begins [`CmcOptions::settling`] after the first instant: until there, the muscles come to the forces
/// that the motion asks for. `progress` receives the fraction that is done and returns whether to go on.
pub fn track(
    subject: &Subject,
    motors: &Motors,
    history: &CoordinateHistory,
    (tasks, bounds): (&[Task], Bounds),
    range: [f64; 2],
    options: &CmcOptions,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Tracked, MotionError> {
    check(range, options)?;
    let tracking = Tracking::new(tasks, subject, history)?;
    let plant = Plant::new(subject, motors)?;
    let mut controller = Controller::new(plant, tracking, bounds, options)?;
    let (mut y, mut t) = initial_states(&mut controller, range[0], options.settling)?;
    let end = range[1] - options.window;
    let first = t;
    let mut out = Tracked::default();
    while end - t > 1e-9 * options.window {
        if !progress((t - first) / (end - first)) {
            return Err(MotionError::Stopped);
        }
        let before = controller.controls.clone();
        let report = controller.find([t, t + options.window], &y)?;
        out.windows.push(report);
        let next = (t + options.window).min(end);
        let muscles = controller.plant.fibres.len();
        let ramp = Ramp { muscles, span: [t, t + options.window], from: &before, to: &controller.controls };
        advance(&mut controller.plant, &ramp, [t, next], &mut y, &options.forward, &mut out.samples)?;
        t = next;
    }
    Ok(out)
}

/// Maximum number of windows of a range.
const MOST_WINDOWS: f64 = 1e6;

fn check([start, end]: [f64; 2], options: &CmcOptions) -> Result<(), MotionError> {
    let CmcOptions { window, settling, .. } = *options;
    if !(window > 0.0 && window.is_finite() && settling > 0.0 && settling.is_finite()) {
        let reason = format!("window is {window} s and settling {settling} s; give positive, finite times");
        return Err(MotionError::input("computed muscle control", reason));
    }
    if !(options.tolerance > 0.0 && options.tolerance < 0.1) {
        let reason =
            format!("the tolerance of excitations is {}; give a number above 0 and below 0.1", options.tolerance);
        return Err(MotionError::input("computed muscle control", reason));
    }
    if (end - start) / window > MOST_WINDOWS {
        let reason = format!("window is {window} s, too short for {start} to {end} s; the usual one is 0.01 s");
        return Err(MotionError::input("computed muscle control", reason));
    }
    if end - start > settling + 2.0 * window {
        Ok(())
    } else {
        let reason = format!("{start} to {end} s is too short; it needs more than {} s", settling + 2.0 * window);
        Err(MotionError::input("range of time", reason))
    }
}

impl<'m, 'h> Controller<'m, 'h> {
    pub fn new(
        plant: Plant<'m>,
        tracking: Tracking<'h>,
        bounds: Bounds,
        options: &CmcOptions,
    ) -> Result<Self, MotionError> {
        let (count, tasks) = (plant.motors.len(), tracking.tasks.len());
        let (nq, nv) = (plant.model().nq(), plant.model().nv());
        Ok(Controller {
            search: ForceSearch::new(&plant, tasks, options.target)?,
            tolerance: options.tolerance,
            plant,
            tracking,
            bounds,
            window: Window::default(),
            errors: Vec::with_capacity(tasks),
            desired: vec![0.0; tasks],
            ranges: vec![[0.0; 2]; count],
            controls: vec![0.0; count],
            q: vec![0.0; nq],
            v: vec![0.0; nv],
        })
    }

    /// Finds the controls of a window from `t` to `end` \[s\] that starts in state `y`.
    pub fn find(&mut self, [t, end]: [f64; 2], y: &[f64]) -> Result<WindowReport, MotionError> {
        self.look_ahead([t, end], y);
        let limits = self.force_ranges(t, y)?;
        let Controller { plant, tracking, search, .. } = self;
        search.solve(plant, (end, &self.q, &self.v), (tracking, &self.desired, &self.errors), &self.ranges)?;
        self.controls_for(y, &limits);
        let near = |k: &usize| {
            let ([low, high], force) = (self.ranges[*k], self.search.forces[*k]);
            !(force > low && force < high) && high > low
        };
        let at_limit = (0..self.ranges.len()).filter(near).collect();
        Ok(WindowReport { time: t, errors: self.errors.clone(), at_limit })
    }

    /// Errors, desired accelerations, and the lengths of muscles along the motion moved by the present errors.
    fn look_ahead(&mut self, [t, end]: [f64; 2], y: &[f64]) {
        let Controller { plant, tracking, window, .. } = self;
        let [q, v, _, _] = plant.split(y);
        tracking.at(t);
        tracking.errors(q, v, &mut self.errors);
        let dq: Vec<f64> = q.iter().zip(&tracking.q).map(|(x, d)| x - d).collect();
        let dv: Vec<f64> = v.iter().zip(&tracking.v).map(|(x, d)| x - d).collect();
        window.fill(plant, [t, end], (&mut self.q, &mut self.v), |t, q, v| {
            tracking.at(t);
            q.iter_mut().zip(tracking.q.iter().zip(&dq)).for_each(|(q, (d, c))| *q = d + c);
            v.iter_mut().zip(tracking.v.iter().zip(&dv)).for_each(|(v, (d, c))| *v = d + c);
        });
        tracking.at(end);
        tracking.desired(&self.errors, &mut self.desired);
    }

    /// What each motor can give at the end of the window; returns the limits of the controls.
    fn force_ranges(&mut self, t: f64, y: &[f64]) -> Result<Vec<[f64; 2]>, MotionError> {
        let [_, _, a, l] = self.plant.split(y);
        let motors = self.plant.motors;
        let mut limits: Vec<[f64; 2]> = (0..motors.len()).map(|k| self.bounds.at(k, t)).collect();
        for (k, fibre) in self.plant.fibres.iter().enumerate() {
            let mut ends = [0.0; 2];
            for (end, u) in ends.iter_mut().zip(limits[k]) {
                *end = finite(self.window.run(k, fibre, [a[k], l[k]], u).1, &motors.names[k], t)?;
            }
            // where excitation changes nothing, the least one is as good as any
            if (ends[1] - ends[0]).abs() < SMALL_RANGE {
                limits[k][1] = limits[k][0];
            }
            self.ranges[k] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        }
        for (k, actuator) in motors.actuators.iter().enumerate() {
            let k = motors.muscles.len() + k;
            let [a, b] = limits[k].map(|x| x * actuator.optimal_force);
            self.ranges[k] = [a.min(b), a.max(b)];
        }
        Ok(limits)
    }

    /// Controls that lead to the forces found.
    fn controls_for(&mut self, y: &[f64], limits: &[[f64; 2]]) {
        let [_, _, a, l] = self.plant.split(y);
        let forces = &self.search.forces;
        for (k, fibre) in self.plant.fibres.iter().enumerate() {
            let range = (limits[k], self.ranges[k]);
            self.controls[k] = self.window.excitation(k, fibre, [a[k], l[k]], range, (forces[k], self.tolerance));
        }
        let muscles = self.plant.fibres.len();
        for (k, actuator) in self.plant.motors.actuators.iter().enumerate() {
            self.controls[muscles + k] = forces[muscles + k] / actuator.optimal_force;
        }
    }

    /// Activation and fibre length of each muscle at the end of the last window under the controls found.
    pub fn settle(&self, y: &mut [f64]) {
        let (nm, first) = (self.plant.fibres.len(), y.len() - 2 * self.plant.fibres.len());
        for (k, fibre) in self.plant.fibres.iter().enumerate() {
            let start = [y[first + k], y[first + nm + k]];
            [y[first + k], y[first + nm + k]] = self.window.run(k, fibre, start, self.controls[k]).0;
        }
    }
}

/// Range of force \[N\] below which an excitation has no effect (OpenSim).
const SMALL_RANGE: f64 = 1.0;
