//! Signals sampled at equal time steps, which a step loop reads without searching.

use crate::error::MovementError;

/// A signal sampled at equal steps with its slopes: cubic Hermite pieces between, continuous with the slope.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    start: f64,
    step: f64,
    /// Value and slope at each sample.
    samples: Vec<[f64; 2]>,
    /// Increment per cycle; `None` where the signal is not periodic.
    advance: Option<f64>,
}

impl Track {
    /// A periodic signal: samples of one cycle of `period` \[s\] from t = 0, without the end point; every cycle adds
    /// `advance`.
    pub fn cyclic(name: &str, period: f64, advance: f64, samples: Vec<[f64; 2]>) -> Result<Self, MovementError> {
        check(name, &samples)?;
        if !(period > 0.0 && period.is_finite() && advance.is_finite()) {
            let rule = format!("period {period} s and advance {advance} must be finite, the period above zero");
            return Err(MovementError::rule(name, rule));
        }
        Ok(Track { start: 0.0, step: period / samples.len() as f64, samples, advance: Some(advance) })
    }

    /// A periodic signal from values alone: slopes are central differences of fourth order.
    pub fn cyclic_values(name: &str, period: f64, values: &[f64]) -> Result<Self, MovementError> {
        let n = values.len();
        let step = period / n as f64;
        let slope = |i: usize| {
            let at = |k: usize| values[(i + k) % n];
            (8.0 * (at(1) - at(n - 1)) - (at(2) - at(n - 2))) / (12.0 * step)
        };
        if n < 5 {
            return Err(MovementError::rule(name, format!("{n} samples are too few for a cycle; give five or more")));
        }
        Track::cyclic(name, period, 0.0, (0..n).map(|i| [values[i], slope(i)]).collect())
    }

    /// A signal from `start` \[s\] on; beyond its ends it is constant.
    pub fn single(name: &str, start: f64, step: f64, samples: Vec<[f64; 2]>) -> Result<Self, MovementError> {
        check(name, &samples)?;
        if !(step > 0.0 && step.is_finite() && start.is_finite()) {
            return Err(MovementError::rule(
                name,
                format!("step {step} s and start {start} s must be finite, the step above zero"),
            ));
        }
        Ok(Track { start, step, samples, advance: None })
    }

    /// The signal times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let samples = self.samples.iter().map(|sample| sample.map(|x| factor * x)).collect();
        Track { samples, advance: self.advance.map(|a| factor * a), ..*self }
    }

    /// The sum with a signal of the same samples.
    pub fn plus(&self, other: &Track) -> Result<Self, MovementError> {
        if (self.start, self.step, self.samples.len()) != (other.start, other.step, other.samples.len()) {
            return Err(MovementError::rule("sum of signals", "both signals must have the same times"));
        }
        let pair = |(a, b): (&[f64; 2], &[f64; 2])| [a[0] + b[0], a[1] + b[1]];
        let samples = self.samples.iter().zip(&other.samples).map(pair).collect();
        let advance = self.advance.map(|a| a + other.advance.unwrap_or(0.0));
        Ok(Track { samples, advance, ..*self })
    }

    /// Value and slope at the time `t` \[s\].
    #[inline]
    pub fn at(&self, t: f64) -> (f64, f64) {
        let Piece { x, lift, coefficients: [a, a1, c2, c3] } = self.piece(t);
        (a + x * (a1 + x * (c2 + x * c3)) + lift, (a1 + x * (2.0 * c2 + 3.0 * x * c3)) / self.step)
    }

    /// Value at the time `t` \[s\].
    #[inline]
    pub fn value(&self, t: f64) -> f64 {
        self.at(t).0
    }

    /// The Hermite piece at the time `t` \[s\]; beyond the ends of a signal that is not periodic, the constant end
    /// value.
    #[inline]
    fn piece(&self, t: f64) -> Piece {
        let (x, count) = ((t - self.start) / self.step, self.samples.len());
        let Some(advance) = self.advance else {
            let last = count - 1;
            if x <= 0.0 || x >= last as f64 {
                let end = self.samples[if x <= 0.0 { 0 } else { last }][0];
                return Piece { x: 0.0, lift: 0.0, coefficients: [end, 0.0, 0.0, 0.0] };
            }
            let i = x as usize;
            return self.between(x - i as f64, self.samples[i], self.samples[i + 1]);
        };
        let n = count as f64;
        let cycle = (x / n).floor();
        let x = x - cycle * n;
        let i = (x as usize).min(count - 1);
        let (next, more) = if i + 1 == count { (0, advance) } else { (i + 1, 0.0) };
        let [value, slope] = self.samples[next];
        let piece = self.between(x - i as f64, self.samples[i], [value + more, slope]);
        Piece { lift: cycle * advance, ..piece }
    }

    /// The Hermite piece at the fraction `x` of a step between two samples.
    #[inline]
    fn between(&self, x: f64, [a, a1]: [f64; 2], [b, b1]: [f64; 2]) -> Piece {
        let (a1, b1, d) = (a1 * self.step, b1 * self.step, b - a);
        let (c2, c3) = (3.0 * d - 2.0 * a1 - b1, a1 + b1 - 2.0 * d);
        Piece { x, lift: 0.0, coefficients: [a, a1, c2, c3] }
    }
}

/// `lift + a + a₁ x + c₂ x² + c₃ x³` at the fraction `x` of a step.
struct Piece {
    x: f64,
    lift: f64,
    coefficients: [f64; 4],
}

fn check(name: &str, samples: &[[f64; 2]]) -> Result<(), MovementError> {
    if samples.len() < 2 {
        return Err(MovementError::rule(
            name,
            format!("{} samples are too few for a signal; give two or more", samples.len()),
        ));
    }
    match samples.iter().position(|s| !s[0].is_finite() || !s[1].is_finite()) {
        Some(i) => {
            Err(MovementError::rule(name, format!("sample {i} is {:?}; all samples must be finite", samples[i])))
        }
        None => Ok(()),
    }
}
