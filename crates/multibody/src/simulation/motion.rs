//! The model as the integrators see it.

use super::contacts::ContactLog;
use super::treatment::Treatment;
use super::{ConstraintHandling, Interrupt, REST_TIME, Settings};
use crate::error::DynamicsError;
use crate::force::Indentation;
use crate::model::Model;
use crate::system::{Baumgarte, System};
use nalgebra::DMatrix;
use std::cell::RefCell;
use std::rc::Rc;
use wolff_numerics::{Crossing, EventAction, MechanicalSystem, OdeError, OdeSystem};

/// Newton iterations of a projection.
const PROJECTIONS: usize = 8;

/// Relative norm of a row of the constraints below which the equations of motion are evaluated at states moved onto
/// the constraints. Where the row vanishes, as at the change point of a parallelogram, the accelerations of a state at
/// a distance `d` from the constraints are wrong by `d/r`, `r` being the relative norm; the stages of a Runge-Kutta
/// step have such distances although its end has not. With `f(Π(y))` in place of `f(y)`, which agree on the
/// constraints, the motion passes the point along its branch with the order of the method. The limit is met well before
/// the point, because it is looked at between steps only, and steps turn a rod by some tenths of a radian.
const NEAR_SINGULAR: f64 = 0.5;

/// A model with its contacts: `y = [q, v]` for first-order methods, `(q, v, λ)` for second-order ones.
pub(super) struct Motion<'m> {
    system: System<'m>,
    handling: ConstraintHandling,
    treatment: Treatment,
    log: Rc<RefCell<ContactLog>>,
    /// Zero speeds.
    rest: Vec<f64>,
    /// Largest acceleration of a model at rest, where the run ends there.
    until_rest: Option<f64>,
    interrupt: Interrupt,
    /// Whether a row of the constraints is near a singular position at the start of the step.
    near_singular: bool,
    /// A state moved onto the constraints.
    consistent: Vec<f64>,
    /// The contact that limits the step.
    nearest: Option<usize>,
    a: Vec<f64>,
}

impl<'m> Motion<'m> {
    pub fn new(model: &'m Model, settings: &Settings, log: Rc<RefCell<ContactLog>>, interrupt: Interrupt) -> Self {
        let mut system = System::new(model);
        system.approach_speeds.copy_from_slice(&log.borrow().approach_speeds);
        let zero = vec![0.0; model.nv()];
        Motion {
            system,
            handling: settings.constraints,
            treatment: Treatment::new(model, settings.constraints),
            log,
            rest: zero.clone(),
            until_rest: settings.until_rest,
            interrupt,
            near_singular: false,
            consistent: vec![0.0; model.nq() + model.nv()],
            nearest: None,
            a: zero,
        }
    }

    /// Moves the state onto the constraints, as far as this is possible.
    fn make_consistent(&mut self, t: f64, y: &[f64]) {
        self.consistent.copy_from_slice(y);
        let (q, v) = self.consistent.split_at_mut(self.system.model.nq());
        let moved = self.system.project_position(t, q, PROJECTIONS).is_ok();
        if !(moved && self.system.project_velocity(t, q, v).is_ok()) {
            self.consistent.copy_from_slice(y);
        }
    }

    fn stabilisation(&self) -> Baumgarte {
        match self.handling {
            ConstraintHandling::Baumgarte(b) => b,
            ConstraintHandling::AugmentedLagrangian(penalty) => penalty.feedback(),
            _ => Baumgarte::NONE,
        }
    }

    /// Depths of the contacts, and how far below its limit the largest acceleration is.
    fn event_functions(&mut self, t: f64, q: &[f64], v: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        let contacts = self.log.borrow().contacts.len();
        self.depths(t, q, v, &mut g[..contacts]);
        if let (Some(limit), Some(g)) = (self.until_rest, g.get_mut(contacts)) {
            let stabilisation = self.stabilisation();
            self.system.accelerations(t, q, v, stabilisation, &mut self.a).map_err(|e| failure(t, e))?;
            let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            *g = limit - largest(&self.a).max(largest(v) / REST_TIME);
        }
        Ok(())
    }

    fn event_number(&self) -> usize {
        self.log.borrow().contacts.len() + usize::from(self.until_rest.is_some())
    }

    fn depths(&mut self, t: f64, q: &[f64], v: &[f64], g: &mut [f64]) {
        self.system.update_kinematics(q, v);
        let log = self.log.borrow();
        for (i, g) in g.iter_mut().enumerate() {
            *g = log.indentation(&self.system, i, t, q, v).depth;
        }
    }

