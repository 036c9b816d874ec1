//! Numbers with units: `20 mm`, `15 deg`, `5 kN/m`, `0.3 m/s`.

use std::fmt;

/// Exponents of the base units. The angle is a base unit too, so that both `3 kg` and `15 deg` are rejected where a
/// ratio is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    /// Exponent of the kilogram.
    pub kg: f64,
    /// Exponent of the metre.
    pub m: f64,
    /// Exponent of the second.
    pub s: f64,
    /// Exponent of the radian.
    pub rad: f64,
}

/// Shorthand for constants.
const fn dimension(kg: f64, m: f64, s: f64, rad: f64) -> Dimension {
    Dimension { kg, m, s, rad }
}

impl Dimension {
    /// A pure number.
    pub const ONE: Dimension = dimension(0.0, 0.0, 0.0, 0.0);
    /// kg
    pub const MASS: Dimension = dimension(1.0, 0.0, 0.0, 0.0);
    /// m
    pub const LENGTH: Dimension = dimension(0.0, 1.0, 0.0, 0.0);
    /// s
    pub const TIME: Dimension = dimension(0.0, 0.0, 1.0, 0.0);
    /// rad
    pub const ANGLE: Dimension = dimension(0.0, 0.0, 0.0, 1.0);
    /// m/s
    pub const SPEED: Dimension = dimension(0.0, 1.0, -1.0, 0.0);
    /// m/s²
    pub const ACCELERATION: Dimension = dimension(0.0, 1.0, -2.0, 0.0);
    /// rad/s
    pub const ANGULAR_SPEED: Dimension = dimension(0.0, 0.0, -1.0, 1.0);
    /// 1/s
    pub const RATE: Dimension = dimension(0.0, 0.0, -1.0, 0.0);
    /// N
    pub const FORCE: Dimension = dimension(1.0, 1.0, -2.0, 0.0);
    /// N m
    pub const TORQUE: Dimension = dimension(1.0, 2.0, -2.0, 0.0);
    /// kg m²
    pub const INERTIA: Dimension = dimension(1.0, 2.0, 0.0, 0.0);
    /// N/m
    pub const STIFFNESS: Dimension = dimension(1.0, 0.0, -2.0, 0.0);
    /// N s/m
    pub const DAMPING: Dimension = dimension(1.0, 0.0, -1.0, 0.0);

    /// Product of this and another dimension raised to a power.
    pub fn times(self, other: Dimension, power: f64) -> Dimension {
        dimension(
            self.kg + power * other.kg,
            self.m + power * other.m,
            self.s + power * other.s,
            self.rad + power * other.rad,
        )
    }

    /// Equal except for the angle, which formulas lose (`speed / radius` is an angular speed).
    pub fn matches(self, other: Dimension) -> bool {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        close(self.kg, other.kg) && close(self.m, other.m) && close(self.s, other.s)
    }

    /// Equal in all exponents.
    pub fn equals(self, other: Dimension) -> bool {
        self.matches(other) && (self.rad - other.rad).abs() < 1e-9
    }

    /// Usual name of the quantity: "a length".
    fn word(self) -> Option<&'static str> {
        let words = [
            (Self::ONE, "a pure number"),
            (Self::MASS, "a mass"),
            (Self::LENGTH, "a length"),
            (Self::TIME, "a time"),
            (Self::ANGLE, "an angle"),
            (Self::SPEED, "a speed"),
            (Self::ACCELERATION, "an acceleration"),
            (Self::ANGULAR_SPEED, "an angular speed"),
            (Self::RATE, "a rate"),
            (Self::FORCE, "a force"),
            (Self::TORQUE, "a torque or an energy"),
            (Self::INERTIA, "a moment of inertia"),
            (Self::STIFFNESS, "a stiffness"),
            (Self::DAMPING, "a damping"),
        ];
        words.iter().find(|(d, _)| d.equals(self)).map(|(_, word)| *word)
    }

    /// "a length \[m\]", or only the unit where the quantity has no usual name.
    pub fn describe(self) -> String {
        match self.word() {
            Some(word) if self.equals(Self::ONE) => word.into(),
            Some(word) => format!("{word} [{self}]"),
            None => format!("in {self}"),
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // forces are easier to read in newtons
        let newton = self.kg == 1.0 && self.s < -0.5;
        let bases = match newton {
            true => [("N", 1.0), ("m", self.m - 1.0), ("s", self.s + 2.0), ("rad", self.rad)],
            false => [("kg", self.kg), ("m", self.m), ("s", self.s), ("rad", self.rad)],
        };
        let power = |e: f64| if e == 1.0 { String::new() } else { format!("^{e}") };
        let over = bases.iter().filter(|(_, e)| *e > 0.0);
        let over: Vec<String> = over.map(|(u, e)| format!("{u}{}", power(*e))).collect();
        let under = bases.iter().filter(|(_, e)| *e < 0.0);
        let under: String = under.map(|(u, e)| format!("/{u}{}", power(-e))).collect();
        let over = if over.is_empty() { "1".into() } else { over.join(" ") };
        write!(f, "{over}{under}")
    }
}

