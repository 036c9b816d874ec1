//! Collision under the IMPACT function, by integration.

use super::{Collision, balance};
use crate::error::ContactError;
use crate::law::{ImpactFunction, NormalLaw};
use wolff_numerics::{Crossing, EventAction, Method, OdeError, OdeSystem, Options, integrate};

/// Local error of each step, relative to the values.
const TOLERANCE: f64 = 1e-13;

/// Local error of each step, relative to depth scale and approach speed; small, because over-damped bodies creep out at
/// 1e-6 of their approach speed.
const FLOOR: f64 = 1e-19;

/// Steps allowed; reached only where the damping outlasts the collision by five orders of magnitude.
const MAX_STEPS: usize = 2_000_000;

/// Integrates `y = (δ/L, δ'/v0)` over `t v0/L`, L the largest depth without damping, restarting at the kinks of the
/// law.
pub(super) fn solve(law: &ImpactFunction, mass: f64, v0: f64) -> Result<Collision, ContactError> {
    let n1 = law.elastic().exponent() + 1.0;
    let scale = (0.5 * n1 * mass / law.elastic().stiffness() * v0 * v0).powf(1.0 / n1);
    let mut path = Path {
        law: NormalLaw::Impact(*law),
        full_depth: law.full_damping_depth() / scale,
        scale,
        mass,
        v0,
        deepest: (0.0, 0.0),
        hardest: (0.0, [0.0, 1.0]),
    };
    let mut y = [0.0, 1.0];
    // the force is never negative, so the bodies part for good; the observer has nothing to do
    let options = Options { max_steps: MAX_STEPS, event_tolerance: 0.0, ..Options::tolerances(TOLERANCE, FLOOR) };
    let report = integrate(&mut path, Method::Dop853, &options, 0.0, &mut y, f64::MAX, &mut ())?;

    let restitution = -y[1];
    let (energy_loss, impulse) = balance(mass, v0, restitution);
    Ok(Collision {
        depth_max: path.deepest.1 * scale,
        time_of_depth_max: path.deepest.0 * scale / v0,
        force_max: path.hardest.0,
        depth_at_force_max: path.hardest.1[0] * scale,
        rate_at_force_max: path.hardest.1[1] * v0,
        duration: report.t * scale / v0,
        restitution,
        energy_loss,
        impulse,
    })
}

/// The scaled equation of motion and what was found on the way.
struct Path {
    law: NormalLaw,
    full_depth: f64,
    scale: f64,
    mass: f64,
    v0: f64,
    /// Time and depth of the turning point.
    deepest: (f64, f64),
    /// Largest force and the state there.
    hardest: (f64, [f64; 2]),
}

/// Event functions.
const SEPARATION: usize = 0;
const TURNING_POINT: usize = 1;
const FULL_DAMPING: usize = 2;
const FORCE_EXTREMUM: usize = 3;

impl Path {
    fn force(&self, y: &[f64]) -> f64 {
        self.law.force(y[0].max(0.0) * self.scale, y[1] * self.v0, self.v0)
    }

    /// `dF/dt` up to a positive factor.
    fn force_rate(&self, y: &[f64]) -> f64 {
        let (by_depth, by_rate) = self.law.stiffness_derivatives(y[0].max(0.0) * self.scale, y[1] * self.v0, self.v0);
        by_depth * y[1] * self.v0 - by_rate * self.force(y) / self.mass
    }
}

impl OdeSystem for Path {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy[0] = y[1];
        dy[1] = -self.force(y) * self.scale / (self.mass * self.v0 * self.v0);
        Ok(())
    }

    fn component_name(&self, i: usize) -> String {
        ["indentation", "rate of indentation"].get(i).copied().unwrap_or_default().into()
    }

    fn event_count(&self) -> usize {
        4
    }

    fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        g[SEPARATION] = y[0];
        g[TURNING_POINT] = y[1];
        g[FULL_DAMPING] = y[0] - self.full_depth;
        g[FORCE_EXTREMUM] = self.force_rate(y);
        Ok(())
    }

    fn on_event(&mut self, index: usize, direction: Crossing, t: f64, y: &mut [f64]) -> Result<EventAction, OdeError> {
        let force = self.force(y);
        if force > self.hardest.0 {
            self.hardest = (force, [y[0], y[1]]);
        }
        Ok(match (index, direction) {
            (SEPARATION, Crossing::Falling) => EventAction::Stop,
            (TURNING_POINT, _) => {
                self.deepest = (t, y[0]);
                EventAction::Continue
            }
            (FULL_DAMPING, _) => EventAction::Restart,
            _ => EventAction::Continue,
        })
    }
}
