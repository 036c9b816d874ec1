//! Options of `wolff ik`.

use crate::recorded::Recorded;
use crate::time_range::{TimeRange, time_range};
use clap::Args;
use std::path::PathBuf;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff ik setup_ik.xml                        an OpenSim InverseKinematicsTool set-up; paths as given in it
  wolff ik --model subject.osim --markers walk.trc --tasks ik_tasks.xml --time 0.4:1.6 --out walk-ik
  wolff ik --model subject.osim --markers walk.c3d --axes x,z       a laboratory with x forward and z up

  wolff ik --model subject.osim --markers walk.c3d --marker-map names.csv     lines `recorded name, name of the model`

Output: NAME_ik.mot (angles in degrees, for OpenSim), NAME_ik_marker_errors.sto, the distance of each marker, and the
page report.html with marker errors, angles over the gait cycle and the verdict. Missing markers are ignored in their
frames. Without --tasks every marker of the model has weight 1. A recording that cannot be right (unit, axes, sides,
names) is refused; a result with large marker errors is doubtful (exit code 3) or has failed (exit code 1).";

/// `wolff ik`.
#[derive(Debug, Args)]
pub struct Ik {
    /// An OpenSim InverseKinematicsTool set-up (.xml).
    #[arg(required_unless_present_all = ["model", "markers"], conflicts_with_all = ["model", "markers"])]
    pub setup: Option<PathBuf>,
    /// The model (.osim).
    #[arg(long, value_name = "MODEL.osim", requires = "markers")]
    pub model: Option<PathBuf>,
    /// The recorded markers (.trc or .c3d).
    #[arg(long, value_name = "TRIAL", requires = "model")]
    pub markers: Option<PathBuf>,
    /// Weights of markers and coordinates: an OpenSim IKTaskSet, or a set-up that contains one.
    #[arg(long, value_name = "TASKS.xml", requires = "model")]
    pub tasks: Option<PathBuf>,
    /// Range of time of the trial [s], as START:END.
    #[arg(long, value_name = "START:END", value_parser = time_range)]
    pub time: Option<TimeRange>,
    #[command(flatten)]
    pub recorded: Recorded,
    /// Height of the subject [m], to check the size of the recording.
    #[arg(long, value_name = "M", alias = "height")]
    pub stature: Option<f64>,
    /// Go on with an input that cannot be right; the result is doubtful.
    #[arg(long)]
    pub force: bool,
    /// Folder for the results [default: the paths in the set-up, or runs/ik-TRIAL; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; nothing is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}
