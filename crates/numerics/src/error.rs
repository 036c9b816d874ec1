//! The one error type of the crate.

use thiserror::Error;

/// What can go wrong in a numerical method; times in s.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum NumericsError {
    /// The user's model refused to evaluate.
    #[error("the model failed at t = {} s: {cause}", readable(*t))]
    System {
        /// Time of the evaluation.
        t: f64,
        /// The model's own words.
        cause: String,
    },
    /// Error control asked for a step below the smallest allowed one.
    #[error(
        "integration stopped at t = {} s: a step of {h:.3e} s still has {error:.3e} times the allowed error, worst in \
         `{component}`, and steps below {h_min:.3e} s are not allowed; loosen the tolerance or use a stiff method",
        readable(*t)
    )]
    StepTooSmall {
        /// Start of the failing step.
        t: f64,
        /// Length of the failing step.
        h: f64,
        /// Smallest allowed step.
        h_min: f64,
        /// Name of the component with the largest error.
        component: String,
        /// Error over tolerance.
        error: f64,
    },
    /// NaN or infinity in a derivative or a state.
    #[error(
        "`{component}` is not finite at t = {} s (step {h:.3e} s); check the forces on it, its limits, or reduce the \
         step",
        readable(*t)
    )]
    NonFinite {
        /// Time of the evaluation.
        t: f64,
        /// Step length tried.
        h: f64,
        /// Name of the first non-finite component.
        component: String,
    },
    /// The nonlinear equations of an implicit step were not solved.
    #[error(
        "the implicit equations were not solved at t = {} s with step {h:.3e} s: `{component}` is worst (scaled \
         residual {residual:.3e}); reduce the step or check the model there for jumps",
        readable(*t)
    )]
    NewtonFailed {
        /// Start of the failing step.
        t: f64,
        /// Length of the failing step.
        h: f64,
        /// Name of the worst coordinate or constraint.
        component: String,
        /// Scaled correction or residual left.
        residual: f64,
    },
    /// The number of steps ran out.
    #[error("{max_steps} steps reached only t = {} s; {pace}; raise `max_steps`, or look for chatter between events", readable(*t))]
    TooManySteps {
        /// Time reached.
        t: f64,
        /// The limit.
        max_steps: usize,
        /// Length of the steps and what limits it.
        pace: Pace,
    },
    /// The model was told to end the run: its time is used up, or the user has stopped it.
    #[error("{reason} (at t = {} s after {steps} steps; {pace})", readable(*t))]
    Interrupted {
        /// Time reached.
        t: f64,
        /// Accepted steps.
        steps: usize,
        /// Why the run ends.
        reason: String,
        /// Length of the steps and what limits it.
        pace: Pace,
    },
    /// A matrix that must be invertible is singular.
    #[error("{matrix} is singular at row {row}; remove redundant equations or use the least-norm solve")]
    Singular {
        /// Which matrix.
        matrix: &'static str,
        /// First row without a pivot.
        row: usize,
    },
    /// Data or settings that break a rule.
    #[error("{object} is {value}: {rule}")]
    Input {
        /// What was given.
        object: String,
        /// The offending value.
        value: String,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
}

/// A time with the digits that a reader needs.
fn readable(t: f64) -> String {
    if t == 0.0 || (1e-3..1e6).contains(&t.abs()) { format!("{:.5}", t) } else { format!("{t:.3e}") }
}

/// How fast a run proceeds, and what limits it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pace {
    /// Length of the last step \[s\].
    pub h: f64,
    /// The coordinate, contact or event that forces the step down, in words; empty where none does.
    pub limited_by: String,
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the step is {:.3e} s", self.h)?;
        if self.limited_by.is_empty() { Ok(()) } else { write!(f, ", forced down by {}", self.limited_by) }
    }
}

impl NumericsError {
    /// The end of a run at the request of its surroundings; the driver adds what limits the steps.
    pub fn interrupted(t: f64, reason: String) -> Self {
        NumericsError::Interrupted { t, steps: 0, reason, pace: Pace::default() }
    }

    /// Whether a smaller step cannot help.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, NumericsError::Interrupted { .. })
    }
}

/// The name under which integrators and models meet the crate's error.
pub type OdeError = NumericsError;

/// Shorthand for [`NumericsError::Input`].
pub(crate) fn input_error(object: impl Into<String>, value: impl ToString, rule: &'static str) -> NumericsError {
    NumericsError::Input { object: object.into(), value: value.to_string(), rule }
}

/// Refuses NaN and infinity in a list of numbers, naming the place.
pub(crate) fn require_finite(object: &str, values: &[f64]) -> Result<(), NumericsError> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(input_error(format!("{object}[{i}]"), values[i], "every number must be finite")),
        None => Ok(()),
    }
}

/// Refuses abscissae that do not increase strictly, naming the place.
pub(crate) fn require_increasing(object: &str, values: &[f64]) -> Result<(), NumericsError> {
    require_finite(object, values)?;
    match values.windows(2).position(|w| w[1] <= w[0]) {
        Some(i) => Err(input_error(
            format!("{object}[{}]", i + 1),
            values[i + 1],
            "each abscissa must be greater than the one before; sort the table and drop duplicates",
        )),
        None => Ok(()),
    }
}
