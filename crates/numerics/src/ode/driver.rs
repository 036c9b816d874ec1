//! The loop that every method shares.

use super::events::EventTracker;
use super::observer::{DenseStep, Observer};
use super::options::Report;
use super::stepper::Stepper;
use super::system::EventRecord;
use crate::error::{OdeError, Pace};

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

    let (mut t, mut brake) = (t0, Brake::default());
    while t < t_end && !report.stopped_early {
        check_budget(stepper, &report.events, &brake, t, settings.max_steps)?;
        let limit = stepper.step_limit()?.max(SHORTEST_LIMIT * t.abs().max(f64::MIN_POSITIVE / f64::EPSILON));
        let t_limit = t_end.min(t + limit);
        brake.held = limit < stepper.next_h();
        stepper.advance(t_limit).map_err(|e| brake.explain(e, stepper, &report.events))?;

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

/// Shortest step that the distance to an event may ask for, relative to the time: some roundings.
const SHORTEST_LIMIT: f64 = 16.0 * f64::EPSILON;

/// Steps per event below which events, not errors, make a run slow.
const STEPS_PER_EVENT: usize = 20;

/// What makes a run slow.
#[derive(Default)]
struct Brake {
    /// Whether the distance to an event limits the present step.
    held: bool,
}

impl Brake {
    fn pace(&self, stepper: &dyn Stepper, events: &[EventRecord]) -> Pace {
        let (t0, t1) = stepper.span();
        let chatter = !events.is_empty() && stepper.statistics().steps < STEPS_PER_EVENT * events.len();
        let by = match events.last() {
            Some(last) if chatter => {
                Some(format!("{} events, the last of {}", events.len(), stepper.event_name(last.index)))
            }
            _ if self.held => stepper.limit_name(),
            _ => stepper.limiting_component(),
        };
        Pace { h: if t1 > t0 { t1 - t0 } else { stepper.next_h() }, limited_by: by.unwrap_or_default() }
    }

    /// Adds what is known about the steps to the end of a run.
    fn explain(&self, error: OdeError, stepper: &dyn Stepper, events: &[EventRecord]) -> OdeError {
        match error {
            OdeError::Interrupted { t, reason, .. } => {
                let (steps, pace) = (stepper.statistics().steps, self.pace(stepper, events));
                OdeError::Interrupted { t, steps, reason, pace }
            }
            other => other,
        }
    }
}

/// Events count as steps, so that infinitely many of them in a finite time end the run.
fn check_budget(
    stepper: &dyn Stepper,
    events: &[EventRecord],
    brake: &Brake,
    t: f64,
    max_steps: usize,
) -> Result<(), OdeError> {
    let s = stepper.statistics();
    if s.steps + s.rejected + events.len() >= max_steps {
        return Err(OdeError::TooManySteps { t, max_steps, pace: brake.pace(stepper, events) });
    }
    Ok(())
}
