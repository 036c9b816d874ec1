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

use super::elements::Element;
use super::local::{FixedPoint, Found, Local, Spot};
use super::pair::FoundationPair;
use super::quadratic::{Domain, Integrand, positive_part};

/// Coordinate of the nodes of a square.
const NODE: f64 = 0.577_350_269_189_625_8;

/// The nodes of a square.
pub(crate) const NODES: [(f64, f64); 4] = [(-NODE, -NODE), (NODE, -NODE), (-NODE, NODE), (NODE, NODE)];

/// The fixed surface at the nodes of an element; none on triangles.
pub(crate) fn fixed_nodes(element: &Element) -> Option<[FixedPoint; 4]> {
    (element.domain == Domain::Square).then(|| NODES.map(|at| FixedPoint::new(element, at)))
}

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
            let (pressures, areas) = self.gather(local, found.thickness, &spots);
            for g in 0..4 {
                f(&spots[g], pressures[g], areas[g]);
            }
        } else {
            let element = &self.set.elements[index];
            self.visit(index, local, |at, weight| {
                let spot = Spot::new(element, local, method, at);
                f(&spot, weight * self.material.pressure(spot.d(), found.thickness), weight);
            });
        }
    }

    /// The overlap at the four nodes that stand for an element, if there are such.
    #[inline(always)]
    pub(crate) fn spots(&self, index: usize, local: &Local) -> Option<[Spot; 4]> {
        let [a, b, c, d] = self.nodes.get(index)?.as_ref()?;
        let over = |fixed: &FixedPoint| Spot::over(fixed, local, self.method());
        Some([over(a), over(b), over(c), over(d)])
    }

    /// `∫ p N_g dα` and `∫ N_g dα` over the part in contact.
    #[inline]
    fn gather(&self, local: &Local, h: f64, spots: &[Spot; 4]) -> ([f64; 4], [f64; 4]) {
        let (q, domain) = (&local.depth, Domain::Square);
        if self.integrand() == Integrand::Linear && q.bounds(domain).0 >= 0.0 {
            // the points of the rule are the nodes, with unit weights
            let p = |g: usize| self.material.pressure(spots[g].d(), h);
            return ([p(0), p(1), p(2), p(3)], [1.0; 4]);
        }
        let gains = [spots[0].gain, spots[1].gain, spots[2].gain, spots[3].gain];
        let (mut pressures, mut areas) = ([0.0; 4], [0.0; 4]);
        positive_part(q, domain, self.integrand(), |(a, b), weight| {
            let n = shapes(a, b);
            let load = weight * self.material.pressure(q.value(a, b) * dot4(&n, &gains), h);
            for g in 0..4 {
                pressures[g] += load * n[g];
                areas[g] += weight * n[g];
            }
        });
        (pressures, areas)
    }
}
