//! The order of elimination: nested dissection of the nodes by planes.
//!
//! A set of nodes is halved by the plane normal to a coordinate axis that needs the smallest separator, the nodes on
//! one side with a neighbour on the other (George 1973, SIAM J. Numer. Anal. 10, 345-363). Eliminating both halves
//! before the separator leaves them independent of each other. The pieces form a tree with the last separator as its
//! root, along which [`crate::solver::factor`] works. All positions of the plane in the middle half of the set are
//! tried, at the cost of one pass over the edges.

use nalgebra::Vector3;

use crate::system::nodal::NodeGraph;

/// Pieces up to this many nodes are not divided: dense algebra is faster on them.
const LEAF: usize = 40;

/// A piece of the mesh: a leaf, or the separator between its two children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The nodes of the leaf or separator.
    pub nodes: Vec<usize>,
    /// The two halves, as indices into the tree: both before this piece.
    pub children: Option<[usize; 2]>,
}

/// Pieces in the order of elimination; every piece follows its children, the root is the last.
pub type SeparatorTree = Vec<Piece>;

/// Divides the nodes of a mesh.
pub fn nested_dissection(positions: &[Vector3<f64>], graph: &NodeGraph) -> SeparatorTree {
    let mut dissection =
        Dissection { positions, graph, rank: vec![OUTSIDE; positions.len()], tree: SeparatorTree::new() };
    dissection.divide((0..positions.len()).collect());
    dissection.tree
}

/// The rank of a node that is not in the set at hand.
const OUTSIDE: usize = usize::MAX;

struct Dissection<'a> {
    positions: &'a [Vector3<f64>],
    graph: &'a NodeGraph,
    /// The place of each node of the current set along the current axis.
    rank: Vec<usize>,
    tree: SeparatorTree,
}

/// A plane through a set.
struct Cut {
    /// Nodes from this rank on are beyond the plane.
    at: usize,
    /// Whether the separator is taken from beyond the plane.
    beyond: bool,
    size: usize,
}

impl Dissection<'_> {
    /// Adds the pieces of a set to the tree and returns the index of its root.
    fn divide(&mut self, set: Vec<usize>) -> usize {
        let halves = if set.len() > LEAF { self.split(&set) } else { None };
        let (nodes, children) = match halves {
            Some([before, beyond, separator]) => {
                let children = [self.divide(before), self.divide(beyond)];
                (separator, Some(children))
            }
            None => (set, None),
        };
        self.tree.push(Piece { nodes, children });
        self.tree.len() - 1
    }

    /// The two sides of the best plane, and the separator; `None` where no plane leaves both sides something.
    fn split(&mut self, set: &[usize]) -> Option<[Vec<usize>; 3]> {
        let mut best: Option<(Cut, Vec<usize>)> = None;
        for axis in 0..3 {
            let mut sorted = set.to_vec();
            sorted
                .sort_unstable_by(|&a, &b| self.positions[a][axis].total_cmp(&self.positions[b][axis]).then(a.cmp(&b)));
            let cut = self.best_cut(&sorted);
            if best.as_ref().is_none_or(|(smallest, _)| cut.size < smallest.size) {
                best = Some((cut, sorted));
            }
        }
        let (cut, sorted) = best?;
        self.number(&sorted);
        let (before, beyond) = sorted.split_at(cut.at);
        let cut_off = |&node: &usize| {
            self.graph
                .neighbours(node)
                .iter()
                .any(|&other| self.rank[other] != OUTSIDE && (self.rank[other] < cut.at) != (self.rank[node] < cut.at))
        };
        let (divided, whole) = if cut.beyond { (beyond, before) } else { (before, beyond) };
        let (separator, rest): (Vec<usize>, Vec<usize>) = divided.iter().copied().partition(cut_off);
        self.forget(&sorted);
        (!rest.is_empty()).then(|| [rest, whole.to_vec(), separator])
    }

    /// The plane with the smallest separator among those that leave a quarter of the set on either side.
    fn best_cut(&mut self, sorted: &[usize]) -> Cut {
        self.number(sorted);
        let n = sorted.len();
        // How many separators begin and end at each position of the plane, for either side.
        let mut change = [vec![0isize; n + 2], vec![0isize; n + 2]];
        for (rank, &node) in sorted.iter().enumerate() {
            let ranks = self.graph.neighbours(node).iter().map(|&other| self.rank[other]).filter(|&r| r != OUTSIDE);
            let (low, high) = ranks.fold((rank, rank), |(low, high), r| (low.min(r), high.max(r)));
            // Before the plane at `at` when rank < at ≤ high; beyond it when low < at ≤ rank.
            change[0][rank + 1] += 1;
            change[0][high + 1] -= 1;
            change[1][low + 1] += 1;
            change[1][rank + 1] -= 1;
        }
        self.forget(sorted);
        let mut best = Cut { at: n / 2, beyond: false, size: usize::MAX };
        let mut sizes = [0isize; 2];
        for at in 0..=n {
            for side in 0..2 {
                sizes[side] += change[side][at];
                let allowed = at > n / 4 && at < n - n / 4;
                if allowed && (sizes[side] as usize) < best.size {
                    best = Cut { at, beyond: side == 1, size: sizes[side] as usize };
                }
            }
        }
        best
    }

    fn number(&mut self, sorted: &[usize]) {
        sorted.iter().enumerate().for_each(|(rank, &node)| self.rank[node] = rank);
    }

    fn forget(&mut self, sorted: &[usize]) {
        sorted.iter().for_each(|&node| self.rank[node] = OUTSIDE);
    }
}
