//! The custom joint: three turns and three displacements as functions of the coordinates (OpenSim's
//! `SpatialTransform`).

use super::rotations::about;
use super::{Columns, MAX_FREEDOMS};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::Polynomial;
use wolff_spatial::{Mat3, Motion, Pose, Vec3};

/// A function of one of the joint's coordinates.
#[derive(Clone, Debug)]
pub struct CoordinateFunction {
    /// Which of the joint's coordinates.
    pub coordinate: usize,
    /// The function.
    pub function: TimeFunction,
}

/// The coordinate itself.
pub fn itself(coordinate: usize) -> CoordinateFunction {
    // two finite coefficients are always a polynomial
    let function = Polynomial::new(0.0, &[0.0, 1.0]).map_or(TimeFunction::Constant(0.0), TimeFunction::from);
    CoordinateFunction { coordinate, function }
}

/// No motion.
pub fn still() -> CoordinateFunction {
    CoordinateFunction { coordinate: 0, function: TimeFunction::Constant(0.0) }
}

/// Three turns about body-fixed axes in sequence, then displacements along three axes of F.
///
/// ```text
/// R_FM = R(a_1, f_1) R(a_2, f_2) R(a_3, f_3)
/// p_FM = a_4 f_4 + a_5 f_5 + a_6 f_6 + diag(r) n         f_k = f_k(q_{c(k)}),  n = R_FM e_z
/// ```
/// r \[m\] are the half axes of an ellipsoid that M's origin stays on while it turns, none for most joints (OpenSim's
/// `EllipsoidJoint` has them); n is normal to it only where it is a sphere. Source: Delp et al. 2007, OpenSim, class
/// `SpatialTransform`. Limits: as every sequence of turns it has a gimbal lock where the first and third axis meet.
#[derive(Clone, Debug)]
pub struct CustomJoint {
    freedoms: usize,
    axes: [Vec3; 6],
    functions: [CoordinateFunction; 6],
    /// Half axes of the ellipsoid \[m\], zero for none.
    ellipsoid: Vec3,
}

/// A function's value and first two rates along the motion.
struct Along {
    value: f64,
    slope: f64,
    /// `f'' v²`
    curvature: f64,
    coordinate: usize,
}

impl CustomJoint {
    /// Checks and stores. The axes are scaled to unit length.
    pub fn new(freedoms: usize, axes: [Vec3; 6], functions: [CoordinateFunction; 6]) -> Result<Self, String> {
        if freedoms > MAX_FREEDOMS {
            return Err(format!("a custom joint has {freedoms} coordinates, at most {MAX_FREEDOMS} are possible"));
        }
        if let Some(k) = axes.iter().position(|a| !(a.norm() > 1e-12)) {
            return Err(format!("axis {} of the custom joint has no length", k + 1));
        }
        // a constant function may name any coordinate, also in a joint without freedoms
        let bad = |f: &CoordinateFunction| f.coordinate >= freedoms && !matches!(f.function, TimeFunction::Constant(_));
        if let Some(k) = functions.iter().position(bad) {
            return Err(format!(
                "axis {} of the custom joint depends on coordinate {}, but there are {freedoms}",
                k + 1,
                functions[k].coordinate + 1
            ));
        }
        Ok(CustomJoint { freedoms, axes: axes.map(|a| a.normalize()), functions, ellipsoid: Vec3::zeros() })
    }

    /// The same with M's origin on an ellipsoid of these half axes \[m\].
    pub fn on_ellipsoid(mut self, radii: Vec3) -> Result<Self, String> {
        if !radii.iter().all(|r| r.is_finite() && *r >= 0.0) {
            let [x, y, z]: [f64; 3] = radii.into();
            return Err(format!("half axes {x}, {y}, {z} of the ellipsoid must be finite numbers, zero or more"));
        }
        self.ellipsoid = radii;
        Ok(self)
    }

