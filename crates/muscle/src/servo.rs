//! Muscles that follow a wanted length.

use crate::error::{MuscleError, finite, not_negative, positive};
use crate::path::{Path, PathGeometry};
use std::sync::Mutex;
use wolff_multibody::{ForceElement, Instant, Loads};
use wolff_numerics::{CubicSpline, EndCondition, TimeFunction};

/// Greatest stress of a muscle \[Pa\]: 87.1 N/cm² (Hatze, in Al Nazer, thesis, Lappeenranta 2008, section 3.3).
pub const MAX_MUSCLE_STRESS: f64 = 87.1e4;

/// Greatest force \[N\] of a muscle with a physiological cross section \[m²\]: `PCSA σ_max` (Al Nazer 2008, eq. 3.1).
pub fn max_force(cross_section: f64) -> f64 {
    cross_section * MAX_MUSCLE_STRESS
}

/// A servo: what it pulls with for a length, its rate and the integral of its error.
///
/// ```text
/// e = l - l_ref(t),   F = clip(F_ff(t) + k e + d e' + k_i ∫e dt, 0, F_max) + F_parallel
/// 1/k = 1/k_p + 1/k_s,   1/d = 1/k_d + 1/c_s
/// ```
/// F tension \[N\], l length \[m\], l_ref wanted length, F_ff feed-forward \[N\], k_p \[N/m\], k_d \[N s/m\], k_i [N/(m
/// s)] gains, F_max greatest force, k_s \[N/m\] and c_s \[N s/m\] spring and damper in series with the servo.
/// Reciprocals simply add: right for slow motion (stiffness) and fast motion (damping), and everywhere where `k_d/k_p =
/// c_s/k_s`; no state is needed.
///
/// Source: Al Nazer 2008, section 3.3: a contractile element, driven by a proportional-derivative servo, in series with
/// a viscoelastic element. A passive element beside both may be added. Limits: the integral needs a memory outside of
/// the force law: hand it in, or leave `k_i` at zero.
#[derive(Clone, Debug)]
pub struct Servo {
    /// Wanted length \[m\].
    pub wanted: TimeFunction,
    /// Force \[N\] added to the servo's; none: zero.
    pub feed_forward: Option<TimeFunction>,
    /// Gains.
    pub gains: ServoGains,
    /// Greatest force of the contractile element \[N\].
    pub max_force: f64,
    /// Spring and damper in series; none: rigid.
    pub series: Option<SeriesElement>,
    /// Spring and damper beside both.
    pub parallel: ParallelElement,
}

/// Spring and damper in series with the contractile element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesElement {
    /// k_s \[N/m\].
    pub stiffness: f64,
    /// c_s \[N s/m\].
    pub damping: f64,
}

/// Gains of a [`Servo`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoGains {
    /// k_p \[N/m\].
    pub proportional: f64,
    /// k_d \[N s/m\].
    pub derivative: f64,
    /// k_i [N/(m s)].
    pub integral: f64,
}

impl ServoGains {
    /// `k_p = F_max/δ`, `k_d = τ k_p`: δ is the error \[m\] that calls for the greatest force, τ a time \[s\]. Own
    /// choice, tried with a walking model: 20 to 40 mm and 15 to 30 ms with feed-forward.
    pub fn from_error(max_force: f64, error: f64, time: f64) -> Self {
        let proportional = max_force / error;
        ServoGains { proportional, derivative: time * proportional, integral: 0.0 }
    }

    /// Gains of the whole with an element in series: reciprocals add, see [`Servo`].
    pub fn in_series(&self, series: &SeriesElement) -> Self {
        ServoGains {
            proportional: in_series(self.proportional, series.stiffness),
            derivative: in_series(self.derivative, series.damping),
            ..*self
        }
    }
}

/// Spring and damper beside the others, taut beyond a slack length; pulls only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParallelElement {
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping \[N s/m\].
    pub damping: f64,
    /// Slack length \[m\].
    pub slack_length: f64,
}

impl ParallelElement {
    /// Tension \[N\] at a length and its rate.
    pub fn tension(&self, length: f64, rate: f64) -> f64 {
        if length <= self.slack_length {
            return 0.0;
        }
        (self.stiffness * (length - self.slack_length) + self.damping * rate).clamp(0.0, f64::INFINITY)
    }
}

