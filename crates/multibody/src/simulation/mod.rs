//! Running a model through time: integrator, constraint handling, contacts that open and close, and what is recorded.

mod contacts;
mod interrupt;
mod kinematic;
mod motion;
mod treatment;

pub use contacts::{Impact, RimPassage, SLOWEST_APPROACH, State};
pub use interrupt::Interrupt;
pub use kinematic::analyse_kinematics;

use crate::assembly::AssemblyReport;
use crate::augmented::Penalty;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::system::{Baumgarte, System};
use contacts::ContactLog;
use motion::Motion;
use std::cell::RefCell;
use std::rc::Rc;
use thiserror::Error;
use wolff_numerics::{DenseStep, MechanicalOptions, Method, Observer, OdeError, Options, Report};
use wolff_numerics::{integrate, integrate_mechanical};

/// How violations of constraints are kept small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintHandling {
    /// Not at all: they drift.
    None,
    /// `J a = γ - 2 α φ' - β² φ`.
    Baumgarte(Baumgarte),
    /// Positions and speeds are projected after every step.
    Projection,
    /// Large masses, springs and dampers in place of the rows, with multipliers by iteration.
    AugmentedLagrangian(Penalty),
    /// Independent coordinates are integrated, the dependent ones follow from the rows. They are chosen anew where the
    /// smallest pivot falls below the part `renew_below` of what a free choice gives.
    CoordinatePartitioning {
        /// From 0 (only where rank is lost) to 1 \[-\].
        renew_below: f64,
    },
}

/// The integrator.
#[derive(Clone, Debug)]
pub enum Integrator {
    /// A method for first-order systems.
    Ode(Method, Options),
    /// An implicit method for second-order systems with constraints.
    Mechanical(MechanicalOptions),
}

/// Norm of `φ` up to which a start that is not to be assembled is taken as it is [m, rad or -]: far above rounding, far
/// below what can be measured.
pub const START_VIOLATION: f64 = 1e-6;

/// Time in which the largest acceleration of a model at rest may stop its largest speed \[s\].
pub const REST_TIME: f64 = 0.01;

/// What to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The integrator with its tolerances or step.
    pub integrator: Integrator,
    /// Constraint handling (the implicit methods impose constraints themselves).
    pub constraints: ConstraintHandling,
    /// Start \[s\].
    pub t_start: f64,
    /// End \[s\].
    pub t_end: f64,
    /// Ends the run when the model has come to rest: no acceleration exceeds this \[m/s² or rad/s²\], and no speed what
    /// it would take away in [`REST_TIME`].
    pub until_rest: Option<f64>,
    /// Moves the initial state onto the constraints before the start. A state whose coordinates violate them by more
    /// than [`START_VIOLATION`] is moved in any case: it belongs to another motion.
    pub assemble: bool,
}

/// One second from time zero by Dormand and Prince's method of order 8 with tolerances of 1e-9;
/// constraints are projected after every step, and the initial state is moved onto them.
impl Default for Settings {
    fn default() -> Self {
        Self {
            integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-9, 1e-9)),
            constraints: ConstraintHandling::Projection,
            t_start: 0.0,
            t_end: 1.0,
            until_rest: None,
            assemble: true,
        }
    }
}

impl Settings {
    /// The defaults with this end \[s\].
    pub fn until(t_end: f64) -> Self {
        Settings { t_end, ..Settings::default() }
    }
}

/// How far constraints were violated along the run, measured at the end of every step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// Largest norm of `φ`.
    pub max_position: f64,
    /// Norm of `φ` at the end.
    pub final_position: f64,
    /// Largest norm of `φ'`.
    pub max_velocity: f64,
    /// Norm of `φ'` at the end.
    pub final_velocity: f64,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Coordinates at the end.
    pub q: Vec<f64>,
    /// Speeds at the end.
    pub v: Vec<f64>,
    /// Work done by the integrator.
    pub integration: Report,
    /// Constraint drift.
    pub drift: Drift,
    /// Contacts in the order of their beginning.
    pub impacts: Vec<Impact>,
    /// Where shapes passed the rims of each other.
    pub rim_passages: Vec<RimPassage>,
    /// Norm of `φ` at the state given.
    pub start_violation: f64,
    /// Whether the initial state was moved onto the constraints.
    pub assembled: bool,
    /// How the initial state was assembled.
    pub assembly: AssemblyReport,
}