    /// Time in which no two shapes move by more than half their reach beyond first touch \[s\].
    fn time_to_contact(&mut self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.system.update_kinematics(q, v);
        let log = self.log.borrow();
        let mut shortest = f64::INFINITY;
        for i in 0..log.contacts.len() {
            let Indentation { depth, rate } = log.indentation(&self.system, i, t, q, v);
            let reach = self.system.model.forces()[log.contacts[i]].contact().map_or(f64::INFINITY, |c| c.reach());
            let (way, speed) = if log.is_closed(i) { (0.5 * reach, rate.abs()) } else { (0.5 * reach - depth, rate) };
            if speed > 0.0 && way > 0.0 && way / speed < shortest {
                shortest = way / speed;
                self.nearest = Some(i);
            }
        }
        shortest
    }

    /// Name of an event function in messages.
    fn name_of_event(&self, i: usize) -> String {
        match self.log.borrow().contacts.get(i) {
            Some(&k) => format!("contact `{}`", self.system.model.forces()[k].name()),
            None => "the state of rest".into(),
        }
    }

    fn switch(&mut self, i: usize, direction: Crossing, t: f64, q: &[f64], v: &[f64]) -> EventAction {
        if i == self.log.borrow().contacts.len() {
            return if direction == Crossing::Rising { EventAction::Stop } else { EventAction::Continue };
        }
        self.system.update_kinematics(q, v);
        let mut log = self.log.borrow_mut();
        match direction {
            Crossing::Rising => log.touch(&mut self.system, i, t, q, v),
            Crossing::Falling => log.separate(&mut self.system, i, t, q, v),
        }
        self.system.approach_speeds.copy_from_slice(&log.approach_speeds);
        EventAction::Restart
    }
}

/// The body that a speed moves, unless its coordinate has the body's name.
fn moved_body(model: &Model, k: usize) -> String {
    match model.bodies().iter().find(|body| body.v_range().contains(&k)) {
        Some(body) if !model.coordinate_names()[k].contains(&body.name) => format!(" (body {})", body.name),
        _ => String::new(),
    }
}

/// A failure of the model at time `t`, for the integrator.
fn failure(t: f64, e: DynamicsError) -> OdeError {
    OdeError::System { t, cause: e.to_string() }
}

