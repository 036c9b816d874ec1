//! Controls and their limits over time.

use crate::forward::Controls;
use wolff_motion::{MotionError, Motors};

/// Least excitation of a muscle that computed muscle control uses; OpenSim 4, `CMC`.
pub const LEAST_EXCITATION: f64 = 0.02;
/// Control of an ideal actuator without bounds; OpenSim 4, `CMC`.
pub const UNBOUNDED: f64 = 10000.0;

/// A limit that is linear between its nodes and constant outside of them: times \[s\] with values.
pub type Curve = Vec<(f64, f64)>;

/// Minimum and maximum of each control, for muscles and then for actuators.
#[derive(Clone, Debug)]
pub struct Bounds {
    constant: Vec<[f64; 2]>,
    curves: Vec<[Curve; 2]>,
}

impl Bounds {
    /// The limits of the motors; as in OpenSim, lower limits of excitations below [`LEAST_EXCITATION`] and upper ones
    /// below 1 are raised to these.
    pub fn of(motors: &Motors) -> Self {
        let muscles = motors.muscles.len();
        let limit = |(k, [low, high]): (usize, &[f64; 2])| {
            if k < muscles {
                [low.max(LEAST_EXCITATION), high.max(1.0)]
            } else {
                [low.max(-UNBOUNDED), high.min(UNBOUNDED)]
            }
        };
        let constant: Vec<[f64; 2]> = motors.control.iter().enumerate().map(limit).collect();
        Bounds { curves: vec![Default::default(); constant.len()], constant }
    }

    /// Limits a control over time; an empty curve leaves the constant limit.
    pub fn limit(&mut self, motors: &Motors, name: &str, low: Curve, high: Curve) -> Result<(), MotionError> {
        let bare = name.strip_suffix(".excitation").unwrap_or(name);
        let unknown =
            || MotionError::Unknown { owner: "the control constraints".into(), what: "motor", name: bare.into() };
        let k = motors.names.iter().position(|n| n == bare).ok_or_else(unknown)?;
        for curve in [&low, &high] {
            if !is_ordered(curve) {
                let reason = "its nodes must have finite values at times that increase";
                return Err(MotionError::input(format!("control constraint `{name}`"), reason));
            }
        }
        self.curves[k] = [low, high];
        Ok(())
    }

    /// Minimum and maximum of control `k` at a time \[s\]. Limits that cross give the lower one.
    pub fn at(&self, k: usize, t: f64) -> [f64; 2] {
        let [low, high] = &self.curves[k];
        let [least, most] = self.constant[k];
        let (low, high) = (value(low, t).unwrap_or(least), value(high, t).unwrap_or(most));
        [low, high.max(low)]
    }
}

fn value(curve: &Curve, t: f64) -> Option<f64> {
    let after = curve.partition_point(|(s, _)| *s <= t);
    match (after.checked_sub(1).and_then(|k| curve.get(k)), curve.get(after)) {
        (Some((t0, x0)), Some((t1, x1))) => Some(x0 + (x1 - x0) * (t - t0) / (t1 - t0)),
        (Some((_, x)), None) | (None, Some((_, x))) => Some(*x),
        (None, None) => None,
    }
}

/// Controls over time, in the order of the motors.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Nodes, and whether a control keeps the value of the next node rather than being linear between nodes.
    curves: Vec<(Curve, bool)>,
}

impl Schedule {
    /// Checks the curves: one per motor, with nodes at times that increase.
    pub fn new(motors: &Motors, curves: Vec<(Curve, bool)>) -> Result<Self, MotionError> {
        if curves.len() != motors.len() {
            let reason = format!("{} curves for {} motors", curves.len(), motors.len());
            return Err(MotionError::input("the controls", reason));
        }
        for (name, (curve, _)) in motors.names.iter().zip(&curves) {
            if curve.is_empty() || !is_ordered(curve) {
                let reason = "needs nodes with finite values at times that increase";
                return Err(MotionError::input(format!("the control of `{name}`"), reason));
            }
        }
        Ok(Schedule { curves })
    }
}

impl Controls for Schedule {
    fn at(&self, t: f64, out: &mut [f64]) {
        for (out, (curve, steps)) in out.iter_mut().zip(&self.curves) {
            let next = curve.partition_point(|(s, _)| *s < t).min(curve.len() - 1);
            *out = if *steps { curve[next].1 } else { value(curve, t).unwrap_or(0.0) };
        }
    }
}

fn is_ordered(curve: &Curve) -> bool {
    curve.windows(2).all(|w| w[0].0 < w[1].0) && curve.iter().all(|(t, x)| t.is_finite() && x.is_finite())
}
