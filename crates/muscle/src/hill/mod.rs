//! Hill-type muscles: a fibre that contracts, in series with an elastic tendon.
//!
//! ```text
//! F_M = F0 (a f_al(l) f_v(v) + f_pe(l) + β v),   F_T = F0 f_T(l_T),   F_M cos α = F_T,   L = l l0 cos α + l_T l_Ts
//! ```
//! F0 maximum isometric force \[N\], a activation, l fibre length over the optimal one l0, v fibre velocity over the
//! greatest one `v_max l0`, β damping, α pennation angle, l_T tendon length over its slack length l_Ts, L length of the
//! whole.
//!
//! The four models share these equations and differ in their curves: [`Curves`].

pub mod activation;
pub mod curve;
mod degroote;
mod equilibrium;
mod inverse;
mod millard;
mod pennation;
mod schutte;
mod state;
mod step;
mod thelen;

pub use activation::Activation;
pub use curve::{Knot, Slope, SmoothCurve};
pub use degroote::DeGrooteCurves;
pub use equilibrium::{Equilibrium, Status};
pub use millard::{ActiveShape, MillardCurves, MillardShape, PassiveShape, TendonShape, VelocityShape};
pub use pennation::Pennation;
pub use schutte::SchutteCurves;
pub use state::{FibreRates, HillState};
pub use step::FibreStep;
pub use thelen::ThelenCurves;

use crate::error::{MuscleError, finite, not_negative, positive, require};

/// What every Hill muscle is given by, SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct HillParameters {
    /// Maximum isometric force F0 \[N\].
    pub max_isometric_force: f64,
    /// Optimal fibre length l0 \[m\].
    pub optimal_fibre_length: f64,
    /// Slack length of the tendon l_Ts \[m\].
    pub tendon_slack_length: f64,
    /// Pennation angle at the optimal fibre length \[rad\].
    pub pennation_angle: f64,
    /// Greatest shortening velocity over the optimal fibre length v_max \[1/s\].
    pub max_velocity: f64,
    /// Damping β of the fibre: force over F0 at a velocity of v_max.
    pub damping: f64,
    /// Least activation; smaller ones count as this.
    pub min_activation: f64,
    /// Greatest pennation angle \[rad\].
    pub max_pennation_angle: f64,
    /// Whether the tendon does not stretch.
    pub rigid_tendon: bool,
}

impl HillParameters {
    /// A muscle without pennation, with OpenSim's defaults for the rest.
    pub fn new(max_isometric_force: f64, optimal_fibre_length: f64, tendon_slack_length: f64) -> Self {
        HillParameters {
            max_isometric_force,
            optimal_fibre_length,
            tendon_slack_length,
            pennation_angle: 0.0,
            max_velocity: 10.0,
            damping: 0.1,
            min_activation: 0.01,
            max_pennation_angle: pennation::MIN_COSINE.acos(),
            rigid_tendon: false,
        }
    }
}

/// The curves of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Curves {
    /// Millard, Uchida, Seth and Delp 2013; OpenSim's `Millard2012EquilibriumMuscle`.
    Millard(Box<MillardCurves>),
    /// Thelen 2003; the damping of the parameters is not part of this model.
    Thelen(ThelenCurves),
    /// De Groote, Kinney, Rao and Fregly 2016.
    DeGroote(DeGrooteCurves),
    /// Schutte's muscle of OpenSim's older models.
    Schutte(Box<SchutteCurves>),
}

impl Curves {
    /// Active force over F0 at fibre length `l`.
    pub fn active(&self, l: f64) -> Slope {
        match self {
            Curves::Millard(c) => c.active(l),
            Curves::Thelen(c) => c.active(l),
            Curves::DeGroote(c) => c.active(l),
            Curves::Schutte(c) => c.active(l),
        }
    }

    /// Passive fibre force over F0 at fibre length `l`.
    pub fn passive(&self, l: f64) -> Slope {
        match self {
            Curves::Millard(c) => c.passive(l),
            Curves::Thelen(c) => c.passive(l),
            Curves::DeGroote(c) => c.passive(l),
            Curves::Schutte(c) => c.passive(l),
        }
    }

    /// Tendon force over F0 at tendon length `l`.
    pub fn tendon(&self, l: f64) -> Slope {
        match self {
            Curves::Millard(c) => c.tendon(l),
            Curves::Thelen(c) => c.tendon(l),
            Curves::DeGroote(c) => c.tendon(l),
            Curves::Schutte(c) => c.tendon(l),
        }
    }

