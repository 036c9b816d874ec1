//! Numbers for display, with the significant digits only.

use serde_json::Value;

/// A number with at most six significant digits, without trailing zeros.
pub fn number(x: f64) -> String {
    significant(x, 6)
}

/// A number next to published numbers, which rarely have more than four digits.
pub fn short(x: f64) -> String {
    significant(x, 4)
}

/// A difference or tolerance, of which only the magnitude matters: two significant digits.
pub fn size(x: f64) -> String {
    significant(x, 2)
}

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

/// A JSON value for display.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "not finite".into(),
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(|| n.to_string(), number),
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
