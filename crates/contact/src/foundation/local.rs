//! Depth of the overlap over one element, from one distance query.
//!
//! Let A be the centre of the element, n_f its normal, n_m the outward normal of the moving surface at the point found,
//! W the change of that normal with the position. Over the element `y(a, b)` the depth is quadratic, α = (a, b):
//!
//! ```text
//! minimum distance   D = -(s + n_m·(y-A) + ½ (y-A)ᵀ W_s (y-A))        W_s = W (1 + s W)⁻¹
//!                      = -s - n_m·J α - ½ αᵀ(n_m·Y + Jᵀ W_s J) α
//! ray along n_f      y - t n_f(α) on the surface n_m·r + ½ rᵀ W r = 0 through the hit, to second order in α:
//!                    t = t0 + g·α + ½ αᵀHα,  g = -J̃ᵀn_m/c,  J̃ = J - t0 B,  M = J̃ - n_f gᵀ,
//!                    H = -(n_m·Y - g (Bᵀn_m)ᵀ - (Bᵀn_m) gᵀ - c t0 BᵀB + Mᵀ W M)/c
//! ```
//!
//! s signed distance of A (negative inside the moving body), c = -n_f·n_m. The moving normal turns with α by W_s J or W
//! M. The depth along the midsurface normal ν ∥ n_m - n_f is D/(n_m·ν), or t c/(n_m·ν) from a ray (seed: Bei and Fregly
//! 2004, Fig. 3): the factors are positive, so the edge of the contact is the zero line of the quadratic whatever the
//! correction.
//!
//! Derivatives by the pose follow from the same formulas. They need the change of W along the moving surface, of which
//! everything but the third-order shape is known; that part is left out, so they are exact on planes, cylinders and
//! spheres and miss a part of the order of (element size)² elsewhere.

use super::elements::Element;
use super::pair::{Along, Distance};
use super::quadratic::Quadratic;
use wolff_spatial::{Mat3, Vec3, skew};

/// Answer of a distance query, in the axes of the fixed body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Depth of the centre [m]: -s or t0.
    pub depth: f64,
    /// Outward normal n_m of the moving surface.
    pub normal: Vec3,
    /// W_s or W \[1/m\].
    pub W: Mat3,
    /// Thickness of both layers \[m\].
    pub thickness: f64,
    /// Deepest overlap that is described \[m\].
    pub limit: f64,
}

/// Depth and moving normal over an element; also used for their changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub depth: Quadratic,
    pub normal: Vec3,
    pub turn: [Vec3; 2],
}

/// A displacement of the moving body: translation of its origin and rotation about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub origin: Vec3,
    pub translation: Vec3,
    pub rotation: Vec3,
}

impl Shift {
    pub fn at(&self, y: &Vec3) -> Vec3 {
        self.translation + self.rotation.cross(&(y - self.origin))
    }
}

impl Local {
    #[inline(always)]
    pub fn new(element: &Element, found: &Found, distance: Distance) -> Self {
        match distance {
            Distance::Minimum => minimum(element, found),
            Distance::Ray => RayTerms::new(element, found).local(found),
        }
    }

    /// Change of the local model when the moving body is displaced.
    pub fn change(element: &Element, found: &Found, distance: Distance, shift: &Shift) -> Local {
        match distance {
            Distance::Minimum => minimum_change(element, found, shift),
            Distance::Ray => RayTerms::new(element, found).change(found, shift),
        }
    }
}

/// `n·Y + JᵀWJ` as aa, ab, bb.
#[inline]
fn second(n: &Vec3, bend: &[Vec3; 3], J: &[Vec3; 2], WJ: &[Vec3; 2]) -> [f64; 3] {
    [n.dot(&bend[0]) + J[0].dot(&WJ[0]), n.dot(&bend[1]) + J[0].dot(&WJ[1]), n.dot(&bend[2]) + J[1].dot(&WJ[1])]
}

#[inline(always)]
fn minimum(element: &Element, found: &Found) -> Local {
    let (n, J) = (&found.normal, &element.tangents);
    let turn = [found.W * J[0], found.W * J[1]];
    let [haa, hab, hbb] = second(n, &element.bend, J, &turn);
    let depth = Quadratic { c: found.depth, g: [-n.dot(&J[0]), -n.dot(&J[1])], h: [-haa, -hab, -hbb] };
    Local { depth, normal: *n, turn }
}

fn minimum_change(element: &Element, found: &Found, shift: &Shift) -> Local {
    let (n, W, J) = (&found.normal, &found.W, &element.tangents);
    let u = shift.at(&element.centre);
    let slid = W * u;
    let normal = shift.rotation.cross(n) - slid;
    let WWu = W * slid;
    let dW = W * W * n.dot(&u) + WWu * n.transpose() + n * WWu.transpose() + turned(W, &shift.rotation);
    let turn = J.map(|j| dW * j);
    let depth = Quadratic {
        c: n.dot(&u),
        g: J.map(|j| -normal.dot(&j)),
        h: second(&normal, &element.bend, J, &turn).map(|x| -x),
    };
    Local { depth, normal, turn }
}

