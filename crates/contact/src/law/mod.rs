//! Normal force laws `F(δ, δ', v0)`.
//!
//! A contact starts when the indentation δ passes zero inwards and ends when it returns to zero. `hooke`, `hertz` and
//! `impact` are functions of δ and δ' alone; `kelvin-voigt` jumps to `D v0` at first touch, and the Hunt-Crossley
//! family needs the approach speed v0. All act between the located instants of first touch and separation.

mod damping_factor;
mod elastic;
mod hysteretic;
mod impact_function;
mod kelvin_voigt;

pub use damping_factor::DampingModel;
pub use elastic::Elastic;
pub use hysteretic::{APPROACH_SPEED_FLOOR, Hysteretic};
pub use impact_function::ImpactFunction;
pub use kelvin_voigt::{KelvinVoigt, KelvinVoigtEnd};

use crate::error::{ContactError, positive, require};
use std::fmt;
use std::str::FromStr;

/// The laws by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawKind {
    /// `F = k δ`.
    Hooke,
    /// `F = K δ^n`.
    Hertz,
    /// `F = k δ + D δ'`.
    KelvinVoigt,
    /// `F = K δ^n (1 + a δ'/v0)`, the Hunt-Crossley family.
    Hysteretic(DampingModel),
    /// The IMPACT function of ADAMS.
    Impact,
}

impl LawKind {
    /// Every law, in the order of the documentation.
    pub const ALL: [LawKind; 13] = [
        LawKind::Hooke,
        LawKind::Hertz,
        LawKind::KelvinVoigt,
        LawKind::Hysteretic(DampingModel::HuntCrossley),
        LawKind::Hysteretic(DampingModel::HerbertMcWhannell),
        LawKind::Hysteretic(DampingModel::LeeWang),
        LawKind::Hysteretic(DampingModel::LankaraniNikravesh),
        LawKind::Hysteretic(DampingModel::Gonthier),
        LawKind::Hysteretic(DampingModel::GonthierExact),
        LawKind::Hysteretic(DampingModel::ZhiyingQishao),
        LawKind::Hysteretic(DampingModel::Flores),
        LawKind::Hysteretic(DampingModel::ExactRestitution),
        LawKind::Impact,
    ];

    /// The name in model files.
    pub fn name(self) -> &'static str {
        match self {
            LawKind::Hooke => "hooke",
            LawKind::Hertz => "hertz",
            LawKind::KelvinVoigt => "kelvin-voigt",
            LawKind::Hysteretic(model) => model.name(),
            LawKind::Impact => "impact",
        }
    }
}

impl fmt::Display for LawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LawKind {
    type Err = ContactError;

    fn from_str(name: &str) -> Result<Self, ContactError> {
        LawKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| ContactError::UnknownLaw {
            name: name.into(),
            known: LawKind::ALL.map(LawKind::name).join(", "),
        })
    }
}

/// Numbers of a law as written in a model file. A law reads those it has and ignores the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawParameters {
    /// Stiffness K \[N/m^n\], all laws; k \[N/m\] for `hooke` and `kelvin-voigt`.
    pub stiffness: f64,
    /// Exponent n ≥ 1 [-]: `hertz`, the Hunt-Crossley family, `impact`.
    pub exponent: f64,
    /// Coefficient of restitution c_r [-]: the Hunt-Crossley family, and `kelvin-voigt` where no damping is given.
    pub restitution: f64,
    /// Damping coefficient [N s/m]: `kelvin-voigt`, `impact`.
    pub damping: Option<f64>,
    /// Indentation at which the damping of `impact` is fully active \[m\].
    pub full_damping_depth: f64,
    /// Effective mass `m1 m2/(m1 + m2)` \[kg\], with which `kelvin-voigt` turns a restitution into a damping
    /// coefficient.
    pub effective_mass: Option<f64>,
    /// When a `kelvin-voigt` contact stops acting.
    pub end: KelvinVoigtEnd,
}

impl Default for LawParameters {
    /// Exponent 3/2, restitution 1, no damping; the stiffness (and for `impact` the depth) has to be given.
    fn default() -> Self {
        LawParameters {
            stiffness: 0.0,
            exponent: 1.5,
            restitution: 1.0,
            damping: None,
            full_damping_depth: 0.0,
            effective_mass: None,
            end: KelvinVoigtEnd::default(),
        }
    }
}

/// A checked normal force law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalLaw {
    /// `F = k δ`.
    Hooke(Elastic),
    /// `F = K δ^n`.
    Hertz(Elastic),
    /// `F = k δ + D δ'`.
    KelvinVoigt(KelvinVoigt),
    /// `F = K δ^n (1 + a δ'/v0)`.
    Hysteretic(Hysteretic),
    /// The IMPACT function of ADAMS.
    Impact(ImpactFunction),
}

