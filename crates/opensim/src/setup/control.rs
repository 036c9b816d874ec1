//! Computed muscle control and forward simulation: tools, tracking tasks, and controls over time.

use super::analyze::range;
use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;

/// `CMCTool`.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleControlTool {
    /// Its name.
    pub name: String,
    /// The model.
    pub model_file: Option<PathBuf>,
    /// Force sets with further actuators.
    pub force_set_files: Vec<PathBuf>,
    /// Whether these replace the forces of the model.
    pub replace_force_set: bool,
    /// Folder of the results.
    pub results_directory: Option<PathBuf>,
    /// Start and end \[s\].
    pub time_range: [f64; 2],
    /// Ground forces and others.
    pub external_loads_file: Option<PathBuf>,
    /// The motion to follow.
    pub kinematics_file: Option<PathBuf>,
    /// Tracking tasks.
    pub task_set_file: Option<PathBuf>,
    /// Limits of controls.
    pub constraints_file: Option<PathBuf>,
    /// Corner of the low-pass filter of the motion \[Hz\]; `None`: no filter.
    pub cutoff: Option<f64>,
    /// Length of a window \[s\].
    pub window: f64,
    /// Whether desired accelerations must be met.
    pub fast: bool,
    /// Names of actuators that are not controlled.
    pub excluded: Vec<String>,
}

/// `ForwardTool`.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardTool {
    /// Its name.
    pub name: String,
    /// The model.
    pub model_file: Option<PathBuf>,
    /// Force sets with further actuators.
    pub force_set_files: Vec<PathBuf>,
    /// Whether these replace the forces of the model.
    pub replace_force_set: bool,
    /// Folder of the results.
    pub results_directory: Option<PathBuf>,
    /// Start and end \[s\].
    pub time_range: [f64; 2],
    /// Ground forces and others.
    pub external_loads_file: Option<PathBuf>,
    /// States at the start.
    pub states_file: Option<PathBuf>,
    /// Controls over time.
    pub controls_file: Option<PathBuf>,
    /// Whether fibres are brought to equilibrium first.
    pub solve_for_equilibrium: bool,
}

/// A `CMC_Joint`: a coordinate that is tracked.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackingTask {
    /// Its name.
    pub name: String,
    /// Whether it is applied.
    pub on: bool,
    /// The coordinate.
    pub coordinate: String,
    /// Weight of its acceleration.
    pub weight: f64,
    /// Gains of the errors of position \[1/s²\] and speed \[1/s\], and of the acceleration.
    pub gains: [f64; 3],
    /// Limit of the error \[rad or m\]; zero: none.
    pub limit: f64,
}

/// A control of a `ControlSet` with its nodes: times \[s\] with values.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlCurve {
    /// Its name, such as `soleus_r.excitation`.
    pub name: String,
    /// Whether it keeps the value of the next node, rather than being linear between nodes.
    pub use_steps: bool,
    /// Values.
    pub values: Vec<(f64, f64)>,
    /// Lower limits.
    pub lower: Vec<(f64, f64)>,
    /// Upper limits.
    pub upper: Vec<(f64, f64)>,
}

/// Settings of OpenSim's integrator and optimiser, which have no meaning for others.
const OF_SOLVERS: [&str; 14] = [
    "output_precision",
    "maximum_number_of_integrator_steps",
    "maximum_integrator_step_size",
    "minimum_integrator_step_size",
    "integrator_error_tolerance",
    "optimizer_algorithm",
    "numerical_derivative_step_size",
    "optimization_convergence_tolerance",
    "optimizer_max_iterations",
    "optimizer_print_level",
    "use_verbose_printing",
    "AnalysisSet",
    "desired_points_file",
    "use_specified_dt",
];

impl MuscleControlTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&OF_SOLVERS);
        r.skip(&["solve_for_equilibrium_for_auxiliary_states", "rra_controls_file"]);
        r.objects("ControllerSet", |_| Ok(None::<()>))?;
        Ok(Self {
            name: r.name(),
            model_file: r.path("model_file"),
            force_set_files: r.paths("force_set_files"),
            replace_force_set: r.flag("replace_force_set", false)?,
            results_directory: r.output("results_directory"),
            time_range: range(r, "initial_time", "final_time")?,
            external_loads_file: r.path("external_loads_file"),
            kinematics_file: r.path("desired_kinematics_file"),
            task_set_file: r.path("task_set_file"),
            constraints_file: r.path("constraints_file"),
            cutoff: r.number("lowpass_cutoff_frequency")?.filter(|f| *f > 0.0),
            window: r.number("cmc_time_window")?.unwrap_or(0.01),
            fast: r.flag("use_fast_optimization_target", true)?,
            excluded: r.words("actuators_to_exclude"),
        })
    }
}

impl ForwardTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&OF_SOLVERS);
        let controls = r.objects("ControllerSet", |r| {
            let is_set = r.tag() == "ControlSetController";
            r.skip(&["actuator_list", "isDisabled", "enabled"]);
            Ok(if is_set { Some(r.path("controls_file")) } else { None })
        })?;
        Ok(Self {
            name: r.name(),
            model_file: r.path("model_file"),
            force_set_files: r.paths("force_set_files"),
            replace_force_set: r.flag("replace_force_set", false)?,
            results_directory: r.output("results_directory"),
            time_range: range(r, "initial_time", "final_time")?,
            external_loads_file: r.path("external_loads_file"),
            states_file: r.path("states_file"),
            controls_file: controls.into_iter().flatten().next(),
            solve_for_equilibrium: r.flag("solve_for_equilibrium_for_auxiliary_states", false)?,
        })
    }
}

impl TrackingTask {
    pub(super) fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        if r.tag() != "CMC_Joint" {
            return Ok(None);
        }
        r.skip(&["wrt_body", "express_body", "r0", "r1", "r2"]);
        let active = r.words("active").first().is_none_or(|w| w.eq_ignore_ascii_case("true"));
        let name = r.name();
        Ok(Some(Self {
            on: r.flag("on", true)? && active,
            coordinate: r.text("coordinate").unwrap_or_else(|| name.clone()),
            weight: r.first("weight")?.unwrap_or(1.0),
            gains: [r.first("kp")?.unwrap_or(1.0), r.first("kv")?.unwrap_or(1.0), r.first("ka")?.unwrap_or(1.0)],
            limit: r.number("limit")?.unwrap_or(0.0),
            name,
        }))
    }
}

impl ControlCurve {
    pub(super) fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        if !matches!(r.tag(), "ControlLinear" | "ControlConstant") {
            return Ok(None);
        }
        r.skip(&["is_model_control", "extrapolate", "filter_on", "kp", "kv"]);
        let nodes = |name: &str| r.within(name, |list| list.children("ControlLinearNode", node));
        let constant = |x: Option<f64>| x.map(|x| vec![(0.0, x)]).unwrap_or_default();
        let (low, high) = (r.number("default_min")?, r.number("default_max")?);
        let (lower, upper) = (nodes("min_nodes")?.unwrap_or_default(), nodes("max_nodes")?.unwrap_or_default());
        Ok(Some(Self {
            name: r.name(),
            use_steps: r.flag("use_steps", false)?,
            values: nodes("x_nodes")?.unwrap_or_else(|| constant(r.number("value").ok().flatten())),
            lower: if lower.is_empty() { constant(low) } else { lower },
            upper: if upper.is_empty() { constant(high) } else { upper },
        }))
    }
}

fn node(r: &Reader) -> Result<(f64, f64), FormatError> {
    Ok((r.number("t")?.unwrap_or(0.0), r.number("value")?.unwrap_or(0.0)))
}
