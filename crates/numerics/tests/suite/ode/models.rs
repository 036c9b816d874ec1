//! Systems with known solutions.

use wolff_numerics::{Crossing, EventAction, OdeError, OdeSystem};

/// The two-body problem `r'' = -r/|r|³` with eccentricity 0.3 and period 2π, from pericentre.
pub struct Kepler;

pub const ECCENTRICITY: f64 = 0.3;

impl Kepler {
    pub fn initial() -> [f64; 4] {
        Self::exact_at_anomaly(0.0).1
    }

    /// Time and state at the eccentric anomaly `u`: `t = u - e sin u` (Kepler's equation).
    pub fn exact_at_anomaly(u: f64) -> (f64, [f64; 4]) {
        let e = ECCENTRICITY;
        let b = (1.0 - e * e).sqrt();
        let rate = 1.0 / (1.0 - e * u.cos());
        let state = [u.cos() - e, b * u.sin(), -u.sin() * rate, b * u.cos() * rate];
        (u - e * u.sin(), state)
    }

    /// State at time `t`, the anomaly found by Newton's iteration.
    pub fn exact(t: f64) -> [f64; 4] {
        let mut u = t;
        for _ in 0..50 {
            u -= (u - ECCENTRICITY * u.sin() - t) / (1.0 - ECCENTRICITY * u.cos());
        }
        Self::exact_at_anomaly(u).1
    }
}

impl OdeSystem for Kepler {
    fn dim(&self) -> usize {
        4
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        let r3 = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
        dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
        Ok(())
    }
}

/// A ball on a floor: height and velocity, restitution e; events 0 (impact) and 1 (apex).
pub struct Ball {
    pub restitution: f64,
}

pub const GRAVITY: f64 = 9.81;

impl Ball {
    /// Exact impact times after a drop from rest at height 1 m: flights shrink by the factor e.
    pub fn impact_times(&self, count: usize) -> Vec<f64> {
        let fall = (2.0 / GRAVITY).sqrt();
        let mut times = vec![fall];
        for k in 1..count {
            times.push(times[k - 1] + 2.0 * fall * self.restitution.powi(k as i32));
        }
        times
    }
}

impl OdeSystem for Ball {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy.copy_from_slice(&[y[1], -GRAVITY]);
        Ok(())
    }

    fn event_count(&self) -> usize {
        2
    }

    fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        g.copy_from_slice(&[y[0], y[1]]);
        Ok(())
    }

    fn on_event(&mut self, index: usize, direction: Crossing, _t: f64, y: &mut [f64]) -> Result<EventAction, OdeError> {
        if index == 0 && direction == Crossing::Falling {
            y[1] *= -self.restitution;
            return Ok(EventAction::Restart);
        }
        Ok(EventAction::Continue)
    }
}

/// A system given by a closure.
pub struct Function<F> {
    pub dim: usize,
    pub f: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> OdeSystem for Function<F> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        (self.f)(t, y, dy);
        Ok(())
    }
}
