//! The pressure over an element gathered at a few nodes.
//!
//! Position, direction of the pressure and area density change little over an element and are costly; the depth changes much and
//! is a quadratic. So the former are found at nodes α_g only and interpolated with shape functions N_g, `N_g(α_h) = δ_gh`:
//!
//! ```text
//! ∫_{d > 0} p ν dA ≈ Σ_g P_g ν_g A_g,    P_g = ∫ p(D γ/h) N_g dα,    γ = Σ_g γ_g N_g,    area ≈ Σ_g A_g ∫ N_g dα
//! ```
//!
//! D depth [m], γ_g the factor that corrects it to the direction of strain, A_g area per dα [m²] at node g. On four-sided elements
//! the nodes are the points of the 2 x 2 Gauss rule and the N_g bilinear: on covered elements what the interpolation leaves out
//! is of fourth order in the element size, as for that rule; on cut ones of second order, but they carry a part of the force of second
//! order only. Triangles, and elements summed at their centre, have a node at every point of their rule. Own choice.

use super::lanes::Lanes;
use super::local::{Found, Local, Spot};
use super::pair::FoundationPair;
use super::quadratic::{Domain, Integrand, Line, positive_lines, rule};

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
    /// Visits the nodes of an element with the elastic pressure [Pa] and the area they stand for, both as integrals over dα.
    #[inline]
    pub(crate) fn visit_nodes(
        &self,
        index: usize,
        (found, local): &(Found, Local),
        mut f: impl FnMut(&Spot, f64, f64),
    ) {
        let method = self.method();
        if let Some(spots) = self.spots(index, local) {
            let (depths, gains) = (spots.map(|spot| spot.D), spots.map(|spot| spot.gain));
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

    /// `∫ p N_g dα` and `∫ N_g dα` over the part in contact, from the depths [m] at the nodes and what corrects them.
    #[inline]
    pub(crate) fn gather(&self, local: &Local, h: f64, depths: &Lanes, gains: &Lanes) -> (Lanes, Lanes) {
        let (q, domain) = (&local.depth, Domain::Square);
        if self.integrand() == Integrand::Linear && q.bounds(domain).0 >= 0.0 {
            // the points of the rule are the nodes, with unit weights
            let p = |g: usize| self.material.pressure(depths[g] * gains[g], h);
            return ([p(0), p(1), p(2), p(3)], [1.0; 4]);
        }
        // the lines of the quadrature run along the steeper coordinate
        let across = q.lies_across();
        let mut gain = bilinear(gains);
        let q = if across { q.swapped() } else { *q };
        if across {
            gain.swap(1, 2);
        }
        let (mut loads, mut weights) = ([0.0; 4], [0.0; 4]);
        positive_lines(&q, domain, self.integrand(), |line| {
            let gain = (gain[0] + gain[2] * line.b, gain[1] + gain[3] * line.b);
            let (zeroth, first) = match line.points {
                2 => self.line_load::<2>(&line, q.along(line.b), gain, h),
                3 => self.line_load::<3>(&line, q.along(line.b), gain, h),
                _ => self.line_load::<4>(&line, q.along(line.b), gain, h),
            };
            let area = line.weight * (line.ends.1 - line.ends.0);
            add_moments(&mut loads, area * zeroth, area * first, line.b);
            add_moments(&mut weights, area, 0.5 * area * (line.ends.0 + line.ends.1), line.b);
        });
        if across {
            loads.swap(1, 2);
            weights.swap(1, 2);
        }
        (shares(&loads), shares(&weights))
    }

    /// Mean of p and of p a over a line with N points, on which depth and gain are polynomials in a.
    #[inline(always)]
    fn line_load<const N: usize>(&self, line: &Line, depth: [f64; 3], gain: (f64, f64), h: f64) -> (f64, f64) {
        let (start, length) = (line.ends.0, line.ends.1 - line.ends.0);
        let (mut at, mut d) = ([0.0; N], [0.0; N]);
        for (k, (s, _)) in rule(N).iter().enumerate() {
            at[k] = start + length * s;
            d[k] = (depth[0] + (depth[1] + depth[2] * at[k]) * at[k]) * (gain.0 + gain.1 * at[k]);
        }
        let pressures = self.material.pressures(&d, h);
        let mut moments = (0.0, 0.0);
        for (k, (_, w)) in rule(N).iter().enumerate() {
            moments.0 += w * pressures[k];
            moments.1 += w * pressures[k] * at[k];
        }
        moments
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
