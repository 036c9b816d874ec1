//! Analyses of a motion.

use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;

/// `AnalyzeTool`.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzeTool {
    /// Its name.
    pub name: String,
    /// The model.
    pub model_file: Option<PathBuf>,
    /// Whether the forces of `force_set_files` replace those of the model (they are added otherwise).
    pub replace_force_set: bool,
    /// Reserve actuators and other forces.
    pub force_set_files: Vec<PathBuf>,
    /// Folder of the results.
    pub results_directory: Option<PathBuf>,
    /// Start and end \[s\]; infinite: those of the motion.
    pub time_range: [f64; 2],
    /// States over time; `None`: `coordinates_file` is used.
    pub states_file: Option<PathBuf>,
    /// Coordinates over time.
    pub coordinates_file: Option<PathBuf>,
    /// Speeds over time; `None`: the coordinates are differentiated.
    pub speeds_file: Option<PathBuf>,
    /// Corner of the low-pass filter of coordinates \[Hz\]; `None`: no filter.
    pub cutoff: Option<f64>,
    /// Ground forces and others.
    pub external_loads_file: Option<PathBuf>,
    /// Whether fibres are brought to equilibrium first.
    pub solve_for_equilibrium: bool,
    /// The analyses.
    pub analyses: Vec<Analysis>,
}

/// One analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Its name, the prefix of its result files.
    pub name: String,
    /// Whether it runs.
    pub on: bool,
    /// Start and end \[s\]; infinite: those of the tool.
    pub time_range: [f64; 2],
    /// It is evaluated at every n-th instant.
    pub step_interval: usize,
    /// Whether angles are given in degrees.
    pub in_degrees: bool,
    /// What it computes.
    pub kind: AnalysisKind,
}

/// What an analysis computes.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisKind {
    /// Static optimisation: muscle forces for the joint moments at minimum cost.
    StaticOptimization {
        /// Whether the model's own forces act (ideal joint actuators otherwise).
        use_model_force_set: bool,
        /// Power of activation in the cost.
        activation_exponent: f64,
        /// Whether force depends on length and speed.
        use_muscle_physiology: bool,
    },
    /// Forces in joints.
    JointReaction {
        /// Muscle forces to use.
        forces_file: Option<PathBuf>,
        /// Joints; `ALL` for all.
        joints: Vec<String>,
        /// `parent` or `child`, for each joint or for all.
        on_bodies: Vec<String>,
        /// `ground`, `parent`, `child` or a frame, for each joint or for all.
        in_frames: Vec<String>,
    },
    /// Lengths, moment arms and forces of muscles.
    MuscleAnalysis {
        /// Muscles; `all` for all.
        muscles: Vec<String>,
        /// Coordinates of moment arms; `all` for all.
        coordinates: Vec<String>,
        /// Whether moments are computed.
        compute_moments: bool,
    },
    /// An unsupported analysis, by its tag; its settings are listed as unknown.
    Other(String),
}

impl AnalyzeTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&[
            "output_precision",
            "maximum_number_of_integrator_steps",
            "maximum_integrator_step_size",
            "minimum_integrator_step_size",
            "integrator_error_tolerance",
        ]);
        // only an empty controller set is supported
        r.objects("ControllerSet", |_| Ok(None::<()>))?;
        Ok(Self {
            name: r.name(),
            model_file: r.path("model_file"),
            replace_force_set: r.flag("replace_force_set", false)?,
            force_set_files: r.paths("force_set_files"),
            results_directory: r.output("results_directory"),
            time_range: range(r, "initial_time", "final_time")?,
            states_file: r.path("states_file"),
            coordinates_file: r.path("coordinates_file"),
            speeds_file: r.path("speeds_file"),
            cutoff: r.number("lowpass_cutoff_frequency_for_coordinates")?.filter(|f| *f > 0.0),
            external_loads_file: r.path("external_loads_file"),
            solve_for_equilibrium: r.flag("solve_for_equilibrium_for_auxiliary_states", false)?,
            analyses: r.objects("AnalysisSet", Analysis::read)?,
        })
    }
}

pub(super) fn range(r: &Reader, start: &str, end: &str) -> Result<[f64; 2], FormatError> {
    Ok([r.number(start)?.unwrap_or(f64::NEG_INFINITY), r.number(end)?.unwrap_or(f64::INFINITY)])
}

impl Analysis {
    fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        let kind = match r.tag() {
            "StaticOptimization" => {
                r.skip(&["optimizer_convergence_criterion", "optimizer_max_iterations"]);
                AnalysisKind::StaticOptimization {
                    use_model_force_set: r.flag("use_model_force_set", true)?,
                    activation_exponent: r.number("activation_exponent")?.unwrap_or(2.0),
                    use_muscle_physiology: r.flag("use_muscle_physiology", true)?,
                }
            }
            "JointReaction" => AnalysisKind::JointReaction {
                forces_file: r.path("forces_file"),
                joints: r.words("joint_names"),
                on_bodies: r.words("apply_on_bodies"),
                in_frames: r.words("express_in_frame"),
            },
            "MuscleAnalysis" => AnalysisKind::MuscleAnalysis {
                muscles: r.words("muscle_list"),
                coordinates: r.words("moment_arm_coordinate_list"),
                compute_moments: r.flag("compute_moments", true)?,
            },
            other => AnalysisKind::Other(other.into()),
        };
        Ok(Some(Self {
            name: r.name(),
            on: r.flag("on", true)?,
            time_range: range(r, "start_time", "end_time")?,
            step_interval: r.number("step_interval")?.filter(|n| *n >= 1.0).unwrap_or(1.0) as usize,
            in_degrees: r.flag("in_degrees", true)?,
            kind,
        }))
    }
}
