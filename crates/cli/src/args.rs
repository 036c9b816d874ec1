//! Command line: commands, options and their help.

use crate::bone::args as bone;
use crate::contact::args as contact;
use crate::dynamics::args as dynamics;
use crate::ik::args as ik;
use crate::mesh::args::Mesh;
use crate::modes::args::{EXAMPLES, Modes};
use crate::surface::args as surface;
use crate::{check, convert, scale};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use wolff_report::outcome::SeriesFormat;

/// Flexible multibody dynamics for biomechanics.
#[derive(Debug, Parser)]
#[command(name = "wolff", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  wolff list                                   list the built-in studies
  wolff run pendulum                           run a study; results are in runs/pendulum
  wolff verify                                 check this program against reference solutions

Exit codes:
  0    success
  1    a computation or the system failed
  2    the input is invalid (nothing is written)
  3    the result is doubtful: a quantity is beyond its limit, or --force was used
  130  stopped by Ctrl-C (for a walk, a checkpoint is written)")]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in studies, or the parameters of one study.
    #[command(after_help = "Examples:
  wolff list
  wolff list spheres                           the parameters of a study: name, value, unit, meaning
  wolff list --json")]
    List(List),
    /// Run a study and write its run folder.
    #[command(after_help = "Examples:
  wolff run spheres
  wolff run spheres --set law=flores --set speed=\"50 cm/s\" --out runs/flores
  wolff run walk --set mass=60 --set stature=1.65 --set sex=female
  wolff run walk --convergence
  wolff run walk --ways                        floating frame, elastodynamic and quasi-static strains
  wolff run walk --resume runs/walk            resume after Ctrl-C
  wolff run walk --series both                 time series as .sto and as .csv
  wolff run my-study/study.toml --json
  wolff run spheres --compare law=hertz,flores   one run per value, in one table and in common figures
  wolff run spheres --compare law=all --compare speed=0.1..1.0:5
  wolff run knee-2d --compare laws             a comparison that the study defines

`wolff list STUDY` shows the parameters that --set can change.")]
    Run(Run),
    /// Copy a built-in study into a new folder, where you can edit it.
    #[command(after_help = "Example:
  wolff new spheres my-study
  wolff run my-study/study.toml")]
    New(New),
    /// Run the verification problems and show value, reference, tolerance and verdict.
    #[command(after_help = "Examples:
  wolff verify
  wolff verify --only hertz
  wolff verify --json")]
    Verify(Verify),
    /// Show, check, repair or convert a mesh file.
    #[command(arg_required_else_help = true)]
    #[command(after_help = "Examples:
  wolff mesh info tibia.msh                    size, sets, quality
  wolff mesh check tibia.inp --repair good.msh
  wolff mesh convert tibia.inp tibia.vtu --scale 1e-3

