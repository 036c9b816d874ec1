//! The forces that give desired accelerations at least cost: a static optimisation at the end of a window.
//!
//! ```text
//! fast:  min Σ (F_i/S_i)²                              with  q̈_j(F) = q̈*_j
//! slow:  min c Σ (F_i/S_i)² + Σ w_j (q̈_j(F) - q̈*_j)²
//! both:  F_min ≤ F ≤ F_max,    q̈(F) = q̈_0 + Σ F_i M⁻¹ (R_i - Jᵀ λ_i)
//! ```
//! The rows are multiplied by the inertia `Λ = (S M⁻¹ Sᵀ)⁻¹` of the tracked coordinates, S their selection: they then
//! are generalised forces, on which a muscle acts at its own joints only.
//!
//! S scale of each force: that of an actuator; for a muscle of the fast target its active force along a rigid tendon
//! at full activation, for one of the slow target its maximum isometric force. Source: OpenSim 4, classes
//! `ActuatorForceTargetFast` and `ActuatorForceTarget`; Thelen and Anderson 2006, J Biomech 39:1107.

use crate::plant::Plant;
use crate::task::Tracking;
use nalgebra::DMatrix;
use wolff_motion::MotionError;
use wolff_motion::sharing::{Sharing, SharingProblem};
use wolff_motion::shortfall::shortfalls;
use wolff_motion::static_optimization::rigid_tendon_forces;
use wolff_multibody::Baumgarte;

/// How desired accelerations are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// They must be met.
    #[default]
    Fast,
    /// They are met as well as their weights ask.
    Slow,
}

/// Scale of the force of a muscle that cannot pull \[N\] (OpenSim).
const NO_STRENGTH: f64 = 1e-4;
/// Least part of the cost of forces in the slow target (chosen here: the problem stays strictly convex).
const LEAST_COST: f64 = 1e-6;
/// Part of an error limit from which the cost of forces is given up (OpenSim).
const RELATIVE_TAU: f64 = 0.1;

/// Work memory of the problem.
#[derive(Debug)]
pub struct ForceSearch {
    kind: Target,
    problem: SharingProblem,
    sharing: Sharing,
    /// Forces found \[N or N m\].
    pub forces: Vec<f64>,
    scale: Vec<f64>,
    tau: Vec<f64>,
    change: Vec<f64>,
    a0: Vec<f64>,
    /// Inertia of the tracked coordinates.
    inertia: DMatrix<f64>,
}

impl ForceSearch {
    /// Memory for a plant and a number of tasks.
    pub fn new(plant: &Plant<'_>, tasks: usize, kind: Target) -> Result<Self, MotionError> {
        let (count, nv) = (plant.motors.len(), plant.model().nv());
        let columns = if kind == Target::Slow { count + tasks } else { count };
        Ok(ForceSearch {
            kind,
            problem: SharingProblem {
                A: DMatrix::zeros(tasks, columns),
                b: vec![0.0; tasks],
                lower: vec![f64::NEG_INFINITY; columns],
                upper: vec![f64::INFINITY; columns],
            },
            sharing: Sharing::new(tasks, columns, 2.0)?,
            forces: vec![0.0; count],
            scale: vec![1.0; count],
            tau: vec![0.0; nv],
            change: vec![0.0; nv],
            a0: vec![0.0; nv],
            inertia: DMatrix::zeros(tasks, tasks),
        })
    }

