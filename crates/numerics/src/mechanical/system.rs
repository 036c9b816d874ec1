//! What a constrained mechanical model tells the integrators.

use nalgebra::DMatrix;

use crate::error::OdeError;
use crate::ode::{Crossing, EventAction};

/// `M(q) a + G(q,t)ᵀ λ = f(t,q,v)`, `φ(t,q) = 0`; `q` lives on a manifold (quaternions) with tangent `v`.
pub trait MechanicalSystem {
    /// Number of position coordinates.
    fn nq(&self) -> usize;

    /// Number of velocities, the dimension of the tangent.
    fn nv(&self) -> usize;

    /// Number of constraints.
    fn nc(&self) -> usize;

    /// `r = M(q) a + h(q,v) - f(t,q,v) + Gᵀ λ`.
    fn residual(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        r: &mut [f64],
    ) -> Result<(), OdeError>;

    /// `M(q)`, nv × nv.
    fn mass_matrix(&mut self, q: &[f64], m: &mut DMatrix<f64>) -> Result<(), OdeError>;

    /// `φ(t, q)`.
    fn constraints(&mut self, t: f64, q: &[f64], phi: &mut [f64]) -> Result<(), OdeError>;

    /// `G`, nc × nv, with `dφ = G · (tangent displacement)`.
    fn constraint_jacobian(&mut self, t: f64, q: &[f64], g: &mut DMatrix<f64>) -> Result<(), OdeError>;

    /// `G v + φ_t`.
    fn constraint_velocity(&mut self, t: f64, q: &[f64], v: &[f64], phidot: &mut [f64]) -> Result<(), OdeError>;

    /// Accelerations and multipliers consistent with `(t, q, v)`: they solve the equations of motion together with
    /// `φ̈ = 0`.
    fn accelerations(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), OdeError>;

    /// `q_out = q ⊕ dq` on the manifold.
    fn retract(&self, q: &[f64], dq: &[f64], q_out: &mut [f64]);

    /// Names velocity `i` for error messages.
    fn coordinate_name(&self, i: usize) -> String;

    /// Names constraint `i` for error messages.
    fn constraint_name(&self, i: usize) -> String;

    /// Optional analytic tangent of the residual along an implicit step, nv × nv:
    ///
    /// ```text
    /// S = ∂r/∂a + velocity_gain ∂r/∂v + displacement_gain ∂r/∂q      (M + γ'h C + β'h² K)
    /// ```
    ///
    /// Returns whether `s` was filled; otherwise nv evaluations of the residual take its place. An approximation
    /// costs iterations, not accuracy.
    fn tangent(
        &mut self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        _lambda: &[f64],
        _velocity_gain: f64,
        _displacement_gain: f64,
        _s: &mut DMatrix<f64>,
    ) -> Result<bool, OdeError> {
        Ok(false)
    }

    /// Number of event functions.
    fn event_count(&self) -> usize {
        0
    }

    /// Names an event function for messages.
    fn event_name(&self, i: usize) -> String {
        format!("event function {i}")
    }

    /// Event functions; a sign change between accepted steps is located.
    fn events(&mut self, _t: f64, _q: &[f64], _v: &[f64], _g: &mut [f64]) -> Result<(), OdeError> {
        Ok(())
    }

    /// Called at a located event; may change `q` and `v`, and must then return [`EventAction::Restart`].
    fn on_event(
        &mut self,
        _index: usize,
        _direction: Crossing,
        _t: f64,
        _q: &mut [f64],
        _v: &mut [f64],
    ) -> Result<EventAction, OdeError> {
        Ok(EventAction::Continue)
    }
}
