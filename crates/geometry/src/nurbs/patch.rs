//! One Bézier patch of a set and what lies beyond its four sides.

/// A side of the unit square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// u = 0.
    LowU,
    /// u = 1.
    HighU,
    /// v = 0.
    LowV,
    /// v = 1.
    HighV,
}

impl Side {
    /// All four.
    pub const ALL: [Side; 4] = [Side::LowU, Side::HighU, Side::LowV, Side::HighV];

    /// Parameters of the point at fraction `w` of the side.
    #[inline]
    pub fn at(self, w: f64) -> (f64, f64) {
        match self {
            Side::LowU => (0.0, w),
            Side::HighU => (1.0, w),
            Side::LowV => (w, 0.0),
            Side::HighV => (w, 1.0),
        }
    }

    /// A step of size `t` into the square.
    #[inline]
    pub fn inward(self, t: f64) -> (f64, f64) {
        match self {
            Side::LowU => (t, 0.0),
            Side::HighU => (-t, 0.0),
            Side::LowV => (0.0, t),
            Side::HighV => (0.0, -t),
        }
    }

    /// Fraction along the side of parameters on it.
    #[inline]
    pub fn along(self, (u, v): (f64, f64)) -> f64 {
        match self {
            Side::LowU | Side::HighU => v,
            Side::LowV | Side::HighV => u,
        }
    }
}

/// What lies beyond a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Nothing: the rim of an open surface.
    Rim,
    /// The side is a single point, around which other patches lie.
    Pole,
    /// Other patches whose sides do not match one to one.
    Covered,
    /// The side of another patch (or of the same one), possibly running the other way.
    Joined {
        /// The other patch.
        patch: u32,
        /// Its side.
        side: Side,
        /// True if the two sides run against each other.
        reversed: bool,
        /// True if the tangent plane is the same on both.
        smooth: bool,
    },
}

/// One Bézier patch.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Where its control points begin in the set.
    pub first: usize,
    /// Degrees along u and v.
    pub degrees: (usize, usize),
    /// True if weights differ.
    pub rational: bool,
    /// +1 if Su × Sv points out of the material, else -1.
    pub outward: f64,
    /// The surface it comes from.
    pub surface: u32,
    /// Range of u in that surface.
    pub u: (f64, f64),
    /// Range of v in that surface.
    pub v: (f64, f64),
    /// What lies beyond the sides, in the order of [`Side::ALL`].
    pub beyond: [Beyond; 4],
    /// Diagonal of the box of its control points \[m\].
    pub size: f64,
}

impl Patch {
    /// Number of control points.
    #[inline]
    pub fn count(&self) -> usize {
        (self.degrees.0 + 1) * (self.degrees.1 + 1)
    }
}
