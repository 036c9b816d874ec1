//! Tensor-product NURBS surfaces as they are written down: knots, control points, weights.

use super::jet::{Homogeneous, Jet};
use super::knots::KnotVector;
use crate::error::GeometryError;
use wolff_spatial::{Mat3, Pose, Vec3};

/// A rational B-spline surface
///
/// ```text
/// S(u, v) = Σᵢⱼ Nᵢ(u) Mⱼ(v) wᵢⱼ Pᵢⱼ / Σᵢⱼ Nᵢ(u) Mⱼ(v) wᵢⱼ
/// ```
///
/// P control points \[m\], w > 0 weights \[-\], N and M the basis functions of the two knot vectors. The material is on
/// the side away from Su × Sv, or on that side if the surface was [`reversed`](NurbsSurface::reversed). For many
/// queries build a [`NurbsPatchSet`](super::NurbsPatchSet). Source: Piegl and Tiller, The NURBS Book, 2nd ed., 1997,
/// eq. 4.11.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsSurface {
    u: KnotVector,
    v: KnotVector,
    /// Point (i, j) at `i * v.control_count() + j`.
    net: Vec<Homogeneous>,
    rational: bool,
    reversed: bool,
}

impl NurbsSurface {
    /// From knots and control points, row after row: point (i, j), i along u, at `i * nv + j`. Without weights all are
    /// one.
    pub fn new(u: KnotVector, v: KnotVector, points: &[Vec3], weights: Option<&[f64]>) -> Result<Self, GeometryError> {
        let needed = u.control_count() * v.control_count();
        let count = |what, found| {
            let rule = "there must be (knots - degree - 1) control points in either direction";
            GeometryError::Count { object: "NURBS surface".into(), what, found, rule }
        };
        if points.len() != needed {
            return Err(count("number of control points", points.len()));
        }
        if let Some(weights) = weights.filter(|w| w.len() != needed) {
            return Err(count("number of weights", weights.len()));
        }
        let weight = |k: usize| weights.map_or(1.0, |w| w[k]);
        for (k, p) in points.iter().enumerate() {
            let (i, j) = (k / v.control_count(), k % v.control_count());
            GeometryError::positive(&format!("NURBS surface, control point ({i}, {j})"), "weight", weight(k))?;
            // coordinates are kept times their weight
            if let Some(value) = homogeneous(p, weight(k)).iter().copied().find(|x| !x.is_finite()) {
                let object = format!("NURBS surface, control point ({i}, {j})");
                return Err(GeometryError::Parameter {
                    object,
                    quantity: "coordinate [m]",
                    value,
                    rule: "it must be finite, also times the weight",
                });
            }
        }
        let net = points.iter().enumerate().map(|(k, p)| homogeneous(p, weight(k))).collect();
        Ok(NurbsSurface::from_net(u, v, net, false))
    }

    /// From parts known to fit.
    pub(crate) fn from_net(u: KnotVector, v: KnotVector, net: Vec<Homogeneous>, reversed: bool) -> Self {
        let rational = net.iter().any(|h| h[3] != 1.0);
        NurbsSurface { u, v, net, rational, reversed }
    }

    /// Knots along u.
    pub fn knots_u(&self) -> &KnotVector {
        &self.u
    }

    /// Knots along v.
    pub fn knots_v(&self) -> &KnotVector {
        &self.v
    }

    /// Homogeneous control points, (i, j) at `i * nv + j`.
    pub fn net(&self) -> &[Homogeneous] {
        &self.net
    }

