//! Detection and location of events.

use super::stepper::Stepper;
use super::system::{Crossing, EventAction, EventRecord};
use crate::error::OdeError;
use crate::root::brent_bracketed;

/// Side of zero on which an event function is known to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Negative,
    /// Zero so far; the first non-zero value decides.
    Unknown,
    Positive,
}

impl Side {
    fn of(g: f64) -> Self {
        if g > 0.0 {
            Self::Positive
        } else if g < 0.0 {
            Self::Negative
        } else {
            Self::Unknown
        }
    }

    fn opposite(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Unknown => Self::Unknown,
            Self::Positive => Self::Negative,
        }
    }
}

/// Keeps the known side of each event function and finds where it is left.
///
/// The side, not the sign at the start of a step, decides whether an event happened. So an event found a rounding
/// error before or after its zero is neither reported twice nor lost.
pub(super) struct EventTracker {
    tolerance: f64,
    side: Vec<Side>,
    fired: Vec<bool>,
    /// Time of each crossing in the current step on the dense output; infinite where there is none.
    crossing_time: Vec<f64>,
    g: Vec<f64>,
    g_after: Vec<f64>,
    /// Event functions at the quarters of the step.
    quarters: Vec<f64>,
    y: Vec<f64>,
}

/// Evaluations spent to find a point of the known side inside a step whose start has left it by rounding.
const SIDE_SEARCH: i32 = 40;
/// Step repetitions spent on one event; secants need two to four.
const MAX_RETAKES: usize = 60;

impl EventTracker {
    /// Sides at the start: from the values, or from the direction of motion where a value is zero.
    pub fn new(stepper: &mut dyn Stepper, tolerance: f64) -> Result<Self, OdeError> {
        let (n, dim) = (stepper.event_count(), stepper.end().len());
        let mut tracker = Self {
            tolerance,
            side: vec![Side::Unknown; n],
            fired: vec![false; n],
            crossing_time: vec![f64::INFINITY; n],
            g: vec![0.0; n],
            g_after: vec![0.0; n],
            quarters: vec![0.0; 5 * n],
            y: vec![0.0; dim],
        };
        tracker.renew_sides(stepper)?;
        Ok(tracker)
    }

    /// Whether any event function has left its side, at the end of the step or for a while within it. In the latter
    /// case the step is cut where the function is on the other side.
    pub fn detect(&mut self, stepper: &mut dyn Stepper) -> Result<bool, OdeError> {
        if self.side.is_empty() {
            return Ok(false);
        }
        self.evaluate_end(stepper)?;
        if self.mark_crossed() {
            return Ok(true);
        }
        match self.excursion(stepper)? {
            None => Ok(false),
            Some(t) => {
                stepper.retake(t)?;
                self.evaluate_end(stepper)?;
                Ok(self.mark_crossed())
            }
        }
    }

    /// Marks the events whose function has left its side at the end of the step.
    fn mark_crossed(&mut self) -> bool {
        let mut crossed = false;
        for i in 0..self.side.len() {
            let now = Side::of(self.g[i]);
            if self.side[i] == Side::Unknown {
                self.side[i] = now;
            }
            self.fired[i] = self.side[i] != now;
            crossed |= self.fired[i];
        }
        crossed
    }

