//! Numbers for display: as many digits as are accurate or asked for. Files have all digits.
//!
//! | function | digits |
//! |---|---|
//! | [`short`] | four, for results |
//! | [`number`] | six |
//! | [`size`] | two, for differences and tolerances |
//! | [`setting`] | all that were given, without the rounding errors of conversions between units |
//! | [`compared`] | down to a tenth of the tolerance of a comparison |

use serde_json::Value;

/// A number with at most six significant digits, without trailing zeros.
pub fn number(x: f64) -> String {
    significant(x, 6)
}

/// A result: four significant digits, more than published numbers and models have.
pub fn short(x: f64) -> String {
    significant(x, 4)
}

/// A difference or tolerance, of which only the magnitude matters: two significant digits.
pub fn size(x: f64) -> String {
    significant(x, 2)
}

/// A parameter: twelve significant digits, so that 0.9 mm are `9e-4` m and not `9.000000000000001e-4` m.
pub fn setting(x: f64) -> String {
    significant(x, 12)
}

/// A value or reference of a comparison, down to a tenth of its tolerance: two numbers that look equal agree within
/// the tolerance. A number below its tolerance is shown by its magnitude.
pub fn compared(x: f64, tolerance: f64) -> String {
    if !(tolerance > 0.0 && tolerance.is_finite() && x.is_finite()) || x == 0.0 {
        return number(x);
    }
    if x.abs() < tolerance {
        return size(x);
    }
    let magnitude = |x: f64| x.abs().log10().floor() as i32;
    let power = magnitude(x);
    let digits = (power - magnitude(tolerance) + 2).clamp(2, MOST_DIGITS);
    match power {
        -4..6 => format!("{x:.*}", (digits - 1 - power).max(0) as usize),
        _ => format!("{x:.*e}", digits as usize - 1),
    }
}

/// Digits of a number of double precision that can be right.
const MOST_DIGITS: i32 = 15;

fn significant(x: f64, digits: i32) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let text = format!("{x:.*e}", digits as usize - 1);
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    match exponent.parse::<i32>() {
        Ok(power) if (-4..6).contains(&power) => {
            let decimals = (digits - 1 - power).max(0) as usize;
            trim_zeros(&format!("{x:.decimals$}")).into()
        }
        _ => format!("{}e{exponent}", trim_zeros(mantissa)),
    }
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Maximum number of values in a cell.
const MOST_SHOWN: usize = 7;

/// A JSON value for display, numbers with four digits.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "not finite".into(),
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(|| n.to_string(), short),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        // too long for a cell: tables and files show it
        Value::Object(entries) if entries.len() > MOST_SHOWN => format!("{} values in summary.json", entries.len()),
        Value::Object(entries) if entries.values().any(Value::is_object) => {
            format!("at {}", entries.keys().map(String::as_str).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            entries.iter().map(|(key, item)| format!("{key} {}", plain(item))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
