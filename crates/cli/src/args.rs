//! What may be typed.

use crate::contact::args as contact;
use crate::dynamics::args as dynamics;
use crate::ik::args as ik;
use crate::modes::args::{EXAMPLES, Modes};
use crate::{check, convert, scale};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Flexible multibody dynamics for biomechanics.
#[derive(Debug, Parser)]
#[command(name = "wolff", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  wolff list                                   what can be run
  wolff run pendulum                           run it; the files go to runs/pendulum
  wolff verify                                 check this program against known answers

Exit codes: 0 well, 1 a run or a verification failed, 2 the input is wrong (nothing is written), 130 a walk was
stopped (by Ctrl-C; what was done is kept).")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in studies, or the parameters of one study.
    #[command(after_help = "Examples:
  wolff list
  wolff list spheres                           its parameters: name, value, unit, meaning
  wolff list --json")]
    List(List),
    /// Run a study and write its run folder.
    #[command(after_help = "Examples:
  wolff run spheres
  wolff run spheres --set law=flores --set speed=\"50 cm/s\" --out runs/flores
  wolff run walk --set mass=60 --set stature=1.65 --set sex=female
  wolff run walk --convergence
  wolff run walk --ways                        floating frame, elastodynamic and quasi-static strains
  wolff run walk --resume runs/walk            go on after Ctrl-C
  wolff run my-study/study.toml --json

`wolff list STUDY` shows what --set can change.")]
    Run(Run),
    /// Copy a built-in study into a new folder, to change it.
    #[command(after_help = "Example:
  wolff new spheres my-study
  wolff run my-study/study.toml")]
    New(New),
    /// Run the verification problems: value, reference, tolerance, verdict.
    #[command(after_help = "Examples:
  wolff verify
  wolff verify --only hertz
  wolff verify --json")]
    Verify(Verify),
    /// Look at a mesh file, check and repair it, convert it.
    #[command(arg_required_else_help = true)]
    #[command(after_help = "Examples:
  wolff mesh info tibia.msh                    size, sets, quality
  wolff mesh check tibia.inp --repair good.msh
  wolff mesh convert tibia.inp tibia.vtu --scale 1e-3

Read: Gmsh .msh (2.2, 4.1), Abaqus .inp, VTK .vtu and .vtk; written: .msh, .inp, .vtu; each also as .gz.")]
    Mesh {
        /// What to do with it.
        #[command(subcommand)]
        command: Mesh,
    },
    /// Find vibration modes of a bone or a mesh, reduce it to a flexible body, draw its modes.
    #[command(arg_required_else_help = true, after_help = EXAMPLES)]
    Modes(Box<Modes>),
    /// Find contact pressures and ligament forces of given poses of a model or a pair of surfaces.
    #[command(arg_required_else_help = true, after_help = contact::EXAMPLES)]
    Contact(Box<contact::Contact>),
    /// Find the joint moments of a motion: inverse dynamics.
    #[command(arg_required_else_help = true, after_help = dynamics::ID_EXAMPLES)]
    Id(Box<dynamics::Id>),
    /// Change a motion and a mass centre a little, so that ground forces explain it: residual reduction.
    #[command(arg_required_else_help = true, after_help = dynamics::RRA_EXAMPLES)]
    Rra(Box<dynamics::Rra>),
    /// Find the muscle forces of a motion: static optimisation.
    #[command(arg_required_else_help = true, after_help = dynamics::SO_EXAMPLES)]
    So(Box<dynamics::So>),
    /// Find what joints transmit while muscles pull.
    #[command(arg_required_else_help = true, after_help = dynamics::REACTIONS_EXAMPLES)]
    Reactions(Box<dynamics::Reactions>),
    /// Follow lengths, moment arms, fibres and forces of muscles through a motion.
    #[command(arg_required_else_help = true, after_help = dynamics::MUSCLE_EXAMPLES)]
    Muscle(Box<dynamics::Muscle>),
    /// Find joint angles from recorded markers (inverse kinematics).
    #[command(arg_required_else_help = true, after_help = ik::EXAMPLES)]
    Ik(Box<ik::Ik>),
    /// Scale a generic model to a subject and place its markers.
    #[command(arg_required_else_help = true, after_help = scale::EXAMPLES)]
    Scale(scale::Scale),
    /// Check recordings and models: units, axes, gaps, swapped markers, plates, mass.
    #[command(arg_required_else_help = true, after_help = check::EXAMPLES)]
    Check(check::Check),
    /// Convert recordings and tables between formats.
    #[command(arg_required_else_help = true, after_help = convert::EXAMPLES)]
    Convert(convert::Convert),
    /// Print completions for a shell.
    #[command(after_help = "Example:
  wolff completions bash > ~/.local/share/bash-completion/completions/wolff")]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// `wolff list`.
