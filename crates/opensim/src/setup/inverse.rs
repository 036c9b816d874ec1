//! Inverse kinematics and inverse dynamics.

use super::markers::TaskSet;
use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;

/// `InverseKinematicsTool`.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseKinematicsTool {
    /// Its name.
    pub name: String,
    /// The model.
    pub model_file: Option<PathBuf>,
    /// The recorded markers.
    pub marker_file: Option<PathBuf>,
    /// Coordinates to follow.
    pub coordinate_file: Option<PathBuf>,
    /// Weights.
    pub tasks: TaskSet,
    /// Start and end \[s\].
    pub time_range: Option<[f64; 2]>,
    /// Weight of constraints; infinite: they hold exactly.
    pub constraint_weight: f64,
    /// Accuracy of the solution; default 1e-5.
    pub accuracy: f64,
    /// Output file of the motion.
    pub output_motion_file: Option<PathBuf>,
    /// Folder of the other results.
    pub results_directory: Option<PathBuf>,
}

impl InverseKinematicsTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&["input_directory", "report_errors", "report_marker_locations"]);
        Ok(Self {
            name: r.name(),
            model_file: r.path("model_file"),
            marker_file: r.path("marker_file"),
            coordinate_file: r.path("coordinate_file"),
            tasks: TaskSet::of(r)?,
            time_range: r.numbers("time_range")?,
            constraint_weight: r.number("constraint_weight")?.unwrap_or(f64::INFINITY),
            accuracy: r.number("accuracy")?.unwrap_or(1e-5),
            output_motion_file: r.output("output_motion_file"),
            results_directory: r.output("results_directory"),
        })
    }
}

/// `InverseDynamicsTool`.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseDynamicsTool {
    /// Its name.
    pub name: String,
    /// The model.
    pub model_file: Option<PathBuf>,
    /// The motion.
    pub coordinates_file: Option<PathBuf>,
    /// Whether angles of the motion are in degrees according to an older set-up file, which overrides the header of the
    /// motion file.
    pub in_degrees: Option<bool>,
    /// Corner of its low-pass filter \[Hz\]; `None`: no filter.
    pub cutoff: Option<f64>,
    /// Start and end \[s\].
    pub time_range: Option<[f64; 2]>,
    /// Ground forces and others.
    pub external_loads_file: Option<PathBuf>,
    /// Forces of the model that are excluded, such as `Muscles`.
    pub forces_to_exclude: Vec<String>,
    /// Joints whose forces on bodies are reported.
    pub joints_to_report: Vec<String>,
    /// Output file of the generalised forces.
    pub output_gen_force_file: Option<PathBuf>,
    /// Output file of the forces on bodies.
    pub output_body_forces_file: Option<PathBuf>,
    /// Folder of the other results.
    pub results_directory: Option<PathBuf>,
}

impl InverseDynamicsTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&["input_directory"]);
        let said = r.text("coordinates_in_degrees").is_some();
        let degrees = r.flag("coordinates_in_degrees", false)?;
        Ok(Self {
            in_degrees: said.then_some(degrees),
            name: r.name(),
            model_file: r.path("model_file"),
            coordinates_file: r.path("coordinates_file"),
            cutoff: r.number("lowpass_cutoff_frequency_for_coordinates")?.filter(|f| *f > 0.0),
            time_range: r.numbers("time_range")?,
            external_loads_file: r.path("external_loads_file"),
            forces_to_exclude: r.words("forces_to_exclude"),
            joints_to_report: r.words("joints_to_report_body_forces"),
            output_gen_force_file: r.output("output_gen_force_file"),
            output_body_forces_file: r.output("output_body_forces_file"),
            results_directory: r.output("results_directory"),
        })
    }
}
