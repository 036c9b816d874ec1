//! Numbers of options.

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{text}` is not a finite number")),
    }
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err(format!("`{text}` is not positive: the number must be above 0")),
    }
}

/// Numbers with commas between them.
pub fn list<const N: usize>(text: &str) -> Option<[f64; N]> {
    let all: Option<Vec<f64>> = text.split(',').map(|part| finite(part.trim()).ok()).collect();
    all?.try_into().ok()
}

/// Statures of persons \[m\]: from a newborn to the tallest (chosen here: a wide range).
const STATURES: std::ops::RangeInclusive<f64> = 0.4..=2.8;

/// The stature of a person \[m\].
pub fn stature(text: &str) -> Result<f64, String> {
    match positive(text)? {
        value if STATURES.contains(&value) => Ok(value),
        value if STATURES.contains(&(0.01 * value)) => {
            Err(format!("`{text}` seems to be in cm; give the stature in m"))
        }
        _ => Err(format!("`{text}` is not a stature in m, from {} to {}", STATURES.start(), STATURES.end())),
    }
}
