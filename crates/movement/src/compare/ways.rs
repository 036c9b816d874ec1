//! Strains of a known motion without the floating frame: the elastodynamic response, and gauges of a modal history.

use crate::error::MovementError;
use crate::loads::modal::{ModalHistory, ModalLoads, Mode, uncoupled};
use nalgebra::{Matrix2, Vector2};
use wolff_bone::BoneError;
use wolff_bone::gauges::{GaugeHistory, gauge_history};
use wolff_flexbody::FlexBody;

impl ModalLoads {
    /// `m η'' + d η' + k η = Q` of every mode, exactly for loads that are linear between samples, starting at rest from
    /// the static response at the first sample.
    ///
    /// ```text
    /// η = s - (2 ζ/ω) s' + x,   s = Q/k linear in t,   x'' + 2 ζ ω x' + ω² x = 0
    /// ```
    /// ω² = k/m, ζ = d/(2 m ω). Chopra, Dynamics of Structures, on the interpolation of excitation.
    pub fn elastodynamic(&self, body: &FlexBody) -> Result<ModalHistory, MovementError> {
        let modes = uncoupled(body)?;
        let mut state: Vec<Vector2<f64>> = match self.loads.first() {
            Some(Q) => Q.iter().zip(&modes).map(|(Q, m)| Vector2::new(Q / m.stiffness, 0.0)).collect(),
            None => Vec::new(),
        };
        let mut history = ModalHistory { eta: Vec::new(), eta_dot: Vec::new() };
        for i in 0..self.loads.len() {
            if i > 0 {
                let h = self.times[i] - self.times[i - 1];
                for (k, mode) in modes.iter().enumerate() {
                    state[k] = mode.step(h, state[k], [self.loads[i - 1][k], self.loads[i][k]]);
                }
            }
            history.eta.push(state.iter().map(|x| x[0]).collect());
            history.eta_dot.push(state.iter().map(|x| x[1]).collect());
        }
        Ok(history)
    }
}

impl ModalHistory {
    /// Gauge readings of the body.
    pub fn gauges(&self, body: &FlexBody) -> Result<Vec<GaugeHistory>, MovementError> {
        let read = |g: &wolff_flexbody::Gauge| gauge_history(body, &g.name, &self.eta);
        Ok(body.gauges.iter().map(read).collect::<Result<_, _>>().map_err(BoneError::from)?)
    }
}

impl Mode {
    /// `(η, η')` after a time h under a load that changes linearly from one value to another.
    fn step(&self, h: f64, state: Vector2<f64>, loads: [f64; 2]) -> Vector2<f64> {
        let (w, [s0, s1]) = (self.frequency, loads.map(|Q| Q / self.stiffness));
        let slope = (s1 - s0) / h;
        let lag = 2.0 * self.ratio / w * slope;
        // x and x'/ω turn and decay together
        let x = Vector2::new(state[0] - (s0 - lag), (state[1] - slope) / w);
        let x = (Matrix2::new(0.0, w, -w, -2.0 * self.ratio * w) * h).exp() * x;
        Vector2::new(s1 - lag + x[0], slope + w * x[1])
    }
}
