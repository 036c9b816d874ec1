//! Frontal matrices: the dense pieces of a sparse elimination along a separator tree.
//!
//! Eliminating the unknowns of a piece touches those above it in the tree that it is coupled to. Both together form a
//! front `[F₁₁ sym; F₂₁ F₂₂]`, summed from the matrix and from what the elimination of the two children left behind;
//! the Schur complement `F₂₂ - F₂₁ F₁₁⁻¹ F₂₁ᵀ` goes on to the parent (Duff and Reid 1983, ACM Trans. Math. Softw. 9,
//! 302-325).

use faer::Mat;

use crate::system::sparse::SymmetricMatrix;

/// Subtrees with fewer unknowns are not worth a thread of their own.
pub(crate) const PARALLEL: usize = 3000;

/// Marks an unknown outside the front at hand.
const OUTSIDE: u32 = u32::MAX;

/// Pieces of unknowns in the order of elimination: those of each piece, and its children. The root is the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DofTree {
    /// Unknowns of each piece.
    pub(crate) pieces: Vec<Vec<usize>>,
    /// Children of each piece.
    pub(crate) children: Vec<Option<[usize; 2]>>,
}

/// A matrix in the order of elimination, with its tree.
pub(crate) struct Ordered {
    /// The original unknown at each place.
    pub(crate) order: Vec<usize>,
    /// First place of each piece, and the end of the last.
    pub(crate) first: Vec<usize>,
    /// First place of the subtree of each piece.
    pub(crate) begin: Vec<usize>,
    pub(crate) children: Vec<Option<[usize; 2]>>,
    /// Lower triangle by columns, rows unsorted.
    start: Vec<usize>,
    row: Vec<u32>,
    value: Vec<f64>,
}

/// The front of one piece.
pub(crate) struct Front {
    /// Places of the unknowns that stay, ascending.
    pub(crate) rows: Vec<u32>,
    /// `[F₁₁; F₂₁]`, the lower triangle of `F₁₁` in use.
    pub(crate) pivots: Mat<f64>,
    /// `F₂₂`, lower triangle.
    pub(crate) update: Mat<f64>,
}

/// What a child hands to its parent.
pub(crate) struct Remainder<'a> {
    pub(crate) rows: &'a [u32],
    pub(crate) update: &'a Mat<f64>,
    /// Filled by the parent: where each row is in its front.
    pub(crate) place: &'a mut Vec<u32>,
}

impl Ordered {
    pub(crate) fn new(a: &SymmetricMatrix, tree: &DofTree) -> Self {
        let n = a.dim();
        let order: Vec<usize> = tree.pieces.iter().flatten().copied().collect();
        debug_assert_eq!(order.len(), n);
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new as u32);
        let mut first = vec![0];
        first.extend(tree.pieces.iter().scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        }));
        let mut begin = first.clone();
        for (piece, children) in tree.children.iter().enumerate() {
            if let Some([left, _]) = children {
                begin[piece] = begin[*left];
            }
        }
        let (start, row, value) = permuted(a, &place);
        Self { order, first, begin, children: tree.children.clone(), start, row, value }
    }

    /// Unknowns in the subtree of a piece.
    pub(crate) fn subtree(&self, piece: usize) -> usize {
        self.first[piece + 1] - self.begin[piece]
    }

    /// A map from place to row of a front, empty.
    pub(crate) fn empty_map(&self) -> Vec<u32> {
        vec![OUTSIDE; self.order.len()]
    }

    /// Sums the front of a piece. `map` is empty before and after.
    pub(crate) fn front(&self, piece: usize, children: &mut [Remainder<'_>], map: &mut [u32]) -> Front {
        let own = self.first[piece]..self.first[piece + 1];
        let entries = self.start[own.start]..self.start[own.end];
        let mut rows: Vec<u32> = Vec::new();
        let coupled = self.row[entries].iter().chain(children.iter().flat_map(|child| child.rows));
        for &row in coupled.filter(|&&row| row as usize >= own.end) {
            if map[row as usize] == OUTSIDE {
                map[row as usize] = 0;
                rows.push(row);
            }
        }
        rows.sort_unstable();
        let size = own.len();
        own.clone().enumerate().for_each(|(local, place)| map[place] = local as u32);
        rows.iter().enumerate().for_each(|(local, &place)| map[place as usize] = (size + local) as u32);

        let mut pivots = Mat::zeros(size + rows.len(), size);
        for place in own.clone() {
            let column = pivots.col_as_slice_mut(place - own.start);
            for entry in self.start[place]..self.start[place + 1] {
                column[map[self.row[entry] as usize] as usize] += self.value[entry];
            }
        }
        let mut update = Mat::zeros(rows.len(), rows.len());
        for child in children {
            *child.place = child.rows.iter().map(|&row| map[row as usize]).collect();
            add_remainder(child, size, &mut pivots, &mut update);
        }
        own.for_each(|place| map[place] = OUTSIDE);
        rows.iter().for_each(|&place| map[place as usize] = OUTSIDE);
        Front { rows, pivots, update }
    }
}

/// Adds the lower triangle of a child's remainder to the front of its parent.
fn add_remainder(child: &Remainder<'_>, size: usize, pivots: &mut Mat<f64>, update: &mut Mat<f64>) {
    for (j, &column) in child.place.iter().enumerate() {
        let column = column as usize;
        let (target, shift) = if column < size {
            (pivots.col_as_slice_mut(column), 0)
        } else {
            (update.col_as_slice_mut(column - size), size)
        };
        for (&row, value) in child.place[j..].iter().zip(&child.update.col_as_slice(j)[j..]) {
            target[row as usize - shift] += value;
        }
    }
}

/// The lower triangle in the new order, by columns.
fn permuted(a: &SymmetricMatrix, place: &[u32]) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
    let n = a.dim();
    let mut start = vec![0; n + 1];
    for col in 0..n {
        for (row, _) in a.column(col) {
            start[place[row].min(place[col]) as usize + 1] += 1;
        }
    }
    for col in 0..n {
        start[col + 1] += start[col];
    }
    let mut next = start.clone();
    let (mut rows, mut values) = (vec![0; start[n]], vec![0.0; start[n]]);
    for col in 0..n {
        for (row, value) in a.column(col) {
            let (low, high) = (place[row].min(place[col]), place[row].max(place[col]));
            let at = &mut next[low as usize];
            rows[*at] = high;
            values[*at] = value;
            *at += 1;
        }
    }
    (start, rows, values)
}
