//! Units of length found in motion files.

use std::fmt;

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// m.
    Metre,
    /// cm.
    Centimetre,
    /// mm.
    Millimetre,
    /// Inch, 25.4 mm.
    Inch,
}

impl LengthUnit {
    /// The unit that a header names, such as `mm`, `Meters` or `millimetre`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().trim_matches(['"', '(', ')', '[', ']', '.']).to_ascii_lowercase().as_str() {
            "m" | "meter" | "meters" | "metre" | "metres" => Some(Self::Metre),
            "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Some(Self::Centimetre),
            "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => Some(Self::Millimetre),
            "in" | "inch" | "inches" => Some(Self::Inch),
            _ => None,
        }
    }

    /// Metres in one of this unit.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
        }
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
            Self::Inch => "in",
        })
    }
}
