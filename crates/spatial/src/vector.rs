//! Spatial motion and force vectors.

use crate::{Mat3, Vec3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A spatial velocity or acceleration: angular part `w`, linear part `v` of the body point that passes through the
/// origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Angular part \[rad/s or rad/s²\].
    pub w: Vec3,
    /// Linear part at the reference point \[m/s or m/s²\].
    pub v: Vec3,
}

/// A spatial force or momentum: moment `n` about the reference point, force `f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// Moment about the reference point \[N m\].
    pub n: Vec3,
    /// Force \[N\].
    pub f: Vec3,
}

impl Motion {
    /// No motion.
    pub const ZERO: Motion = Motion { w: Vec3::new(0.0, 0.0, 0.0), v: Vec3::new(0.0, 0.0, 0.0) };

    /// Stacks an angular and a linear part.
    #[inline]
    pub fn new(w: Vec3, v: Vec3) -> Self {
        Motion { w, v }
    }

    /// The same motion seen from the point at `r` from the present one: `v' = v + w × r`.
    #[inline]
    pub fn at(&self, r: &Vec3) -> Motion {
        Motion::new(self.w, self.v + self.w.cross(r))
    }

    /// The same motion in axes turned by `R` (components `R x`).
    #[inline]
    pub fn rotated(&self, R: &Mat3) -> Motion {
        Motion::new(R * self.w, R * self.v)
    }

    /// Motion cross product `self × other`: the rate of `other` when carried along by `self`.
    #[inline]
    pub fn cross(&self, other: &Motion) -> Motion {
        Motion::new(self.w.cross(&other.w), self.w.cross(&other.v) + self.v.cross(&other.w))
    }

    /// Force cross product `self ×* force`.
    #[inline]
    pub fn cross_force(&self, force: &Force) -> Force {
        Force::new(self.w.cross(&force.n) + self.v.cross(&force.f), self.w.cross(&force.f))
    }

    /// Power of a force on this motion, or the generalised force of a column.
    #[inline]
    pub fn dot(&self, force: &Force) -> f64 {
        self.w.dot(&force.n) + self.v.dot(&force.f)
    }
}

impl Force {
    /// No force.
    pub const ZERO: Force = Force { n: Vec3::new(0.0, 0.0, 0.0), f: Vec3::new(0.0, 0.0, 0.0) };

    /// Stacks a moment and a force.
    #[inline]
    pub fn new(n: Vec3, f: Vec3) -> Self {
        Force { n, f }
    }

    /// A force `f` whose line of action passes through `r` (seen from the reference point).
    #[inline]
    pub fn through(r: &Vec3, f: Vec3) -> Self {
        Force::new(r.cross(&f), f)
    }

    /// The same force seen from the point at `r` from the present one: `n' = n - r × f`.
    #[inline]
    pub fn at(&self, r: &Vec3) -> Force {
        Force::new(self.n - r.cross(&self.f), self.f)
    }

    /// The same force in axes turned by `R` (components `R x`).
    #[inline]
    pub fn rotated(&self, R: &Mat3) -> Force {
        Force::new(R * self.n, R * self.f)
    }
}

macro_rules! vector_space {
    ($type:ident, $a:ident, $b:ident) => {
        impl Add for $type {
            type Output = $type;
            #[inline]
            fn add(self, o: $type) -> $type {
                $type::new(self.$a + o.$a, self.$b + o.$b)
            }
        }
        impl Sub for $type {
            type Output = $type;
            #[inline]
            fn sub(self, o: $type) -> $type {
                $type::new(self.$a - o.$a, self.$b - o.$b)
            }
        }
        impl AddAssign for $type {
            #[inline]
            fn add_assign(&mut self, o: $type) {
                self.$a += o.$a;
                self.$b += o.$b;
            }
        }
        impl SubAssign for $type {
            #[inline]
            fn sub_assign(&mut self, o: $type) {
                self.$a -= o.$a;
                self.$b -= o.$b;
            }
        }
        impl Mul<f64> for $type {
            type Output = $type;
            #[inline]
            fn mul(self, s: f64) -> $type {
                $type::new(self.$a * s, self.$b * s)
            }
        }
        impl Neg for $type {
            type Output = $type;
            #[inline]
            fn neg(self) -> $type {
                $type::new(-self.$a, -self.$b)
            }
        }
    };
}

vector_space!(Motion, w, v);
vector_space!(Force, n, f);
