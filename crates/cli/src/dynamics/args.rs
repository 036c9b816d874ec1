//! Options of `wolff id`, `wolff so`, `wolff reactions`, `wolff muscle` and `wolff rra`.

use crate::number::{positive, stature};
use crate::time_range::{TimeRange, time_range};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wolff_formats::trial::Axes;

/// Examples under the help of `wolff id`.
pub const ID_EXAMPLES: &str = "Examples:
  wolff id setup_id.xml                        with a set-up of OpenSim's InverseDynamicsTool
  wolff id --model walk.osim --motion ik.mot --loads grf.xml --cutoff 6
  wolff id --model walk.osim --motion ik.mot --loads walk.c3d --axes y,z     forces of a laboratory with z up

Residuals are judged (Hicks et al. 2015), joint moments are shown in N m/kg beside healthy walking. Columns have the names <coordinate>_moment and <coordinate>_force. Constraints are ignored, as in OpenSim: a coupled
coordinate has its own force.";

/// Examples under the help of `wolff so`.
pub const SO_EXAMPLES: &str = "Examples:
  wolff so setup_so.xml                        with a set-up of OpenSim's static optimization
  wolff so --model walk.osim --motion ik.mot --loads grf.xml --actuators reserves.xml --every 10

  wolff so --model walk.osim --motion ik.mot --loads grf.mot --reserves all

Coordinates without any muscle get an ideal actuator (see --reserves). Muscle forces depend on length and speed with a rigid tendon, without passive force, as in OpenSim (see --muscle).
Where muscles cannot produce the joint moments, the coordinates that lack force are named, the tables get the ending
.failed, and the exit code is 1.";

/// Examples under the help of `wolff reactions`.
pub const REACTIONS_EXAMPLES: &str = "Examples:
  wolff reactions setup_jra.xml                with a set-up of OpenSim's joint reaction analysis
  wolff reactions --model walk.osim --motion ik.mot --loads grf.xml --actuators reserves.xml --forces so_force.sto \\
      --joint knee_r --joint ankle_r --in child";

/// Examples under the help of `wolff muscle`.
pub const MUSCLE_EXAMPLES: &str = "Examples:
  wolff muscle setup_ma.xml                    with a set-up of OpenSim's muscle analysis
  wolff muscle --model walk.osim --motion ik.mot --coordinate knee_angle_r --activation 0.05";

/// Examples under the help of `wolff rra`.
pub const RRA_EXAMPLES: &str = "Examples:
  wolff rra setup_rra.xml                      with a set-up of OpenSim's RRATool
  wolff rra --model scaled.osim --motion ik.mot --loads grf.xml --cutoff 6 --time 0.5:2 --out walk-rra

The command makes small, smooth changes to the coordinates of the joint to ground and of the joint that carries the
torso, and to the mass centre of the torso, so that the residual forces (those that the ground forces do not balance)
become minimal. Output: kinematics_q.sto and model_adjusted.osim. OpenSim uses a forward simulation with tracking
instead; settings for it are ignored.";

/// Examples under the help of `wolff cmc`.
pub const CMC_EXAMPLES: &str = "Examples:
  wolff cmc setup_cmc.xml                      with a set-up of OpenSim's CMCTool
  wolff cmc --model walk.osim --motion rra.sto --loads grf.xml --actuators reserves.xml --time 0.6:1.2
  wolff cmc --model arm.osim --motion ik.mot --tasks tasks.xml --target slow

The excitations found make the model follow the motion in a forward simulation, with feedback of its errors. Output:
states.sto, controls.sto, Actuation_force.sto, Kinematics_q.sto, Kinematics_u.sto and pErr.sto, as OpenSim writes them. Without a task set all free coordinates are tracked with the gains --kp and --kv.";

/// Examples under the help of `wolff forward`.
pub const FORWARD_EXAMPLES: &str = "Examples:
  wolff forward setup_forward.xml              with a set-up of OpenSim's ForwardTool
  wolff forward --model ball.osim --time 0:1   a model falls, swings and touches
  wolff forward --model arm.osim --controls controls.sto --states states.sto --time 0.4:0.6

Output: states.sto, controls.sto, Actuation_force.sto, Kinematics_q.sto and Kinematics_u.sto, as OpenSim writes them. Without states the model starts in its default pose with fibres in equilibrium.";