    /// The same joint with one coordinate held at a value \[rad or m\]; those after it move up.
    pub fn holding(&self, coordinate: usize, value: f64) -> Self {
        let mut held = self.clone();
        for f in &mut held.functions {
            if f.coordinate == coordinate {
                *f = CoordinateFunction { coordinate: 0, function: TimeFunction::Constant(f.function.value(value)) };
            } else if f.coordinate > coordinate {
                f.coordinate -= 1;
            }
        }
        held.freedoms -= usize::from(coordinate < self.freedoms);
        held
    }

    /// Number of coordinates.
    pub fn freedoms(&self) -> usize {
        self.freedoms
    }

    /// The axis that a coordinate is itself the angle (axes 0 to 2) or displacement (axes 3 to 5) of, possibly with the
    /// opposite sign; `None` where it moves all its axes by other functions.
    pub fn own_axis(&self, coordinate: usize) -> Option<usize> {
        let is_identity = |f: &CoordinateFunction| {
            let straight = |x: f64| {
                let d = f.function.evaluate(x);
                d.d1.abs() == 1.0 && d.d2 == 0.0
            };
            f.coordinate == coordinate
                && f.function.value(0.0) == 0.0
                && [-1.0, 0.0, 0.5, 1.0].into_iter().all(straight)
        };
        self.functions.iter().position(is_identity)
    }

    /// Pose `X_FM`.
    pub fn pose(&self, q: &[f64]) -> Pose {
        let f = |k: usize| self.along(k, q, None).value;
        let R = about(&self.axes[0], f(0)) * about(&self.axes[1], f(1)) * about(&self.axes[2], f(2));
        let p = self.axes[3] * f(3) + self.axes[4] * f(4) + self.axes[5] * f(5);
        Pose::new(R, p + self.ellipsoid.component_mul(&R.column(2)))
    }

    /// Columns and bias: the chain rule through the functions.
    pub fn columns(&self, q: &[f64], v: &[f64], S: &mut Columns) -> Motion {
        S[..self.freedoms].fill(Motion::ZERO);
        let mut bias = Motion::ZERO;
        let mut R = Mat3::identity();
        let mut w = Vec3::zeros();
        for k in 0..3 {
            let f = self.along(k, q, Some(v));
            let b = R * self.axes[k];
            let rate = self.add(&f, v, S, |s| &mut s.w, &b);
            bias.w += b * f.curvature + w.cross(&b) * rate;
            w += b * rate;
            R *= about(&self.axes[k], f.value);
        }
        if self.ellipsoid != Vec3::zeros() {
            // n' = ω × n
            let n: Vec3 = R.column(2).into();
            for s in &mut S[..self.freedoms] {
                s.v = self.ellipsoid.component_mul(&s.w.cross(&n));
            }
            bias.v = self.ellipsoid.component_mul(&(bias.w.cross(&n) + w.cross(&w.cross(&n))));
        }
        for k in 3..6 {
            let f = self.along(k, q, Some(v));
            self.add(&f, v, S, |s| &mut s.v, &self.axes[k]);
            bias.v += self.axes[k] * f.curvature;
        }
        bias
    }

    /// Adds `axis · f'` to the column of the function's coordinate; returns the rate `f' v`.
    fn add(&self, f: &Along, v: &[f64], S: &mut Columns, part: fn(&mut Motion) -> &mut Vec3, axis: &Vec3) -> f64 {
        if f.coordinate >= self.freedoms {
            return 0.0;
        }
        *part(&mut S[f.coordinate]) += axis * f.slope;
        f.slope * v[f.coordinate]
    }

    fn along(&self, k: usize, q: &[f64], v: Option<&[f64]>) -> Along {
        let CoordinateFunction { coordinate, ref function } = self.functions[k];
        let x = q.get(coordinate).copied().unwrap_or(0.0);
        let speed = v.and_then(|v| v.get(coordinate)).copied().unwrap_or(0.0);
        let f = function.evaluate(x);
        Along { value: f.value, slope: f.d1, curvature: f.d2 * speed * speed, coordinate }
    }
}
