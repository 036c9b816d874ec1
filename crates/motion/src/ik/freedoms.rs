//! The free coordinates, and the dependence of the others on them.

use wolff_multibody::Model;
use wolff_multibody::constraint::Row;
use wolff_numerics::TimeFunction;

/// A coordinate that is a function of another.
#[derive(Clone, Debug)]
struct Coupled {
    dependent: usize,
    independent: usize,
    function: TimeFunction,
}

/// The coordinates of a model, classified as free, fixed or dependent; indices are those of speeds.
///
/// A driver of one coordinate fixes it, a coupler makes its dependent coordinate follow. All other constraints (loops,
/// sums of coordinates, second conditions on one coordinate) stay rows.
#[derive(Clone, Debug)]
pub struct Freedoms {
    position: Vec<usize>,
    free: Vec<usize>,
    fixed: Vec<(usize, f64, TimeFunction)>,
    /// In an order in which every independent coordinate is known.
    coupled: Vec<Coupled>,
    rows: Vec<usize>,
}

impl Freedoms {
    /// Sorts the coordinates of a model; every speed must be the rate of a position.
    pub fn new(model: &Model) -> Self {
        let position = (0..model.nv()).map(|k| model.position_of_speed(k).unwrap_or(k)).collect();
        let mut freedoms = Self { position, free: vec![], fixed: vec![], coupled: vec![], rows: vec![] };
        let mut couplers = Vec::new();
        for constraint in model.constraints() {
            for (i, row) in constraint.rows.iter().enumerate() {
                match row {
                    Row::Driver { terms, function } => match terms[..] {
                        [(k, factor)] if !freedoms.is_fixed(k) => freedoms.fixed.push((k, factor, function.clone())),
                        _ => freedoms.rows.push(constraint.start + i),
                    },
                    Row::Coupler { .. } => couplers.push((constraint.start + i, row)),
                    _ => freedoms.rows.push(constraint.start + i),
                }
            }
        }
        freedoms.order_couplers(couplers);
        let decided = |k: &usize| freedoms.is_fixed(*k) || freedoms.is_coupled(*k);
        freedoms.free = (0..model.nv()).rev().filter(|k| !decided(k)).collect();
        freedoms
    }

    /// Orders the couplers so that every independent coordinate is known; those in a cycle, or of a coordinate that is
    /// already determined, become rows.
    fn order_couplers(&mut self, mut waiting: Vec<(usize, &Row)>) {
        loop {
            let follows = |k: usize, all: &[(usize, &Row)]| {
                all.iter().any(|(_, r)| matches!(r, Row::Coupler { dependent, .. } if *dependent == k))
            };
            let ready = waiting.iter().position(
                |(_, row)| matches!(row, Row::Coupler { independent, .. } if !follows(*independent, &waiting)),
            );
            let Some(ready) = ready else { break };
            let (index, row) = waiting.remove(ready);
            let Row::Coupler { dependent, independent, function } = row else { continue };
            if self.is_fixed(*dependent) || self.is_coupled(*dependent) {
                self.rows.push(index);
            } else {
                let (dependent, independent, function) = (*dependent, *independent, function.clone());
                self.coupled.push(Coupled { dependent, independent, function });
            }
        }
        self.rows.extend(waiting.iter().map(|(index, _)| *index));
    }

    fn is_fixed(&self, k: usize) -> bool {
        self.fixed.iter().any(|(f, ..)| *f == k)
    }

    fn is_coupled(&self, k: usize) -> bool {
        self.coupled.iter().any(|c| c.dependent == k)
    }

    /// Speeds of the free coordinates, from the leaves of the tree to its root.
    pub fn free(&self) -> &[usize] {
        &self.free
    }

    /// Speeds of the coordinates whose value is given.
    pub fn fixed(&self) -> Vec<usize> {
        self.fixed.iter().map(|(k, ..)| *k).collect()
    }

    /// Constraint rows of the model that are enforced by multipliers.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Index of the position whose rate speed `k` is.
    #[inline]
    pub fn position(&self, k: usize) -> usize {
        self.position[k]
    }

    /// Sets the fixed coordinates at time `t` \[s\].
    pub fn fix(&self, t: f64, q: &mut [f64]) {
        for (k, factor, function) in &self.fixed {
            q[self.position[*k]] = function.value(t) / factor;
        }
    }

    /// Sets the dependent coordinates.
    pub fn follow(&self, q: &mut [f64]) {
        for c in &self.coupled {
            q[self.position[c.dependent]] = c.function.value(q[self.position[c.independent]]);
        }
    }

    /// Adds the columns (`stride` entries each) of dependent coordinates to those they follow: `J_i += J_d f'(q_i)`.
    pub fn gather(&self, q: &[f64], columns: &mut [f64], stride: usize) {
        // later couplers may depend on the dependents of earlier ones
        for c in self.coupled.iter().rev() {
            let slope = c.function.evaluate(q[self.position[c.independent]]).d1;
            for i in 0..stride {
                columns[c.independent * stride + i] += slope * columns[c.dependent * stride + i];
            }
        }
    }

    /// Adds rows and columns of dependent coordinates of a symmetric matrix to those they follow.
    pub fn gather_symmetric(&self, q: &[f64], matrix: &mut nalgebra::DMatrix<f64>) {
        for c in self.coupled.iter().rev() {
            let slope = c.function.evaluate(q[self.position[c.independent]]).d1;
            let (d, i) = (c.dependent, c.independent);
            for k in 0..matrix.nrows() {
                matrix[(k, i)] += slope * matrix[(k, d)];
            }
            for k in 0..matrix.nrows() {
                matrix[(i, k)] += slope * matrix[(d, k)];
            }
        }
    }
}
