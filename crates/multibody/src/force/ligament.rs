//! Ligaments: slack, then a toe, then straight.

use super::{ForceElement, Instant, Loads, Stretch, distance_and_rate, not_negative, pull_together};
use crate::error::SpecError;
use crate::model::Frame;

/// Strain over which damping comes in once a ligament is taut.
const DAMPING_ONSET: f64 = 0.01;

/// End of the toe of a quadratic spring \[-\]: no ligament is a thousand times its length.
const ENDLESS: f64 = 1e3;

/// What a ligament is made of; with a slack length it is a [`Ligament`].
///
/// ```text
/// F_s = 0                  ε ≤ 0           slack
///     = k ε²/(2 ε_t)       0 < ε < ε_t     toe
///     = k (ε - ε_t/2)      ε ≥ ε_t         straight
/// F_d = c ε' s(ε/0.01)     ε > 0 and ε' > 0, else 0;   s(x) = 10 x³ - 15 x⁴ + 6 x⁵ up to x = 1, then 1
/// ```
/// F_s elastic and F_d damping tension \[N\], ε = L/L0 - 1 strain \[-\], L length \[m\], L0 slack length \[m\], ε' its
/// rate \[1/s\], k stiffness \[N per unit strain\], ε_t = 2 ε_l strain where the toe ends \[-\], c damping
/// \[N s per unit strain\]. Source: Blankevoort and Huiskes, J Biomech Eng 113, 263-269, 1991, for F_s; F_d as in
/// OpenSim's `Blankevoort1991Ligament`, to 5e-9 N, the rounding of the record, on 41 952 recorded instants of 76
/// ligaments of a knee. Limits: no relaxation, no rupture. The second derivative of F_s jumps at both ends of the toe,
/// the slope of F_d where the lengthening begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LigamentLaw {
    /// Slope of the straight part, k \[N per unit strain\].
    pub stiffness: f64,
    /// Strain where the toe ends, ε_t; zero for a ligament without toe.
    pub transition_strain: f64,
    /// Damping while taut and lengthening, c \[N s per unit strain\].
    pub damping: f64,
}

impl LigamentLaw {
    /// A toe without end, so that the tension is that of a quadratic spring, `F = k_l (L - L0)²` for L > L0.
    ///
    /// k_l `stiffness` \[N/m²\], L0 `slack_length` \[m\], `damping` \[N s per unit strain\]. Source: Moeinzadeh, Engin
    /// and Akkas, J Biomechanics 16, 1983; Machado, thesis, Universidade do Minho 2012, (5.23).
    pub fn quadratic(stiffness: f64, slack_length: f64, damping: f64) -> Self {
        let per_strain = 2.0 * ENDLESS * stiffness * slack_length * slack_length;
        LigamentLaw { stiffness: per_strain, transition_strain: ENDLESS, damping }
    }

    /// Elastic tension at a strain \[N\].
    pub fn spring_force(&self, strain: f64) -> f64 {
        let (k, transition) = (self.stiffness, self.transition_strain);
        if strain <= 0.0 {
            0.0
        } else if strain < transition {
            k * strain * strain / (2.0 * transition)
        } else {
            k * (strain - transition / 2.0)
        }
    }

    /// Damping tension \[N\] at a strain and its rate \[1/s\].
    pub fn damping_force(&self, strain: f64, strain_rate: f64) -> f64 {
        if strain <= 0.0 || strain_rate <= 0.0 {
            return 0.0;
        }
        let x = (strain / DAMPING_ONSET).min(1.0);
        self.damping * strain_rate * (x * x * x * (10.0 + x * (6.0 * x - 15.0)))
    }

    /// Integral of the elastic tension over the strain \[N\]; times the slack length it is the energy stored.
    fn spring_work(&self, strain: f64) -> f64 {
        let (k, transition) = (self.stiffness, self.transition_strain);
        if strain <= 0.0 {
            0.0
        } else if strain < transition {
            k * strain.powi(3) / (6.0 * transition)
        } else {
            k * (transition * transition / 6.0 + strain * (strain - transition) / 2.0)
        }
    }

    /// Refuses what no ligament can have.
    fn checked(self, name: &str) -> Result<Self, SpecError> {
        Ok(LigamentLaw {
            stiffness: not_negative(name, "stiffness", self.stiffness)?,
            transition_strain: not_negative(name, "transition strain", self.transition_strain)?,
            damping: not_negative(name, "damping", self.damping)?,
        })
    }
}

