//! Spring-dampers between points and on coordinates.

use super::{ForceElement, Instant, Loads, Stretch, distance_and_rate, not_negative, pull_together};
use crate::error::SpecError;
use crate::model::Frame;

/// A straight spring and damper between two points.
///
/// ```text
/// f = k (l - l0) + c l'      pull along the line of the points
/// ```
/// f tension \[N\], l length \[m\], l0 rest length \[m\], k stiffness \[N/m\], c damping \[N s/m\]. Limits: no
/// direction, and so no force, where the points meet.
#[derive(Clone, Debug)]
pub struct TranslationalSpringDamper {
    name: String,
    a: Frame,
    b: Frame,
    stiffness: f64,
    damping: f64,
    rest_length: f64,
}

impl TranslationalSpringDamper {
    /// Checks and stores.
    pub fn new(
        name: &str,
        a: Frame,
        b: Frame,
        stiffness: f64,
        damping: f64,
        rest_length: f64,
    ) -> Result<Self, SpecError> {
        Ok(TranslationalSpringDamper {
            name: name.into(),
            a,
            b,
            stiffness: not_negative(name, "stiffness", stiffness)?,
            damping: not_negative(name, "damping", damping)?,
            rest_length: not_negative(name, "rest length", rest_length)?,
        })
    }

    /// Tension \[N\] at this instant.
    pub fn tension(&self, at: &Instant<'_>) -> f64 {
        let (length, rate) = distance_and_rate(at, (&self.a, &self.b));
        if length == 0.0 {
            return 0.0;
        }
        self.stiffness * (length - self.rest_length) + self.damping * rate
    }
}

impl ForceElement for TranslationalSpringDamper {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        pull_together(at, (&self.a, &self.b), self.tension(at), out);
    }

    fn stretch(&self, at: &Instant<'_>) -> Option<Stretch> {
        let (length, rate) = distance_and_rate(at, (&self.a, &self.b));
        Some(Stretch { length, rate, tension: self.tension(at) })
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        let length = (at.point(&self.b) - at.point(&self.a)).norm();
        0.5 * self.stiffness * (length - self.rest_length).powi(2)
    }
}

/// A spring and damper on a coordinate: `τ = -k (q - q0) - c v`.
///
/// τ torque \[N m\] (or force \[N\]), k stiffness \[N m/rad\], c damping \[N m s/rad\], q0 free angle \[rad\].
#[derive(Clone, Debug)]
pub struct TorsionalSpringDamper {
    name: String,
    coordinate: usize,
    stiffness: f64,
    damping: f64,
    free_angle: f64,
}

impl TorsionalSpringDamper {
    /// Checks and stores; `coordinate` is the index of a speed.
    pub fn new(
        name: &str,
        coordinate: usize,
        stiffness: f64,
        damping: f64,
        free_angle: f64,
    ) -> Result<Self, SpecError> {
        if !free_angle.is_finite() {
            return Err(SpecError::new(name, "the free angle must be a finite number"));
        }
        Ok(TorsionalSpringDamper {
            name: name.into(),
            coordinate,
            stiffness: not_negative(name, "stiffness", stiffness)?,
            damping: not_negative(name, "damping", damping)?,
            free_angle,
        })
    }
}

impl ForceElement for TorsionalSpringDamper {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let stretch = at.coordinate(self.coordinate) - self.free_angle;
        out.generalized(self.coordinate, -self.stiffness * stretch - self.damping * at.speed(self.coordinate));
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        0.5 * self.stiffness * (at.coordinate(self.coordinate) - self.free_angle).powi(2)
    }
}