#[derive(Debug, Args)]
pub struct List {
    /// Built-in study or study file whose parameters are wanted.
    pub study: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Name of a built-in study, or a study file.
    pub study: String,
    /// Change a parameter; may be given many times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Folder for the results [default: runs/STUDY; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
    /// Leave out the table of sensitivities of studies that have one (a run for each parameter).
    #[arg(long)]
    pub no_sensitivity: bool,
    /// Run a walk again with each choice changed that its strains hang on, by its spread in people, and print what comes out.
    #[arg(long)]
    pub sensitivity: bool,
    /// Run a walk again with half the step, twice the modes and a refined mesh, and print how its strains change.
    #[arg(long)]
    pub convergence: bool,
    /// Run a walk again driven in other ways (servos alone, other muscles, other floors), and print how they compare.
    #[arg(long)]
    pub variants: bool,
    /// Find the strains of a walk by the floating frame, by elastodynamics and quasi-statically, and print how they differ.
    #[arg(long)]
    pub ways: bool,
    /// Continue the walk that was stopped and left its results in this folder; its own --set hold where none are given.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Reduce bones and other flexible bodies anew, and keep nothing in the cache ($WOLFF_CACHE, or the system's own place
    /// for such things).
    #[arg(long)]
    pub no_cache: bool,
    /// Print nothing but warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `wolff new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of a built-in study.
    pub study: String,
    /// Folder to make; it must not hold a study.toml yet.
    pub dir: PathBuf,
}

/// `wolff verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Only problems whose name contains this.
    #[arg(long, value_name = "ID-PATTERN")]
    pub only: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff mesh`.
#[derive(Debug, Subcommand)]
pub enum Mesh {
    /// Show size, sets and quality.
    #[command(after_help = "Example:
  wolff mesh info tibia.msh --scale 1e-3       a mesh in mm")]
    Info(MeshInfo),
    /// Name every fault; repair what can be repaired on request. Exit code 2 when faults remain.
    #[command(after_help = "Examples:
  wolff mesh check tibia.msh
  wolff mesh check tibia.msh --repair good.msh --largest-part

--repair merges duplicate nodes, turns inverted elements round, and drops flat elements and unused nodes. The file is
written only when no fault is left.")]
    Check(MeshCheck),
    /// Write a mesh in another format or unit of length.
    #[command(after_help = "Example:
  wolff mesh convert tibia.inp tibia.vtu --scale 1e-3      from mm to m")]
    Convert(MeshConvert),
}

/// `wolff mesh info`.
#[derive(Debug, Args)]
pub struct MeshInfo {
    /// The mesh file.
    pub file: PathBuf,
    /// Unit of length of the file in m: 1e-3 for mm.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    pub scale: f64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff mesh check`.
#[derive(Debug, Args)]
pub struct MeshCheck {
    /// The mesh file.
    pub file: PathBuf,
    /// Repair the mesh and write it here.
    #[arg(long, value_name = "OUT")]
    pub repair: Option<PathBuf>,
    /// When repairing, keep the part with the most elements only.
    #[arg(long, requires = "repair")]
    pub largest_part: bool,
    /// When repairing, merge nodes no farther apart than this, in the unit of the file [default: 1e-9 of the diagonal].
    #[arg(long, requires = "repair", value_name = "DISTANCE")]
    pub merge: Option<f64>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff mesh convert`.
#[derive(Debug, Args)]
pub struct MeshConvert {
    /// The mesh file to read.
    pub input: PathBuf,
    /// The mesh file to write: .msh, .inp or .vtu.
    pub output: PathBuf,
    /// Factor for all coordinates: 1e-3 from mm to m.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    pub scale: f64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err(format!("`{text}` is not a positive number; write for example --scale 1e-3 for a mesh in mm")),
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().into(), value.trim().into())),
        _ => Err(format!("`{text}` is not KEY=VALUE; write for example --set duration=0.5")),
    }
}
