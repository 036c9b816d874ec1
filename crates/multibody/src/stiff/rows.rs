//! Directions in which something pushes.

use crate::force::Instant;
use wolff_spatial::{Force, Vec3};

/// Force along a scalar `s(q)` and how it answers: `f - k Δs - c Δs'`, never beyond its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Force `f` at the predicted motion, positive in the direction in which `s` grows \[N or N m\].
    pub force: f64,
    /// Stiffness `k`, what the force loses for a growing `s` \[N/m or N m/rad\].
    pub stiffness: f64,
    /// Damping `c`, what it loses for a growing `s'` \[N s/m or N m s/rad\].
    pub damping: f64,
    /// Least possible force.
    pub least: f64,
    /// Greatest possible force.
    pub most: f64,
}

impl Push {
    /// A spring and damper without limits.
    pub fn spring(force: f64, stiffness: f64, damping: f64) -> Self {
        Push { force, stiffness, damping, least: f64::NEG_INFINITY, most: f64::INFINITY }
    }

    /// The same between limits.
    pub fn within(self, least: f64, most: f64) -> Self {
        Push { least, most, ..self }
    }
}

/// Forces that are to be stepped implicitly.
pub trait StiffForces {
    /// Adds a row for everything that pushes at this instant, in the same order at every call.
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows);
}

impl StiffForces for () {
    fn rows(&mut self, _: &Instant<'_>, _: &mut Rows) {}
}

/// Rows `(J, push)` of one instant; directions are stored without their zeros.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub(super) pushes: Vec<Push>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
    entries: Vec<(usize, f64)>,
    dense: Vec<f64>,
}

impl Rows {
    /// Memory for directions over `nv` speeds.
    pub fn new(nv: usize) -> Self {
        Rows { dense: vec![0.0; nv], ..Rows::default() }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.pushes.clear();
        self.ends.clear();
        self.entries.clear();
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.pushes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pushes.is_empty()
    }

    /// The push of a row.
    pub fn push(&self, row: usize) -> &Push {
        &self.pushes[row]
    }

    /// Entries `(speed, J)` of a row, in the order of the speeds, each at most once.
    pub fn direction(&self, row: usize) -> &[(usize, f64)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// `J · v` of a row.
    pub fn rate(&self, row: usize, v: &[f64]) -> f64 {
        self.direction(row).iter().map(|(k, j)| j * v[*k]).sum()
    }

    /// A push on the coordinate of a speed.
    pub fn on_coordinate(&mut self, speed: usize, push: Push) {
        self.entries.push((speed, 1.0));
        self.end_row(push);
    }

    /// A push along a direction that `fill` writes into a slice of zeros, one entry a speed.
    pub fn along(&mut self, push: Push, fill: impl FnOnce(&mut [f64])) {
        self.dense.fill(0.0);
        fill(&mut self.dense);
        self.entries.extend(self.dense.iter().copied().enumerate().filter(|(_, j)| *j != 0.0));
        self.end_row(push);
    }

    /// A push on the point of `body` that is at `p_G`, along the unit vector `e_G`.
    pub fn on_point(&mut self, at: &Instant<'_>, body: usize, p_G: &Vec3, e_G: &Vec3, push: Push) {
        let force = Force::through(&(p_G - at.kin.bodies[body].origin), *e_G);
        self.along(push, |J| at.kin.powers(at.model, body, &force, |k, power| J[k] += power));
    }

    /// A turning push on `body` about the unit vector `e_G`.
    pub fn on_turn(&mut self, at: &Instant<'_>, body: usize, e_G: &Vec3, push: Push) {
        let moment = Force::new(*e_G, Vec3::zeros());
        self.along(push, |J| at.kin.powers(at.model, body, &moment, |k, power| J[k] += power));
    }

    fn end_row(&mut self, push: Push) {
        self.pushes.push(push);
        self.ends.push(self.entries.len());
    }
}
