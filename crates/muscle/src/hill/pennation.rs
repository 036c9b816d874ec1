//! Fibres at an angle to the tendon.

use crate::error::{MuscleError, positive, require};

/// Fibres between two parallel plates: their height over the line of the tendon stays the same.
///
/// ```text
/// h = l0 sin α0 = l sin α,    l cos α + l_T = L
/// ```
/// l fibre length \[m\], l0 optimal one, α pennation angle \[rad\], l_T tendon length, L length of the whole.
/// Source: Zajac 1989; Millard et al. 2013. Limits: α below `max_angle`, which makes the shortest fibre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pennation {
    height: f64,
    shortest: f64,
}

/// Cosine of the greatest pennation angle where nothing else is said, as in OpenSim.
pub const MIN_COSINE: f64 = 0.1;

impl Pennation {
    /// Fibres of optimal length `l0` \[m\] at `angle` \[rad\], never steeper than `max_angle`.
    pub fn new(name: &str, l0: f64, angle: f64, max_angle: f64) -> Result<Self, MuscleError> {
        positive(name, "optimal fibre length [m]", l0)?;
        let rule = "must be below a right angle and not below the pennation angle";
        require(
            max_angle < std::f64::consts::FRAC_PI_2 && max_angle >= angle,
            name,
            "greatest pennation angle [rad]",
            max_angle,
            rule,
        )?;
        require(angle >= 0.0, name, "pennation angle [rad]", angle, "must be zero or more and below a right angle")?;
        let height = l0 * angle.sin();
        // without pennation nothing but zero itself bounds the length
        let shortest = if height > 0.0 { height / max_angle.sin() } else { 0.01 * l0 };
        Ok(Pennation { height, shortest })
    }

    /// Shortest fibre that the greatest angle allows \[m\].
    pub fn shortest(&self) -> f64 {
        self.shortest
    }

    /// Cosine of the pennation angle of a fibre of length `l` \[m\].
    pub fn cosine(&self, l: f64) -> f64 {
        (1.0 - (self.height / l).powi(2)).max(0.0).sqrt()
    }

    /// Pennation angle \[rad\].
    pub fn angle(&self, l: f64) -> f64 {
        (self.height / l).clamp(0.0, 1.0).asin()
    }

    /// Length of the fibre \[m\] whose part along the tendon is `along` \[m\].
    pub fn fibre(&self, along: f64) -> f64 {
        along.hypot(self.height)
    }

    /// Derivative of the cosine with respect to the fibre length \[1/m\].
    pub fn cosine_slope(&self, l: f64) -> f64 {
        let cos = self.cosine(l);
        if cos > 0.0 { self.height * self.height / (l * l * l * cos) } else { 0.0 }
    }
}
