//! A binary tree of boxes: finds the leaves near a point or along a line without allocating.

use crate::surface::Bounds;
use wolff_spatial::Vec3;

/// Boxes per leaf.
const LEAF: usize = 2;
/// Deepest stack: the tree halves its boxes, so 2³¹ boxes fit.
const DEPTH: usize = 64;

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// Second child of a branch (the first follows the node), first box of a leaf.
    next: u32,
    /// Boxes of a leaf, zero for a branch.
    count: u32,
}

/// Boxes in a tree, split in the middle of their longest direction.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree {
    nodes: Vec<Node>,
}

impl BoxTree {
    /// Builds the tree and returns the order in which the boxes must be stored.
    pub fn new(boxes: &[Bounds]) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = BoxTree { nodes: Vec::with_capacity(2 * boxes.len()) };
        if !order.is_empty() {
            tree.grow(boxes, &mut order, 0);
        }
        (tree, order)
    }

    fn grow(&mut self, boxes: &[Bounds], order: &mut [u32], first: usize) {
        let bounds = order.iter().map(|k| boxes[*k as usize]).reduce(union).unwrap_or(EMPTY);
        let here = self.nodes.len();
        self.nodes.push(Node { bounds, next: first as u32, count: order.len() as u32 });
        if order.len() <= LEAF {
            return;
        }
        let axis = (bounds.max - bounds.min).imax();
        let centre = |k: &u32| boxes[*k as usize].min[axis] + boxes[*k as usize].max[axis];
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |a, b| centre(a).total_cmp(&centre(b)));
        let (left, right) = order.split_at_mut(half);
        self.grow(boxes, left, first);
        let second = self.nodes.len() as u32;
        self.grow(boxes, right, first + half);
        (self.nodes[here].next, self.nodes[here].count) = (second, 0);
    }

    /// A box around everything.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(EMPTY, |node| node.bounds)
    }

    /// Visits leaf boxes in about the order of their `key`, skipping those whose key is not below the limit. A key
    /// (such as the squared distance from a point) must not be smaller for a box inside another; `None` skips the box.
    /// `visit` gets the index of a stored box and returns the new limit.
    #[inline]
    pub fn search(&self, key: impl Fn(&Bounds) -> Option<f64>, mut limit: f64, mut visit: impl FnMut(usize) -> f64) {
        let Some(root) = self.nodes.first() else { return };
        let mut stack = [(0_u32, 0.0_f64); DEPTH];
        let Some(first) = key(&root.bounds) else { return };
        stack[0] = (0, first);
        let mut size = 1;
        while size > 0 {
            size -= 1;
            let (index, bound) = stack[size];
            if !(bound < limit) {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for k in node.next..node.next + node.count {
                    limit = visit(k as usize);
                }
                continue;
            }
            let children =
                [index + 1, node.next].map(|c| (c, key(&self.nodes[c as usize].bounds).unwrap_or(f64::INFINITY)));
            let (near, far) = if children[0].1 <= children[1].1 { (0, 1) } else { (1, 0) };
            for child in [children[far], children[near]] {
                if child.1 < limit && size < DEPTH {
                    stack[size] = child;
                    size += 1;
                }
            }
        }
    }
}

/// Squared distance of a box from a point \[m²\].
#[inline]
pub(crate) fn squared_distance(bounds: &Bounds, p: &Vec3) -> f64 {
    let mut sum = 0.0;
    for c in 0..3 {
        let beyond = (bounds.min[c] - p[c]).max(p[c] - bounds.max[c]).max(0.0);
        sum += beyond * beyond;
    }
    sum
}

/// Least |t| at which the line `origin + t / inverse` (componentwise), t in `range`, is in the box.
#[inline]
pub(crate) fn least_reach(bounds: &Bounds, origin: &Vec3, inverse: &Vec3, range: (f64, f64)) -> Option<f64> {
    let (mut low, mut high) = range;
    for c in 0..3 {
        let (a, b) = ((bounds.min[c] - origin[c]) * inverse[c], (bounds.max[c] - origin[c]) * inverse[c]);
        // a line in the plane of a face gives NaN here, which min and max pass over
        (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
    }
    (low <= high).then(|| if low > 0.0 { low } else { (-high).max(0.0) })
}

const EMPTY: Bounds = Bounds {
    min: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    max: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
};

fn union(a: Bounds, b: Bounds) -> Bounds {
    Bounds { min: a.min.inf(&b.min), max: a.max.sup(&b.max) }
}