impl OdeSystem for Motion<'_> {
    fn dim(&self) -> usize {
        self.system.model.nq() + self.system.model.nv()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        self.interrupt.check(t)?;
        let nq = self.system.model.nq();
        let (rate, a) = dy.split_at_mut(nq);
        let stabilisation = self.stabilisation();
        if self.near_singular {
            self.make_consistent(t, y);
        }
        let partitioned = self.treatment.make_consistent(&mut self.system, t, y, &mut self.consistent);
        let moved = partitioned.map_err(|e| failure(t, e))? || self.near_singular;
        let (q, v) = if moved { self.consistent.split_at(nq) } else { y.split_at(nq) };
        self.system.model.rates(q, v, rate);
        self.treatment.accelerations(&mut self.system, (t, q, v), stabilisation, a).map_err(|e| failure(t, e))
    }

    /// The coordinate or speed, and the contacts that are closed: they are the usual cause of a step that fails.
    fn component_name(&self, i: usize) -> String {
        let model = self.system.model;
        let name = match i.checked_sub(model.nq()) {
            Some(k) => format!("speed of {}{}", model.coordinate_names()[k], moved_body(model, k)),
            None => match (0..model.nv()).find(|&k| model.position_of_speed(k) == Some(i)) {
                Some(k) => format!("{}{}", model.coordinate_names()[k], moved_body(model, k)),
                None => format!("quaternion component {i}"),
            },
        };
        let closed = self.log.borrow().closed_names(model);
        if closed.is_empty() { name } else { format!("{name}, while touching: {}", closed.join(", ")) }
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<bool, OdeError> {
        let (q, v) = y.split_at_mut(self.system.model.nq());
        let mut changed = self.system.model.normalize(q);
        if self.handling == ConstraintHandling::Projection && self.system.model.nc() > 0 {
            self.system.project_position(t, q, PROJECTIONS).map_err(|e| failure(t, e))?;
            self.system.project_velocity(t, q, v).map_err(|e| failure(t, e))?;
            self.near_singular = self.system.schur.smallest_relative_norm() < NEAR_SINGULAR;
            changed = true;
        }
        changed |= self.treatment.project(&mut self.system, t, q, v).map_err(|e| failure(t, e))?;
        Ok(changed)
    }

    fn instant_to_avoid(&mut self, t: f64, y: &[f64]) -> Option<f64> {
        if !self.near_singular {
            return None;
        }
        let (q, v) = y.split_at(self.system.model.nq());
        let stabilisation = self.stabilisation();
        self.system.accelerations(t, q, v, stabilisation, &mut self.a).ok()?;
        let times = self.system.time_to_singular(t, (q, v, &self.a), NEAR_SINGULAR);
        times.map(|s| t + s)
    }

    /// Near singular positions the normal part of the error is mostly rounding, and the projection of the step removes
    /// it. Dependent coordinates have no error of their own.
    fn project_error(&mut self, t: f64, y: &[f64], error: &mut [f64]) {
        self.treatment.project_error(self.system.model, error);
        if self.near_singular {
            let (q, v) = y.split_at(self.system.model.nq());
            let (in_q, in_v) = error.split_at_mut(q.len());
            self.system.update_constraints(t, q, v);
            // coordinates with quaternions are not those of the speeds
            let of_speeds = in_q.len() == in_v.len();
            if self.system.remove_normal(in_v).is_ok() && of_speeds {
                let _ = self.system.remove_normal(in_q);
            }
        }
    }

    fn event_count(&self) -> usize {
        self.event_number()
    }

    fn step_limit(&mut self, t: f64, y: &[f64]) -> Result<f64, OdeError> {
        let (q, v) = y.split_at(self.system.model.nq());
        Ok(self.time_to_contact(t, q, v))
    }

    fn limit_name(&self) -> Option<String> {
        self.nearest.map(|i| self.name_of_event(i))
    }

    fn event_name(&self, i: usize) -> String {
        self.name_of_event(i)
    }

    fn events(&mut self, t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        let (q, v) = y.split_at(self.system.model.nq());
        self.event_functions(t, q, v, g)
    }

    fn on_event(&mut self, i: usize, direction: Crossing, t: f64, y: &mut [f64]) -> Result<EventAction, OdeError> {
        let (q, v) = y.split_at(self.system.model.nq());
        Ok(self.switch(i, direction, t, q, v))
    }
}
impl MechanicalSystem for Motion<'_> {
    fn nq(&self) -> usize {
        self.system.model.nq()
    }

    fn nv(&self) -> usize {
        self.system.model.nv()
    }

    fn nc(&self) -> usize {
        self.system.model.nc()
    }

    fn residual(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError> {
        self.interrupt.check(t)?;
        self.system.residual(t, q, v, a, lambda, r);
        Ok(())
    }

    fn mass_matrix(&mut self, q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError> {
        self.system.update_kinematics(q, &self.rest);
        self.system.mass.compute(self.system.model, &self.system.kin);
        self.system.mass.write_full(m);
        Ok(())
    }

    fn constraints(&mut self, t: f64, q: &[f64], phi: &mut [f64]) -> Result<(), OdeError> {
        self.system.update_constraints(t, q, &self.rest);
        phi.copy_from_slice(&self.system.constraints.phi);
        Ok(())
    }

    fn constraint_jacobian(&mut self, t: f64, q: &[f64], g: &mut DMatrix<f64>) -> Result<(), OdeError> {
        self.system.update_constraints(t, q, &self.rest);
        self.system.constraints.J_transpose.transpose_to(g);
        Ok(())
    }

    fn constraint_velocity(&mut self, t: f64, q: &[f64], v: &[f64], phi_dot: &mut [f64]) -> Result<(), OdeError> {
        self.system.update_constraints(t, q, v);
        phi_dot.copy_from_slice(&self.system.constraints.phi_dot);
        Ok(())
    }

    fn accelerations(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), OdeError> {
        let stabilisation = self.stabilisation();
        self.system.accelerations(t, q, v, stabilisation, a).map_err(|e| failure(t, e))?;
        lambda.copy_from_slice(&self.system.lambda);
        Ok(())
    }

    fn retract(&self, q: &[f64], dq: &[f64], q_out: &mut [f64]) {
        self.system.model.retract(q, dq, q_out);
    }

    fn coordinate_name(&self, i: usize) -> String {
        self.component_name(self.system.model.nq() + i)
    }

    fn constraint_name(&self, i: usize) -> String {
        self.system.model.row_name(i)
    }

    fn event_count(&self) -> usize {
        self.event_number()
    }

    fn event_name(&self, i: usize) -> String {
        self.name_of_event(i)
    }

    fn events(&mut self, t: f64, q: &[f64], v: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        self.event_functions(t, q, v, g)
    }

    fn on_event(
        &mut self,
        i: usize,
        direction: Crossing,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<EventAction, OdeError> {
        Ok(self.switch(i, direction, t, q, v))
    }
}
