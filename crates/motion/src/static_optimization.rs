//! Static optimisation: the muscle forces that produce the moments of a motion.

use crate::MotionError;
use crate::actuator::{Actuator, ActuatorSpec};
use crate::coupling::Coupling;
use crate::history::CoordinateHistory;
use crate::inverse_dynamics::InverseFrame;
use crate::muscle::{Muscle, MuscleSpec};
use crate::sharing::{Sharing, SharingProblem, SharingReport};
use crate::shortfall::{Shortfall, shortfalls};
use nalgebra::DMatrix;
use wolff_multibody::Model;
use wolff_muscle::HillMuscle;

/// How muscle force depends on the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Physiology {
    /// Activation times maximum isometric force.
    Ignored,
    /// Activation times the active force at the present length and speed with a rigid tendon, along the tendon; passive
    /// force is neglected, as in OpenSim.
    #[default]
    Active,
    /// The same plus the passive force of the fibre.
    ActiveAndPassive,
}

/// Cost function and muscle model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharingOptions {
    /// Power p > 1 of the controls in the cost `Σ |a|^p`.
    pub power: f64,
    /// How muscle force depends on the motion.
    pub physiology: Physiology,
}

impl Default for SharingOptions {
    fn default() -> Self {
        SharingOptions { power: 2.0, physiology: Physiology::Active }
    }
}

/// All muscles, then all ideal actuators.
#[derive(Clone, Debug)]
pub struct Motors {
    /// Names.
    pub names: Vec<String>,
    /// Muscles.
    pub muscles: Vec<Muscle>,
    /// Reserves and residuals.
    pub actuators: Vec<Actuator>,
    /// Minimum and maximum control of each.
    pub control: Vec<[f64; 2]>,
}

impl Motors {
    /// Muscles and actuators on the bodies and coordinates of a model.
    pub fn new(muscles: &[MuscleSpec], actuators: &[ActuatorSpec], model: &Model) -> Result<Self, MotionError> {
        let names = muscles.iter().map(|m| &m.name).chain(actuators.iter().map(|a| &a.name));
        let control = muscles.iter().map(|m| m.control).chain(actuators.iter().map(|a| a.control));
        let motors = Motors {
            names: names.cloned().collect(),
            muscles: muscles.iter().map(|m| m.resolve(model)).collect::<Result<_, _>>()?,
            actuators: actuators.iter().map(|a| a.resolve(model)).collect::<Result<_, _>>()?,
            control: control.collect(),
        };
        for (name, [low, high]) in motors.names.iter().zip(&motors.control) {
            if !(low <= high) {
                let reason = format!("minimum control {low} is above the maximum {high}; correct the model");
                return Err(MotionError::input(name, reason));
            }
        }
        Ok(motors)
    }

    /// Number of muscles and actuators.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is neither muscle nor actuator.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Active force \[N\] at full activation and passive force \[N\], both along the tendon, of a muscle whose tendon keeps
/// its slack length.
///
/// Without damping; both are zero for a fibre below its minimum length.
pub fn rigid_tendon_forces(muscle: &HillMuscle, length: f64, speed: f64) -> [f64; 2] {
    let p = muscle.parameters();
    let along = length - p.tendon_slack_length;
    let l = muscle.pennation().fibre(along.max(0.0));
    if along <= 0.0 || l <= muscle.shortest_fibre() {
        return [0.0; 2];
    }
    let (x, cosine) = (l / p.optimal_fibre_length, muscle.pennation().cosine(l));
    let v = speed * cosine / (p.max_velocity * p.optimal_fibre_length);
    let curves = muscle.curves();
    let scale = p.max_isometric_force * cosine;
    [scale * curves.active(x).value * curves.velocity(v).value, scale * curves.passive(x).value]
}

/// Result of an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct InstantReport {
    /// Time \[s\].
    pub time: f64,
    /// Report of the solver.
    pub sharing: SharingReport,
    /// Muscles and actuators at their maximum control.
    pub saturated: Vec<usize>,
    /// Where the moments cannot be produced: the coordinates that lack force, with what they lack \[N m or N\]; empty
    /// where the instant is solved.
    pub lacking: Vec<Lack>,
}

/// A coordinate whose muscles and actuators cannot produce its moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Lack {
    /// The coordinate.
    pub coordinate: String,
    /// Missing moment or force \[N m or N\].
    pub amount: f64,
    /// Whether no muscle and no actuator acts on it at all.
    pub unactuated: bool,
}

/// Static optimisation instant by instant.
#[derive(Debug)]
pub struct SharingFrame<'m> {
    /// Inverse dynamics of the instant.
    pub inverse: InverseFrame<'m>,
    motors: &'m Motors,
    options: SharingOptions,
    coupling: Coupling,
    sharing: Sharing,
    problem: SharingProblem,
    gradient: Vec<f64>,
    reduced: Vec<f64>,
    /// Force at a control of one \[N or N m\].
    pub strength: Vec<f64>,
    /// Passive force \[N\].
    pub passive: Vec<f64>,
    /// Force \[N or N m\] of each muscle and actuator.
    pub forces: Vec<f64>,
}