/// A ligament along a path of points on bodies, straight between them; the same tension pulls in every stretch.
///
/// Limits: it slides through the points between its ends without friction and does not wrap around anything; a stretch
/// whose two points meet has no direction, and so no force.
#[derive(Clone, Debug)]
pub struct Ligament {
    name: String,
    points: Vec<Frame>,
    law: LigamentLaw,
    slack_length: f64,
}

impl Ligament {
    /// From its slack length \[m\]; `points` are its origin, the points it passes and its insertion.
    pub fn new(name: &str, points: Vec<Frame>, law: LigamentLaw, slack_length: f64) -> Result<Self, SpecError> {
        if points.len() < 2 {
            let rule = format!("{} points, a ligament needs two or more", points.len());
            return Err(SpecError::new(name, rule));
        }
        if !(slack_length > 0.0 && slack_length.is_finite()) {
            let rule = format!("slack length is {slack_length}, must be a finite number greater than zero");
            return Err(SpecError::new(name, rule));
        }
        Ok(Ligament { name: name.into(), points, law: law.checked(name)?, slack_length })
    }

    /// From the strain it has in a reference pose: `L0 = L/(1 + ε)`; a negative strain is slack.
    pub fn from_reference_strain(
        name: &str,
        points: Vec<Frame>,
        law: LigamentLaw,
        strain: f64,
        reference: &Instant<'_>,
    ) -> Result<Self, SpecError> {
        if !(strain > -1.0 && strain.is_finite()) {
            let rule = format!("reference strain is {strain}, must be a finite number greater than -1");
            return Err(SpecError::new(name, rule));
        }
        let slack_length = path_length(&points, reference) / (1.0 + strain);
        Self::new(name, points, law, slack_length)
    }

    /// The same ligament of another material.
    pub fn with_law(self, law: LigamentLaw) -> Result<Self, SpecError> {
        Ok(Ligament { law: law.checked(&self.name)?, ..self })
    }

    /// Origin, points passed and insertion.
    pub fn points(&self) -> &[Frame] {
        &self.points
    }

    /// What it is made of.
    pub fn law(&self) -> &LigamentLaw {
        &self.law
    }

    /// Length at which tension begins \[m\].
    pub fn slack_length(&self) -> f64 {
        self.slack_length
    }

    /// Length of the path \[m\].
    pub fn length(&self, at: &Instant<'_>) -> f64 {
        path_length(&self.points, at)
    }

    /// Rate of the length \[m/s\].
    pub fn lengthening_speed(&self, at: &Instant<'_>) -> f64 {
        pairs(&self.points).map(|pair| distance_and_rate(at, pair).1).sum()
    }

    /// Strain `L/L0 - 1`.
    pub fn strain(&self, at: &Instant<'_>) -> f64 {
        self.length(at) / self.slack_length - 1.0
    }

    /// Rate of the strain \[1/s\].
    pub fn strain_rate(&self, at: &Instant<'_>) -> f64 {
        self.lengthening_speed(at) / self.slack_length
    }

    /// Tension, elastic and damping \[N\].
    pub fn tension(&self, at: &Instant<'_>) -> f64 {
        let strain = self.strain(at);
        self.law.spring_force(strain) + self.law.damping_force(strain, self.strain_rate(at))
    }
}

/// Neighbours along a path.
fn pairs(points: &[Frame]) -> impl Iterator<Item = (&Frame, &Frame)> {
    points.iter().zip(points.iter().skip(1))
}

/// Length of the straight stretches between points \[m\].
fn path_length(points: &[Frame], at: &Instant<'_>) -> f64 {
    pairs(points).map(|(a, b)| (at.point(b) - at.point(a)).norm()).sum()
}

impl ForceElement for Ligament {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let tension = self.tension(at);
        if tension == 0.0 {
            return;
        }
        for stretch in pairs(&self.points) {
            pull_together(at, stretch, tension, out);
        }
    }

    fn stretch(&self, at: &Instant<'_>) -> Option<Stretch> {
        let (length, rate) = (self.length(at), self.lengthening_speed(at));
        Some(Stretch { length, rate, tension: self.tension(at) })
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        self.slack_length * self.law.spring_work(self.strain(at))
    }
}