/// A number in SI units. Without a dimension it is a bare number, which takes the unit expected at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Value in SI units.
    pub value: f64,
    /// Dimension, if a unit was given.
    pub dimension: Option<Dimension>,
}

/// The supported units with their size in SI units.
fn unit(name: &str) -> Option<(f64, Dimension)> {
    use std::f64::consts::PI;
    let pressure = dimension(1.0, -1.0, -2.0, 0.0);
    Some(match name {
        "1" => (1.0, Dimension::ONE),
        "%" => (1e-2, Dimension::ONE),
        "microstrain" => (1e-6, Dimension::ONE),
        "km" => (1e3, Dimension::LENGTH),
        "m" => (1.0, Dimension::LENGTH),
        "cm" => (1e-2, Dimension::LENGTH),
        "mm" => (1e-3, Dimension::LENGTH),
        "um" | "µm" => (1e-6, Dimension::LENGTH),
        "in" => (0.0254, Dimension::LENGTH),
        "ft" => (0.3048, Dimension::LENGTH),
        "t" => (1e3, Dimension::MASS),
        "kg" => (1.0, Dimension::MASS),
        "g" => (1e-3, Dimension::MASS),
        "lb" => (0.453_592_37, Dimension::MASS),
        "h" => (3600.0, Dimension::TIME),
        "min" => (60.0, Dimension::TIME),
        "s" => (1.0, Dimension::TIME),
        "ms" => (1e-3, Dimension::TIME),
        "us" | "µs" => (1e-6, Dimension::TIME),
        "rad" => (1.0, Dimension::ANGLE),
        "deg" | "°" => (PI / 180.0, Dimension::ANGLE),
        "rpm" => (PI / 30.0, Dimension::ANGULAR_SPEED),
        "Hz" => (1.0, Dimension::RATE),
        "kN" => (1e3, Dimension::FORCE),
        "N" => (1.0, Dimension::FORCE),
        "Nm" | "J" => (1.0, Dimension::TORQUE),
        "W" => (1.0, dimension(1.0, 2.0, -3.0, 0.0)),
        "Pa" => (1.0, pressure),
        "kPa" => (1e3, pressure),
        "MPa" => (1e6, pressure),
        "GPa" => (1e9, pressure),
        _ => return None,
    })
}

/// A unit that the author may have meant, for a number without a unit that `fits` rejects as it is.
pub fn other_unit(x: f64, expected: Dimension, fits: impl Fn(f64) -> bool) -> Option<&'static str> {
    let known = ["mm", "cm", "in", "ft", "g", "lb", "ms"];
    let meant = |name: &&str| unit(name).is_some_and(|(size, d)| d.equals(expected) && fits(x * size));
    known.into_iter().find(meant)
}

/// Size and dimension of a unit such as `kg m^2`, `N/m^1.5` or `m/s2`; each `/` divides by the one unit that follows
/// it.
pub fn parse_unit(text: &str) -> Option<(f64, Dimension)> {
    let mut size = 1.0;
    let mut result = Dimension::ONE;
    let spaced = text.replace('/', " /").replace(['*', '·'], " ");
    for factor in spaced.split_whitespace() {
        let (sign, factor) = match factor.strip_prefix('/') {
            Some(rest) => (-1.0, rest),
            None => (1.0, factor),
        };
        let end = factor.find(|c: char| c == '^' || (c.is_ascii_digit() && factor != "1"));
        let (name, power) = factor.split_at(end.unwrap_or(factor.len()));
        let power = match power.strip_prefix('^').unwrap_or(power) {
            "" if power.is_empty() => 1.0,
            digits => digits.parse::<f64>().ok().filter(|p| p.abs() <= 10.0)?,
        };
        let (factor_size, factor_dimension) = unit(name)?;
        size *= f64::powf(factor_size, sign * power);
        result = result.times(factor_dimension, sign * power);
    }
    Some((size, result))
}

/// A number, optionally followed by a unit; `None` if the text is anything else.
pub fn parse_quantity(text: &str) -> Option<Quantity> {
    let text = text.trim();
    let (number, rest) = text.split_at(number_length(text));
    let value: f64 = number.parse().ok()?;
    let rest = rest.trim();
    if rest.is_empty() {
        return Some(Quantity { value, dimension: None });
    }
    if !rest.starts_with(|c: char| c.is_alphabetic() || "%°".contains(c)) {
        return None;
    }
    let (size, dimension) = parse_unit(rest)?;
    Some(Quantity { value: value * size, dimension: Some(dimension) })
}

/// Length of the decimal number at the beginning of a text \[bytes\].
pub fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = sign(0);
    let whole = digits(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return 0;
    }
    // an exponent needs a digit: `3 em` and `3e` have no exponent
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = end + 1 + sign(end + 1);
        let exponent = bytes.get(start..).map_or(0, |_| digits(start));
        if exponent > 0 {
            end = start + exponent;
        }
    }
    end
}
