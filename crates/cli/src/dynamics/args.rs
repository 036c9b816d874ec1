//! What may be typed after `wolff id`, `wolff so`, `wolff reactions` and `wolff muscle`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Examples under the help of `wolff id`.
pub const ID_EXAMPLES: &str = "Examples:
  wolff id setup_id.xml                        as OpenSim's inverse dynamics tool is told
  wolff id --model walk.osim --motion ik.mot --loads grf.xml --cutoff 6

Forces are named <coordinate>_moment and <coordinate>_force. Constraints are ignored, as in OpenSim: a coupled coordinate has a force of
its own.";

/// Examples under the help of `wolff so`.
pub const SO_EXAMPLES: &str = "Examples:
  wolff so setup_so.xml                        as OpenSim's static optimization is told
  wolff so --model walk.osim --motion ik.mot --loads grf.xml --actuators reserves.xml --every 10

Muscles have the force of a rigid tendon at their length and speed, without passive force, as in OpenSim (--muscle changes that).
Instants whose moments cannot be made are named; the exit code is then 1.";

/// Examples under the help of `wolff reactions`.
pub const REACTIONS_EXAMPLES: &str = "Examples:
  wolff reactions setup_jra.xml                as OpenSim's joint reaction analysis is told
  wolff reactions --model walk.osim --motion ik.mot --loads grf.xml --actuators reserves.xml --forces so_force.sto \\
      --joint knee_r --joint ankle_r --in child";

/// Examples under the help of `wolff muscle`.
pub const MUSCLE_EXAMPLES: &str = "Examples:
  wolff muscle setup_ma.xml                    as OpenSim's muscle analysis is told
  wolff muscle --model walk.osim --motion ik.mot --coordinate knee_angle_r --activation 0.05";

/// Examples under the help of `wolff rra`.
pub const RRA_EXAMPLES: &str = "Examples:
  wolff rra setup_rra.xml                      what OpenSim's RRATool is told: model, motion, loads, filter, times, body
  wolff rra --model scaled.osim --motion ik.mot --loads grf.xml --cutoff 6 --start 0.5 --end 2 --out walk-rra

Changes the coordinates of the joint to ground and of the joint that carries the torso a little and smoothly, and the torso's mass
centre, so that least is left of the forces that the ground forces do not explain. Written are kinematics_q.sto and model_adjusted.osim.
OpenSim tracks in a forward simulation instead: settings that belong to it are passed over.";

/// Model, motion and forces; each from the set-up file where it is not given.
#[derive(Debug, Args)]
pub struct Inputs {
    /// An OpenSim set-up file (.xml).
    pub setup: Option<PathBuf>,
    /// The model (.osim).
    #[arg(long, value_name = "MODEL.osim")]
    pub model: Option<PathBuf>,
    /// Coordinates over time (.mot or .sto).
    #[arg(long, value_name = "MOTION.mot")]
    pub motion: Option<PathBuf>,
    /// Measured forces: an ExternalLoads file (.xml).
    #[arg(long, value_name = "LOADS.xml")]
    pub loads: Option<PathBuf>,
    /// Corner of a low-pass filter for the coordinates [Hz].
    #[arg(long, value_name = "HZ")]
    pub cutoff: Option<f64>,
    /// First instant [s].
    #[arg(long, value_name = "S")]
    pub start: Option<f64>,
    /// Last instant [s].
    #[arg(long, value_name = "S")]
    pub end: Option<f64>,
    /// Every how many rows of the motion.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Folder for the results [default: runs/COMMAND-MODEL; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}

/// `wolff id`.
#[derive(Debug, Args)]
pub struct Id {
    #[command(flatten)]
    pub inputs: Inputs,
}

/// `wolff rra`.
#[derive(Debug, Args)]
pub struct Rra {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The body whose mass centre may move [default: what the set-up says, or torso].
    #[arg(long, value_name = "NAME")]
    pub body: Option<String>,
    /// Leave all mass centres where they are.
    #[arg(long, conflicts_with = "body")]
    pub no_centre: bool,
    /// Let all masses change in proportion; else the change is only recommended.
    #[arg(long)]
    pub masses: bool,
    /// A coordinate that may change beside those of the joint to ground; may be given many times [default: those of the joint that carries the body].
    #[arg(long, value_name = "NAME")]
    pub coordinate: Vec<String>,
    /// Residual force that is as bad as a change of 1 cm or 1 degree, in percent of body weight; less presses harder [default: 0.5].
    #[arg(long, value_name = "PERCENT", value_parser = positive)]
    pub residual: Option<f64>,
    /// Time between the knots of the changes [s] [default: 0.06].
    #[arg(long, value_name = "S", value_parser = positive)]
    pub knots: Option<f64>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err(format!("`{text}` is not a positive number")),
    }
}

/// `wolff so`.
#[derive(Debug, Args)]
pub struct So {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A force set with reserve actuators (.xml); may be given many times.
    #[arg(long, value_name = "ACTUATORS.xml")]
    pub actuators: Vec<PathBuf>,
    /// Power of activation in the cost, above 1 [default: 2].
    #[arg(long, value_name = "P")]
    pub power: Option<f64>,
    /// How muscle force depends on the motion.
    #[arg(long, value_enum)]
    pub muscle: Option<MuscleForce>,
}

/// How muscle force depends on the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MuscleForce {
    /// Not at all: activation times maximum isometric force.
    Isometric,
    /// Active force at the present length and speed (OpenSim's choice).
    Active,
    /// The same with passive force beside it.
    Passive,
}

/// `wolff reactions`.
#[derive(Debug, Args)]
pub struct Reactions {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A force set with reserve actuators (.xml); may be given many times.
    #[arg(long, value_name = "ACTUATORS.xml")]
    pub actuators: Vec<PathBuf>,
    /// Forces of muscles and actuators over time, as `wolff so` writes them.
    #[arg(long, value_name = "FORCES.sto")]
    pub forces: Option<PathBuf>,
    /// A joint; may be given many times [default: all].
    #[arg(long, value_name = "NAME")]
    pub joint: Vec<String>,
    /// The body that feels the reaction.
    #[arg(long, value_enum)]
    pub on: Option<Body>,
    /// The axes it is given in.
    #[arg(long = "in", value_enum)]
    pub axes: Option<Frame>,
}

/// A body at a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Body {
    /// The outer one.
    Child,
    /// The inner one.
    Parent,
}

/// Axes of a reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Frame {
    /// Those of ground.
    Ground,
    /// Those of the outer body.
    Child,
    /// Those of the inner body.
    Parent,
}

/// `wolff muscle`.
#[derive(Debug, Args)]
pub struct Muscle {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A coordinate of moment arms; may be given many times [default: none; from a set-up file: its list].
    #[arg(long, value_name = "NAME")]
    pub coordinate: Vec<String>,
    /// Activation of all muscles [default: 0.05].
    #[arg(long, value_name = "A", conflicts_with = "activations")]
    pub activation: Option<f64>,
    /// Activations of muscles over time, as `wolff so` writes them.
    #[arg(long, value_name = "ACTIVATIONS.sto")]
    pub activations: Option<PathBuf>,
}
