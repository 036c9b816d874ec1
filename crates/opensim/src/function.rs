//! Conversion of OpenSim functions.

use crate::OpensimError;
use wolff_formats::osim::{OsimFunction, OsimPoints};
use wolff_numerics::function::{PiecewiseLinear, Polynomial};
use wolff_numerics::{CubicSpline, EndCondition, TimeFunction};

/// Distance over which the end slopes of straight lines are continued, in lengths of the table.
const CONTINUATION: f64 = 1e3;

/// The function `scale · f` of one argument; `object` is named in the error where it is not supported.
///
/// A `SimmSpline` is a cubic spline with [`EndCondition::FourPoint`] ends, continued straight. Straight lines are
/// continued by a thousand lengths of their table on either side. A `GCVSpline` is supported where it is the natural
/// cubic spline: half order 2 and no error variance.
pub fn convert_function(object: &str, f: &OsimFunction, scale: f64) -> Result<TimeFunction, OpensimError> {
    let refused = |reason: String| OpensimError::Function { object: object.into(), reason };
    let numerics = |e: wolff_numerics::NumericsError| refused(e.to_string());
    match f {
        OsimFunction::Constant(c) => TimeFunction::constant(scale * c).map_err(numerics),
        OsimFunction::Linear { slopes, intercept } => match slopes[..] {
            [] => TimeFunction::constant(scale * intercept).map_err(numerics),
            [slope] => Ok(Polynomial::new(0.0, &[scale * intercept, scale * slope]).map_err(numerics)?.into()),
            _ => Err(refused(format!("a linear function of {} coordinates; only one is supported", slopes.len()))),
        },
        OsimFunction::Polynomial(rising) => {
            let scaled: Vec<f64> = rising.iter().map(|c| scale * c).collect();
            Ok(Polynomial::new(0.0, &scaled).map_err(numerics)?.into())
        }
        OsimFunction::SimmSpline(p) => {
            let spline = CubicSpline::new(&p.x, &scaled(p, scale), EndCondition::FourPoint).map_err(numerics)?;
            Ok(spline.with_straight_ends().into())
        }
        OsimFunction::GcvSpline { points, half_order, error_variance } => {
            if *half_order != 2.0 || *error_variance != 0.0 {
                let reason =
                    format!("a GCVSpline of half order {half_order} and variance {error_variance} is not supported");
                return Err(refused(format!("{reason}; convert it to a SimmSpline in OpenSim")));
            }
            Ok(CubicSpline::new(&points.x, &scaled(points, scale), EndCondition::Natural).map_err(numerics)?.into())
        }
        OsimFunction::PiecewiseLinear(p) => straight_lines(&p.x, &scaled(p, scale)).map_err(numerics),
        OsimFunction::Multiplier { scale: factor, function } => convert_function(object, function, scale * factor),
        OsimFunction::Sine { .. } => {
            Err(refused("a Sine is not supported; convert it to a SimmSpline in OpenSim".into()))
        }
        OsimFunction::Step { .. } | OsimFunction::PiecewiseConstant(_) => {
            Err(refused("a step function is not supported; convert it to a SimmSpline in OpenSim".into()))
        }
        OsimFunction::Unsupported(class) => Err(refused(format!(
            "functions of class `{class}` are not supported; convert it to a SimmSpline in OpenSim"
        ))),
    }
}

fn scaled(points: &OsimPoints, scale: f64) -> Vec<f64> {
    points.y.iter().map(|y| scale * y).collect()
}

/// Straight lines through points, with a far point on either side to continue the end slopes.
fn straight_lines(x: &[f64], y: &[f64]) -> Result<TimeFunction, wolff_numerics::NumericsError> {
    // the points themselves are checked first
    let inside = PiecewiseLinear::new(x, y)?;
    let ([x0, x1, ..], [.., x2, x3]) = (x, x) else { return Ok(inside.into()) };
    let ([y0, y1, ..], [.., y2, y3]) = (y, y) else { return Ok(inside.into()) };
    let far = CONTINUATION * (x3 - x0);
    let (first, last) = ((y1 - y0) / (x1 - x0), (y3 - y2) / (x3 - x2));
    let longer_x: Vec<f64> = [x0 - far].into_iter().chain(x.iter().copied()).chain([x3 + far]).collect();
    let longer_y: Vec<f64> = [y0 - far * first].into_iter().chain(y.iter().copied()).chain([y3 + far * last]).collect();
    Ok(PiecewiseLinear::new(&longer_x, &longer_y)?.into())
}