impl<'m> SharingFrame<'m> {
    /// Work memory for a model and its motors; the free coordinates are determined at the model's default pose.
    pub fn new(model: &'m Model, motors: &'m Motors, options: SharingOptions) -> Result<Self, MotionError> {
        let mut inverse = InverseFrame::new(model);
        inverse.system.update_constraints(0.0, &model.q0, &inverse.v);
        let mut coupling = Coupling::new(model.nc(), model.nv());
        coupling.update(&inverse.system.constraints);
        let (rows, columns) = (coupling.independent.len(), motors.len());
        let (lower, upper) = motors.control.iter().map(|[l, u]| (*l, *u)).unzip();
        Ok(SharingFrame {
            inverse,
            motors,
            options,
            coupling,
            sharing: Sharing::new(rows, columns, options.power)?,
            problem: SharingProblem { A: DMatrix::zeros(rows, columns), b: vec![0.0; rows], lower, upper },
            gradient: vec![0.0; model.nv()],
            reduced: vec![0.0; rows],
            strength: vec![0.0; columns],
            passive: vec![0.0; columns],
            forces: vec![0.0; columns],
        })
    }

    /// Controls of the last instant.
    pub fn controls(&self) -> &[f64] {
        self.sharing.controls()
    }

    /// Distributes the moments at time `t` \[s\].
    pub fn solve(&mut self, history: &CoordinateHistory, t: f64) -> Result<InstantReport, MotionError> {
        self.assemble_at(history, t)?;
        let report = self.sharing.solve(&self.problem);
        for (k, force) in self.forces.iter_mut().enumerate() {
            *force = self.sharing.controls()[k] * self.strength[k] + self.passive[k];
        }
        Ok(self.describe(t, report))
    }

    /// Moments, and what muscles and actuators can contribute to them, at time `t` \[s\].
    pub(crate) fn assemble_at(&mut self, history: &CoordinateHistory, t: f64) -> Result<(), MotionError> {
        let f = &mut self.inverse;
        history.evaluate(t, &mut f.q, &mut f.v, &mut f.a);
        if f.system.model.nc() > 0 {
            f.system.update_constraints(t, &f.q, &f.v);
            self.coupling.update(&f.system.constraints);
            self.coupling.complete(&mut f.a);
        }
        if self.coupling.independent.len() != self.problem.b.len() {
            let reason = "the constraints leave another number of coordinates free than in the default pose";
            return Err(MotionError::Instant { time: t, reason: reason.into() });
        }
        f.solve_present(t)?;
        self.coupling.reduce(&f.tau, &mut self.problem.b);
        self.assemble(t)
    }

    /// Columns of muscles and actuators; passive forces go to the right-hand side.
    fn assemble(&mut self, t: f64) -> Result<(), MotionError> {
        let f = &self.inverse;
        let at = f.system.instant(t, &f.q, &f.v, None);
        for (k, muscle) in self.motors.muscles.iter().enumerate() {
            let geometry = muscle.path.solve(&at, None);
            [self.strength[k], self.passive[k]] = match self.options.physiology {
                Physiology::Ignored => [muscle.hill.parameters().max_isometric_force, 0.0],
                with => {
                    let speed = muscle.path.speed(&geometry, &at);
                    let [active, passive] = rigid_tendon_forces(&muscle.hill, geometry.length, speed);
                    [active, if with == Physiology::ActiveAndPassive { passive } else { 0.0 }]
                }
            };
            muscle.path.length_gradient(&geometry, &at, &mut self.gradient);
            self.coupling.reduce(&self.gradient, &mut self.reduced);
            let numbers = [geometry.length, self.strength[k], self.passive[k]];
            if numbers.iter().chain(&self.reduced).any(|x| !x.is_finite()) {
                return Err(not_finite(&self.motors.names[k], t));
            }
            let column = self.problem.A.column_mut(k);
            for ((a, b), g) in column.into_iter().zip(&mut self.problem.b).zip(&self.reduced) {
                *a = -g * self.strength[k];
                *b += g * self.passive[k];
            }
        }
        let first = self.motors.muscles.len();
        for (k, actuator) in self.motors.actuators.iter().enumerate() {
            let k = first + k;
            self.strength[k] = actuator.optimal_force;
            actuator.unit_generalized(&at, &mut self.gradient);
            self.coupling.reduce(&self.gradient, &mut self.reduced);
            if self.reduced.iter().any(|x| !x.is_finite()) {
                return Err(not_finite(&self.motors.names[k], t));
            }
            for (a, g) in self.problem.A.column_mut(k).into_iter().zip(&self.reduced) {
                *a = g * actuator.optimal_force;
            }
        }
        Ok(())
    }