impl NormalLaw {
    /// Builds a law from its kind and parameters.
    pub fn new(kind: LawKind, p: &LawParameters) -> Result<Self, ContactError> {
        Ok(match kind {
            LawKind::Hooke => NormalLaw::Hooke(Elastic::hooke(p.stiffness)?),
            LawKind::Hertz => NormalLaw::Hertz(Elastic::hertz(p.stiffness, p.exponent)?),
            LawKind::KelvinVoigt => NormalLaw::KelvinVoigt(KelvinVoigt::from_parameters(p)?),
            LawKind::Hysteretic(model) => {
                NormalLaw::Hysteretic(Hysteretic::new(model, p.stiffness, p.exponent, p.restitution)?)
            }
            LawKind::Impact => NormalLaw::Impact(ImpactFunction::from_parameters(p)?),
        })
    }

    /// Builds a law from its name (see [`LawKind::ALL`]) and parameters.
    pub fn from_name(name: &str, parameters: &LawParameters) -> Result<Self, ContactError> {
        Self::new(name.parse()?, parameters)
    }

    /// Which law this is.
    pub fn kind(&self) -> LawKind {
        match self {
            NormalLaw::Hooke(_) => LawKind::Hooke,
            NormalLaw::Hertz(_) => LawKind::Hertz,
            NormalLaw::KelvinVoigt(_) => LawKind::KelvinVoigt,
            NormalLaw::Hysteretic(law) => LawKind::Hysteretic(law.model()),
            NormalLaw::Impact(_) => LawKind::Impact,
        }
    }

    /// The force, continued without a jump beyond zero depth: an odd function of depth and rate; a damper that lets go
    /// at zero force acts on the way in only.
    ///
    /// A closed contact is beyond zero only within trial steps, until its separation is located. There a law that is
    /// cut off at zero would show an integrator that has overshot far a world without forces, in which nothing seems
    /// wrong.
    pub fn continued_force(&self, depth: f64, rate: f64, approach_speed: f64) -> f64 {
        match self {
            _ if !(depth < 0.0) => self.force(depth, rate, approach_speed),
            NormalLaw::KelvinVoigt(law) if law.end() == KelvinVoigtEnd::ForceZero => {
                law.damping() * not_below_zero(rate) - law.elastic().force(-depth)
            }
            _ => -self.force(-depth, -rate, approach_speed),
        }
    }

    /// Normal force \[N\] at indentation `depth` \[m\] with rate `rate` \[m/s\], first touched at `approach_speed`
    /// \[m/s\]; zero at negative depth. Positive presses the bodies apart; only [`KelvinVoigtEnd::IndentationZero`] can
    /// pull.
    #[inline]
    pub fn force(&self, depth: f64, rate: f64, approach_speed: f64) -> f64 {
        if depth < 0.0 {
            return 0.0;
        }
        match self {
            NormalLaw::Hooke(law) | NormalLaw::Hertz(law) => law.force(depth),
            NormalLaw::KelvinVoigt(law) => law.force(depth, rate),
            NormalLaw::Hysteretic(law) => law.force(depth, rate, approach_speed),
            NormalLaw::Impact(law) => law.force(depth, rate),
        }
    }

    /// `(∂F/∂δ [N/m], ∂F/∂δ' [N s/m])` of [`NormalLaw::force`]; one-sided where the force has a kink.
    #[inline]
    pub fn stiffness_derivatives(&self, depth: f64, rate: f64, approach_speed: f64) -> (f64, f64) {
        if depth < 0.0 {
            return (0.0, 0.0);
        }
        match self {
            NormalLaw::Hooke(law) | NormalLaw::Hertz(law) => (law.slope(depth), 0.0),
            NormalLaw::KelvinVoigt(law) => law.derivatives(depth, rate),
            NormalLaw::Hysteretic(law) => law.derivatives(depth, rate, approach_speed),
            NormalLaw::Impact(law) => law.derivatives(depth, rate),
        }
    }

    /// Energy stored in the elastic part at indentation `depth` \[J\]; zero at negative depth.
    #[inline]
    pub fn potential(&self, depth: f64) -> f64 {
        self.elastic().potential(depth)
    }

    /// The elastic part: the law at rest.
    #[inline]
    pub fn elastic(&self) -> &Elastic {
        match self {
            NormalLaw::Hooke(law) | NormalLaw::Hertz(law) => law,
            NormalLaw::KelvinVoigt(law) => law.elastic(),
            NormalLaw::Hysteretic(law) => law.elastic(),
            NormalLaw::Impact(law) => law.elastic(),
        }
    }
}

/// `max(0, x)` that lets NaN through, so that a broken state is seen and not taken for an open contact.
#[inline]
pub(crate) fn not_below_zero(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// Checks a stiffness.
fn check_stiffness(law: &str, stiffness: f64) -> Result<f64, ContactError> {
    positive(law, "stiffness [N/m^n]", stiffness)
}

/// Checks an exponent.
fn check_exponent(law: &str, exponent: f64) -> Result<f64, ContactError> {
    let rule = "must be a finite number, 1 or more (below 1 the stiffness is infinite at first touch); Hertz has 1.5";
    require(exponent.is_finite() && exponent >= 1.0, law, "exponent [-]", exponent, rule)
}