Input formats: Gmsh .msh (2.2, 4.1), Abaqus .inp, VTK .vtu and .vtk. Output formats: .msh, .inp, .vtu. All formats
can be compressed (.gz).")]
    Mesh {
        /// The command.
        #[command(subcommand)]
        command: Mesh,
    },
    /// Make surfaces, tables and profiles for contact from meshes, point clouds and curves.
    #[command(arg_required_else_help = true, after_help = surface::EXAMPLES)]
    Surface {
        /// The command.
        #[command(subcommand)]
        command: surface::SurfaceCommand,
    },
    /// Compute vibration modes of a bone or a mesh, reduce it to a flexible body, draw its modes.
    #[command(arg_required_else_help = true, after_help = EXAMPLES)]
    Modes(Box<Modes>),
    /// Make a flexible bone from a CT, a label image or a surface.
    #[command(arg_required_else_help = true, after_help = bone::EXAMPLES)]
    Bone(Box<bone::BoneArgs>),
    /// Compute contact pressures and ligament forces for given poses of a model or a pair of surfaces.
    #[command(arg_required_else_help = true, after_help = contact::EXAMPLES)]
    Contact(Box<contact::Contact>),
    /// Compute the joint moments of a motion (inverse dynamics).
    #[command(arg_required_else_help = true, after_help = dynamics::ID_EXAMPLES)]
    Id(Box<dynamics::Id>),
    /// Adjust a motion and a mass centre slightly to make them consistent with ground forces (residual reduction).
    #[command(arg_required_else_help = true, after_help = dynamics::RRA_EXAMPLES)]
    Rra(Box<dynamics::Rra>),
    /// Compute the muscle forces of a motion (static optimisation).
    #[command(arg_required_else_help = true, after_help = dynamics::SO_EXAMPLES)]
    So(Box<dynamics::So>),
    /// Find the muscle excitations that make a model follow a motion (computed muscle control).
    #[command(arg_required_else_help = true, after_help = dynamics::CMC_EXAMPLES)]
    Cmc(Box<dynamics::Cmc>),
    /// Simulate an OpenSim model forward in time, with muscles under given controls and with its contacts.
    #[command(arg_required_else_help = true, after_help = dynamics::FORWARD_EXAMPLES)]
    Forward(Box<dynamics::Forward>),
    /// Compute joint reaction forces with muscle forces included.
    #[command(arg_required_else_help = true, after_help = dynamics::REACTIONS_EXAMPLES)]
    Reactions(Box<dynamics::Reactions>),
    /// Compute lengths, moment arms, fibre lengths and forces of muscles during a motion.
    #[command(arg_required_else_help = true, after_help = dynamics::MUSCLE_EXAMPLES)]
    Muscle(Box<dynamics::Muscle>),
    /// Compute joint angles from recorded markers (inverse kinematics).
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
    /// Print shell completions.
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
    /// Built-in study or study file whose parameters are shown.
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
    /// Set a parameter; can be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Make a run for each of the values, and put the runs into one table and into common figures; can be repeated, for
    /// all combinations. Values as `hertz,flores`, `all` (of a list of words), `50 N,150 N` or `0.1..1.0:5`; or the
    /// name of a comparison that the study defines.
    #[arg(long, value_name = "KEY=VALUES",
        conflicts_with_all = ["sensitivity", "convergence", "variants", "ways", "resume"])]
    pub compare: Vec<String>,
    /// Results in the table of a comparison, separated by commas [default: those of the comparison or of the study].
    #[arg(long, value_name = "RESULTS", value_delimiter = ',', requires = "compare")]
    pub results: Vec<String>,
    /// Folder for the results [default: runs/STUDY, of a comparison runs/STUDY-compare; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Files of time series: .sto for OpenSim, .csv, or both with the same numbers.
    #[arg(long, value_enum, default_value_t = SeriesFiles::Sto)]
    pub series: SeriesFiles,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
    /// Skip the table of sensitivities of studies that define one (it requires one run per parameter).
    #[arg(long)]
    pub no_sensitivity: bool,
    /// Repeat a walk with each modelling choice changed by its spread among persons, and print the strains.
    #[arg(long)]
    pub sensitivity: bool,
    /// Repeat a walk with half the step, twice the modes and a refined mesh, and print the changes of the strains.
    #[arg(long)]
    pub convergence: bool,
    /// Repeat a walk with other controllers, muscles and floors, and print a comparison.
    #[arg(long)]
    pub variants: bool,
    /// Compute the strains of a walk by three methods (floating frame, elastodynamic, quasi-static), and print the
    /// differences.
    #[arg(long)]
    pub ways: bool,
    /// Resume the walk that was stopped and has its results in this folder; without --set, the values of the stopped
    /// walk are used.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Longest wall-clock time of each simulation; what was computed until then is kept as a partial result [default:
    /// 60 s, walks 3600 s].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub max_time: Option<f64>,
    /// Do not use the cache of reduced flexible bodies ($WOLFF_CACHE, or the cache folder of the system): neither read
    /// nor write it.
    #[arg(long)]
    pub no_cache: bool,
    /// Forward and up axes of the laboratory of a recorded walk, such as x,z; as --set axes=x,z.
    #[arg(long, value_name = "FORWARD,UP", allow_hyphen_values = true)]
    pub axes: Option<String>,
    /// Unit of the positions of a recorded walk: mm, cm, m or in; as --set input_unit=mm.
    #[arg(long, value_name = "UNIT")]
    pub input_unit: Option<String>,
    /// Other names of the markers of a recorded walk, lines `recorded name, name of the model`; as --set
    /// marker_map=FILE.
    #[arg(long, value_name = "FILE")]
    pub marker_map: Option<String>,
    /// Use a recording with errors all the same; the result is doubtful then. Other studies are not affected.
    #[arg(long)]
    pub force: bool,
    /// Print only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
}

impl Run {
    /// The values set by --set, and those that options of their own set.
    pub fn overrides(&self) -> Vec<(String, String)> {
        let own = [("axes", &self.axes), ("input_unit", &self.input_unit), ("marker_map", &self.marker_map)];
        let own = own.into_iter().filter_map(|(name, value)| Some((name.to_string(), value.clone()?)));
        self.set.iter().cloned().chain(own).collect()
    }
}

/// Files of time series.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SeriesFiles {
    /// Storage files of OpenSim.
    Sto,
    /// Tables for spreadsheets and other programs.
    Csv,
    /// Both.
    Both,
}

impl From<SeriesFiles> for SeriesFormat {
    fn from(files: SeriesFiles) -> Self {
        match files {
            SeriesFiles::Sto => Self::Sto,
            SeriesFiles::Csv => Self::Csv,
            SeriesFiles::Both => Self::Both,
        }
    }
}

/// `wolff new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of a built-in study.
    pub study: String,
    /// Folder to create; it must not contain a study.toml.
    pub dir: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Run only problems whose name contains this text.
    #[arg(long, value_name = "ID-PATTERN")]
    pub only: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Longest time limit \[s\]: thirty years.
const LONGEST_TIME: f64 = 1e9;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= LONGEST_TIME => Ok(value),
        _ => Err(format!("`{text}` is not a number of seconds above 0; write for example --max-time 300")),
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().into(), value.trim().into())),
        _ => Err(format!("`{text}` is not KEY=VALUE; write for example --set duration=0.5")),
    }
}
