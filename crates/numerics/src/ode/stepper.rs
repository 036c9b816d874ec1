//! The interface between the driver and the methods.

use super::options::Statistics;
use super::system::{Crossing, EventAction};
use crate::error::OdeError;

/// A method together with the system it advances.
///
/// The stepper keeps its last step `[t0, t1]`; [`Stepper::advance`] goes on from the end of it, whatever
/// [`Stepper::retake`] or [`Stepper::on_event`] made of that end.
pub(crate) trait Stepper {
    /// Starts without history at `(t, y)`; the last step is `[t, t]`.
    fn start(&mut self, t: f64, y: &[f64]) -> Result<(), OdeError>;

    /// One accepted step from the end of the last one, not beyond `t_limit`.
    fn advance(&mut self, t_limit: f64) -> Result<(), OdeError>;

    /// Takes the last step again from its start, now to `t` inside it.
    fn retake(&mut self, t: f64) -> Result<(), OdeError>;

    /// Makes [`Stepper::interpolate`] ready; `accurate` asks for the full order.
    fn prepare_interpolation(&mut self, accurate: bool) -> Result<(), OdeError>;

    /// State at `t` within the last step.
    fn interpolate(&self, t: f64, y: &mut [f64]);

    /// Start and end of the last step.
    fn span(&self) -> (f64, f64);

    /// State at the end of the last step.
    fn end(&self) -> &[f64];

    /// Accelerations and multipliers at the end of the last step, where the method has them.
    fn algebraic(&self) -> &[f64] {
        &[]
    }

    /// A short time `δ` \[s\] after the end of the last step, to first order: writes the state and returns `t + δ`.
    fn just_after(&mut self, y: &mut [f64]) -> Result<f64, OdeError>;

    /// Number of event functions.
    fn event_count(&self) -> usize;

    /// Longest step \[s\] from the end of the last one that cannot jump over an event; methods of fixed step take
    /// theirs.
    fn step_limit(&mut self) -> Result<f64, OdeError> {
        Ok(f64::INFINITY)
    }

    /// Event functions of the system.
    fn events(&mut self, t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError>;

    /// Lets the system act on the end of the last step.
    fn on_event(&mut self, index: usize, direction: Crossing) -> Result<EventAction, OdeError>;

    /// Prepares to go on after events at the end of the last step; `restart` if something jumped.
    fn resume(&mut self, restart: bool) -> Result<(), OdeError>;

    /// Work so far.
    fn statistics(&self) -> Statistics;

    /// Step to be tried next.
    fn next_h(&self) -> f64;

    /// The component whose error decides on the length of the step; none for fixed steps.
    fn limiting_component(&self) -> Option<String> {
        None
    }

    /// What [`Stepper::step_limit`] comes from.
    fn limit_name(&self) -> Option<String> {
        None
    }

    /// Name of an event function.
    fn event_name(&self, index: usize) -> String;
}
