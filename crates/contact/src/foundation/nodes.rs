//! The pressure over an element gathered at a few nodes.
//!
//! Position, direction of the pressure and area density change little over an element and are costly; the depth changes
//! much and is a quadratic. So the former are found at nodes α_g only and interpolated with shape functions N_g,
//! `N_g(α_h) = δ_gh`:
//!
//! ```text
//! ∫_{d > 0} p ν dA ≈ Σ_g P_g ν_g A_g,    P_g = ∫ p(D γ/h) N_g dα,    γ = Σ_g γ_g N_g,    area ≈ Σ_g A_g ∫ N_g dα
//! ```
//!
//! D depth \[m\], γ_g the factor that corrects it to the direction of strain and to the thickness there, h thickness at
//! the centre \[m\], A_g area per dα \[m²\] at node g. On
//! four-sided elements the nodes are the points of the 2 x 2 Gauss rule and the N_g bilinear: on covered elements what
//! the interpolation leaves out is of fourth order in the element size, as for that rule; on cut ones of second order,
//! but they carry a part of the force of second order only. Triangles, and elements summed at their centre, have a node
//! at every point of their rule. Own choice.

use super::lanes::{Lanes, each};
use super::local::{Found, Local, Spot};
use super::material::LayerMaterial;
use super::pair::FoundationPair;
use super::quadratic::{Domain, Quadratic, rule};
use super::strips::{Integrand, LineVisitor, Lines, positive_lines};

/// Coordinate of the nodes of a square.
pub(crate) const NODE: f64 = 0.577_350_269_189_625_8;

/// The nodes of a square.
pub(crate) const NODES: [(f64, f64); 4] = [(-NODE, -NODE), (NODE, -NODE), (-NODE, NODE), (NODE, NODE)];

/// The shape functions of a square.
#[inline(always)]
pub(crate) fn shapes(a: f64, b: f64) -> [f64; 4] {
    let (x, y) = (0.5 * a / NODE, 0.5 * b / NODE);
    let ((x0, x1), (y0, y1)) = ((0.5 - x, 0.5 + x), (0.5 - y, 0.5 + y));
    [x0 * y0, x1 * y0, x0 * y1, x1 * y1]
}

#[inline(always)]
pub(crate) fn dot4(x: &[f64; 4], y: &[f64; 4]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + (x[2] * y[2] + x[3] * y[3])
}

/// Coefficients of 1, a, b, ab of the bilinear function with these values at the nodes.
#[inline(always)]
fn bilinear([x0, x1, x2, x3]: &[f64; 4]) -> [f64; 4] {
    let ((s, d), (t, e)) = ((x0 + x1, x1 - x0), (x2 + x3, x3 - x2));
    [0.25 * (s + t), 0.25 / NODE * (d + e), 0.25 / NODE * (t - s), 0.25 / (NODE * NODE) * (e - d)]
}

/// `∫ x N_g dα` from the moments of x with 1, a, b, ab: the transpose of [`bilinear`].
#[inline(always)]
fn shares(moments: &[f64; 4]) -> [f64; 4] {
    let [c, a, b, ab] = *moments;
    let (c, a, b, ab) = (0.25 * c, 0.25 / NODE * a, 0.25 / NODE * b, 0.25 / (NODE * NODE) * ab);
    let ((s, d), (t, e)) = ((c - b, a - ab), (c + b, a + ab));
    [s - d, s + d, t - e, t + e]
}

impl FoundationPair {
    /// Visits the nodes of an element with the elastic pressure \[Pa\] and the area they stand for, both as integrals
    /// over dα.
    #[inline]
    pub(crate) fn visit_nodes(
        &self,
        index: usize,
        (found, local): &(Found, Local),
        mut f: impl FnMut(&Spot, f64, f64),
    ) {
        let method = self.method();
        if let Some(spots) = self.spots(index, local) {
            let thinness = self.thinness(index, found.thickness);
            let (depths, gains) = (spots.map(|spot| spot.D), each(|g| spots[g].gain * thinness[g]));
            let (pressures, areas) = self.gather(local, found.thickness, &depths, &gains);
            for g in 0..4 {
                f(&spots[g], pressures[g], areas[g]);
            }
        } else {
            let element = &self.set.elements[index];
            self.visit(index, local, self.integrand(), |at, weight| {
                let spot = Spot::new(element, local, method, at);
                f(&spot, weight * self.material.pressure(spot.d(), found.thickness), weight);
            });
        }
    }