    /// Control points \[m\].
    pub fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.net.iter().map(|h| Vec3::new(h[0], h[1], h[2]) / h[3])
    }

    /// True if a weight differs from one.
    pub fn is_rational(&self) -> bool {
        self.rational
    }

    /// True if the outward side is against Su × Sv.
    pub fn is_reversed(&self) -> bool {
        self.reversed
    }

    /// Position and derivatives; parameters outside the domain are moved to its edge, `None` for a NaN.
    pub fn jet(&self, u: f64, v: f64) -> Option<Jet> {
        if u.is_nan() || v.is_nan() {
            return None;
        }
        let (u, v) = (clamp(u, self.u.domain()), clamp(v, self.v.domain()));
        let ((first_u, bu), (first_v, bv)) = (self.u.basis(u), self.v.basis(v));
        let (pu, pv, nv) = (self.u.degree(), self.v.degree(), self.v.control_count());
        let mut h = [[0.0; 4]; 6];
        for i in 0..=pu {
            let row = &self.net[(first_u + i) * nv + first_v..];
            for j in 0..=pv {
                let orders = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)];
                for (sum, (a, b)) in h.iter_mut().zip(orders) {
                    let factor = bu[a][i] * bv[b][j];
                    (0..4).for_each(|c| sum[c] += factor * row[j][c]);
                }
            }
        }
        Some(Jet::project(&h, self.rational))
    }

    /// Position \[m\].
    pub fn point(&self, u: f64, v: f64) -> Option<Vec3> {
        self.jet(u, v).map(|jet| jet.s)
    }

    /// Outward unit normal; at a pole the limit.
    pub fn normal(&self, u: f64, v: f64) -> Option<Vec3> {
        let inward = (inward_sign(u, self.u.domain()), inward_sign(v, self.v.domain()));
        let normal = self.jet(u, v)?.unit_normal(inward)?;
        Some(if self.reversed { -normal } else { normal })
    }

    /// Change of the outward normal along the surface, dn = W dx \[1/m\], see [`Jet::shape_operator`]; `None` at a
    /// pole.
    pub fn shape_operator(&self, u: f64, v: f64) -> Option<Mat3> {
        self.jet(u, v)?.shape_operator(&self.normal(u, v)?)
    }

    /// The same surface with the material on the other side.
    pub fn reversed(mut self) -> Self {
        self.reversed = !self.reversed;
        self
    }

    /// The surface moved from its frame B to A.
    pub fn transformed(&self, X_AB: &Pose) -> Self {
        self.mapped(|p| X_AB.point(p))
    }

    /// All coordinates times `factor`, such as 1e-3 for a file in millimetres.
    pub fn scaled(&self, factor: f64) -> Result<Self, GeometryError> {
        let factor = GeometryError::positive("NURBS surface", "scale factor", factor)?;
        Ok(self.mapped(|p| p * factor))
    }

    /// Every point mapped by a rotation or a mirror; the material stays on its side.
    pub fn turned(&self, map: &Mat3) -> Self {
        let turned = self.mapped(|p| map * p);
        if map.determinant() < 0.0 { turned.reversed() } else { turned }
    }

    fn mapped(&self, map: impl Fn(&Vec3) -> Vec3) -> Self {
        let net = self.points().zip(&self.net).map(|(p, h)| homogeneous(&map(&p), h[3])).collect();
        NurbsSurface { net, ..self.clone() }
    }

    /// Whether the surface closes on itself in u and in v: opposite edges agree within `tolerance` \[m\].
    pub fn closed(&self, tolerance: f64) -> (bool, bool) {
        let ((u0, u1), (v0, v1)) = (self.u.domain(), self.v.domain());
        let samples = 4 * self.net.len().max(4);
        let meets = |a: (f64, f64), b: (f64, f64)| match (self.point(a.0, a.1), self.point(b.0, b.1)) {
            (Some(a), Some(b)) => (a - b).norm() <= tolerance,
            _ => false,
        };
        let fraction = |k: usize| k as f64 / samples as f64;
        let along_v = |k: usize| v0 + fraction(k) * (v1 - v0);
        let along_u = |k: usize| u0 + fraction(k) * (u1 - u0);
        let closed_u = (0..=samples).all(|k| meets((u0, along_v(k)), (u1, along_v(k))));
        let closed_v = (0..=samples).all(|k| meets((along_u(k), v0), (along_u(k), v1)));
        (closed_u, closed_v)
    }

    /// The same surface with u and v exchanged; the outward side stays.
    pub fn transposed(&self) -> Self {
        let (nu, nv) = (self.u.control_count(), self.v.control_count());
        let net = (0..nu * nv).map(|k| self.net[(k % nu) * nv + k / nu]).collect();
        NurbsSurface { u: self.v.clone(), v: self.u.clone(), net, rational: self.rational, reversed: !self.reversed }
    }
}

/// (w x, w y, w z, w).
pub(crate) fn homogeneous(p: &Vec3, w: f64) -> Homogeneous {
    [p.x * w, p.y * w, p.z * w, w]
}

pub(crate) fn clamp(u: f64, (low, high): (f64, f64)) -> f64 {
    u.max(low).min(high)
}

/// +1 in the first half of the range, -1 in the second: the way into the surface.
fn inward_sign(u: f64, (low, high): (f64, f64)) -> f64 {
    if u <= 0.5 * (low + high) { 1.0 } else { -1.0 }
}
