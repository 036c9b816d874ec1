//! The model as the integrators see it.

use super::contacts::ContactLog;
use super::{ConstraintHandling, REST_TIME};
use crate::error::DynamicsError;
use crate::force::Indentation;
use crate::model::Model;
use crate::system::{Baumgarte, System};
use nalgebra::DMatrix;
use std::cell::RefCell;
use std::rc::Rc;
use wolff_numerics::{Crossing, EventAction, MechanicalSystem, OdeError, OdeSystem};

/// A model with its contacts: `y = [q, v]` for first-order methods, `(q, v, λ)` for second-order ones.
pub(super) struct Motion<'m> {
    system: System<'m>,
    handling: ConstraintHandling,
    log: Rc<RefCell<ContactLog>>,
    /// Zero speeds.
    rest: Vec<f64>,
    /// Largest acceleration of a model at rest, where the run ends there.
    until_rest: Option<f64>,
    a: Vec<f64>,
}

impl<'m> Motion<'m> {
    pub fn new(
        model: &'m Model,
        (handling, until_rest): (ConstraintHandling, Option<f64>),
        log: Rc<RefCell<ContactLog>>,
    ) -> Self {
        let mut system = System::new(model);
        system.approach_speeds.copy_from_slice(&log.borrow().approach_speeds);
        let zero = vec![0.0; model.nv()];
        Motion { system, handling, log, rest: zero.clone(), until_rest, a: zero }
    }

    fn stabilisation(&self) -> Baumgarte {
        match self.handling {
            ConstraintHandling::Baumgarte(b) => b,
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
            if speed > 0.0 && way > 0.0 {
                shortest = shortest.min(way / speed);
            }
        }
        shortest
    }

    fn switch(&mut self, i: usize, direction: Crossing, t: f64, q: &[f64], v: &[f64]) -> EventAction {
        if i == self.log.borrow().contacts.len() {
            return if direction == Crossing::Rising { EventAction::Stop } else { EventAction::Continue };
        }
        self.system.update_kinematics(q, v);
        let mut log = self.log.borrow_mut();
        match direction {
            Crossing::Rising => log.close(&mut self.system, i, t, q, v),
            Crossing::Falling => log.separate(&mut self.system, i, t, q, v),
        }
        self.system.approach_speeds.copy_from_slice(&log.approach_speeds);
        EventAction::Restart
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
        let (q, v) = y.split_at(self.system.model.nq());
        let (rate, a) = dy.split_at_mut(q.len());
        self.system.model.rates(q, v, rate);
        let stabilisation = self.stabilisation();
        self.system.accelerations(t, q, v, stabilisation, a).map_err(|e| failure(t, e))
    }

    /// The coordinate or speed, and the contacts that are closed: they are the usual cause of a step that fails.
    fn component_name(&self, i: usize) -> String {
        let model = self.system.model;
        let name = match i.checked_sub(model.nq()) {
            Some(k) => format!("speed of {}", model.coordinate_names()[k]),
            None => match (0..model.nv()).find(|&k| model.position_of_speed(k) == Some(i)) {
                Some(k) => model.coordinate_names()[k].clone(),
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
            self.system.project_position(t, q, 8).map_err(|e| failure(t, e))?;
            self.system.project_velocity(t, q, v).map_err(|e| failure(t, e))?;
            changed = true;
        }
        Ok(changed)
    }

    fn event_count(&self) -> usize {
        self.event_number()
    }

    fn step_limit(&mut self, t: f64, y: &[f64]) -> Result<f64, OdeError> {
        let (q, v) = y.split_at(self.system.model.nq());
        Ok(self.time_to_contact(t, q, v))
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