    /// A time within the step at which an event function is on the other side although it has come back at the end.
    ///
    /// The functions are looked at in quarters of the step, and where their parabola through the quarter nearest to
    /// zero and its neighbours has its extremum.
    fn excursion(&mut self, stepper: &mut dyn Stepper) -> Result<Option<f64>, OdeError> {
        let (t0, t1) = stepper.span();
        let quarter = (t1 - t0) / 4.0;
        stepper.prepare_interpolation(false)?;
        let n = self.side.len();
        for k in 0..=4 {
            stepper.interpolate(t0 + k as f64 * quarter, &mut self.y);
            stepper.events(t0 + k as f64 * quarter, &self.y, &mut self.g_after)?;
            self.quarters[k * n..(k + 1) * n].copy_from_slice(&self.g_after);
        }
        for i in 0..n {
            // distances from zero, positive on the known side
            let sign = if self.side[i] == Side::Negative { -1.0 } else { 1.0 };
            let d: [f64; 5] = std::array::from_fn(|k| sign * self.quarters[k * n + i]);
            let nearest = (1..4).fold(1, |best, k| if d[k] < d[best] { k } else { best });
            let (before, at, after) = (d[nearest - 1], d[nearest], d[nearest + 1]);
            let curvature = before - 2.0 * at + after;
            let offset = if curvature > 0.0 { (0.5 * (before - after) / curvature).clamp(-1.0, 1.0) } else { 0.0 };
            let t = t0 + (nearest as f64 + offset) * quarter;
            if self.side[i] != Side::Unknown && t > t0 && t < t1 && sign * self.dense_value(stepper, i, t)? < 0.0 {
                return Ok(Some(t));
            }
        }
        Ok(None)
    }

    /// Cuts the step at the earliest crossing and marks the events that happen there.
    pub fn locate(&mut self, stepper: &mut dyn Stepper) -> Result<(), OdeError> {
        stepper.prepare_interpolation(true)?;
        let (t0, t1) = stepper.span();
        let tol = self.location_tolerance(t1);

        // roots on the dense output, the earliest one first
        let mut first = 0;
        for i in 0..self.side.len() {
            self.crossing_time[i] = f64::INFINITY;
            if self.fired[i] {
                let shortest = 1e-12 * (t1 - t0) + 2.0 * f64::EPSILON * t0.abs();
                self.crossing_time[i] = self.dense_root(stepper, i, t0, t1, tol)?.max(t0 + shortest).min(t1);
            }
            if self.crossing_time[i] < self.crossing_time[first] {
                first = i;
            }
        }

        // root on the method itself
        let slope = self.dense_slope(stepper, first, t0, t1)?;
        self.polish(stepper, first, slope, (t0, t1), tol)?;

        let earliest = self.crossing_time[first];
        for i in 0..self.side.len() {
            let together = self.crossing_time[i] - earliest <= tol;
            self.fired[i] = i == first || together || Side::of(self.g[i]) != self.side[i];
        }
        Ok(())
    }

    /// Events are located to this time \[s\].
    fn location_tolerance(&self, t: f64) -> f64 {
        self.tolerance.max(1e-14 * t.abs().max(1.0))
    }

    /// Reports the marked events to the system in order of index; true if one of them stops the run.
    pub fn fire(&mut self, stepper: &mut dyn Stepper, log: &mut Vec<EventRecord>) -> Result<bool, OdeError> {
        let (_, t) = stepper.span();
        let (mut stop, mut restart) = (false, false);
        for index in 0..self.side.len() {
            if !self.fired[index] || self.side[index] == Side::Unknown {
                continue;
            }
            let direction = if self.side[index] == Side::Negative { Crossing::Rising } else { Crossing::Falling };
            self.side[index] = self.side[index].opposite();
            log.push(EventRecord { index, t, direction });
            match stepper.on_event(index, direction)? {
                EventAction::Continue => {}
                EventAction::Restart => restart = true,
                EventAction::Stop => stop = true,
            }
        }
        if !stop {
            stepper.resume(restart)?;
            if restart {
                self.renew_sides(stepper)?;
            }
        }
        Ok(stop)
    }

