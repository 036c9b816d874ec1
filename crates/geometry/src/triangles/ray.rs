//! Where a line meets a mesh: the hit with the least |t|.

use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::BvhNode;
use wolff_spatial::Vec3;

use super::facet::Foot;
use super::surface::{TriangleSurface, to_parry};
use crate::surface::Place;

/// What the tree takes for "does not touch".
const MISS: f64 = f64::MAX;

impl TriangleSurface {
    /// Triangle, place and t of the hit with the least |t| in the range.
    #[inline]
    pub(super) fn first_hit(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<(usize, Foot, f64)> {
        // the least |t| must be below, not at, this bound
        let below = range.0.abs().max(range.1.abs()).next_up();
        self.hit_below(origin, direction, range, below)
    }

    /// The same hit: a hit of the last triangle or its neighbours bounds the search of the tree, which finds any before
    /// it.
    #[inline]
    pub(super) fn first_hit_from(
        &self,
        origin: &Vec3,
        direction: &Vec3,
        range: (f64, f64),
        from: &Place,
    ) -> Option<(usize, Foot, f64)> {
        let Some(start) = self.triangle_of(from) else { return self.first_hit(origin, direction, range) };
        let beside = self.topology().neighbours()[start];
        let near = std::iter::once(start).chain(beside.into_iter().flatten().map(|s| s as usize));
        let mut hits = near.filter_map(|t| self.hit(t, origin, direction, range).map(|(foot, at)| (t, foot, at)));
        let Some(known) = hits.next() else { return self.first_hit(origin, direction, range) };
        self.hit_below(origin, direction, range, known.2.abs()).or(Some(known))
    }

    #[inline]
    fn hit_below(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), below: f64) -> Option<(usize, Foot, f64)> {
        let line = Line::new(origin, direction, range);
        let found = self.tree.find_best(
            below,
            |node, _| line.least_in(node),
            |t, _| self.hit(t as usize, origin, direction, range).map(|(foot, at)| (at.abs(), (foot, at))),
        );
        found.map(|(t, (_, (foot, at)))| (t as usize, foot, at))
    }

    #[inline]
    fn hit(&self, t: usize, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<(Foot, f64)> {
        let (at, u, v) = self.facets.get(t)?.hit(origin, direction)?;
        (range.0 <= at && at <= range.1).then_some((Foot { u, v, d2: 0.0 }, at))
    }
}

/// A line in the form that boxes ask for.
struct Line {
    origin: Vector,
    /// One over each component of the direction.
    inverse: Vector,
    /// Whether the line runs across that axis.
    across: [bool; 3],
    range: (f64, f64),
}

impl Line {
    fn new(origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Self {
        let direction = to_parry(direction);
        Line {
            origin: to_parry(origin),
            inverse: direction.recip(),
            across: direction.to_array().map(|d| d == 0.0),
            range,
        }
    }

    /// The least |t| of the line in a box.
    #[inline]
    fn least_in(&self, node: &BvhNode) -> f64 {
        let (low, high) = (node.mins() - self.origin, node.maxs() - self.origin);
        let (one, other) = (low * self.inverse, high * self.inverse);
        let (mut enter, mut leave) = self.range;
        for axis in 0..3 {
            if self.across[axis] {
                // 0 · ∞ is no number: inside the slab for all t, or never
                if !(low[axis] <= 0.0 && high[axis] >= 0.0) {
                    return MISS;
                }
            } else {
                enter = enter.max(one[axis].min(other[axis]));
                leave = leave.min(one[axis].max(other[axis]));
            }
        }
        match enter <= leave {
            true => enter.max(-leave).max(0.0),
            false => MISS,
        }
    }
}
