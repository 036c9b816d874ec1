//! The four nodes of an element side by side, so that what is done to each is done to all at once.
//!
//! The formulas are those of [`super::local::Spot`], for contacts that do not feel velocity; compilers turn them into
//! vector instructions. Own choice.

use super::elements::Element;
use super::local::{FixedPoint, LEAST_COSINE, Local};
use super::nodes::{NODE, NODES};
use super::pair::{Along, Distance};
use wolff_spatial::{Force, Vec3};

/// A number at each node.
pub(crate) type Lanes = [f64; 4];

/// Coordinates of the nodes in units of [`NODE`], and their product.
const A: Lanes = [-1.0, 1.0, -1.0, 1.0];
const B: Lanes = [-1.0, -1.0, 1.0, 1.0];
const AB: Lanes = [1.0, -1.0, -1.0, 1.0];

/// `f` at every node.
#[inline(always)]
pub(crate) fn each(f: impl Fn(usize) -> f64) -> Lanes {
    [f(0), f(1), f(2), f(3)]
}

#[inline(always)]
fn sum(f: impl Fn(usize) -> f64) -> f64 {
    let [a, b, c, d] = each(f);
    (a + b) + (c + d)
}

/// The fixed surface at the nodes of a four-sided element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedNodes {
    /// Position \[m\].
    y: [Lanes; 3],
    /// Outward unit normal.
    n: [Lanes; 3],
    /// Area per da db \[m²\].
    area: Lanes,
    /// What is added to the thickness at the centre \[m\]; none where the layer is even.
    thicker: Option<Lanes>,
}

impl FixedNodes {
    pub fn new(element: &Element) -> Self {
        let points = NODES.map(|at| FixedPoint::new(element, at));
        let component = |i: usize| (each(|g| points[g].y[i]), each(|g| points[g].n_f[i]));
        let [(y0, n0), (y1, n1), (y2, n2)] = [component(0), component(1), component(2)];
        let thicker = element.is_wedge().then(|| each(|g| element.layer.value(NODES[g].0, NODES[g].1)));
        FixedNodes { y: [y0, y1, y2], n: [n0, n1, n2], area: each(|g| points[g].area), thicker }
    }

    /// What turns a depth over the thickness h \[m\] at the centre into the strain: h over the thickness of both layers
    /// at the nodes. One where the layer is even.
    #[inline(always)]
    pub fn thinness(&self, h: f64) -> Option<Lanes> {
        self.thicker.map(|more| each(|g| h / (h + more[g])))
    }

    /// One of the nodes.
    #[inline]
    pub fn point(&self, g: usize) -> FixedPoint {
        let at = |x: &[Lanes; 3]| Vec3::new(x[0][g], x[1][g], x[2][g]);
        FixedPoint { at: NODES[g], y: at(&self.y), n_f: at(&self.n), area: self.area[g] }
    }
}

/// The overlap at the nodes.
pub(crate) struct Overlaps {
    /// Depth of the quadratic \[m\].
    pub D: Lanes,
    /// Depth that strains the layer over D.
    pub gain: Lanes,
    /// Direction of the pressure on the fixed body.
    nu: [Lanes; 3],
}

impl Overlaps {
    #[inline(always)]
    pub fn new(fixed: &FixedNodes, local: &Local, (distance, along): (Distance, Along)) -> Self {
        let n_f = &fixed.n;
        let (gain, nu) = match along {
            Along::FixedNormal => ([1.0; 4], [each(|g| -n_f[0][g]), each(|g| -n_f[1][g]), each(|g| -n_f[2][g])]),
            Along::MovingNormal => ([1.0; 4], moving_normals(local)),
            Along::Midsurface => midsurface(&moving_normals(local), n_f, distance),
        };
        Overlaps { D: depths(local), gain, nu }
    }

    /// Force \[N\] and moment \[N m\] on the moving body, normal force \[N\], its moment \[N m\] and the area \[m²\],
    /// from the integrals of pressure \[Pa\] and of one over the shares of the nodes.
    #[inline(always)]
    pub fn loads(&self, fixed: &FixedNodes, pressures: &Lanes, weights: &Lanes) -> (Force, f64, Vec3, f64) {
        let load = each(|g| pressures[g] * fixed.area[g]);
        let (y, nu) = (&fixed.y, &self.nu);
        let press = |i: usize| each(|g| -nu[i][g] * load[g]);
        let pressed = [press(0), press(1), press(2)];
        let turned = |i: usize, j: usize| sum(|g| y[i][g] * pressed[j][g] - y[j][g] * pressed[i][g]);
        let total = |i: usize| sum(|g| pressed[i][g]);
        let f = Vec3::new(total(0), total(1), total(2));
        let n = Vec3::new(turned(1, 2), turned(2, 0), turned(0, 1));
        let weighed = |i: usize| sum(|g| y[i][g] * load[g]);
        let moment = Vec3::new(weighed(0), weighed(1), weighed(2));
        (Force::new(n, f), sum(|g| load[g]), moment, sum(|g| fixed.area[g] * weights[g]))
    }
}

/// What corrects the depth to the midsurface, and its normal; as in Spot: l² = |n_m - n_f|² = 2 + 2c.
#[inline(always)]
fn midsurface(n_m: &[Lanes; 3], n_f: &[Lanes; 3], distance: Distance) -> (Lanes, [Lanes; 3]) {
    let c = each(|g| (-(n_m[0][g] * n_f[0][g] + n_m[1][g] * n_f[1][g] + n_m[2][g] * n_f[2][g])).max(LEAST_COSINE));
    let grown = each(|g| 2.0 / (2.0 + 2.0 * c[g]).sqrt());
    let halves = |i: usize| each(|g| (n_m[i][g] - n_f[i][g]) * (0.5 * grown[g]));
    let gain = match distance {
        Distance::Minimum => grown,
        Distance::Ray => each(|g| c[g] * grown[g]),
    };
    (gain, [halves(0), halves(1), halves(2)])
}

/// The quadratic at the nodes.
#[inline(always)]
fn depths(local: &Local) -> Lanes {
    let (q, square) = (&local.depth, NODE * NODE);
    let even = q.c + 0.5 * square * (q.h[0] + q.h[2]);
    let (a, b, ab) = (NODE * q.g[0], NODE * q.g[1], square * q.h[1]);
    each(|g| even + a * A[g] + b * B[g] + ab * AB[g])
}

/// Unit normals of the moving surface at the nodes: `n + T (a, b)` made unit vectors.
#[inline(always)]
fn moving_normals(local: &Local) -> [Lanes; 3] {
    let (n, [s, t]) = (&local.normal, &local.turn);
    let (s, t) = (s * NODE, t * NODE);
    let (even, odd) = (s.norm_squared() + t.norm_squared(), 2.0 * s.dot(&t));
    // as in local::turned_normal, a series where the normal turns little
    let inverse = if even + odd.abs() < 0.01 {
        each(|g| {
            let e = even + odd * AB[g];
            1.0 - e * (0.5 - e * (0.375 - e * 0.3125))
        })
    } else {
        each(|g| 1.0 / (1.0 + even + odd * AB[g]).sqrt())
    };
    let component = |n: f64, s: f64, t: f64| each(|g| (n + s * A[g] + t * B[g]) * inverse[g]);
    [component(n.x, s.x, t.x), component(n.y, s.y, t.y), component(n.z, s.z, t.z)]
}
