//! Ending a run from outside: a limit of time, a request of the user.

use std::sync::Arc;
use wolff_numerics::OdeError;

/// A question that is asked at every evaluation of the equations of motion: shall the run end at this simulated time,
/// and why? By default it never does.
#[derive(Clone, Default)]
pub struct Interrupt(Option<Arc<Question>>);

/// Given the simulated time \[s\], the reason to end the run.
type Question = dyn Fn(f64) -> Option<String> + Send + Sync;

impl Interrupt {
    /// Asks this function.
    pub fn new(ask: impl Fn(f64) -> Option<String> + Send + Sync + 'static) -> Self {
        Interrupt(Some(Arc::new(ask)))
    }

    /// Fails with the reason if the run shall end.
    pub(super) fn check(&self, t: f64) -> Result<(), OdeError> {
        match self.0.as_ref().and_then(|ask| ask(t)) {
            Some(reason) => Err(OdeError::interrupted(t, reason)),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Interrupt").field(&self.0.is_some()).finish()
    }
}
