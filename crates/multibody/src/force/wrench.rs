//! External wrenches from a table, as a force plate gives them.

use super::{ForceElement, Instant, Loads};
use crate::error::SpecError;
use wolff_numerics::TimeFunction;
use wolff_spatial::Vec3;

/// Force, point of application and free moment in ground axes, linear between the rows of a table and none outside it.
#[derive(Clone, Debug)]
pub struct WrenchTable {
    name: String,
    body: usize,
    times: Vec<f64>,
    rows: Vec<WrenchRow>,
}

/// One instant of a [`WrenchTable`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrenchRow {
    /// Force \[N\].
    pub force: Vec3,
    /// Point of application \[m\].
    pub point: Vec3,
    /// Free moment \[N m\].
    pub torque: Vec3,
}

impl WrenchTable {
    /// Checks that times increase and all numbers are finite.
    pub fn new(name: &str, body: usize, times: Vec<f64>, rows: Vec<WrenchRow>) -> Result<Self, SpecError> {
        if times.is_empty() || times.len() != rows.len() {
            let (n, m) = (times.len(), rows.len());
            return Err(SpecError::new(name, format!("{n} times and {m} wrenches; one wrench a time is needed")));
        }
        if let Some(k) = times.windows(2).position(|w| !(w[0] < w[1])) {
            return Err(SpecError::new(name, format!("times must increase; row {} does not", k + 2)));
        }
        let finite = |r: &WrenchRow| r.force.iter().chain(&r.point).chain(&r.torque).all(|x| x.is_finite());
        if let Some(k) = rows.iter().position(|r| !finite(r)) {
            return Err(SpecError::new(name, format!("row {} has a number that is not finite", k + 1)));
        }
        Ok(WrenchTable { name: name.into(), body, times, rows })
    }

    /// The wrench at time `t`; none outside the table.
    pub fn at(&self, t: f64) -> Option<WrenchRow> {
        let (first, last) = (*self.times.first()?, *self.times.last()?);
        if !(first <= t && t <= last) {
            return None;
        }
        let k = self.times.partition_point(|&x| x <= t).clamp(1, self.times.len().max(2) - 1);
        let (Some(a), Some(b)) = (self.rows.get(k - 1), self.rows.get(k)) else { return self.rows.first().copied() };
        let s = (t - self.times[k - 1]) / (self.times[k] - self.times[k - 1]);
        let mix = |a: &Vec3, b: &Vec3| a * (1.0 - s) + b * s;
        Some(WrenchRow {
            force: mix(&a.force, &b.force),
            point: mix(&a.point, &b.point),
            torque: mix(&a.torque, &b.torque),
        })
    }
}

impl ForceElement for WrenchTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        if let Some(row) = self.at(at.t) {
            out.force_at(self.body, &row.point, row.force);
            out.torque(self.body, row.torque);
        }
    }
}

/// A force of the ground at a point that moves, both given in ground axes as functions of time. On the body it is the
/// same as the force at the centre of mass with the moment `(p - c) x f`.
#[derive(Clone, Debug)]
pub struct GroundForce {
    name: String,
    body: usize,
    force: [TimeFunction; 3],
    point: [TimeFunction; 3],
}

impl GroundForce {
    /// A force \[N\] on `body` at a point \[m\] of the ground.
    pub fn new(name: &str, body: usize, force: [TimeFunction; 3], point: [TimeFunction; 3]) -> Self {
        GroundForce { name: name.into(), body, force, point }
    }
}

impl ForceElement for GroundForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let vector = |f: &[TimeFunction; 3]| Vec3::from_fn(|i, _| f[i].evaluate(at.t).value);
        out.force_at(self.body, &vector(&self.point), vector(&self.force));
    }
}
