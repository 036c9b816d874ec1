//! When the motion will pass a singular position of the constraints.

use crate::system::System;

/// Secant steps to find the instant; it need be known to some percent of a time step only.
const SECANTS: usize = 4;

/// First guess \[s\], as a part of the time in which the fastest coordinate moves by one.
const FIRST_GUESS: f64 = 1e-3;

impl System<'_> {
    /// Time from now until the first row vanishes whose norm is below `near` of the largest that it has had \[s\], for
    /// constant accelerations `a`; none if the motion leads away from such positions. The rows and their factors must
    /// be those of `(t, q, v)`.
    pub(crate) fn time_to_singular(&mut self, t: f64, (q, v, a): (&[f64], &[f64], &[f64]), near: f64) -> Option<f64> {
        let fastest = v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let mut soonest: Option<f64> = None;
        for row in 0..self.model.nc() {
            let close = self.schur.is_at_rest(row) || self.schur.relative_norm(row) < near;
            if close && let Some(s) = self.time_to_zero(t, (q, v, a), row, FIRST_GUESS / fastest) {
                soonest = Some(soonest.map_or(s, |known| known.min(s)));
            }
        }
        soonest
    }

    /// Time until a row is perpendicular to what it is now, by secants.
    fn time_to_zero(&mut self, t: f64, state: (&[f64], &[f64], &[f64]), row: usize, guess: f64) -> Option<f64> {
        let mut now = std::mem::take(&mut self.projection.row);
        self.constraints_along(t, state, 0.0);
        now.copy_from_slice(self.constraints.J_transpose.column(row).as_slice());
        let size: f64 = now.iter().map(|x| x * x).sum();
        let mut product = |s: f64| {
            self.constraints_along(t, state, s);
            let column = self.constraints.J_transpose.column(row);
            column.iter().zip(&now).map(|(a, b)| a * b).sum::<f64>() / size
        };
        let (mut before, mut at) = ((0.0, 1.0), guess);
        for _ in 0..SECANTS {
            let g = product(at);
            let next = at - g * (at - before.0) / (g - before.1);
            before = (at, g);
            at = next;
        }
        self.projection.row = now;
        (at.is_finite() && at > 0.0).then_some(at)
    }

    /// Rows at the position after the time `s`, for constant accelerations.
    fn constraints_along(&mut self, t: f64, (q, v, a): (&[f64], &[f64], &[f64]), s: f64) {
        let (mut trial, mut step) =
            (std::mem::take(&mut self.projection.trial), std::mem::take(&mut self.projection.step));
        for (step, (v, a)) in step.iter_mut().zip(v.iter().zip(a)) {
            *step = s * (v + 0.5 * s * a);
        }
        self.model.retract(q, &step, &mut trial);
        self.constraints_at_rest(t, &trial);
        (self.projection.trial, self.projection.step) = (trial, step);
    }
}
