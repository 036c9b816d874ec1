//! Settings of controllers, floor and passive tissues.

use super::agents::MotionAgents;
use super::controllers::ReflexGains;
use super::limits::LimitSettings;
use crate::model::FloorParameters;
use crate::reference::floor_fit::FloorFit;
use wolff_muscle::servo::SeriesElement;
use wolff_spatial::Vec3;

/// Servos with which muscles track their reference lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoSettings {
    /// Whether the tensions of static optimisation are added as feed-forward.
    pub feed_forward: bool,
    /// Length error that gives the maximum force \[m\].
    pub error: f64,
    /// Derivative time \[s\].
    pub derivative_time: f64,
    /// Integral time \[s\]; `None`: no integral.
    pub integral_time: Option<f64>,
    /// Spring and damper in series; `None`: rigid.
    pub series: Option<SeriesSettings>,
}

/// Spring and damper in series with the contractile element of every muscle (Al Nazer 2008, Figure 3.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesSettings {
    /// Stretch of the spring at the maximum force of the muscle \[m\].
    pub stretch: f64,
    /// Damping over stiffness \[s\].
    pub damping_time: f64,
}

impl SeriesSettings {
    /// The element of a muscle with the given maximum force \[N\].
    pub fn element(&self, max_force: f64) -> SeriesElement {
        let stiffness = max_force / self.stretch;
        SeriesElement { stiffness, damping: self.damping_time * stiffness }
    }
}

impl Default for ServoSettings {
    /// Servos with feed-forward: the servo only has to correct disturbances (chosen by trial simulations).
    fn default() -> Self {
        ServoSettings { feed_forward: true, error: 0.008, derivative_time: 0.0125, integral_time: None, series: None }
    }
}

impl ServoSettings {
    /// Servos on lengths alone, after Al Nazer 2008 (PD) and Kłodowski et al. 2011 (PID).
    ///
    /// Such a servo needs an error to pull. A joint that carries a moment M gives way by `M/K`, `K = Σ r² F_max/δ` (r
    /// moment arms, δ the error for the maximum force). At the ankle, with the force F at a lever l on the forefoot,
    /// the sole moves by `F l²/K`, and a floor of stiffness k changes its force by
    ///
    /// ```text
    /// ΔF/F = k l²/K,      l = 0.13 m, k = 0.2 to 1 MN/m, Σ r² F_max ≈ 15 to 20 N m²
    /// ```
    /// which is a few percent only for δ of a few tenths of a millimetre. Measured on the first model of the thesis
    /// (lower body, 17 muscles, its floor; with the toe pad of earlier versions and a derivative time of 12.5 ms): with
    /// δ = 3 mm the person falls; with 1, 0.5, 0.3 and 0.15 mm the positions sideways correlate by 0.91, 0.98, 0.992
    /// and 0.995; with 0.05 mm muscles are saturated 40 % of the time, and the person falls again. An integral does
    /// part of the work, so that δ may be twice as large. The damping that is critical for a segment of inertia I is `c
    /// = 2 √(K I)`, a derivative time of `2 √(I/K)`: 1 ms for a foot, 10 ms for a leg; with the 12.5 ms of soft servos
    /// a step of 0.5 ms is too long for both floor and muscles.
    pub fn without_feed_forward(integral_time: Option<f64>) -> Self {
        let error = if integral_time.is_some() { 0.0004 } else { 0.0002 };
        ServoSettings { feed_forward: false, error, derivative_time: 0.003, integral_time, series: None }
    }
}

/// Springs and dampers of the tracking agent at the first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSettings {
    /// Rotational stiffness \[N m/rad\].
    pub turn_stiffness: f64,
    /// Rotational damping \[N m s/rad\].
    pub turn_damping: f64,
    /// Forward stiffness \[N/m\].
    pub stiffness: f64,
    /// Forward damping \[N s/m\].
    pub damping: f64,
    /// Sideways stiffness \[N/m\].
    pub side_stiffness: f64,
    /// Sideways damping \[N s/m\].
    pub side_damping: f64,
}

impl AgentSettings {
    /// An agent for muscles that follow lengths only: wrong forces of the hip muscles turn the pelvis and push it off
    /// the line of the reference. Firm enough that all positions sideways correlate above 0.99 (chosen here).
    pub const WITHOUT_FEED_FORWARD: Self = AgentSettings {
        turn_stiffness: 8000.0,
        turn_damping: 500.0,
        stiffness: 500.0,
        damping: 100.0,
        side_stiffness: 2e4,
        side_damping: 2e3,
    };
}

impl Default for AgentSettings {
    /// Values chosen here.
    fn default() -> Self {
        AgentSettings {
            turn_stiffness: 1200.0,
            turn_damping: 120.0,
            stiffness: 500.0,
            damping: 100.0,
            side_stiffness: 1000.0,
            side_damping: 200.0,
        }
    }
}

/// Rest position of the passive tissues of the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassiveRest {
    /// No passive tissues.
    None,
    /// Along the reference motion: they only resist errors.
    #[default]
    Reference,
    /// In standing: they carry a part of the moments.
    Standing,
}

/// Settings of controllers, floor and reference.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerSettings {
    /// The floor.
    pub floor: FloorParameters,
    /// Half axes of the pads under the feet \[m\].
    pub pad_radii: Vec3,
    /// The muscles' servos.
    pub servo: ServoSettings,
    /// Reflexes of Hill muscles, which replace servos where fibres are known; `None`: all muscles are servos.
    pub hill: Option<ReflexGains>,
    /// Whether static optimisation limits the force of servo muscles to the capacity of their fibres at their length
    /// and speed, where fibres are known.
    pub fibres: bool,
    /// The tracking agent.
    pub agent: AgentSettings,
    /// Passive joints, with the values of `passive_default`.
    pub passive: PassiveRest,
    /// Passive stiffness of ankle inversion [N m/rad]. The published one
    /// ([`published_inversion`](super::published_inversion)) was tuned to keep the ankle stable: about the reference
    /// angle it is a servo, which the 17 muscles of that source need, because none of them holds the foot against
    /// inversion; about standing it overloads muscles.
    pub inversion_stiffness: f64,
    /// Passive moments at the limits of the joints; `None`: none.
    pub limits: Option<LimitSettings>,
    /// Motion agents of an inverse simulation that gives the muscle lengths; `None`: lengths of the reference motion
    /// itself.
    pub motion_agents: Option<MotionAgents>,
    /// Whether muscles carry the joints of the upper body, which requires the skeleton `Skeleton::full_body`;
    /// otherwise servos hold them.
    pub upper_muscles: bool,
    /// Number of samples per cycle of the reference.
    pub samples: usize,
    /// Strength of the reserves in static optimisation \[N m\].
    pub reserve: f64,
}

impl Default for ControllerSettings {
    fn default() -> Self {
        ControllerSettings {
            floor: FloorParameters::default(),
            pad_radii: Vec3::new(0.03, 0.03, 0.03),
            servo: ServoSettings::default(),
            hill: None,
            fibres: false,
            agent: AgentSettings::default(),
            passive: PassiveRest::default(),
            inversion_stiffness: 30.0,
            limits: None,
            motion_agents: None,
            upper_muscles: false,
            samples: 416,
            reserve: 1.0,
        }
    }
}

impl ControllerSettings {
    /// The fit of a walk to this floor, in at most `steps` least-squares steps.
    pub fn floor_fit(&self, steps: usize) -> FloorFit {
        FloorFit { floor: self.floor, pad_radii: self.pad_radii, samples: self.samples, steps }
    }
}
