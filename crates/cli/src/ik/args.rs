//! What may be typed after `wolff ik`.

use clap::Args;
use std::path::PathBuf;
use wolff_formats::trial::Axes;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff ik setup_ik.xml                        an OpenSim InverseKinematicsTool set-up; files where it says
  wolff ik --model subject.osim --markers walk.trc --tasks ik_tasks.xml --time 0.4:1.6 --out walk-ik
  wolff ik --model subject.osim --markers walk.c3d --axes x,z       a laboratory with x forward and z up

Written are NAME_ik.mot (angles in degrees, as OpenSim reads it), NAME_ik_marker_errors.sto, the distance of every marker, and two
pictures. Markers that were not seen count nowhere. Without --tasks every marker of the model has weight 1.";

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
    /// Weights of markers and coordinates: an OpenSim IKTaskSet, or a set-up that holds one.
    #[arg(long, value_name = "TASKS.xml", requires = "model")]
    pub tasks: Option<PathBuf>,
    /// Part of the trial in seconds, as START:END.
    #[arg(long, value_name = "START:END", value_parser = time_range)]
    pub time: Option<TimeRange>,
    /// The laboratory's forward and up axes, such as x,z or -y,z, where they are not x,y.
    #[arg(long, value_name = "FORWARD,UP", allow_hyphen_values = true)]
    pub axes: Option<Axes>,
    /// Folder for the results [default: where the set-up says; else runs/ik-TRIAL; with --json, none].
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
