//! The nearest point of a mesh: over the tree of boxes, or by a walk that the tree then confirms.

use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::BvhNode;
use wolff_spatial::Vec3;

use super::facet::Foot;
use super::surface::{TriangleSurface, to_parry};
use crate::surface::Place;

/// Steps of a walk; a farther way is left to the tree.
const MOST_STEPS: usize = 12;

impl TriangleSurface {
    /// The nearest point of all triangles, if it is nearer than `below` (squared, \[m²\]).
    #[inline]
    pub(super) fn nearest(&self, p: &Vec3, below: f64) -> Option<(usize, Foot)> {
        let point = to_parry(p);
        let found = self.tree.find_best(
            below,
            |node, _| squared_distance(node, point),
            |t, _| self.facets.get(t as usize).map(|facet| facet.nearest(p)).map(|foot| (foot.d2, foot)),
        );
        found.map(|(t, (_, foot))| (t as usize, foot))
    }

    /// The nearest point of all triangles, found from the last one.
    ///
    /// The walk goes to the neighbour behind the edge on which the foot lies as long as that is nearer, then looks at
    /// all triangles around its end. Where [`Clearance`](super::clearance::Clearance) cannot rule out that another part
    /// of the mesh is nearer, the tree is asked for anything nearer and opens only the boxes that the ball around `p`
    /// through the foot touches. So the answer is always that of the full query.
    #[inline]
    pub(super) fn nearest_from(&self, p: &Vec3, from: &Place) -> Option<(usize, Foot)> {
        let Some(start) = self.triangle_of(from) else { return self.nearest(p, f64::INFINITY) };
        let (mut t, mut foot) = self.walk(p, start);
        if !foot.d2.is_finite() {
            return None;
        }
        for _ in 0..MOST_STEPS {
            let Some((s, nearer)) = self.nearer_around(p, t, foot.d2) else {
                let r = p - self.facets[t].point(foot.u, foot.v);
                let n = &self.field.faces[t];
                if self.clearances.of(t, &self.tree, &self.facets, n, &self.rings).certain(&r, foot.d2, n) {
                    return Some((t, foot));
                }
                break;
            };
            (t, foot) = (s, nearer);
        }
        Some(self.nearest(p, foot.d2).unwrap_or((t, foot)))
    }

    /// The nearest of the triangles around `t`, if it is nearer than `below` (squared, \[m²\]).
    #[inline]
    fn nearer_around(&self, p: &Vec3, t: usize, below: f64) -> Option<(usize, Foot)> {
        let (mut best, mut found) = (below, None);
        for &s in self.rings.of(t) {
            let foot = self.facets[s as usize].nearest(p);
            if foot.d2 < best {
                (best, found) = (foot.d2, Some((s as usize, foot)));
            }
        }
        found
    }

    #[inline]
    fn walk(&self, p: &Vec3, start: usize) -> (usize, Foot) {
        let (mut t, mut foot) = (start, self.facets[start].nearest(p));
        for _ in 0..MOST_STEPS {
            let outline = [foot.v <= 0.0, foot.u + foot.v >= 1.0, foot.u <= 0.0];
            let beside = self.topology().neighbours()[t];
            let mut next = None;
            for s in (0..3).filter(|&i| outline[i]).filter_map(|i| beside[i]) {
                let other = self.facets[s as usize].nearest(p);
                if other.d2 < foot.d2 {
                    (next, foot) = (Some(s as usize), other);
                }
            }
            match next {
                Some(s) => t = s,
                None => break,
            }
        }
        (t, foot)
    }
}

/// Squared distance of a point from a box \[m²\].
#[inline]
fn squared_distance(node: &BvhNode, p: Vector) -> f64 {
    let outside = (node.mins() - p).max(p - node.maxs()).max(Vector::ZERO);
    outside.length_squared()
}