    /// Sides from scratch. An event that just fired sits at zero up to rounding, so its direction of motion decides,
    /// unless the state jumped far from zero.
    fn renew_sides(&mut self, stepper: &mut dyn Stepper) -> Result<(), OdeError> {
        if self.side.is_empty() {
            return Ok(());
        }
        self.evaluate_end(stepper)?;
        let (_, t) = stepper.span();
        let t_after = stepper.just_after(&mut self.y)?;
        stepper.events(t_after, &self.y, &mut self.g_after)?;
        // an event is located to the tolerance, so its function may need that long to reach zero
        let short = t_after - t;
        let reach = (10.0 * self.location_tolerance(t)).max(short) / short;
        for i in 0..self.side.len() {
            let motion = self.g_after[i] - self.g[i];
            let near_zero = self.g[i].abs() <= motion.abs() * reach;
            let at_zero = self.g[i] == 0.0 || (self.fired[i] && near_zero);
            self.side[i] = if at_zero { Side::of(motion) } else { Side::of(self.g[i]) };
            self.fired[i] = false;
        }
        Ok(())
    }

    /// Event functions at the end of the step, to `self.g`.
    fn evaluate_end(&mut self, stepper: &mut dyn Stepper) -> Result<(), OdeError> {
        let (_, t) = stepper.span();
        self.y.copy_from_slice(stepper.end());
        stepper.events(t, &self.y, &mut self.g)?;
        match self.g.iter().position(|g| !g.is_finite()) {
            Some(i) => Err(OdeError::System { t, cause: format!("event function {i} is {}", self.g[i]) }),
            None => Ok(()),
        }
    }

    /// Event function `i` on the dense output.
    fn dense_value(&mut self, stepper: &mut dyn Stepper, i: usize, t: f64) -> Result<f64, OdeError> {
        stepper.interpolate(t, &mut self.y);
        stepper.events(t, &self.y, &mut self.g_after)?;
        Ok(self.g_after[i])
    }

    /// Where event `i` leaves its side on the dense output of the step.
    fn dense_root(&mut self, stepper: &mut dyn Stepper, i: usize, t0: f64, t1: f64, tol: f64) -> Result<f64, OdeError> {
        let g_end = self.g[i];
        if g_end == 0.0 {
            return Ok(t1);
        }
        // the start of the step, or a point close to it if rounding left the start on the wrong side
        let mut t = t0;
        let mut g = self.dense_value(stepper, i, t)?;
        for k in 0..SIDE_SEARCH {
            if Side::of(g) == self.side[i] {
                return brent_bracketed(|t| self.dense_value(stepper, i, t), (t, g), (t1, g_end), 0.1 * tol);
            }
            t = t0 + (t1 - t0) * 0.5_f64.powi(k + 1);
            g = self.dense_value(stepper, i, t)?;
        }
        Ok((t0 + tol).min(t1))
    }

    /// Rate of event function `i` along the dense output near its crossing.
    fn dense_slope(&mut self, stepper: &mut dyn Stepper, i: usize, t0: f64, t1: f64) -> Result<f64, OdeError> {
        let t = self.crossing_time[i];
        let d = 1e-4 * (t1 - t0);
        let (a, b) = ((t - d).max(t0), (t + d).min(t1));
        Ok((self.dense_value(stepper, i, b)? - self.dense_value(stepper, i, a)?) / (b - a))
    }

    /// Repeats the step until it ends at the zero of event `i`, by secants safeguarded with bisection.
    fn polish(
        &mut self,
        stepper: &mut dyn Stepper,
        i: usize,
        mut slope: f64,
        (mut low, mut high): (f64, f64),
        tol: f64,
    ) -> Result<(), OdeError> {
        let mut t = self.crossing_time[i];
        let mut previous: Option<(f64, f64)> = None;
        for _ in 0..MAX_RETAKES {
            stepper.retake(t)?;
            self.evaluate_end(stepper)?;
            let g = self.g[i];
            if g == 0.0 {
                return Ok(());
            }
            if Side::of(g) == self.side[i] {
                low = t;
            } else {
                high = t;
            }
            if let Some((t_old, g_old)) = previous {
                slope = (g - g_old) / (t - t_old);
            }
            let secant = t - g / slope;
            let inside = secant > low && secant < high;
            if (secant - t).abs() < tol || high - low < tol {
                return Ok(());
            }
            previous = Some((t, g));
            t = if inside { secant } else { 0.5 * (low + high) };
        }
        Ok(())
    }
}
