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
    /// The nearest point of all triangles, if it is nearer than `below` (squared, [m²]).
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
    /// The walk goes to the neighbour behind the edge on which the foot lies as long as that is nearer. Its end is a local
    /// minimum, certain to be the global one if no other triangle reaches into the ball around `p` through it: the tree, asked for
    /// anything nearer, opens only the boxes that this ball touches. So the answer is always that of the full query.
    #[inline]
    pub(super) fn nearest_from(&self, p: &Vec3, from: &Place) -> Option<(usize, Foot)> {
        let Some(start) = self.triangle_of(from) else { return self.nearest(p, f64::INFINITY) };
        let (t, foot) = self.walk(p, start);
        if !foot.d2.is_finite() {
            return None;
        }
        Some(self.nearest(p, foot.d2).unwrap_or((t, foot)))
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

/// Squared distance of a point from a box [m²].
#[inline]
fn squared_distance(node: &BvhNode, p: Vector) -> f64 {
    let outside = (node.mins() - p).max(p - node.maxs()).max(Vector::ZERO);
    outside.length_squared()
}
