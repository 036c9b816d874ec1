//! Coordinate systems in which nodes are given: `*SYSTEM`, and `SYSTEM=` of `*NODE`.

use nalgebra::{Matrix3, Vector3};

/// How the three coordinates of a node are meant.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Coordinates {
    Rectangular,
    /// Radius, angle in degrees, height.
    Cylindrical,
}

impl Coordinates {
    /// By the value of `SYSTEM=`.
    pub fn of(word: Option<&str>) -> Result<Self, String> {
        match word.map(str::to_ascii_uppercase).as_deref() {
            None | Some("R") => Ok(Self::Rectangular),
            Some("C") => Ok(Self::Cylindrical),
            Some(other) => Err(format!(
                "*NODE with SYSTEM={other} is not supported; only R (rectangular) and C (cylindrical) are; export the \
                 nodes in rectangular coordinates"
            )),
        }
    }

    pub fn rectangular(self, [a, b, c]: [f64; 3]) -> Vector3<f64> {
        match self {
            Self::Rectangular => Vector3::new(a, b, c),
            Self::Cylindrical => {
                let (sin, cos) = b.to_radians().sin_cos();
                Vector3::new(a * cos, a * sin, c)
            }
        }
    }
}

/// The system of `*SYSTEM`: origin a, a point b on its x axis, a point c in its plane of x and y. It holds for all
/// nodes that follow.
#[derive(Clone, Default)]
pub(super) struct LocalSystem {
    numbers: Vec<f64>,
}

impl LocalSystem {
    /// Adds a data line.
    pub fn add(&mut self, words: &[&str]) -> Result<(), String> {
        for word in words {
            let number = word.parse::<f64>().ok().filter(|x| x.is_finite());
            self.numbers.push(number.ok_or_else(|| format!("`{word}` is not a number of *SYSTEM"))?);
        }
        if self.numbers.len() > 9 { Err("*SYSTEM has three points: nine numbers at most".into()) } else { Ok(()) }
    }

    /// A point given in this system.
    ///
    /// # Errors
    /// When the three points do not define axes.
    pub fn place(&self, x: Vector3<f64>) -> Result<Vector3<f64>, String> {
        let point = |first: usize| {
            let at = |i: usize| self.numbers.get(first + i).copied().unwrap_or_default();
            Vector3::new(at(0), at(1), at(2))
        };
        match self.numbers.len() {
            0 => Ok(x),
            // without the points b and c the axes are those of the whole model
            1..=3 => Ok(point(0) + x),
            count => {
                let (a, b) = (point(0), point(3));
                // without c the z axis stays
                let (first, other) = (b - a, if count > 6 { point(6) - a } else { Vector3::z().cross(&(b - a)) });
                let wrong = || "the points of *SYSTEM are on one line and define no axes".to_owned();
                let e1 = first.try_normalize(0.0).ok_or_else(wrong)?;
                let e3 = first.cross(&other).try_normalize(1e-12 * first.norm_squared()).ok_or_else(wrong)?;
                Ok(a + Matrix3::from_columns(&[e1, e3.cross(&e1), e3]) * x)
            }
        }
    }
}
