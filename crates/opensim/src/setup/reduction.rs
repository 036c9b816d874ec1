//! Residual reduction.

use super::analyze::range;
use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;

/// `RRATool`: the settings of the motion to be changed and of the allowed changes of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualReductionTool {
    /// Its name.
    pub name: String,
    /// The model.
    pub model_file: Option<PathBuf>,
    /// The motion.
    pub kinematics_file: Option<PathBuf>,
    /// Ground forces and others.
    pub external_loads_file: Option<PathBuf>,
    /// Corner of its low-pass filter \[Hz\]; `None`: no filter.
    pub cutoff: Option<f64>,
    /// Start and end \[s\].
    pub time_range: [f64; 2],
    /// The body whose mass centre may move; `None`: no mass centre may move.
    pub adjusted_body: Option<String>,
    /// Output file of the changed model.
    pub output_model_file: Option<PathBuf>,
    /// Folder of the other results.
    pub results_directory: Option<PathBuf>,
}

/// Settings of OpenSim's forward tracking, which have no meaning for another method.
const OF_TRACKING: [&str; 17] = [
    "replace_force_set",
    "force_set_files",
    "output_precision",
    "solve_for_equilibrium_for_auxiliary_states",
    "maximum_number_of_integrator_steps",
    "maximum_integrator_step_size",
    "minimum_integrator_step_size",
    "integrator_error_tolerance",
    "desired_points_file",
    "task_set_file",
    "constraints_file",
    "optimizer_algorithm",
    "numerical_derivative_step_size",
    "optimization_convergence_tolerance",
    "initial_time_for_com_adjustment",
    "final_time_for_com_adjustment",
    "use_verbose_printing",
];

impl ResidualReductionTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&OF_TRACKING);
        r.objects("ControllerSet", |_| Ok(None::<()>))?;
        r.objects("AnalysisSet", |_| Ok(None::<()>))?;
        let moves = r.flag("adjust_com_to_reduce_residuals", true)?;
        Ok(Self {
            name: r.name(),
            model_file: r.path("model_file"),
            kinematics_file: r.path("desired_kinematics_file"),
            external_loads_file: r.path("external_loads_file"),
            cutoff: r.number("lowpass_cutoff_frequency")?.filter(|f| *f > 0.0),
            time_range: range(r, "initial_time", "final_time")?,
            adjusted_body: r.text("adjusted_com_body").map(|t| t.to_string()).filter(|_| moves),
            output_model_file: r.output("output_model_file"),
            results_directory: r.output("results_directory"),
        })
    }
}