impl Servo {
    /// Refuses numbers that are none; `name` is for messages.
    pub fn check(&self, name: &str) -> Result<(), MuscleError> {
        positive(name, "greatest force [N]", self.max_force)?;
        not_negative(name, "proportional gain [N/m]", self.gains.proportional)?;
        not_negative(name, "derivative gain [N s/m]", self.gains.derivative)?;
        not_negative(name, "integral gain [N/(m s)]", self.gains.integral)?;
        if let Some(series) = &self.series {
            positive(name, "series stiffness [N/m]", series.stiffness)?;
            positive(name, "series damping [N s/m]", series.damping)?;
        }
        not_negative(name, "passive stiffness [N/m]", self.parallel.stiffness)?;
        not_negative(name, "passive damping [N s/m]", self.parallel.damping)?;
        finite(name, "passive slack length [m]", self.parallel.slack_length).map(|_| ())
    }

    /// Error of the length \[m\], what an integral action integrates.
    pub fn error(&self, t: f64, length: f64) -> f64 {
        length - self.wanted.value(t)
    }

    /// Force of the contractile element \[N\].
    pub fn contraction(&self, t: f64, length: f64, rate: f64, integral: f64) -> f64 {
        let wanted = self.wanted.evaluate(t);
        let ahead = self.feed_forward.as_ref().map_or(0.0, |f| f.value(t));
        let g = self.series.as_ref().map_or(self.gains, |series| self.gains.in_series(series));
        let force = ahead
            + g.proportional * (length - wanted.value)
            + g.derivative * (rate - wanted.d1)
            + g.integral * integral;
        force.clamp(0.0, self.max_force)
    }

    /// Tension of the whole muscle \[N\].
    pub fn tension(&self, t: f64, length: f64, rate: f64, integral: f64) -> f64 {
        self.contraction(t, length, rate, integral) + self.parallel.tension(length, rate)
    }
}

/// Reciprocals add.
fn in_series(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}

/// A servo muscle along a path.
#[derive(Debug)]
pub struct ServoMuscle {
    path: Path,
    servo: Servo,
    integral: Mutex<f64>,
}

impl ServoMuscle {
    /// Checks and stores.
    pub fn new(path: Path, servo: Servo) -> Result<Self, MuscleError> {
        servo.check(path.name())?;
        Ok(ServoMuscle { path, servo, integral: Mutex::new(0.0) })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The law.
    pub fn servo(&self) -> &Servo {
        &self.servo
    }

    /// Integral of the error \[m s\] that the force law sees; who integrates in time renews it between steps.
    pub fn set_integral(&self, integral: f64) {
        *self.integral.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = integral;
    }

    fn integral(&self) -> f64 {
        *self.integral.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Tension \[N\] at this instant.
    pub fn tension(&self, at: &Instant<'_>) -> f64 {
        self.tension_along(&self.path.solve(at, None), at)
    }

    fn tension_along(&self, geometry: &PathGeometry, at: &Instant<'_>) -> f64 {
        self.servo.tension(at.t, geometry.length, self.path.speed(geometry, at), self.integral())
    }
}

impl ForceElement for ServoMuscle {
    fn name(&self) -> &str {
        self.path.name()
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let geometry = self.path.solve(at, None);
        self.path.pull(&geometry, self.tension_along(&geometry, at), at, out);
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        let p = &self.servo.parallel;
        let stretch = (self.path.solve(at, None).length - p.slack_length).max(0.0);
        0.5 * p.stiffness * stretch * stretch
    }
}

/// Lengths of a path over time, which a servo muscle later follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LengthRecord {
    times: Vec<f64>,
    lengths: Vec<f64>,
}

impl LengthRecord {
    /// Notes a length \[m\] at a time \[s\]; times that do not grow and numbers that are none are refused.
    pub fn push(&mut self, t: f64, length: f64) -> Result<(), MuscleError> {
        finite("length record", "length [m]", length)?;
        let last = self.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        if !(t > last && t.is_finite()) {
            let rule = format!("time {t} does not come after {last}; record in the order of time");
            return Err(MuscleError::Rule { object: "length record".into(), rule });
        }
        self.times.push(t);
        self.lengths.push(length);
        Ok(())
    }

    /// Times \[s\] and lengths \[m\].
    pub fn samples(&self) -> (&[f64], &[f64]) {
        (&self.times, &self.lengths)
    }

    /// The wanted length of a [`Servo`]: a natural cubic spline through the record.
    pub fn wanted(&self) -> Result<TimeFunction, MuscleError> {
        CubicSpline::new(&self.times, &self.lengths, EndCondition::Natural)
            .map(TimeFunction::from)
            .map_err(|e| MuscleError::Rule { object: "length record".into(), rule: e.to_string() })
    }
}