/// Change of a tensor that turns with the body.
fn turned(W: &Mat3, rotation: &Vec3) -> Mat3 {
    let theta = skew(rotation);
    theta * W - W * theta
}

/// What value and change of the ray model share.
struct RayTerms<'a> {
    element: &'a Element,
    c: f64,
    /// J̃
    Jt: [Vec3; 2],
    g: [f64; 2],
    M: [Vec3; 2],
    /// Bᵀn_m
    Bn: [f64; 2],
    H: [f64; 3],
}

impl<'a> RayTerms<'a> {
    #[inline(never)]
    fn new(element: &'a Element, found: &Found) -> Self {
        let (n, t) = (&found.normal, found.depth);
        let (J, B) = (&element.tangents, &element.turn);
        let c = -element.normal.dot(n);
        let Jt = [J[0] - B[0] * t, J[1] - B[1] * t];
        let g = Jt.map(|j| -j.dot(n) / c);
        let M = [Jt[0] - element.normal * g[0], Jt[1] - element.normal * g[1]];
        let Bn = B.map(|b| b.dot(n));
        let Q = second(n, &element.bend, &M, &M.map(|m| found.W * m));
        let Q = std::array::from_fn(|k| Q[k] - pairs(&g, &Bn)[k] - c * t * gram(B)[k]);
        RayTerms { element, c, Jt, g, M, Bn, H: Q.map(|x: f64| -x / c) }
    }

    fn local(&self, found: &Found) -> Local {
        let depth = Quadratic { c: found.depth, g: self.g, h: self.H };
        Local { depth, normal: found.normal, turn: self.M.map(|m| found.W * m) }
    }

    fn change(&self, found: &Found, shift: &Shift) -> Local {
        let (n, W, t, n_f, c) = (&found.normal, &found.W, found.depth, &self.element.normal, self.c);
        let B = &self.element.turn;
        // the hit slides along the ray and over the moving surface
        let u = shift.at(&(self.element.centre - n_f * t));
        let dt = n.dot(&u) / c;
        let slide = -n_f * dt - u;
        let Ws = W * slide;
        let dn = Ws + shift.rotation.cross(n);
        let WWs = W * Ws;
        let dW = turned(W, &shift.rotation) - WWs * n.transpose() - n * WWs.transpose();

        let dc = -dn.dot(n_f);
        let dJt = B.map(|b| -b * dt);
        let dg = std::array::from_fn(|k| -(dJt[k].dot(n) + self.Jt[k].dot(&dn) + self.g[k] * dc) / c);
        let dM: [Vec3; 2] = std::array::from_fn(|k| dJt[k] - n_f * dg[k]);
        let dBn = B.map(|b| b.dot(&dn));
        let WdM = dM.map(|m| W * m);
        let bending = second(&dn, &self.element.bend, &self.M, &self.M.map(|m| dW * m));
        let (p, q, r, b) = (pairs(&dg, &self.Bn), pairs(&self.g, &dBn), mixed(&self.M, &WdM), gram(B));
        let dQ = |k: usize| bending[k] - p[k] - q[k] - (dc * t + c * dt) * b[k] + r[k];
        let depth = Quadratic { c: dt, g: dg, h: std::array::from_fn(|k| -(dQ(k) + self.H[k] * dc) / c) };
        Local { depth, normal: dn, turn: std::array::from_fn(|k| dW * self.M[k] + WdM[k]) }
    }
}

/// `x yᵀ + y xᵀ` as aa, ab, bb.
fn pairs(x: &[f64; 2], y: &[f64; 2]) -> [f64; 3] {
    [2.0 * x[0] * y[0], x[0] * y[1] + x[1] * y[0], 2.0 * x[1] * y[1]]
}

/// `BᵀB` as aa, ab, bb.
fn gram(B: &[Vec3; 2]) -> [f64; 3] {
    [B[0].norm_squared(), B[0].dot(&B[1]), B[1].norm_squared()]
}

/// `XᵀY + YᵀX` as aa, ab, bb.
fn mixed(X: &[Vec3; 2], Y: &[Vec3; 2]) -> [f64; 3] {
    [2.0 * X[0].dot(&Y[0]), X[0].dot(&Y[1]) + X[1].dot(&Y[0]), 2.0 * X[1].dot(&Y[1])]
}

/// Least cosine between the normals at a point: the centre of an element is refused where they do not oppose, far
/// corners are kept finite.
pub(super) const LEAST_COSINE: f64 = 1e-6;

/// One point of the fixed surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedPoint {
    /// Coordinates on the element.
    pub at: (f64, f64),
    /// Position \[m\].
    pub y: Vec3,
    /// Outward unit normal.
    pub n_f: Vec3,
    /// Area per da db \[m²\].
    pub area: f64,
}

impl FixedPoint {
    #[inline]
    pub fn new(element: &Element, at: (f64, f64)) -> Self {
        let (y, ya, yb) = element.point(at.0, at.1);
        let n_f = turned_normal(&element.normal, &element.turn, at).0;
        FixedPoint { at, y, n_f, area: ya.cross(&yb).dot(&n_f).abs() * element.area_scale }
    }
}