/// Why a run ended early.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The initial state cannot be made consistent.
    #[error("the initial state: {0}")]
    Start(#[from] DynamicsError),
    /// The integrator gave up.
    #[error("{0}")]
    Integration(#[from] OdeError),
}

/// Sees the state at the sample times, during contacts and after every step, in the order of time and with a system
/// whose kinematics and contacts are those of the instant.
pub trait Recorder {
    /// Called at each sample time.
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]);

    /// Called at some instants of every step while a contact is closed, for contacts may be much shorter than the
    /// sample interval.
    fn contact_sample(&mut self, _system: &mut System<'_>, _t: f64, _q: &[f64], _v: &[f64]) {}

    /// Called at each sample time of a kinematic analysis, which knows the accelerations `a`; masses and forces took no
    /// part in them.
    fn kinematic_sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64], _a: &[f64]) {
        self.sample(system, t, q, v);
    }

    /// Called after each accepted step.
    fn progress(&mut self, _t: f64) {}

    /// Asked at every evaluation of the equations of motion whether the run shall end.
    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }
}

impl Recorder for () {
    fn sample(&mut self, _system: &mut System<'_>, _t: f64, _q: &[f64], _v: &[f64]) {}
}

/// Runs the model from `(q, v)`; `sample_times` increase.
pub fn simulate(
    model: &Model,
    settings: &Settings,
    q: &[f64],
    v: &[f64],
    sample_times: &[f64],
    recorder: &mut dyn Recorder,
) -> Result<RunReport, SimulationError> {
    let (mut q, mut v) = (q.to_vec(), v.to_vec());
    let mut system = System::new(model);
    let start_violation = violation(&mut system, settings.t_start, &q, &v);
    let assembled = settings.assemble || start_violation > START_VIOLATION;
    let assembly = match assembled {
        true => system.assemble(settings.t_start, &mut q, &mut v)?,
        false => AssemblyReport { iterations: 0, violation: 0.0, redundant: Vec::new() },
    };
    let log = Rc::new(RefCell::new(ContactLog::new(&mut system, settings.t_start, &q, &v)));
    let mut motion = Motion::new(model, settings, Rc::clone(&log), recorder.interrupt());
    let mut watcher = Watcher {
        system,
        log: Rc::clone(&log),
        recorder,
        times: sample_times,
        state: vec![0.0; model.nq() + model.nv()],
        last: (settings.t_start, q.iter().chain(&v).copied().collect()),
        sampled: settings.t_start,
        drift: Drift::default(),
        in_contact: match settings.integrator {
            Integrator::Ode(..) => SAMPLES_IN_CONTACT,
            Integrator::Mechanical(_) => SAMPLES_OF_IMPLICIT_STEP,
        },
    };
    let mut y: Vec<f64> = q.iter().chain(&v).copied().collect();
    let (t0, t1) = (settings.t_start, settings.t_end);
    let integration = match &settings.integrator {
        Integrator::Ode(method, options) => integrate(&mut motion, *method, options, t0, &mut y, t1, &mut watcher),
        Integrator::Mechanical(options) => {
            let (q, v) = y.split_at_mut(model.nq());
            integrate_mechanical(&mut motion, options, t0, q, v, t1, &mut watcher).map(|report| report.run)
        }
    };
    let integration = integration.inspect_err(|_| watcher.sample_last())?;
    if integration.stopped_early {
        watcher.state.copy_from_slice(&y);
        watcher.sample(integration.t, true);
    }
    let drift = watcher.drift;
    drop(motion);
    let impacts = std::mem::take(&mut log.borrow_mut().impacts);
    let rim_passages = std::mem::take(&mut log.borrow_mut().rim_passages);
    let (q, v) = y.split_at(model.nq());
    let (q, v) = (q.to_vec(), v.to_vec());
    Ok(RunReport { q, v, integration, drift, impacts, rim_passages, start_violation, assembled, assembly })
}

/// Norm of `φ`.
fn violation(system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) -> f64 {
    if system.model.nc() == 0 {
        return 0.0;
    }
    system.update_constraints(t, q, v);
    system.constraints.drift().0
}

/// Instants recorded in every step of a first-order method while a contact is closed.
const SAMPLES_IN_CONTACT: usize = 6;

/// The same for the implicit methods of second order (Newmark, generalised alpha): only the ends of their steps. Such a
/// step may be long against the fastest modes, whose speeds at its ends then say nothing about the motion between them;
/// forces at states interpolated with these speeds would be wrong by the stiffness times the deviation.
const SAMPLES_OF_IMPLICIT_STEP: usize = 1;

/// Watches the integration: samples, peaks of contacts, drift.
struct Watcher<'a, 'm> {
    system: System<'m>,
    log: Rc<RefCell<ContactLog>>,
    recorder: &'a mut dyn Recorder,
    times: &'a [f64],
    state: Vec<f64>,
    /// Time and state at the end of the last step.
    last: (f64, Vec<f64>),
    /// Time of the last scheduled sample.
    sampled: f64,
    drift: Drift,
    /// Instants recorded in a step while a contact is closed.
    in_contact: usize,
}

impl Watcher<'_, '_> {
    fn sample(&mut self, t: f64, scheduled: bool) {
        let (q, v) = self.state.split_at(self.system.model.nq());
        self.system.approach_speeds.copy_from_slice(&self.log.borrow().approach_speeds);
        self.system.update_kinematics(q, v);
        self.sampled = if scheduled { t } else { self.sampled };
        match scheduled {
            true => self.recorder.sample(&mut self.system, t, q, v),
            false => self.recorder.contact_sample(&mut self.system, t, q, v),
        }
    }