    /// Force-velocity multiplier at fibre velocity `v`; of Thelen's at the velocity that [`Curves::velocity_scale`]
    /// divides.
    pub fn velocity(&self, v: f64) -> Slope {
        match self {
            Curves::Millard(c) => c.velocity(v),
            Curves::Thelen(c) => c.velocity(v),
            Curves::DeGroote(c) => c.velocity(v),
            Curves::Schutte(c) => c.velocity(v),
        }
    }

    /// Greatest velocity at an activation over that at full activation, with its derivative: Thelen's grows with
    /// activation.
    pub fn velocity_scale(&self, activation: f64) -> Slope {
        match self {
            Curves::Thelen(_) => Slope { value: 0.25 + 0.75 * activation, slope: 0.75 },
            _ => Slope { value: 1.0, slope: 0.0 },
        }
    }

    /// What is asked of contraction and damping where tendon and passive force leave `rest` over; Schutte's are not
    /// asked to push.
    fn wanted(&self, rest: f64) -> f64 {
        if matches!(self, Curves::Schutte(_)) { rest.max(0.0) } else { rest }
    }

    /// Fibre length over the optimal one below which the model says nothing.
    fn shortest(&self) -> f64 {
        match self {
            Curves::Millard(c) => c.shortest(),
            Curves::DeGroote(_) => degroote::SHORTEST,
            Curves::Thelen(_) | Curves::Schutte(_) => 0.01,
        }
    }
}

/// A Hill muscle ready to be computed with.
#[derive(Clone, Debug, PartialEq)]
pub struct HillMuscle {
    name: String,
    parameters: HillParameters,
    curves: Curves,
    pennation: Pennation,
    shortest: f64,
}

impl HillMuscle {
    /// Checks and stores.
    pub fn new(name: &str, parameters: HillParameters, curves: Curves) -> Result<Self, MuscleError> {
        let p = &parameters;
        positive(name, "maximum isometric force [N]", p.max_isometric_force)?;
        positive(name, "tendon slack length [m]", p.tendon_slack_length)?;
        positive(name, "greatest velocity [1/s]", p.max_velocity)?;
        not_negative(name, "damping", p.damping)?;
        finite(name, "pennation angle [rad]", p.pennation_angle)?;
        let rule = "must be above 0 and below 1: without activation the velocity of the fibre is undefined";
        require(p.min_activation > 0.0 && p.min_activation < 1.0, name, "least activation", p.min_activation, rule)?;
        let pennation = Pennation::new(name, p.optimal_fibre_length, p.pennation_angle, p.max_pennation_angle)?;
        match &curves {
            Curves::Thelen(c) => c.check(name)?,
            Curves::DeGroote(c) => c.check(name)?,
            Curves::Millard(_) => {
                let rule = "must be 0.001 or more with an elastic tendon, or the fibre's velocity is undefined \
                     outside the curve";
                require(p.damping >= 1e-3 || p.rigid_tendon, name, "damping", p.damping, rule)?;
            }
            Curves::Schutte(_) => {
                positive(name, "damping", p.damping)?;
            }
        }
        let shortest = pennation.shortest().max(curves.shortest() * p.optimal_fibre_length);
        Ok(HillMuscle { name: name.into(), parameters, curves, pennation, shortest })
    }

    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Parameters.
    pub fn parameters(&self) -> &HillParameters {
        &self.parameters
    }

    /// Curves.
    pub fn curves(&self) -> &Curves {
        &self.curves
    }

    /// Pennation.
    pub fn pennation(&self) -> &Pennation {
        &self.pennation
    }

    /// Shortest fibre length \[m\]; shorter ones count as this.
    pub fn shortest_fibre(&self) -> f64 {
        self.shortest
    }

    /// An activation inside its bounds.
    pub(crate) fn clamp_activation(&self, activation: f64) -> f64 {
        activation.clamp(self.parameters.min_activation, 1.0)
    }

    /// Damping of this model.
    pub(crate) fn damping(&self) -> f64 {
        if matches!(self.curves, Curves::Thelen(_)) { 0.0 } else { self.parameters.damping }
    }

    /// Velocity \[m/s\] that is 1 on the force-velocity curve.
    pub(crate) fn velocity_unit(&self) -> f64 {
        self.parameters.max_velocity * self.parameters.optimal_fibre_length
    }
}