/// The overlap at one point of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Position \[m\].
    pub y: Vec3,
    /// Area per da db \[m²\].
    pub area: f64,
    /// Depth that strains the layer over D.
    pub gain: f64,
    /// Direction of the pressure on the fixed body.
    pub nu: Vec3,
    /// Value of the quadratic \[m\].
    pub D: f64,
    /// Unit normals of both surfaces here, and the length of the moving one before it was made a unit vector.
    pub n_m: Vec3,
    pub n_f: Vec3,
    pub length: f64,
    /// |n_m - n_f|
    pub l: f64,
    /// -n_f·n_m
    pub c: f64,
}

impl Spot {
    #[inline(always)]
    pub fn new(element: &Element, local: &Local, method: (Distance, Along), at: (f64, f64)) -> Self {
        Spot::over(&FixedPoint::new(element, at), local, method)
    }

    #[inline(always)]
    pub fn over(fixed: &FixedPoint, local: &Local, (distance, along): (Distance, Along)) -> Self {
        let &FixedPoint { at: (a, b), y, n_f, area } = fixed;
        let (n_m, length) = turned_normal(&local.normal, &local.turn, (a, b));
        // l² = |n_m - n_f|² = 2 + 2c
        let apart = n_m - n_f;
        let c = (-n_m.dot(&n_f)).max(LEAST_COSINE);
        let l = (2.0 + 2.0 * c).sqrt();
        let D = local.depth.value(a, b);
        let grown = 2.0 / l;
        let (gain, nu) = match (along, distance) {
            (Along::FixedNormal, _) => (1.0, -n_f),
            (Along::MovingNormal, _) => (1.0, n_m),
            (Along::Midsurface, Distance::Minimum) => (grown, apart * (0.5 * grown)),
            (Along::Midsurface, Distance::Ray) => (c * grown, apart * (0.5 * grown)),
        };
        Spot { y, area, gain, nu, D, n_m, n_f, length, l, c }
    }

    /// Depth that strains the layer \[m\].
    #[inline(always)]
    pub fn d(&self) -> f64 {
        self.D * self.gain
    }

    /// Rate of the depth: `d' = rate·u`, u velocity of the moving body here.
    #[inline]
    pub fn rate(&self, method: (Distance, Along)) -> Vec3 {
        self.n_m * rate_gain(method, self.l, self.c)
    }

    /// Changes of gain, ν and rate with a change of the local model.
    pub fn change(
        &self,
        change: &Local,
        (distance, along): (Distance, Along),
        (a, b): (f64, f64),
    ) -> (f64, Vec3, Vec3) {
        let raw = change.normal + change.turn[0] * a + change.turn[1] * b;
        let dn = (raw - self.n_m * self.n_m.dot(&raw)) / self.length;
        // |n_m - n_f| = l: l² = 2 + 2c
        let dc = (self.n_m - self.n_f).dot(&dn);
        let dl = dc / self.l;
        let middle = (self.n_m - self.n_f) / self.l;
        let d_middle = (dn - middle * middle.dot(&dn)) / self.l;
        let (d_grown, d_nu) = match (along, distance) {
            (Along::FixedNormal, _) => (0.0, Vec3::zeros()),
            (Along::MovingNormal, _) => (0.0, dn),
            (Along::Midsurface, Distance::Minimum) => (-2.0 * dl / (self.l * self.l), d_middle),
            (Along::Midsurface, Distance::Ray) => (2.0 * (dc - self.c * dl / self.l) / self.l, d_middle),
        };
        let gain = rate_gain((distance, along), self.l, self.c);
        let d_gain = match (along, distance) {
            (Along::Midsurface, _) => -gain * dl / self.l,
            (_, Distance::Minimum) => 0.0,
            (_, Distance::Ray) => -gain * dc / self.c,
        };
        (d_grown, d_nu, dn * gain + self.n_m * d_gain)
    }
}

/// The unit vector along `n + T (a, b)`, where the columns of T are across the unit vector n, and the length of that
/// sum.
#[inline(always)]
fn turned_normal(n: &Vec3, T: &[Vec3; 2], (a, b): (f64, f64)) -> (Vec3, f64) {
    let across = T[0] * a + T[1] * b;
    let e = across.norm_squared();
    // √(1+e) and its inverse; e is the square of the angle turned within an element, and a series is quicker than a
    // root
    let (length, inverse) = if e < 0.01 {
        let root = 1.0 + e * (0.5 - e * (0.125 - e * 0.0625));
        (root, 1.0 - e * (0.5 - e * (0.375 - e * 0.3125)))
    } else {
        let root = (1.0 + e).sqrt();
        (root, 1.0 / root)
    };
    ((n + across) * inverse, length)
}

/// Rate of the depth per rate along the moving normal.
#[inline]
fn rate_gain((distance, along): (Distance, Along), l: f64, c: f64) -> f64 {
    match (along, distance) {
        (Along::Midsurface, _) => 2.0 / l,
        (_, Distance::Minimum) => 1.0,
        (_, Distance::Ray) => 1.0 / c,
    }
}
