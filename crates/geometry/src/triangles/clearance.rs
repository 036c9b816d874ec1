//! When the end of a walk is certain to be the nearest point of the whole mesh.
//!
//! Let x in triangle t be the point nearest to p among t and the triangles that share a vertex with it (its ring), at
//! the distance d in the unit direction m. Another point y is nearer only if `|y - x|² < 2 d m·(y - x)`. With α between
//! m and the normal n of t (towards the side of p), `m·(y - x) ≤ cos α n·(y - x) + sin α |y - x|`, so no point outside
//! the ring is nearer if
//!
//! ```text
//! 2 d (κ cos α + sin α / c) < 1,   κ ≥ n·(y - x)/|y - x|²,   c ≤ |y - x|   for all x in t, y outside its ring
//! ```
//!
//! κ \[1/m\] of each side is the curvature of the empty ball that touches t, half of it; c \[m\] is the clearance of t.
//! Both are found once for each triangle, when a walk first ends there. `n·(y - x)` does not depend on x, is greatest
//! at a corner, and `|y - x|` is bounded by the distance of triangles. Own derivation.

use parry3d_f64::partitioning::{Bvh, BvhNode, TraversalAction};
use std::sync::OnceLock;
use wolff_spatial::Vec3;

use super::facet::Facet;
use super::mesh::TriangleMesh;
use super::surface::{box_of, to_parry};

/// The κ and c of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clearance {
    /// Outside and inside \[1/m\].
    kappa: [f64; 2],
    /// 1/c \[1/m\].
    inverse: f64,
}

/// Balls of more than this many edges as their radius are not looked at: κ is never said to be smaller.
const REACH: f64 = 1.0;

/// Kept from the certain bound, for rounding.
const SAFETY: f64 = 1e-6;

impl Clearance {
    /// Whether nothing outside the ring is nearer to a point at `r` from the foot, `n` the normal of the triangle.
    #[inline]
    pub fn certain(&self, r: &Vec3, d2: f64, n: &Vec3) -> bool {
        // d cos α with its sign, and d sin α
        let along = n.dot(r);
        let across = (d2 - along * along).max(0.0).sqrt();
        let kappa = if along > 0.0 { self.kappa[0] } else { self.kappa[1] };
        2.0 * (along.abs() * kappa + across * self.inverse) < 1.0 - SAFETY
    }
}

/// The triangles that share a vertex with each triangle, one list after the other.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Rings {
    pub fn new(mesh: &TriangleMesh) -> Self {
        let mut at_vertex = vec![Vec::new(); mesh.vertices().len()];
        for (t, corners) in mesh.triangles().iter().enumerate() {
            corners.iter().for_each(|&v| at_vertex[v as usize].push(t as u32));
        }
        let (mut members, mut starts) = (Vec::new(), vec![0]);
        for (t, corners) in mesh.triangles().iter().enumerate() {
            let mut ring: Vec<u32> = corners.iter().flat_map(|&v| at_vertex[v as usize].iter().copied()).collect();
            ring.sort_unstable();
            ring.dedup();
            members.extend(ring.into_iter().filter(|&s| s as usize != t));
            starts.push(members.len() as u32);
        }
        Rings { members, starts }
    }

    /// The ring of a triangle, without itself.
    #[inline]
    pub fn of(&self, t: usize) -> &[u32] {
        &self.members[self.starts[t] as usize..self.starts[t + 1] as usize]
    }
}

/// The clearances of a mesh as far as they were asked for.
#[derive(Clone, Debug)]
pub(super) struct Clearances {
    found: Vec<OnceLock<Clearance>>,
    /// Mean length of an edge \[m\].
    mean_edge: f64,
}

impl Clearances {
    pub fn new(facets: &[Facet]) -> Self {
        let edges: f64 = facets.iter().map(|f| f.ab.norm()).sum();
        Clearances { found: vec![OnceLock::new(); facets.len()], mean_edge: edges / facets.len() as f64 }
    }

    /// The clearance of triangle `t` with the normal `n`.
    #[inline]
    pub fn of(&self, t: usize, tree: &Bvh, facets: &[Facet], n: &Vec3, rings: &Rings) -> &Clearance {
        self.found[t].get_or_init(|| {
            let reach = REACH * facets[t].ab.norm().max(facets[t].ac.norm()).min(self.mean_edge);
            clearance(t, tree, facets, n, rings.of(t), reach)
        })
    }
}

fn clearance(t: usize, tree: &Bvh, facets: &[Facet], n: &Vec3, ring: &[u32], reach: f64) -> Clearance {
    let least = 0.5 / reach;
    let mut found = Clearance { kappa: [least; 2], inverse: least };
    let facet = &facets[t];
    let own = BvhNode::leaf(box_of(&facet.corners(), 0.0), 0);
    tree.traverse(|node| {
        // n·(y - x) ≤ |y - x|, so that what is beyond 2 reach exceeds neither the least κ nor the least 1/c
        let gap = box_gap(node, &own);
        if gap > 2.0 * reach {
            return TraversalAction::Prune;
        }
        let outside = node.leaf_data().filter(|&s| s as usize != t && ring.binary_search(&s).is_err());
        if let Some(other) = outside.and_then(|s| facets.get(s as usize)) {
            let heights = other.corners().map(|y| n.dot(&(y - facet.a)));
            // the gap of the boxes is often enough to see that this triangle is not the worst
            if found.with(&heights, gap).exceeds(&found) {
                found = found.with(&heights, facet.gap(other, gap == 0.0));
            }
        }
        TraversalAction::Continue
    });
    found
}

impl Clearance {
    /// Lowered for a triangle whose corners have these heights over the plane of this one and that is `gap` away.
    fn with(&self, heights: &[f64; 3], gap: f64) -> Clearance {
        let gap = gap.max(f64::MIN_POSITIVE.sqrt());
        let highest = heights.iter().copied().fold(0.0, f64::max);
        let lowest = heights.iter().copied().fold(0.0, f64::min);
        let kappa = [self.kappa[0].max(highest / (gap * gap)), self.kappa[1].max(-lowest / (gap * gap))];
        Clearance { kappa, inverse: self.inverse.max(1.0 / gap) }
    }

    fn exceeds(&self, other: &Clearance) -> bool {
        self.kappa[0] > other.kappa[0] || self.kappa[1] > other.kappa[1] || self.inverse > other.inverse
    }
}

/// Distance of two boxes \[m\].
fn box_gap(a: &BvhNode, b: &BvhNode) -> f64 {
    (a.mins() - b.maxs()).max(b.mins() - a.maxs()).max(to_parry(&Vec3::zeros())).length()
}