    /// Finds the forces within their ranges \[N or N m\] for the accelerations `desired` at time `t` in a pose.
    pub fn solve(
        &mut self,
        plant: &mut Plant<'_>,
        (t, q, v): (f64, &[f64], &[f64]),
        (tracking, desired, errors): (&Tracking<'_>, &[f64], &[[f64; 2]]),
        ranges: &[[f64; 2]],
    ) -> Result<(), MotionError> {
        let failed = MotionError::instant(t);
        plant.system.accelerations(t, q, v, Baumgarte::NONE, &mut self.a0).map_err(&failed)?;
        plant.system.factor_accelerations(t, q, v).map_err(&failed)?;
        self.task_inertia(plant, t, tracking)?;
        let cost = if self.kind == Target::Slow { cost_of_forces(tracking, errors) } else { 1.0 };
        for k in 0..plant.motors.len() {
            self.column(plant, (t, q, v), k);
            self.scale[k] /= cost.sqrt();
            for row in 0..tracking.places.len() {
                let parts = tracking.places.iter().enumerate();
                let sum: f64 = parts.map(|(j, [_, i])| self.inertia[(row, j)] * self.change[*i]).sum();
                self.problem.A[(row, k)] = sum * self.scale[k];
            }
            let [low, high] = ranges[k];
            (self.problem.lower[k], self.problem.upper[k]) = (low / self.scale[k], high / self.scale[k]);
        }
        let count = plant.motors.len();
        for row in 0..tracking.places.len() {
            let parts = tracking.places.iter().enumerate();
            self.problem.b[row] = parts.map(|(j, [_, i])| self.inertia[(row, j)] * (desired[j] - self.a0[*i])).sum();
            for (j, task) in tracking.tasks.iter().enumerate().filter(|_| self.kind == Target::Slow) {
                self.problem.A[(row, count + j)] = self.inertia[(row, j)] / task.weight.sqrt();
            }
        }
        let report = self.sharing.solve(&self.problem);
        for (k, force) in self.forces.iter_mut().enumerate() {
            *force = self.sharing.controls()[k] * self.scale[k];
        }
        if report.solved { Ok(()) } else { Err(self.lack(t, tracking)) }
    }

    /// Inertia of the tracked coordinates in the pose that was factored.
    fn task_inertia(&mut self, plant: &mut Plant<'_>, t: f64, tracking: &Tracking<'_>) -> Result<(), MotionError> {
        for (column, [_, i]) in tracking.places.iter().enumerate() {
            self.tau.fill(0.0);
            self.tau[*i] = 1.0;
            plant.system.acceleration_change(&self.tau, &mut self.change);
            for (row, [_, k]) in tracking.places.iter().enumerate() {
                self.inertia[(row, column)] = self.change[*k];
            }
        }
        let singular = || MotionError::Instant {
            time: t,
            reason: "the tracked coordinates depend on each other or are locked; track only independent ones".into(),
        };
        self.inertia = self.inertia.clone().cholesky().ok_or_else(singular)?.inverse();
        Ok(())
    }

    /// The accelerations by a unit force of motor `k`, and its scale.
    fn column(&mut self, plant: &mut Plant<'_>, (t, q, v): (f64, &[f64], &[f64]), k: usize) {
        let motors = plant.motors;
        let at = plant.system.instant(t, q, v, None);
        match motors.muscles.get(k) {
            Some(muscle) => {
                let geometry = muscle.path.solve(&at, None);
                muscle.path.length_gradient(&geometry, &at, &mut self.tau);
                self.tau.iter_mut().for_each(|x| *x = -*x);
                let speed = muscle.path.speed(&geometry, &at);
                self.scale[k] = match self.kind {
                    Target::Slow => muscle.hill.parameters().max_isometric_force,
                    Target::Fast => {
                        let [active, _] = rigid_tendon_forces(&muscle.hill, geometry.length, speed);
                        if active.abs() < f64::EPSILON { NO_STRENGTH } else { active.abs() }
                    }
                };
            }
            None => {
                let actuator = &motors.actuators[k - motors.muscles.len()];
                actuator.unit_generalized(&at, &mut self.tau);
                self.scale[k] = actuator.optimal_force.abs();
            }
        }
        plant.system.acceleration_change(&self.tau, &mut self.change);
    }

    /// The error where accelerations cannot be met.
    fn lack(&self, t: f64, tracking: &Tracking<'_>) -> MotionError {
        let worst: Vec<String> = shortfalls(&self.problem)
            .iter()
            .map(|s| format!("`{}` by {:.3e} N m or N", tracking.tasks[s.row].coordinate, s.amount))
            .collect();
        let reason = format!(
            "muscles and actuators cannot give the desired accelerations of {}; add reserve and residual actuators, \
             widen the bounds of controls, or use the slow target",
            if worst.is_empty() { "the tracked coordinates".to_string() } else { worst.join(", ") }
        );
        MotionError::Instant { time: t, reason }
    }
}

/// Weight of the cost of forces: one far below the limits of errors, near zero above them.
fn cost_of_forces(tracking: &Tracking<'_>, errors: &[[f64; 2]]) -> f64 {
    let of = |(task, [p, _]): (&crate::task::Task, &[f64; 2])| {
        if task.limit > 0.0 { sigmoid_down(task.limit * RELATIVE_TAU, task.limit, p.abs()) } else { 1.0 }
    };
    tracking.tasks.iter().zip(errors).map(of).fold(1.0, f64::min).max(LEAST_COST)
}

/// A smooth step from one to zero at `x0` of width `tau`: `1 - 1/(1 + exp((x0 - x)/tau))`.
fn sigmoid_down(tau: f64, x0: f64, x: f64) -> f64 {
    1.0 - 1.0 / (1.0 + ((x0 - x) / tau).exp())
}
