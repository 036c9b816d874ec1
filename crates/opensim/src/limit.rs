//! Stiffness beyond the limits of a coordinate.

use wolff_multibody::{ForceElement, Instant, Loads, SpecError};

/// OpenSim's `CoordinateLimitForce` in SI units.
///
/// ```text
/// Q = -k_u s((q - q_u)/w) (q - q_u) + k_l s((q_l - q)/w) (q_l - q) - c (s_u + s_l) q'
/// s(x) = 10 x³ - 15 x⁴ + 6 x⁵ for 0 < x < 1, then 1; 0 before
/// ```
/// q coordinate \[rad or m\], q_u and q_l its limits, w width of the transition, k stiffnesses \[N m/rad or N/m\], c
/// damping \[N m s/rad or N s/m\], s_u and s_l the two steps. Source: OpenSim 4's documentation of the class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitLaw {
    /// Lower and upper limit \[rad or m\].
    pub limits: [f64; 2],
    /// Stiffness beyond the lower and the upper limit.
    pub stiffness: [f64; 2],
    /// Damping beyond the limits.
    pub damping: f64,
    /// Width of the transition \[rad or m\].
    pub transition: f64,
}

impl LimitLaw {
    /// Generalised force at a value and speed of the coordinate.
    pub fn force(&self, q: f64, speed: f64) -> f64 {
        let [below, above] = self.beyond(q);
        let (s_low, s_up) = (self.step(below), self.step(above));
        self.stiffness[0] * s_low * below - self.stiffness[1] * s_up * above - self.damping * (s_low + s_up) * speed
    }

    /// Distance of the coordinate below its lower and above its upper limit; zero inside.
    fn beyond(&self, q: f64) -> [f64; 2] {
        [(self.limits[0] - q).max(0.0), (q - self.limits[1]).max(0.0)]
    }

    fn step(&self, beyond: f64) -> f64 {
        let x = (beyond / self.transition).min(1.0);
        x * x * x * (10.0 + x * (6.0 * x - 15.0))
    }

    /// Energy \[J\] stored beyond the limits.
    ///
    /// `∫ k s(x) w x w dx = k w² (2 x⁵ - 5/2 x⁶ + 6/7 x⁷)` up to x = 1, with constant stiffness beyond.
    pub fn energy(&self, q: f64) -> f64 {
        let w = self.transition;
        let side = |k: f64, beyond: f64| {
            let x = (beyond / w).min(1.0);
            let soft = w * w * x.powi(5) * (2.0 + x * (6.0 / 7.0 * x - 2.5));
            k * (soft + 0.5 * (beyond * beyond - w * w).max(0.0))
        };
        let [below, above] = self.beyond(q);
        side(self.stiffness[0], below) + side(self.stiffness[1], above)
    }

    fn check(&self, name: &str) -> Result<(), SpecError> {
        let numbers = [self.limits[0], self.limits[1], self.stiffness[0], self.stiffness[1], self.damping];
        if numbers.iter().any(|x| !x.is_finite()) || numbers[2..].iter().any(|x| *x < 0.0) {
            let rule = format!("limits, stiffnesses and damping are {numbers:?}; all must be finite and not negative");
            return Err(SpecError::new(name, rule));
        }
        if !(self.transition > 0.0 && self.transition.is_finite()) {
            let rule = format!("transition is {}, must be a finite number greater than zero", self.transition);
            return Err(SpecError::new(name, rule));
        }
        Ok(())
    }
}

/// A limit of a coordinate as a force element.
#[derive(Clone, Debug)]
pub struct LimitForce {
    name: String,
    speed: usize,
    law: LimitLaw,
}

impl LimitForce {
    /// On the coordinate of speed `speed`; checks the law.
    pub fn new(name: &str, speed: usize, law: LimitLaw) -> Result<Self, SpecError> {
        law.check(name)?;
        Ok(LimitForce { name: name.into(), speed, law })
    }
}

impl ForceElement for LimitForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let i = self.speed;
        out.generalized(i, self.law.force(at.coordinate(i), at.speed(i)));
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        self.law.energy(at.coordinate(self.speed))
    }
}
