//! Settings of controllers, floor and passive tissues.

use super::agents::MotionAgents;
use super::controllers::ReflexGains;
use crate::model::FloorParameters;
use crate::reference::floor_fit::FloorFit;
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
}

impl Default for ServoSettings {
    /// Servos with feed-forward: the servo only has to correct disturbances (chosen by trial simulations).
    fn default() -> Self {
        ServoSettings { feed_forward: true, error: 0.008, derivative_time: 0.0125, integral_time: None }
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
    /// Passive stiffness of ankle inversion [N m/rad]: the published one (573) was tuned for another purpose; about the
    /// reference angle it would be a servo, about standing it overloads muscles.
    pub inversion_stiffness: f64,
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
