//! Ligaments and springs along paths that bend over surfaces or have moving points.

use wolff_multibody::force::LigamentLaw;
use wolff_multibody::{ForceElement, Instant, Loads, SpecError};
use wolff_muscle::{Path, PathGeometry};
use wolff_numerics::TimeFunction;

/// Law of the tension along a path \[N\].
#[derive(Clone, Debug)]
pub enum PathLaw {
    /// Toe region, linear region and damping: OpenSim's `Blankevoort1991Ligament`.
    Blankevoort {
        /// Its material law.
        law: LigamentLaw,
        /// Slack length \[m\].
        slack_length: f64,
    },
    /// OpenSim's `Ligament`: `F = scale · f(L/L0)` for L > L0, L length, L0 slack length.
    ///
    /// As in OpenSim, the curve is evaluated at the ratio of lengths, although its files plot it over strain.
    Curve {
        /// Force over scale of the length over the slack length.
        curve: TimeFunction,
        /// Scale \[N\].
        scale: f64,
        /// Slack length \[m\].
        slack_length: f64,
    },
    /// OpenSim's `PathSpring`: `F = k x (1 + d L')`, x stretch \[m\] where positive, L' lengthening speed \[m/s\].
    /// Negative tension is set to zero.
    Spring {
        /// Stiffness k \[N/m\].
        stiffness: f64,
        /// Dissipation d \[s/m\].
        dissipation: f64,
        /// Resting length \[m\].
        rest_length: f64,
    },
}

impl PathLaw {
    fn rest_length(&self) -> f64 {
        match *self {
            PathLaw::Blankevoort { slack_length, .. } | PathLaw::Curve { slack_length, .. } => slack_length,
            PathLaw::Spring { rest_length, .. } => rest_length,
        }
    }

    /// Elastic tension \[N\] at a length \[m\].
    pub fn elastic(&self, length: f64) -> f64 {
        let stretch = length - self.rest_length();
        if stretch <= 0.0 {
            return 0.0;
        }
        match self {
            PathLaw::Blankevoort { law, slack_length } => law.spring_force(stretch / slack_length),
            PathLaw::Curve { curve, scale, slack_length } => scale * curve.value(length / slack_length),
            PathLaw::Spring { stiffness, .. } => stiffness * stretch,
        }
    }

    /// Tension \[N\] at a length \[m\] and lengthening speed \[m/s\].
    pub fn tension(&self, length: f64, speed: f64) -> f64 {
        let elastic = self.elastic(length);
        match self {
            PathLaw::Blankevoort { law, slack_length } => {
                elastic + law.damping_force(length / slack_length - 1.0, speed / slack_length)
            }
            PathLaw::Curve { .. } => elastic,
            PathLaw::Spring { dissipation, .. } => (elastic * (1.0 + dissipation * speed)).max(0.0),
        }
    }

    /// Energy \[J\] of the elastic part, by Simpson's rule on each side of a ligament's toe; exact except for curves.
    pub fn energy(&self, length: f64) -> f64 {
        let rest = self.rest_length();
        if length <= rest {
            return 0.0;
        }
        let toe = match self {
            PathLaw::Blankevoort { law, slack_length } => slack_length * (1.0 + law.transition_strain),
            _ => rest,
        };
        let simpson =
            |a: f64, b: f64| (b - a) / 6.0 * (self.elastic(a) + 4.0 * self.elastic(0.5 * (a + b)) + self.elastic(b));
        let parts = if matches!(self, PathLaw::Curve { .. }) { 16 } else { 1 };
        let sum = |a: f64, b: f64| {
            let at = |i: usize| a + (b - a) * i as f64 / parts as f64;
            (0..parts).map(|i| simpson(at(i), at(i + 1))).sum::<f64>()
        };
        let knee = toe.min(length);
        sum(rest, knee) + sum(knee, length)
    }

    fn check(&self, name: &str) -> Result<(), SpecError> {
        let positive = |what: &str, x: f64| {
            let rule = || SpecError::new(name, format!("{what} is {x}, must be a finite number greater than zero"));
            if x > 0.0 && x.is_finite() { Ok(()) } else { Err(rule()) }
        };
        let not_negative = |what: &str, x: f64| {
            let rule = || SpecError::new(name, format!("{what} is {x}, must be a finite number, zero or more"));
            if x >= 0.0 && x.is_finite() { Ok(()) } else { Err(rule()) }
        };
        positive("slack length", self.rest_length())?;
        match self {
            PathLaw::Blankevoort { law, .. } => {
                not_negative("stiffness", law.stiffness)?;
                not_negative("transition strain", law.transition_strain)?;
                not_negative("damping", law.damping)
            }
            PathLaw::Curve { scale, .. } => not_negative("force scale", *scale),
            PathLaw::Spring { stiffness, dissipation, .. } => {
                not_negative("stiffness", *stiffness)?;
                not_negative("dissipation", *dissipation)
            }
        }
    }
}

/// A ligament or spring along a path.
#[derive(Clone, Debug)]
pub struct PathForce {
    path: Path,
    law: PathLaw,
}

impl PathForce {
    /// Checks and stores; the name is that of the path.
    pub fn new(path: Path, law: PathLaw) -> Result<Self, SpecError> {
        law.check(path.name())?;
        Ok(PathForce { path, law })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Law of its tension.
    pub fn law(&self) -> &PathLaw {
        &self.law
    }

    /// Length \[m\], lengthening speed \[m/s\] and tension \[N\] at this instant.
    pub fn state(&self, at: &Instant<'_>) -> [f64; 3] {
        self.state_along(&self.path.solve(at, None), at)
    }

    fn state_along(&self, geometry: &PathGeometry, at: &Instant<'_>) -> [f64; 3] {
        let speed = self.path.speed(geometry, at);
        [geometry.length, speed, self.law.tension(geometry.length, speed)]
    }
}

impl ForceElement for PathForce {
    fn name(&self) -> &str {
        self.path.name()
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let geometry = self.path.solve(at, None);
        let [.., tension] = self.state_along(&geometry, at);
        self.path.pull(&geometry, tension, at, out);
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        self.law.energy(self.path.solve(at, None).length)
    }
}
