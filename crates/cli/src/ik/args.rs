//! Options of `wolff ik`.

use clap::Args;
use std::path::PathBuf;
use wolff_formats::trial::Axes;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff ik setup_ik.xml                        an OpenSim InverseKinematicsTool set-up; paths as given in it
  wolff ik --model subject.osim --markers walk.trc --tasks ik_tasks.xml --time 0.4:1.6 --out walk-ik
  wolff ik --model subject.osim --markers walk.c3d --axes x,z       a laboratory with x forward and z up

Output: NAME_ik.mot (angles in degrees, for OpenSim), NAME_ik_marker_errors.sto, the distance of each marker, and two
pictures. Missing markers are ignored in their frames. Without --tasks every marker of the model has weight 1.";

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
    /// Forward and up axes of the laboratory, such as x,z or -y,z [default: x,y].
    #[arg(long, value_name = "FORWARD,UP", allow_hyphen_values = true)]
    pub axes: Option<Axes>,
    /// Folder for the results [default: the paths in the set-up, or runs/ik-TRIAL; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; nothing is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}

/// Start and end [s].
#[derive(Clone, Copy, Debug)]
pub struct TimeRange(pub [f64; 2]);

fn time_range(text: &str) -> Result<TimeRange, String> {
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    match text.split_once(':').map(|(a, b)| (number(a), number(b))) {
        Some((Some(start), Some(end))) if start <= end => Ok(TimeRange([start, end])),
        _ => Err(format!("`{text}` is not START:END in seconds; write for example --time 0.4:1.6")),
    }
}