/// Model, motion and forces; values that are not given are taken from the set-up file.
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
    /// Measured forces: an ExternalLoads file (.xml), or the forces themselves (.mot, .sto, .c3d); the foot on each
    /// plate is then found from the motion.
    #[arg(long, value_name = "LOADS")]
    pub loads: Option<PathBuf>,
    /// Forward and up axes of the laboratory of a .mot, .sto or .c3d of forces, such as x,z or -y,z [default: x,y].
    #[arg(long, value_name = "FORWARD,UP", allow_hyphen_values = true)]
    pub axes: Option<Axes>,
    /// Cutoff frequency of a low-pass filter for the coordinates [Hz].
    #[arg(long, value_name = "HZ", value_parser = positive, allow_negative_numbers = true)]
    pub cutoff: Option<f64>,
    /// Range of time [s], as START:END.
    #[arg(long, value_name = "START:END", value_parser = time_range)]
    pub time: Option<TimeRange>,
    /// First instant [s].
    #[arg(long, value_name = "S", hide = true, conflicts_with = "time")]
    pub start: Option<f64>,
    /// Last instant [s].
    #[arg(long, value_name = "S", hide = true, conflicts_with = "time")]
    pub end: Option<f64>,
    /// Use every N-th row of the motion.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Stature of the subject [m], for moments in percent of weight times height [default: from the legs of the model].
    #[arg(long, value_name = "M", value_parser = stature)]
    pub stature: Option<f64>,
    /// Go on with input that cannot be right; the result is doubtful at best.
    #[arg(long)]
    pub force: bool,
    /// Folder for the results [default: the results folder of the set-up, or runs/COMMAND-MODEL; with --json, none].
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
    /// Do not move any mass centre.
    #[arg(long, conflicts_with = "body")]
    pub no_centre: bool,
    /// Scale all masses; without this option, the change of mass is only recommended.
    #[arg(long)]
    pub masses: bool,
    /// A coordinate that may change in addition to those of the joint to ground; can be repeated [default: those of the
    /// joint that carries the body].
    #[arg(long, value_name = "NAME")]
    pub coordinate: Vec<String>,
    /// Residual force with the same weight in the cost as a change of 1 cm or 1 degree, in percent of body weight;
    /// smaller values give smaller residuals and larger changes [default: 0.5].
    #[arg(long, value_name = "PERCENT", value_parser = positive)]
    pub residual: Option<f64>,
    /// Time between the knots of the changes [s] [default: 0.06].
    #[arg(long, value_name = "S", value_parser = positive)]
    pub knots: Option<f64>,
}

/// `wolff so`.
#[derive(Debug, Args)]
pub struct So {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A force set with reserve actuators (.xml); can be repeated.
    #[arg(long, value_name = "ACTUATORS.xml")]
    pub actuators: Vec<PathBuf>,
    /// Ideal actuators that the program makes: residuals at the joint to ground, reserves at joints. `missing`: where
    /// no muscle and no actuator acts; `all`: weak ones at all other coordinates too; `none` [default: missing].
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "all", value_name = "WHICH")]
    pub reserves: Option<ReservesArg>,
    /// Exponent of the activation in the cost, above 1 [default: 2].
    #[arg(long, value_name = "P")]
    pub power: Option<f64>,
    /// Dependence of the muscle force on the motion.
    #[arg(long, value_enum)]
    pub muscle: Option<MuscleForce>,
}

/// `wolff cmc`.
#[derive(Debug, Args)]
pub struct Cmc {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A force set with reserve and residual actuators (.xml); can be repeated.
    #[arg(long, value_name = "ACTUATORS.xml")]
    pub actuators: Vec<PathBuf>,
    /// A task set (.xml): the coordinates to track with their gains [default: all free coordinates].
    #[arg(long, value_name = "TASKS.xml")]
    pub tasks: Option<PathBuf>,
    /// A control set with limits of controls (.xml).
    #[arg(long, value_name = "CONTROLS.xml")]
    pub constraints: Option<PathBuf>,
    /// Gain of position errors without a task set [1/s^2] [default: 100].
    #[arg(long, value_name = "GAIN", value_parser = positive, conflicts_with = "tasks")]
    pub kp: Option<f64>,
    /// Gain of speed errors without a task set [1/s] [default: 20].
    #[arg(long, value_name = "GAIN", value_parser = positive, conflicts_with = "tasks")]
    pub kv: Option<f64>,
    /// Length of a window with constant excitations [s] [default: 0.01].
    #[arg(long, value_name = "S", value_parser = positive)]
    pub window: Option<f64>,
    /// Whether desired accelerations must be met (fast) or are weighed against forces (slow) [default: fast].
    #[arg(long, value_enum)]
    pub target: Option<TargetArg>,
    /// Accuracy of excitations; that of OpenSim is 4e-3 [default: 1e-6].
    #[arg(long, value_name = "E", value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Local error of the simulation [default: 1e-6].
    #[arg(long, value_name = "E", value_parser = positive)]
    pub accuracy: Option<f64>,
    /// Time between the rows of the results [s] [default: 0.002].
    #[arg(long, value_name = "S", value_parser = positive)]
    pub sampling: Option<f64>,
}

