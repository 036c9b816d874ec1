//! The loop that every method shares.

use super::events::EventTracker;
use super::observer::{DenseStep, Observer};
use super::options::Report;
use super::stepper::Stepper;
use crate::error::OdeError;

/// Settings of the loop.
pub(crate) struct DriveSettings {
    pub max_steps: usize,
    pub event_tolerance: f64,
}

/// Advances `y` from `t0` to `t_end` or to the event that stops the run.
pub(crate) fn drive(
    stepper: &mut dyn Stepper,
    settings: &DriveSettings,
    t0: f64,
    y: &mut [f64],
    t_end: f64,
    observer: &mut dyn Observer,
) -> Result<Report, OdeError> {
    let mut report = Report::default();
    stepper.start(t0, y)?;
    observer.start(t0, stepper.end());
    let mut tracker = EventTracker::new(stepper, settings.event_tolerance)?;

    let mut t = t0;
    while t < t_end && !report.stopped_early {
        check_budget(stepper, report.events.len(), t, settings.max_steps)?;
        let t_limit = t_end.min(t + stepper.step_limit()?);
        stepper.advance(t_limit)?;

        // a crossing cuts the step at the earliest event
        let crossed = tracker.detect(stepper)?;
        if crossed {
            tracker.locate(stepper)?;
        }

        let (step_start, step_end) = stepper.span();
        stepper.prepare_interpolation(observer.needs_interpolation(step_start, step_end))?;
        observer.step(&DenseStep::new(stepper));

        if crossed {
            report.stopped_early = tracker.fire(stepper, &mut report.events)?;
        }
        t = step_end;
    }

    y.copy_from_slice(stepper.end());
    report.t = t;
    report.statistics = stepper.statistics();
    report.final_h = stepper.next_h();
    Ok(report)
}

/// Events count as steps, so that infinitely many of them in a finite time end the run.
fn check_budget(stepper: &dyn Stepper, events: usize, t: f64, max_steps: usize) -> Result<(), OdeError> {
    let s = stepper.statistics();
    if s.steps + s.rejected + events >= max_steps {
        return Err(OdeError::TooManySteps { t, max_steps });
    }
    Ok(())
}
