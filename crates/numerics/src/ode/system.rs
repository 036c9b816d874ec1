//! What a model tells the integrators, and what events are.

use crate::error::OdeError;

/// Sense in which an event function passed through zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// What the integrator does after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventAction {
    /// Go on; neither the state nor the equations changed abruptly.
    Continue,
    /// The state or the equations jumped: forget the history and estimate the step anew.
    Restart,
    /// End the integration here.
    Stop,
}

/// One located event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventRecord {
    /// Which event function.
    pub index: usize,
    /// When \[s\].
    pub t: f64,
    /// In which sense it crossed zero.
    pub direction: Crossing,
}

/// A first-order system `y' = f(t, y)`.
pub trait OdeSystem {
    /// Number of components of `y`.
    fn dim(&self) -> usize;

    /// Writes `f(t, y)` to `dy`. Failures of the model are [`OdeError::System`]; adaptive methods then try a smaller
    /// step before they give up.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError>;

    /// Names a component for error messages.
    fn component_name(&self, i: usize) -> String {
        format!("y[{i}]")
    }

    /// Called after each accepted step; may correct `y` in place (quaternion norm, constraint projection). Returns
    /// whether `y` changed.
    fn project(&mut self, _t: f64, _y: &mut [f64]) -> Result<bool, OdeError> {
        Ok(false)
    }

    /// Takes the part out of an estimate of the local error of `y` that [`OdeSystem::project`] removes.
    fn project_error(&mut self, _t: f64, _y: &[f64], _error: &mut [f64]) {}

    /// The next instant \[s\] near which `f` should not be evaluated, because its rounding errors grow without limit
    /// there although the solution is smooth. Methods with error control let it fall between their stages.
    fn instant_to_avoid(&mut self, _t: f64, _y: &[f64]) -> Option<f64> {
        None
    }

    /// Number of event functions.
    fn event_count(&self) -> usize {
        0
    }

    /// Longest step \[s\] from here that cannot jump over an event; methods with error control do not go beyond it.
    fn step_limit(&mut self, _t: f64, _y: &[f64]) -> Result<f64, OdeError> {
        Ok(f64::INFINITY)
    }

    /// What the last step limit comes from, for messages: the contact that is near.
    fn limit_name(&self) -> Option<String> {
        None
    }

    /// Names an event function for messages.
    fn event_name(&self, i: usize) -> String {
        format!("event function {i}")
    }

    /// Event functions, continuous between events; a sign change between accepted steps is located. Two sign changes
    /// within one step are found from the quarters of the step; shorter excursions need [`OdeSystem::step_limit`].
    fn events(&mut self, _t: f64, _y: &[f64], _g: &mut [f64]) -> Result<(), OdeError> {
        Ok(())
    }

    /// Called at a located event; may change `y`, and must then return [`EventAction::Restart`].
    fn on_event(
        &mut self,
        _index: usize,
        _direction: Crossing,
        _t: f64,
        _y: &mut [f64],
    ) -> Result<EventAction, OdeError> {
        Ok(EventAction::Continue)
    }
}
