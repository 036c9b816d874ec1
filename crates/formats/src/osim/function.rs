//! Functions of a coordinate or of time.

use super::xml::{Context, Node, error_at};
use crate::FormatError;

/// A function of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum OsimFunction {
    /// The same value everywhere.
    Constant(f64),
    /// `Σ slopes_i x_i + intercept`, one slope per argument.
    Linear {
        /// Slopes.
        slopes: Vec<f64>,
        /// Value at zero.
        intercept: f64,
    },
    /// `Σ c_k x^k`; coefficients by rising power (the file has them by falling power).
    Polynomial(Vec<f64>),
    /// OpenSim's `SimmSpline`: a cubic spline whose ends take their third derivative from the four outermost points,
    /// continued straight. Older files call it `natCubicSpline` or `NaturalCubicSpline`, which OpenSim reads as the
    /// same.
    SimmSpline(OsimPoints),
    /// Straight lines between points, continued with the outermost slopes.
    PiecewiseLinear(OsimPoints),
    /// The value of the last point not beyond the argument.
    PiecewiseConstant(OsimPoints),
    /// Generalised cross-validatory spline.
    GcvSpline {
        /// Points.
        points: OsimPoints,
        /// Half of the order: 2 is cubic, 3 quintic.
        half_order: f64,
        /// Variance of the error in the points; zero interpolates.
        error_variance: f64,
    },
    /// `amplitude · sin(omega x + phase) + offset`.
    Sine {
        /// Amplitude.
        amplitude: f64,
        /// Angular frequency.
        omega: f64,
        /// Phase \[rad\].
        phase: f64,
        /// Offset.
        offset: f64,
    },
    /// A smooth step.
    Step {
        /// Where it begins.
        from: f64,
        /// Where it ends.
        to: f64,
        /// Value before.
        start: f64,
        /// Value after.
        end: f64,
    },
    /// Another function, scaled.
    Multiplier {
        /// Factor.
        scale: f64,
        /// The function.
        function: Box<OsimFunction>,
    },
    /// An unsupported class; it is in the list of unsupported elements.
    Unsupported(String),
}

/// Points that a function goes through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsimPoints {
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates, the same number.
    pub y: Vec<f64>,
}

/// Reads a function element.
pub(super) fn read<'a>(context: &mut Context<'a>, node: Node<'a>, owner: &str) -> Result<OsimFunction, FormatError> {
    let mut o = context.object(node);
    let function = match o.class() {
        "Constant" => OsimFunction::Constant(o.number("value", 0.0)?),
        "LinearFunction" => {
            let mut slopes = o.numbers("coefficients")?.unwrap_or_else(|| vec![1.0, 0.0]);
            let intercept = slopes.pop().unwrap_or(0.0);
            OsimFunction::Linear { slopes, intercept }
        }
        "PolynomialFunction" => {
            let falling = o.numbers("coefficients")?.unwrap_or_default();
            OsimFunction::Polynomial(falling.into_iter().rev().collect())
        }
        "SimmSpline" | "natCubicSpline" | "NaturalCubicSpline" => OsimFunction::SimmSpline(points(&mut o, node)?),
        "PiecewiseLinearFunction" => OsimFunction::PiecewiseLinear(points(&mut o, node)?),
        "PiecewiseConstantFunction" | "StepFunction" if o.child("x").is_some() => {
            OsimFunction::PiecewiseConstant(points(&mut o, node)?)
        }
        "GCVSpline" => OsimFunction::GcvSpline {
            points: points(&mut o, node)?,
            half_order: o.number("half_order", 3.0)?,
            error_variance: o.number("error_variance", 0.0)?,
        },
        "Sine" => OsimFunction::Sine {
            amplitude: o.number("amplitude", 1.0)?,
            omega: o.number("omega", 1.0)?,
            phase: o.number("phase", 0.0)?,
            offset: o.number("offset", 0.0)?,
        },
        "StepFunction" => OsimFunction::Step {
            from: o.number("start_time", 0.0)?,
            to: o.number("end_time", 1.0)?,
            start: o.number("start_value", 0.0)?,
            end: o.number("end_value", 1.0)?,
        },
        "MultiplierFunction" => {
            let scale = o.number("scale", 1.0)?;
            let inner = o.object_property("function");
            let inner =
                inner.ok_or_else(|| error_at(&node, format!("{owner}: a MultiplierFunction without a function")))?;
            OsimFunction::Multiplier { scale, function: Box::new(read(context, inner, owner)?) }
        }
        other => {
            context.list(&node, owner);
            return Ok(OsimFunction::Unsupported(other.into()));
        }
    };
    o.finish(context);
    Ok(function)
}

fn points(o: &mut super::xml::Object<'_>, node: Node<'_>) -> Result<OsimPoints, FormatError> {
    let (x, y) = (o.numbers("x")?.unwrap_or_default(), o.numbers("y")?.unwrap_or_default());
    if x.len() != y.len() {
        let message = format!("{} has {} x for {} y; give one y for every x", o.class(), x.len(), y.len());
        return Err(error_at(&node, message));
    }
    Ok(OsimPoints { x, y })
}
