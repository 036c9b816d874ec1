//! `[integrator]` and `[output]`: the time integration of a study and the interval of its series.

use super::fields::Fields;
use super::node::Node;
use super::reader::{Expected, Reader};
use wolff_formula::quantity::Dimension;
use wolff_report::digits::setting;

/// Maximum number of rows of a time series.
const MOST_ROWS: f64 = 1e6;

/// Time integration methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodName {
    /// Dormand and Prince's method of order 8 with error control.
    Dop853,
    /// Dormand and Prince's method of order 5 with error control.
    DormandPrince,
    /// Classical Runge-Kutta of order 4, fixed step.
    Rk4,
    /// Explicit Euler, fixed step.
    Euler,
    /// Adams-Bashforth-Moulton of order 4, fixed step.
    Abm4,
    /// Adams methods of variable step and order (1 to 12), predictor and corrector.
    Adams,
    /// Backward differentiation formulas of variable order, for stiff systems.
    Bdf,
    /// Newmark's method.
    Newmark,
    /// Generalised-α.
    GeneralizedAlpha,
    /// Kinematic analysis: no integration, the constraints and drivers alone decide the motion.
    Kinematic,
}

impl MethodName {
    /// Every method with its name in study files.
    pub const ALL: [(MethodName, &'static str); 10] = [
        (MethodName::Dop853, "dop853"),
        (MethodName::DormandPrince, "dormand-prince"),
        (MethodName::Rk4, "rk4"),
        (MethodName::Euler, "euler"),
        (MethodName::Abm4, "abm4"),
        (MethodName::Adams, "adams"),
        (MethodName::Bdf, "bdf"),
        (MethodName::Newmark, "newmark"),
        (MethodName::GeneralizedAlpha, "generalized-alpha"),
        (MethodName::Kinematic, "kinematic"),
    ];

    /// Whether it takes a fixed step instead of controlling the error.
    pub fn fixed_step(self) -> bool {
        use MethodName::{Abm4, Euler, GeneralizedAlpha, Newmark, Rk4};
        matches!(self, Rk4 | Euler | Abm4 | Newmark | GeneralizedAlpha)
    }
}

/// Method against the drift of the constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintTreatment {
    /// No stabilisation.
    None,
    /// Baumgarte stabilisation: `Φ'' + 2 α Φ' + β² Φ = 0`.
    Baumgarte {
        /// α \[1/s\].
        alpha: f64,
        /// β \[1/s\].
        beta: f64,
    },
    /// Coordinates and speeds are projected onto the constraints after each step.
    Projection,
    /// Augmented Lagrangian formulation: masses, dampers and springs in place of the rows, multipliers by iteration.
    AugmentedLagrangian {
        /// Penalty α \[kg for lengths, kg m² for angles\].
        penalty: f64,
        /// Natural frequency Ω of violations \[rad/s\].
        omega: f64,
        /// Damping ratio μ of violations \[-\].
        mu: f64,
        /// Maximum number of iterations.
        iterations: usize,
        /// Relative change of the accelerations that ends the iterations \[-\].
        tolerance: f64,
    },
    /// Independent coordinates are integrated, the others follow from the constraints.
    CoordinatePartitioning {
        /// Part of the best smallest pivot below which the choice of coordinates is renewed \[-\].
        renew_below: f64,
    },
}

impl ConstraintTreatment {
    /// Names in study files.
    pub const NAMES: [&'static str; 5] =
        ["none", "baumgarte", "projection", "augmented-lagrangian", "coordinate-partitioning"];

    /// Whether positions meet the constraints after every step.
    pub fn is_exact(self) -> bool {
        matches!(self, ConstraintTreatment::Projection | ConstraintTreatment::CoordinatePartitioning { .. })
    }
}

/// Settings of the time integration of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegratorSettings {
    /// Method.
    pub method: MethodName,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Relative tolerance of methods with error control \[-\].
    pub rtol: f64,
    /// Absolute tolerance of methods with error control, in SI units of each state.
    pub atol: f64,
    /// Step of fixed-step methods, maximum step of the others \[s\].
    pub step: Option<f64>,
    /// Highest order of the methods of variable order (`adams` up to 12, `bdf` up to 5).
    pub max_order: usize,
    /// Spectral radius at infinite frequency of generalised-α \[-\], 0 to 1.
    pub rho_infinity: f64,
    /// Differentiation index at which generalised-α satisfies the constraints: 1, 2 or 3.
    pub index: usize,
    /// Method against the drift of the constraints.
    pub constraints: ConstraintTreatment,
    /// The run ends when all accelerations are below this value \[m/s² or rad/s²\].
    pub until_rest: Option<f64>,
    /// Maximum remaining force on a coordinate when the initial position is first moved to an equilibrium \[N or N m\].
    pub settle: Option<f64>,
    /// Whether the initial coordinates and speeds are first corrected to satisfy the constraints.
    pub assemble: bool,
    /// Maximum number of steps.
    pub max_steps: usize,
}

impl Default for IntegratorSettings {
    /// The defaults, with a duration of zero.
    fn default() -> Self {
        IntegratorSettings {
            method: MethodName::Dop853,
            duration: 0.0,
            rtol: 1e-9,
            atol: 1e-12,
            step: None,
            max_order: 12,
            rho_infinity: 0.8,
            index: 3,
            constraints: ConstraintTreatment::None,
            until_rest: None,
            settle: None,
            assemble: true,
            max_steps: 10_000_000,
        }
    }
}