/// `wolff forward`.
#[derive(Debug, Args)]
pub struct Forward {
    /// An OpenSim set-up file (.xml).
    pub setup: Option<PathBuf>,
    /// The model (.osim).
    #[arg(long, value_name = "MODEL.osim")]
    pub model: Option<PathBuf>,
    /// Controls over time: a control set (.xml) or a table (.sto) [default: zero].
    #[arg(long, value_name = "CONTROLS")]
    pub controls: Option<PathBuf>,
    /// States (.sto); those at the start are used [default: those of the model].
    #[arg(long, value_name = "STATES.sto")]
    pub states: Option<PathBuf>,
    /// External loads (.xml).
    #[arg(long, value_name = "LOADS.xml")]
    pub loads: Option<PathBuf>,
    /// A force set with further actuators (.xml); can be repeated.
    #[arg(long, value_name = "ACTUATORS.xml")]
    pub actuators: Vec<PathBuf>,
    /// Range of time [s], as START:END [default: 0:1].
    #[arg(long, value_name = "START:END", value_parser = time_range)]
    pub time: Option<TimeRange>,
    /// Bring fibres to equilibrium with their tendons first.
    #[arg(long)]
    pub equilibrium: bool,
    /// Local error of the simulation [default: 1e-6].
    #[arg(long, value_name = "E", value_parser = positive)]
    pub accuracy: Option<f64>,
    /// Time between the rows of the results [s] [default: 0.002].
    #[arg(long, value_name = "S", value_parser = positive)]
    pub sampling: Option<f64>,
    /// Go on with input that cannot be right; the result is doubtful at best.
    #[arg(long)]
    pub force: bool,
    /// Folder for the results [default: runs/forward-MODEL; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}

impl Forward {
    /// The options that all commands of this kind have.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            setup: self.setup.clone(),
            model: self.model.clone(),
            motion: self.states.clone(),
            loads: self.loads.clone(),
            axes: None,
            cutoff: None,
            time: self.time,
            start: None,
            end: None,
            every: None,
            stature: None,
            force: self.force,
            out: self.out.clone(),
            json: self.json,
        }
    }
}

/// How desired accelerations are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetArg {
    /// They must be met.
    Fast,
    /// They are weighed against the forces.
    Slow,
}

/// Ideal actuators that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReservesArg {
    /// None.
    None,
    /// For coordinates without muscles and actuators.
    Missing,
    /// For all coordinates.
    All,
}

/// Dependence of the muscle force on the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MuscleForce {
    /// Independent of the motion: activation times maximum isometric force.
    Isometric,
    /// Active force at the current length and speed (as in OpenSim).
    Active,
    /// Active force at the current length and speed, plus passive force.
    Passive,
}

/// `wolff reactions`.
#[derive(Debug, Args)]
pub struct Reactions {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A force set with reserve actuators (.xml); can be repeated.
    #[arg(long, value_name = "ACTUATORS.xml")]
    pub actuators: Vec<PathBuf>,
    /// Forces of muscles and actuators over time, as `wolff so` writes them.
    #[arg(long, value_name = "FORCES.sto")]
    pub forces: Option<PathBuf>,
    /// A joint; can be repeated [default: all].
    #[arg(long, value_name = "NAME")]
    pub joint: Vec<String>,
    /// The body on which the reaction acts.
    #[arg(long, value_enum)]
    pub on: Option<Body>,
    /// The axes in which the reaction is expressed.
    #[arg(long = "in", value_enum)]
    pub frame: Option<Frame>,
}

/// A body at a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Body {
    /// The child body of the joint.
    Child,
    /// The parent body of the joint.
    Parent,
}

/// Axes of a reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Frame {
    /// Axes of ground.
    Ground,
    /// Axes of the child body.
    Child,
    /// Axes of the parent body.
    Parent,
}

/// `wolff muscle`.
#[derive(Debug, Args)]
pub struct Muscle {
    #[command(flatten)]
    pub inputs: Inputs,
    /// A coordinate for moment arms; can be repeated [default: none; from a set-up file: its list].
    #[arg(long, value_name = "NAME")]
    pub coordinate: Vec<String>,
    /// Activation of all muscles [default: 0.05].
    #[arg(long, value_name = "A", conflicts_with = "activations", allow_negative_numbers = true)]
    pub activation: Option<f64>,
    /// Activations of muscles over time, as `wolff so` writes them.
    #[arg(long, value_name = "ACTIVATIONS.sto")]
    pub activations: Option<PathBuf>,
}