    /// The overlap at the four nodes that stand for an element, if there are such.
    #[inline]
    pub(crate) fn spots(&self, index: usize, local: &Local) -> Option<[Spot; 4]> {
        let fixed = self.nodes.get(index)?.as_ref()?;
        Some([0, 1, 2, 3].map(|g| Spot::over(&fixed.point(g), local, self.method())))
    }

    /// Thickness of both layers at the centre h \[m\] over that at the four nodes of an element.
    #[inline]
    pub(crate) fn thinness(&self, index: usize, h: f64) -> Lanes {
        let fixed = self.nodes.get(index).and_then(Option::as_ref);
        fixed.and_then(|fixed| fixed.thinness(h)).unwrap_or([1.0; 4])
    }

    /// `∫ p N_g dα` and `∫ N_g dα` over the part in contact, from the depths \[m\] at the nodes and what corrects them.
    #[inline(always)]
    pub(crate) fn gather(&self, local: &Local, h: f64, depths: &Lanes, gains: &Lanes) -> (Lanes, Lanes) {
        if self.integrand() == Integrand::Linear && local.depth.bounds(Domain::Square).0 >= 0.0 {
            // the points of the rule are the nodes, with unit weights
            let d = each(|g| depths[g] * gains[g]);
            return (self.material.pressures(&d, h), [1.0; 4]);
        }
        self.gather_lines(&local.depth, h, gains)
    }

    /// [`FoundationPair::gather`] by the lines of the quadrature, for depths q \[m\].
    #[inline(never)]
    fn gather_lines(&self, q: &Quadratic, h: f64, gains: &Lanes) -> (Lanes, Lanes) {
        // the lines of the quadrature run along the steeper coordinate
        let across = q.lies_across();
        let mut gain = bilinear(gains);
        let q = if across { q.swapped() } else { *q };
        if across {
            gain.swap(1, 2);
        }
        let mut moments = Moments { material: &self.material, h, q, gain, loads: [0.0; 4], weights: [0.0; 4] };
        positive_lines(&q, Domain::Square, self.integrand(), &mut moments);
        let Moments { mut loads, mut weights, .. } = moments;
        if across {
            loads.swap(1, 2);
            weights.swap(1, 2);
        }
        (shares(&loads), shares(&weights))
    }
}

/// Moments with 1, a, b, ab of the pressure and of one over the part in contact, summed line by line.
struct Moments<'a> {
    material: &'a LayerMaterial,
    /// Thickness \[m\].
    h: f64,
    /// Depth \[m\].
    q: Quadratic,
    /// Coefficients of 1, a, b, ab of what corrects the depth.
    gain: Lanes,
    loads: Lanes,
    weights: Lanes,
}

impl LineVisitor for Moments<'_> {
    #[inline]
    fn lines<const N: usize, const P: usize>(&mut self, lines: &Lines<N>) {
        let Lines { b, start, length, weight } = lines;
        let gain = &self.gain;
        // means of p and of p a over each line
        let (mut zeroth, mut first) = ([0.0; N], [0.0; N]);
        for (s, w) in rule(P) {
            let (mut a, mut d) = ([0.0; N], [0.0; N]);
            for k in 0..N {
                a[k] = start[k] + length[k] * s;
                d[k] = self.q.value(a[k], b[k]) * (gain[0] + gain[2] * b[k] + (gain[1] + gain[3] * b[k]) * a[k]);
            }
            let pressures = self.material.pressures(&d, self.h);
            for k in 0..N {
                zeroth[k] += w * pressures[k];
                first[k] += w * pressures[k] * a[k];
            }
        }
        for k in 0..N {
            let area = weight[k] * length[k];
            add_moments(&mut self.loads, area * zeroth[k], area * first[k], b[k]);
            add_moments(&mut self.weights, area, area * (start[k] + 0.5 * length[k]), b[k]);
        }
    }
}

/// Adds what a line of b contributes to the moments with 1, a, b, ab.
#[inline(always)]
fn add_moments(moments: &mut Lanes, zeroth: f64, first: f64, b: f64) {
    let line = [zeroth, first, zeroth * b, first * b];
    for k in 0..4 {
        moments[k] += line[k];
    }
}