/// Reads `[integrator]`.
pub(crate) fn read_integrator(reader: &mut Reader<'_>, node: &Node) -> Option<IntegratorSettings> {
    let mut fields = Fields::new(reader, node, "[integrator]")?;
    let tolerance = Expected::of(Dimension::ONE).positive();
    let time = Expected::of(Dimension::TIME).positive();
    let method = fields.choice_or(reader, "method", &MethodName::ALL.map(|(_, name)| name), "dop853");
    let duration = fields.number(reader, "duration", time);
    let rtol = fields.number_or(reader, "rtol", tolerance, 1e-9);
    let atol = fields.number_or(reader, "atol", Expected::ANY.positive(), 1e-12);
    let step = fields.maybe_number(reader, "step", time);
    let rho_infinity = read_part(reader, &mut fields, "rho_infinity", 0.8);
    let index = fields.whole_or(reader, "index", [1, 3], 3);
    let max_order = fields.whole_or(reader, "max_order", [1, 12], 12);
    let max_steps = fields.whole_or(reader, "max_steps", [1, 10_000_000_000], 10_000_000);
    let constraints = read_treatment(reader, &mut fields);
    let until_rest = fields.maybe_number(reader, "until_rest", Expected::ANY.positive());
    let settle = fields.maybe_number(reader, "settle", Expected::ANY.positive());
    let assemble = fields.flag_or(reader, "assemble", true);
    let what = node.span.clone();
    fields.finish(reader);
    let method = method?;
    let method = MethodName::ALL.iter().find(|(_, name)| *name == method).map(|(m, _)| *m)?;
    if method.fixed_step() && node.get("step").is_none() {
        return reader.wrong(&what, "[integrator] has a fixed-step method, which requires a `step`", None);
    }
    if method == MethodName::Kinematic && node.get("until_rest").is_some() {
        let rule = "[integrator]: a kinematic analysis has no rest to wait for; omit `until_rest`";
        return reader.wrong(&what, rule, None);
    }
    Some(IntegratorSettings {
        method,
        duration: duration?,
        rtol: rtol?,
        atol: atol?,
        step,
        max_order: max_order?,
        rho_infinity: rho_infinity?,
        index: index?,
        constraints: constraints?,
        until_rest,
        settle,
        assemble: assemble?,
        max_steps: max_steps?,
    })
}

/// A number from 0 to 1.
fn read_part(reader: &mut Reader<'_>, fields: &mut Fields<'_>, name: &'static str, default: f64) -> Option<f64> {
    let part = fields.number_or(reader, name, Expected::of(Dimension::ONE).not_negative(), default)?;
    match part {
        ..=1.0 => Some(part),
        _ => reader.wrong(&fields.span_of(name), format!("`{name}` is {part}; it must be from 0 to 1"), None),
    }
}

fn read_treatment(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ConstraintTreatment> {
    let rate = Expected::of(Dimension::RATE).not_negative();
    let one = Expected::of(Dimension::ONE);
    let treatment = fields.choice_or(reader, "constraints", &ConstraintTreatment::NAMES, "projection");
    let alpha = fields.number_or(reader, "alpha", rate, 5.0);
    let beta = fields.number_or(reader, "beta", rate, 5.0);
    let penalty = fields.number_or(reader, "penalty", Expected::ANY.positive(), 1e7);
    let omega = fields.number_or(reader, "omega", rate, 10.0);
    let mu = fields.number_or(reader, "mu", one.not_negative(), 1.0);
    let iterations = fields.whole_or(reader, "iterations", [1, 1000], 10);
    let tolerance = fields.number_or(reader, "iteration_tolerance", one.positive(), 1e-12);
    let renew_below = read_part(reader, fields, "renew_below", 0.1);
    Some(match treatment?.as_str() {
        "none" => ConstraintTreatment::None,
        "baumgarte" => ConstraintTreatment::Baumgarte { alpha: alpha?, beta: beta? },
        "augmented-lagrangian" => ConstraintTreatment::AugmentedLagrangian {
            penalty: penalty?,
            omega: omega?,
            mu: mu?,
            iterations: iterations?,
            tolerance: tolerance?,
        },
        "coordinate-partitioning" => ConstraintTreatment::CoordinatePartitioning { renew_below: renew_below? },
        _ => ConstraintTreatment::Projection,
    })
}

/// Reads `[output]`: the interval between rows \[s\]; the default is a hundredth of the duration.
pub(crate) fn read_interval(reader: &mut Reader<'_>, node: Option<&Node>, duration: Option<f64>) -> Option<f64> {
    let Some(node) = node else { return duration.map(|d| d / 100.0) };
    let mut fields = Fields::new(reader, node, "[output]")?;
    let interval = fields.maybe_number(reader, "interval", Expected::of(Dimension::TIME).positive());
    let span = fields.span_of("interval");
    fields.finish(reader);
    let interval = interval.or(duration.map(|d| d / 100.0))?;
    match duration {
        Some(duration) if duration / interval > MOST_ROWS => {
            let message = format!(
                "`interval` is {} s, which is too short for a duration of {} s",
                setting(interval),
                setting(duration)
            );
            reader.wrong(&span, message, Some(format!("a series has at most {MOST_ROWS} rows")))
        }
        _ => Some(interval),
    }
}
