//! Low-pass filtering that gives derivatives along with the signal.

use crate::MotionError;
use wolff_numerics::Derivatives;

/// A Butterworth low-pass of second order as an equation of motion, run backward, then forward.
///
/// ```text
/// y'' = ω² (u - y) - √2 ω y',   ω = 2π f_c        u signal, y filtered signal, f_c corner of one pass [Hz]
/// ```
/// Speed and acceleration of the filter state are the derivatives of the filtered signal, so no signal is differenced
/// twice. A step h uses the midpoint rule, with u at its middle:
///
/// ```text
/// (4 + 2 h b + h² a) y₁  = (4 + 2 h b - h² a) y₀ + 4 h y₀' + 2 h² a ū,      a = ω²,  b = √2 ω,  ū = (u₀ + u₁)/2
/// (4 + 2 h b + h² a) y₁' = -4 h a y₀ + (4 - 2 h b - h² a) y₀' + 4 h a ū,    y₁'' = (y₁' - y₀')/h
/// ```
/// Steps need not be equal, so gaps are allowed: only measured samples are filtered. The backward pass starts at rest
/// at the last sample; the forward pass continues from its end state after a time [`Self::turn`] without samples. A
/// long turn makes the midpoint rule reflect the speed and start at the first sample. Between two passes the gain falls
/// to 1/√2 at 0.802 f_c (Winter, Biomechanics and Motor Control of Human Movement, 4th ed., chapter 3). Limits: the end
/// of a trial starts at rest, whatever moved there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferentiatingLowPass {
    /// Corner of one pass \[Hz\].
    pub corner: f64,
    /// Time between the passes \[s\].
    pub turn: f64,
}

/// State of the filter.
#[derive(Clone, Copy)]
struct State {
    u: f64,
    y: f64,
    speed: f64,
}

impl DifferentiatingLowPass {
    /// Ratio of the corner of one pass to that of both passes together.
    pub const DUAL_PASS: f64 = 0.802;

    /// Filters samples at increasing times \[s\]; `None` is a missing sample, for which value and derivatives are
    /// interpolated linearly. Signals that begin or end with a gap are an error.
    pub fn run(&self, times: &[f64], samples: &[Option<f64>]) -> Result<Vec<Derivatives>, MotionError> {
        let seen = self.checked(times, samples)?;
        let mut state = None;
        let mut backward: Vec<f64> = Vec::with_capacity(seen.len());
        let mut later = f64::NAN;
        for &(t, u) in seen.iter().rev() {
            let (next, _) = match state {
                None => (State { u, y: u, speed: 0.0 }, 0.0),
                Some(before) => self.step(before, later - t, u),
            };
            backward.push(next.y);
            (state, later) = (Some(next), t);
        }
        let Some(mut state) = state else { return Ok(Vec::new()) };
        let mut forward = Vec::with_capacity(seen.len());
        let mut step = self.turn;
        for (i, (&(t, _), &u)) in seen.iter().zip(backward.iter().rev()).enumerate() {
            let (next, acceleration) = self.step(state, step, u);
            forward.push((t, Derivatives { value: next.y, d1: next.speed, d2: acceleration }));
            state = next;
            step = seen.get(i + 1).map_or(f64::NAN, |next| next.0 - t);
        }
        Ok(times.iter().map(|t| between(&forward, *t)).collect())
    }

    /// The state after a step `h` \[s\], and the acceleration in it.
    fn step(&self, from: State, h: f64, u: f64) -> (State, f64) {
        let omega = std::f64::consts::TAU * self.corner;
        let (a, b) = (omega * omega, std::f64::consts::SQRT_2 * omega);
        let mean = 0.5 * (u + from.u);
        let (damping, stiffness) = (2.0 * h * b, h * h * a);
        let scale = 1.0 / (4.0 + damping + stiffness);
        let y = scale * ((4.0 + damping - stiffness) * from.y + 4.0 * h * from.speed + 2.0 * stiffness * mean);
        let speed = scale * ((4.0 - damping - stiffness) * from.speed + 4.0 * h * a * (mean - from.y));
        (State { u, y, speed }, (speed - from.speed) / h)
    }

    /// Times and values of the measured samples.
    fn checked(&self, times: &[f64], samples: &[Option<f64>]) -> Result<Vec<(f64, f64)>, MotionError> {
        let refuse = |reason: String| Err(MotionError::input("low-pass filter with derivatives", reason));
        for (what, x) in [("corner", self.corner), ("turn", self.turn)] {
            if !(x > 0.0 && x.is_finite()) {
                return refuse(format!("the {what} is {x}; give a finite number greater than zero"));
            }
        }
        if times.len() != samples.len() {
            return refuse(format!("{} times and {} samples; both need the same number", times.len(), samples.len()));
        }
        if let Some(i) = times.windows(2).position(|t| !(t[1] > t[0])) {
            return refuse(format!("time {} s follows {} s; times must increase", times[i + 1], times[i]));
        }
        if let Some(i) = samples.iter().position(|x| x.is_some_and(|x| !x.is_finite())) {
            return refuse(format!("sample {} is not finite; missing samples must be given as gaps", i + 1));
        }
        if let ([None, ..], _) | (_, [.., None]) = (samples, samples) {
            return refuse(
                "the signal begins or ends with a gap; cut the trial to the range in which the marker is visible"
                    .into(),
            );
        }
        Ok(times.iter().zip(samples).filter_map(|(t, x)| Some((*t, (*x)?))).collect())
    }
}

/// Values at a time, on straight lines between knots.
fn between(knots: &[(f64, Derivatives)], t: f64) -> Derivatives {
    let after = knots.partition_point(|k| k.0 < t);
    let (Some(&(t1, high)), before) = (knots.get(after), after.checked_sub(1).and_then(|i| knots.get(i))) else {
        return knots.last().map_or(Derivatives::default(), |k| k.1);
    };
    let Some(&(t0, low)) = before.filter(|_| t1 > t) else { return high };
    let s = (t - t0) / (t1 - t0);
    let mix = |a: f64, b: f64| a + s * (b - a);
    Derivatives { value: mix(low.value, high.value), d1: mix(low.d1, high.d1), d2: mix(low.d2, high.d2) }
}
