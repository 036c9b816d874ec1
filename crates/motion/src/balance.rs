//! Whether forces of muscles and actuators balance a motion.

use crate::MotionError;
use crate::coupling::Coupling;
use crate::history::CoordinateHistory;
use crate::inverse_dynamics::InverseFrame;
use wolff_multibody::Model;

/// What the forces leave unbalanced along a free coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Imbalance {
    /// The coordinate.
    pub coordinate: String,
    /// Index of its speed.
    pub speed: usize,
    /// Root mean square of the unbalanced moment or force \[N m or N\].
    pub rms: f64,
    /// Its largest value \[N m or N\], and when \[s\].
    pub peak: f64,
    /// Time of the largest value \[s\].
    pub at: f64,
    /// Largest moment or force that the motion needs \[N m or N\].
    pub net: f64,
}

/// The generalised forces of a motion that remain with the forces of muscles and actuators (`with_motors`), beside
/// those of the same model without them (`without`); along the coordinates that the constraints leave free.
pub fn imbalance(
    without: &Model,
    with_motors: &Model,
    history: &CoordinateHistory,
    times: &[f64],
) -> Result<Vec<Imbalance>, MotionError> {
    let (mut needed, mut left) = (Reduced::new(without), Reduced::new(with_motors));
    let mut all: Vec<Imbalance> = Vec::new();
    for t in times {
        let net = needed.solve(history, *t)?.to_vec();
        let rest = left.solve(history, *t)?;
        if all.is_empty() {
            let names = without.coordinate_names();
            let start = |i: &usize| Imbalance {
                coordinate: names[*i].clone(),
                speed: *i,
                rms: 0.0,
                peak: 0.0,
                at: *t,
                net: 0.0,
            };
            all = needed.coupling.independent.iter().map(start).collect();
        }
        for ((one, net), rest) in all.iter_mut().zip(net).zip(rest) {
            one.net = one.net.max(net.abs());
            one.rms += rest * rest / times.len() as f64;
            if rest.abs() > one.peak {
                (one.peak, one.at) = (rest.abs(), *t);
            }
        }
    }
    all.iter_mut().for_each(|one| one.rms = one.rms.sqrt());
    Ok(all)
}

/// Inverse dynamics along the free coordinates.
struct Reduced<'m> {
    frame: InverseFrame<'m>,
    coupling: Coupling,
    reduced: Vec<f64>,
}

impl<'m> Reduced<'m> {
    fn new(model: &'m Model) -> Self {
        let coupling = Coupling::new(model.nc(), model.nv());
        Reduced { frame: InverseFrame::new(model), coupling, reduced: vec![0.0; model.nv()] }
    }

    fn solve(&mut self, history: &CoordinateHistory, t: f64) -> Result<&[f64], MotionError> {
        let f = &mut self.frame;
        history.evaluate(t, &mut f.q, &mut f.v, &mut f.a);
        if f.system.model.nc() > 0 {
            f.system.update_constraints(t, &f.q, &f.v);
            self.coupling.update(&f.system.constraints);
            self.coupling.complete(&mut f.a);
        }
        f.solve_present(t)?;
        self.reduced.resize(self.coupling.independent.len(), 0.0);
        self.coupling.reduce(&f.tau, &mut self.reduced);
        Ok(&self.reduced)
    }
}