    /// The state that a run has reached when it fails.
    fn sample_last(&mut self) {
        let t = self.last.0;
        if t > self.sampled {
            self.state.copy_from_slice(&self.last.1);
            self.sample(t, true);
        }
    }

    fn measure_drift(&mut self, t: f64, y: &[f64]) {
        if self.system.model.nc() == 0 {
            return;
        }
        let (q, v) = y.split_at(self.system.model.nq());
        self.system.update_constraints(t, q, v);
        let (position, velocity) = self.system.constraints.drift();
        self.drift = Drift {
            max_position: self.drift.max_position.max(position),
            final_position: position,
            max_velocity: self.drift.max_velocity.max(velocity),
            final_velocity: velocity,
        };
    }
}

impl Observer for Watcher<'_, '_> {
    fn start(&mut self, t: f64, y: &[f64]) {
        self.measure_drift(t, y);
        while let Some((&next, rest)) = self.times.split_first()
            && next <= t
        {
            self.times = rest;
            if next == t {
                self.state.copy_from_slice(y);
                self.sample(t, true);
            }
        }
    }

    fn needs_interpolation(&self, _t0: f64, t1: f64) -> bool {
        self.log.borrow().any_closed() || self.times.first().is_some_and(|&t| t < t1)
    }

    fn step(&mut self, step: &DenseStep) {
        let mut during = if self.log.borrow().any_closed() { self.in_contact } else { 0 };
        let spacing = (step.t1 - step.t0) / self.in_contact as f64;
        loop {
            let scheduled = self.times.first().copied().filter(|&t| t <= step.t1);
            let contact = (during > 0).then(|| step.t1 - (during - 1) as f64 * spacing);
            let (t, is_scheduled) = match (scheduled, contact) {
                (Some(s), Some(c)) => (s.min(c), s <= c),
                (Some(s), None) => (s, true),
                (None, Some(c)) => (c, false),
                (None, None) => break,
            };
            match is_scheduled {
                true => self.times = &self.times[1..],
                false => during -= 1,
            }
            step.interpolate(t.clamp(step.t0, step.t1), &mut self.state);
            self.sample(t, is_scheduled);
        }
        let inside = self.in_contact > SAMPLES_OF_IMPLICIT_STEP;
        self.log.borrow_mut().follow(&mut self.system, step, inside, &mut self.state);
        self.measure_drift(step.t1, step.end());
        self.last.0 = step.t1;
        self.last.1.copy_from_slice(step.end());
        self.recorder.progress(step.t1);
    }
}
