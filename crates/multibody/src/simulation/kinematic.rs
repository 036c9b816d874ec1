//! Kinematic analysis: the motion that constraints and drivers prescribe, without masses, forces and integration.

use super::{Drift, Recorder, RunReport, SimulationError};
use crate::assembly::AssemblyReport;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::partition::Partition;
use crate::system::System;
use wolff_numerics::{OdeError, Report};

/// Newton iterations after which a shorter way from the last position is taken: more mean that the prediction was
/// poor, and that another branch of the mechanism may be met.
const GOOD_ITERATIONS: usize = 6;

/// Halvings of the way between two instants.
const HALVINGS: i32 = 30;

/// Growth of the way after a good prediction.
const GROWTH: f64 = 2.0;

/// The motion at one instant.
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

/// An analysis under way.
struct Analysis<'m> {
    system: System<'m>,
    partition: Partition,
    now: State,
    trial: State,
    step: Vec<f64>,
    report: Report,
    drift: Drift,
}

/// Positions by Newton's method, speeds and accelerations by linear equations, at the given instants. The way between
/// two instants is followed in steps short enough to stay on the branch of the first position `q`. Masses, forces and
/// contacts have no effect.
///
/// # Errors
/// Systems with freedoms that no constraint and no driver decides are refused, by the names of their coordinates.
pub fn analyse_kinematics(
    model: &Model,
    (t_start, t_end): (f64, f64),
    q: &[f64],
    times: &[f64],
    recorder: &mut dyn Recorder,
) -> Result<RunReport, SimulationError> {
    let mut analysis = Analysis::start(model, t_start, q)?;
    let start_violation = super::violation(&mut System::new(model), t_start, q, &vec![0.0; model.nv()]);
    let iterations = analysis.solve_start()?;
    let interrupt = recorder.interrupt();
    for &t in times.iter().filter(|t| (t_start..=t_end).contains(*t)) {
        interrupt.check(analysis.now.t)?;
        analysis.advance(t)?;
        recorder.progress(t);
        let now = &analysis.now;
        analysis.system.update_kinematics(&now.q, &now.v);
        recorder.kinematic_sample(&mut analysis.system, now.t, &now.q, &now.v, &now.a);
    }
    analysis.advance(t_end)?;
    let redundant = analysis.partition.redundant().iter().map(|&row| model.row_name(row)).collect();
    analysis.report.t = analysis.now.t;
    Ok(RunReport {
        q: analysis.now.q,
        v: analysis.now.v,
        integration: analysis.report,
        drift: analysis.drift,
        impacts: Vec::new(),
        rim_passages: Vec::new(),
        start_violation,
        assembled: start_violation > super::START_VIOLATION,
        assembly: AssemblyReport { iterations, violation: analysis.drift.final_position, redundant },
    })
}

impl<'m> Analysis<'m> {
    fn start(model: &'m Model, t: f64, q: &[f64]) -> Result<Self, DynamicsError> {
        let zero = vec![0.0; model.nv()];
        let state = || State { t, q: q.to_vec(), v: zero.clone(), a: zero.clone() };
        let mut system = System::new(model);
        let mut partition = Partition::new(model);
        partition.choose(&mut system, t, q);
        let analysis = Analysis {
            system,
            partition,
            now: state(),
            trial: state(),
            step: zero.clone(),
            report: Report::default(),
            drift: Drift::default(),
        };
        analysis.require_driven()?;
        Ok(analysis)
    }

    /// Refuses freedoms that no constraint decides, by name.
    fn require_driven(&self) -> Result<(), DynamicsError> {
        let names: Vec<String> =
            self.partition.independent().map(|k| format!("`{}`", self.system.model.coordinate_names()[k])).collect();
        match names.is_empty() {
            true => Ok(()),
            false => Err(DynamicsError::Freedoms { count: names.len(), coordinates: names.join(", ") }),
        }
    }

    /// The position at the start; it may be far from the given one.
    fn solve_start(&mut self) -> Result<usize, DynamicsError> {
        let iterations = self.partition.positions(&mut self.system, self.now.t, &mut self.now.q)?;
        self.partition.choose(&mut self.system, self.now.t, &self.now.q);
        self.require_driven()?;
        self.trial.t = self.now.t;
        self.trial.q.copy_from_slice(&self.now.q);
        self.solve_rates()?;
        self.accept();
        Ok(iterations)
    }

    /// Speeds and accelerations of the trial position.
    fn solve_rates(&mut self) -> Result<(), DynamicsError> {
        let State { t, q, v, a } = &mut self.trial;
        v.fill(0.0);
        a.fill(0.0);
        self.partition.speeds(&mut self.system, *t, q, v)?;
        self.partition.accelerations(&mut self.system, *t, q, v, a)
    }

    /// Takes over the trial and measures what is left of the constraints.
    fn accept(&mut self) {
        std::mem::swap(&mut self.now, &mut self.trial);
        let (position, velocity) = self.system.constraints.drift();
        self.drift = Drift {
            max_position: self.drift.max_position.max(position),
            final_position: position,
            max_velocity: self.drift.max_velocity.max(velocity),
            final_velocity: velocity,
        };
    }

    /// Goes on to `t`, in shorter steps where Newton's method needs them.
    fn advance(&mut self, t: f64) -> Result<(), SimulationError> {
        let shortest = (t - self.now.t) * GROWTH.powi(-HALVINGS);
        let mut h = t - self.now.t;
        while self.now.t < t {
            let end = if self.now.t + 1.01 * h >= t { t } else { self.now.t + h };
            match self.attempt(end) {
                Ok(iterations) if iterations <= GOOD_ITERATIONS => {
                    self.accept();
                    self.report.statistics.steps += 1;
                    h *= GROWTH;
                }
                outcome => {
                    self.report.statistics.rejected += 1;
                    h *= 0.5;
                    if h < shortest {
                        return Err(self.failure(outcome.err()));
                    }
                }
            }
        }
        Ok(())
    }

    /// The motion at `t` from that of the last instant; the iterations that the position took.
    fn attempt(&mut self, t: f64) -> Result<usize, DynamicsError> {
        let h = t - self.now.t;
        for (step, (v, a)) in self.step.iter_mut().zip(self.now.v.iter().zip(&self.now.a)) {
            *step = h * (v + 0.5 * h * a);
        }
        self.trial.t = t;
        self.system.model.retract(&self.now.q, &self.step, &mut self.trial.q);
        self.system.model.normalize(&mut self.trial.q);
        let iterations = self.partition.positions(&mut self.system, t, &mut self.trial.q)?;
        self.partition.renew(&self.system, crate::partition::REPARTITION);
        self.require_driven()?;
        self.solve_rates()?;
        Ok(iterations)
    }

    fn failure(&self, cause: Option<DynamicsError>) -> SimulationError {
        let cause = match cause {
            Some(cause) => format!("the mechanism cannot be moved on: {cause}"),
            None => "the mechanism cannot be moved on without a jump".into(),
        };
        SimulationError::Integration(OdeError::System { t: self.now.t, cause })
    }
}