    fn describe(&self, time: f64, sharing: SharingReport) -> InstantReport {
        let full = |k: &usize| self.sharing.controls()[*k] >= self.problem.upper[*k];
        let saturated = (0..self.motors.len()).filter(full).collect();
        let lacking = if sharing.solved { Vec::new() } else { self.lacking() };
        InstantReport { time, sharing, saturated, lacking }
    }

    /// The coordinates that lack force, the most important first ([`shortfalls`]).
    fn lacking(&self) -> Vec<Lack> {
        let name = |row: usize| {
            let speed = self.coupling.independent[row];
            self.inverse.system.model.coordinate_names()[speed].clone()
        };
        let lack = |s: Shortfall| Lack { coordinate: name(s.row), amount: s.amount, unactuated: s.unactuated };
        shortfalls(&self.problem).into_iter().map(lack).collect()
    }

    /// Net moment of each free coordinate at the last instant \[N m or N\], with the coordinate's name.
    pub fn net_moments(&self) -> impl Iterator<Item = (&str, f64)> {
        let names = self.inverse.system.model.coordinate_names();
        self.coupling.independent.iter().map(|i| names[*i].as_str()).zip(self.problem.b.iter().copied())
    }

    /// Largest moment that a muscle gives each free coordinate at full activation \[N m or N\].
    pub fn muscle_strengths(&self) -> impl Iterator<Item = (&str, f64)> {
        let names = self.inverse.system.model.coordinate_names();
        let count = self.motors.muscles.len();
        let most = move |row: usize| self.problem.A.row(row).iter().take(count).fold(0.0_f64, |m, a| m.max(a.abs()));
        self.coupling.independent.iter().enumerate().map(move |(row, i)| (names[*i].as_str(), most(row)))
    }

    /// Largest moment or force that a muscle or actuator gives each free coordinate at a control of one \[N m or N\].
    pub fn strengths(&self) -> impl Iterator<Item = (&str, f64)> {
        let names = self.inverse.system.model.coordinate_names();
        let most = |row: usize| self.problem.A.row(row).iter().fold(0.0_f64, |m, a| m.max(a.abs()));
        self.coupling.independent.iter().enumerate().map(move |(row, i)| (names[*i].as_str(), most(row)))
    }
}

fn not_finite(name: &str, time: f64) -> MotionError {
    let reason = format!(
        "length, moment arm or force of `{name}` is not a finite number; correct its path points and its parameters in \
         the model"
    );
    MotionError::Instant { time, reason }
}

/// First lines of OpenSim's files of muscle forces and of controls.
pub const SHARED_FORCES_TITLE: &str = "Static Optimization Force";
/// See [`SHARED_FORCES_TITLE`].
pub const CONTROLS_TITLE: &str = "Static Optimization Activation";

/// Muscle forces over time.
#[derive(Clone, Debug)]
pub struct MuscleForces {
    /// Names of muscles and actuators.
    pub names: Vec<String>,
    /// Controls of each instant.
    pub controls: Vec<Vec<f64>>,
    /// Forces of each instant \[N or N m\].
    pub forces: Vec<Vec<f64>>,
    /// Report of each instant.
    pub reports: Vec<InstantReport>,
}

/// Distributes the moments of a motion at given times.
///
/// ```text
/// min Σ |a_i|^p    with    Cᵀ (Σ r_i F_i a_i) = Cᵀ (τ - Σ r_i P_i),    l_i ≤ a_i ≤ u_i
/// ```
/// a controls, F forces at a control of one \[N\], P passive forces \[N\], r moment arms (minus the gradient of the
/// length), τ generalised forces of inverse dynamics \[N m\], C motions that the constraints allow. Instants without a
/// solution are marked in their report; their forces are the best that were found. Source of the semantics: OpenSim 4,
/// class `StaticOptimization`.
pub fn static_optimization(
    model: &Model,
    motors: &Motors,
    history: &CoordinateHistory,
    times: &[f64],
    options: SharingOptions,
    mut progress: impl FnMut(usize),
) -> Result<MuscleForces, MotionError> {
    let mut frame = SharingFrame::new(model, motors, options)?;
    let mut out =
        MuscleForces { names: motors.names.clone(), controls: Vec::new(), forces: Vec::new(), reports: Vec::new() };
    for (k, t) in times.iter().enumerate() {
        let report = frame.solve(history, *t)?;
        out.controls.push(frame.controls().to_vec());
        out.forces.push(frame.forces.clone());
        out.reports.push(report);
        progress(k + 1);
    }
    Ok(out)
}

impl MuscleForces {
    /// Instants without a solution.
    pub fn failures(&self) -> impl Iterator<Item = &InstantReport> {
        self.reports.iter().filter(|r| !r.sharing.solved)
    }
}
