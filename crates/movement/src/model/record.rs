//! State and record of a movement.

use super::ground::Reaction;

/// State of a movement.
#[derive(Clone, Debug, PartialEq)]
pub struct MovementState {
    /// Number of steps done.
    pub step: usize,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Internal states of the muscles, one after the other: of a servo its integral \[m s\], of a Hill muscle
    /// activation and fibre length \[m\].
    pub memory: Vec<f64>,
}

/// Record of a movement, one row per sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovementRecord {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Coordinates.
    pub q: Vec<Vec<f64>>,
    /// Speeds.
    pub v: Vec<Vec<f64>>,
    /// Accelerations over the previous step.
    pub a: Vec<Vec<f64>>,
    /// Reactions of the ground on right and left foot.
    pub ground: Vec<[Reaction; 2]>,
    /// Forces of the floor on the pads, three each: up, forward, sideways \[N\].
    pub pads: Vec<Vec<f64>>,
    /// Tensions of the muscles \[N\].
    pub tensions: Vec<Vec<f64>>,
    /// Excitation, activation and fibre length over the optimal one of every Hill muscle.
    pub fibres: Vec<Vec<f64>>,
    /// Forces and moments of the agent \[N, N m\].
    pub agent: Vec<Vec<f64>>,
    /// Forces and moments of the joints' servos and tissues, in the order of `Controllers::joints` \[N, N m\].
    pub joints: Vec<Vec<f64>>,
    /// Predicted coordinates `q*` at which the equations of the previous step were set up.
    pub predicted: Vec<Vec<f64>>,
    /// Speeds at the start of that step: with `q*`, [`MovementRecord::a`] and the applied forces, the equations of
    /// motion are satisfied to rounding.
    pub start: Vec<Vec<f64>>,
    /// Number of solutions of the equations in all steps.
    pub solutions: usize,
    /// Number of steps done.
    pub steps: usize,
}
