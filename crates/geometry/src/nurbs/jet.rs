//! A point of a surface with its derivatives, and what follows from them: normal and curvature.

use wolff_spatial::{Mat3, Vec3};

/// Homogeneous coordinates (w x, w y, w z, w).
pub type Homogeneous = [f64; 4];

/// Below this length relative to the size of the patch a tangent counts as vanished: the rounding of the tangent
/// direction and the error of the limit formula are then both about 1e-8.
const VANISHED: f64 = 1e-8;

/// Position and derivatives with respect to the two parameters \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// Position S.
    pub s: Vec3,
    /// ∂S/∂u.
    pub su: Vec3,
    /// ∂S/∂v.
    pub sv: Vec3,
    /// ∂²S/∂u².
    pub suu: Vec3,
    /// ∂²S/∂u∂v.
    pub suv: Vec3,
    /// ∂²S/∂v².
    pub svv: Vec3,
}

impl Jet {
    /// From homogeneous position and derivatives, order s, u, v, uu, uv, vv, by the quotient rule; with unit weights
    /// the division is skipped.
    #[inline(always)]
    pub(crate) fn project(h: &[Homogeneous; 6], rational: bool) -> Jet {
        let xyz = |h: &Homogeneous| Vec3::new(h[0], h[1], h[2]);
        let [a, au, av, auu, auv, avv] = h;
        if !rational {
            return Jet { s: xyz(a), su: xyz(au), sv: xyz(av), suu: xyz(auu), suv: xyz(auv), svv: xyz(avv) };
        }
        let inverse = 1.0 / a[3];
        let s = xyz(a) * inverse;
        let su = (xyz(au) - s * au[3]) * inverse;
        let sv = (xyz(av) - s * av[3]) * inverse;
        let suu = (xyz(auu) - su * (2.0 * au[3]) - s * auu[3]) * inverse;
        let suv = (xyz(auv) - su * av[3] - sv * au[3] - s * auv[3]) * inverse;
        let svv = (xyz(avv) - sv * (2.0 * av[3]) - s * avv[3]) * inverse;
        Jet { s, su, sv, suu, suv, svv }
    }

    /// Position to second and tangents to first order a small step away.
    #[inline(always)]
    pub(crate) fn moved(&self, du: f64, dv: f64) -> Jet {
        let bend = self.suu * (0.5 * du * du) + self.suv * (du * dv) + self.svv * (0.5 * dv * dv);
        Jet {
            s: self.s + (self.su * du + self.sv * dv + bend),
            su: self.su + self.suu * du + self.suv * dv,
            sv: self.sv + self.suv * du + self.svv * dv,
            ..*self
        }
    }

    /// Unit vector along Su × Sv. `inward` points from here into the patch in parameters (signs of the steps in u and
    /// v): where one tangent vanishes (a pole) the limit from inside is taken, Su → ±Suv or Sv → ±Suv. `None` where no
    /// direction is left.
    #[inline]
    pub fn unit_normal(&self, inward: (f64, f64)) -> Option<Vec3> {
        let (lu, lv) = (self.su.norm_squared(), self.sv.norm_squared());
        let vanished = VANISHED * VANISHED * lu.max(lv).max(self.suv.norm_squared());
        let su = if lu > vanished { self.su } else { self.suv * inward.1 };
        let sv = if lv > vanished { self.sv } else { self.suv * inward.0 };
        let normal = su.cross(&sv);
        let area = normal.norm_squared();
        let some = area > 1e-28 * su.norm_squared() * sv.norm_squared() && area.is_finite();
        some.then(|| normal * (1.0 / area.sqrt()))
    }

    /// Whether a tangent is shorter than `fraction` of the other or of the mixed derivative: at or next to a pole.
    #[inline]
    pub fn is_degenerate(&self, fraction: f64) -> bool {
        let (lu, lv) = (self.su.norm_squared(), self.sv.norm_squared());
        lu.min(lv) < fraction * fraction * lu.max(lv).max(self.suv.norm_squared())
    }

    /// Change of the unit normal n along the surface, dn = W dx:
    ///
    /// ```text
    /// W = -[a b] II [a b]ᵀ,  II = [n·Suu n·Suv; n·Suv n·Svv],  (a, b) the tangents dual to (Su, Sv)
    /// ```
    ///
    /// \[1/m\], positive where the side of n is convex. Source: do Carmo, Differential Geometry of Curves and Surfaces,
    /// ch. 3 (Weingarten map). `None` at degenerate points.
    #[inline]
    pub fn shape_operator(&self, n: &Vec3) -> Option<Mat3> {
        let (a, b) = self.dual_tangents()?;
        let (l, m, k) = (n.dot(&self.suu), n.dot(&self.suv), n.dot(&self.svv));
        let (c, d) = (a * -l - b * m, a * -m - b * k);
        let entry = |i: usize, j: usize| c[i] * a[j] + d[i] * b[j];
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        Some(Mat3::new(entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2)))
    }

    /// Tangent vectors a, b with a·Su = b·Sv = 1 and a·Sv = b·Su = 0; `None` at degenerate points.
    #[inline]
    pub fn dual_tangents(&self) -> Option<(Vec3, Vec3)> {
        let (e, f, g) = (self.su.norm_squared(), self.su.dot(&self.sv), self.sv.norm_squared());
        let det = e * g - f * f;
        let inverse = 1.0 / det;
        (det > 1e-20 * e * g && det.is_finite())
            .then(|| ((self.su * g - self.sv * f) * inverse, (self.sv * e - self.su * f) * inverse))
    }
}
