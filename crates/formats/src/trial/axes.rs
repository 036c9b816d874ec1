//! Turning laboratory axes into X forward, Y up, Z to the right.

use crate::FormatError;
use std::str::FromStr;

/// The rotation from laboratory axes to X forward, Y up, Z right (ISB 1995), defined by naming which laboratory axis
/// points forward and which up.
///
/// With unit vectors f forward and u up of the laboratory, the rows of R are f, u and f × u, so that
/// `p_isb = R p_lab`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    rows: [[f64; 3]; 3],
}

impl Axes {
    /// Laboratory axes that are X forward, Y up, Z right already.
    pub const ISB: Self = Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// X forward and Z up: a turn of -90° about X.
    pub const X_FORWARD_Z_UP: Self = Self { rows: [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]] };

    /// From the laboratory's forward and up axes, each a sign and a letter such as `+x`, `-Y`, `z`.
    pub fn new(forward: &str, up: &str) -> Result<Self, FormatError> {
        let axis = |text: &str| {
            signed_axis(text)
                .ok_or_else(|| FormatError::Axes(format!("`{text}` is no axis; write x, y or z, with - for backwards")))
        };
        let (f, u) = (axis(forward)?, axis(up)?);
        if f.iter().zip(&u).any(|(a, b)| a * b != 0.0) {
            return Err(FormatError::Axes(format!("forward `{forward}` and up `{up}` lie on the same axis")));
        }
        let right = [f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2], f[0] * u[1] - f[1] * u[0]];
        Ok(Self { rows: [f, u, right] })
    }

    /// One turn for two: these axes are named in axes that `earlier` has turned already, the result in those of the
    /// laboratory.
    ///
    /// `p = R₂ (R₁ p_lab)`, so that the rows of the whole turn are those of R₂ R₁.
    pub fn after(&self, earlier: &Self) -> Self {
        let [f, u, r] = earlier.rows;
        Self { rows: self.rows.map(|row| [0, 1, 2].map(|i| row[0] * f[i] + row[1] * u[i] + row[2] * r[i])) }
    }

    /// The forward axis of the laboratory, such as `-y`.
    pub fn forward(&self) -> String {
        name(&self.rows[0])
    }

    /// The up axis of the laboratory.
    pub fn up(&self) -> String {
        name(&self.rows[1])
    }

    /// A vector of the laboratory in the new axes.
    pub fn apply(&self, v: [f64; 3]) -> [f64; 3] {
        self.rows.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }
}

impl Default for Axes {
    fn default() -> Self {
        Self::ISB
    }
}

impl FromStr for Axes {
    type Err = FormatError;

    /// Two axes, forward then up: `x,z`, `-y +z`, `+x+z` or `xz`.
    fn from_str(text: &str) -> Result<Self, FormatError> {
        let mut axes = Vec::new();
        let mut sign = String::new();
        for c in text.chars().filter(|c| !c.is_whitespace() && *c != ',') {
            sign.push(c);
            if c.is_ascii_alphabetic() {
                axes.push(std::mem::take(&mut sign));
            }
        }
        match axes.as_slice() {
            [forward, up] if sign.is_empty() => Self::new(forward, up),
            _ => Err(FormatError::Axes(format!(
                "`{text}` does not name two axes; \
                 write the forward axis and the up axis of the laboratory, such as `x,z`"
            ))),
        }
    }
}

impl std::fmt::Display for Axes {
    /// The forward and the up axis, such as `x,z`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.forward(), self.up())
    }
}

/// The name of a unit vector along an axis, such as `-y`.
fn name(row: &[f64; 3]) -> String {
    let letters = ["x", "y", "z"].iter().zip(row);
    let (letter, sign) = letters.fold(("x", 0.0), |found, (l, v)| if *v != 0.0 { (*l, *v) } else { found });
    format!("{}{letter}", if sign < 0.0 { "-" } else { "" })
}

fn signed_axis(text: &str) -> Option<[f64; 3]> {
    let text = text.trim();
    let (sign, letter) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match letter {
        "x" | "X" => Some([sign, 0.0, 0.0]),
        "y" | "Y" => Some([0.0, sign, 0.0]),
        "z" | "Z" => Some([0.0, 0.0, sign]),
        _ => None,
    }
}
