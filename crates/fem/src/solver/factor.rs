//! Cholesky factors of sparse matrices by fronts, both halves of a tree at once.
//!
//! The sums are made in the order of the tree, so that results do not depend on the number of threads. A matrix
//! `[K Aᵀ; A 0]` with constraints `A u = g` is factorised too: its multipliers belong to the root, whose dense matrix
//! is then taken apart with pivoting (Bunch and Kaufman) instead of a Cholesky factor; everything below stays definite.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::solvers::{Lblt, SolveCore};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, Conj, Mat, MatMut, MatRef, Par, Side};

use crate::error::FemError;
use crate::solver::fronts::{DofTree, Front, Ordered, PARALLEL, Remainder};
use crate::system::sparse::SymmetricMatrix;

/// A pivot smaller than this, relative to its diagonal entry, is what rounding leaves of a free motion.
const SINGULAR: f64 = 1e-13;

/// A factorised matrix.
#[derive(Debug)]
pub struct Cholesky {
    order: Vec<usize>,
    pieces: Vec<PieceFactor>,
    /// In place of the root's factor where there are multipliers.
    pivoted_root: Option<Lblt<f64>>,
}

/// `[L₁₁; L₂₁]` of one piece.
#[derive(Debug)]
struct PieceFactor {
    /// Unknowns of the piece.
    size: usize,
    /// Unknowns of the subtree.
    subtree: usize,
    children: Option<[usize; 2]>,
    /// Where the rows of `L₂₁` are in the front of the parent.
    place: Vec<u32>,
    columns: Mat<f64>,
}

/// What is known while factorising.
struct Elimination<'a> {
    ordered: &'a Ordered,
    diagonal: &'a [f64],
    multipliers: bool,
    name: &'static str,
}

/// The factors of a subtree, and what its root hands upwards.
struct Subtree {
    pieces: Vec<PieceFactor>,
    rows: Vec<u32>,
    update: Mat<f64>,
}

impl Cholesky {
    /// Factorises a matrix that is positive definite, apart from the multipliers of constraints if its root has some;
    /// `name` appears in messages.
    ///
    /// # Errors
    /// When an entry is not finite, a pivot is not positive, or constraints depend on each other.
    pub(crate) fn new(
        a: &SymmetricMatrix,
        tree: &DofTree,
        multipliers: usize,
        name: &'static str,
    ) -> Result<Self, FemError> {
        if !a.values().iter().all(|v| v.is_finite()) {
            return Err(FemError::NonFinite(format!("an entry of the {name}")));
        }
        let ordered = Ordered::new(a, tree);
        let diagonal: Vec<f64> = ordered.order.iter().map(|&dof| a.diagonal(dof)).collect();
        let elimination = Elimination { ordered: &ordered, diagonal: &diagonal, multipliers: multipliers > 0, name };
        let root = tree.pieces.len().saturating_sub(1);
        let whole = elimination.subtree(root, &mut ordered.empty_map())?;
        let mut factor = Self { order: Vec::new(), pieces: whole.pieces, pivoted_root: None };
        if let (true, Some(top)) = (elimination.multipliers, factor.pieces.last()) {
            factor.pivoted_root = Some(pivoted(top.columns.as_ref(), multipliers)?);
        }
        factor.order = ordered.order;
        Ok(factor)
    }

    /// Number of unknowns, multipliers included.
    pub fn dim(&self) -> usize {
        self.order.len()
    }

    /// Stored numbers of the factor.
    pub fn fill(&self) -> usize {
        self.pieces.iter().map(|piece| piece.size * piece.columns.nrows()).sum()
    }

    /// Replaces the columns of `x` by the solution. Rows that `x` does not have are unknowns with a zero right-hand
    /// side, whose solution is not wanted: the multipliers.
    pub(crate) fn solve_in_place(&self, mut x: MatMut<'_, f64>) {
        let given = x.nrows();
        let ordered = |place: usize, col: usize| match self.order[place] {
            row if row < given => x[(row, col)],
            _ => 0.0,
        };
        let mut y = Mat::from_fn(self.dim(), x.ncols(), ordered);
        let Some(root) = self.pieces.len().checked_sub(1) else { return };
        self.forward(root, y.as_mut());
        self.backward(root, y.as_mut(), Mat::zeros(0, x.ncols()).as_ref());
        for col in 0..x.ncols() {
            for (&row, &value) in self.order.iter().zip(y.col_as_slice(col)).filter(|(row, _)| **row < given) {
                x[(row, col)] = value;
            }
        }
    }

    /// `L⁻¹ x` for the rows of a subtree; returns what they take from the rows above.
    fn forward(&self, index: usize, x: MatMut<'_, f64>) -> Mat<f64> {
        let piece = &self.pieces[index];
        let k = x.ncols();
        let (below, mut own) = x.split_at_row_mut(piece.subtree - piece.size);
        let mut above = Mat::zeros(piece.columns.nrows() - piece.size, k);
        if let Some([left, right]) = piece.children {
            let (x_left, x_right) = below.split_at_row_mut(self.pieces[left].subtree);
            let taken = join(piece.subtree, || self.forward(left, x_left), || self.forward(right, x_right));
            for (child, taken) in [(left, &taken.0), (right, &taken.1)] {
                for col in 0..k {
                    for (&place, &value) in self.pieces[child].place.iter().zip(taken.col_as_slice(col)) {
                        match (place as usize).checked_sub(piece.size) {
                            None => own[(place as usize, col)] += value,
                            Some(row) => above[(row, col)] += value,
                        }
                    }
                }
            }
        }
        if index + 1 == self.pieces.len() && self.pivoted_root.is_some() {
            return above;
        }
        let (l11, l21) = piece.columns.as_ref().split_at_row(piece.size);
        solve_lower_triangular_in_place(l11, own.as_mut(), Par::Seq);
        matmul(above.as_mut(), Accum::Add, l21, own.as_ref(), -1.0, Par::Seq);
        above
    }

    /// `L⁻ᵀ x` for the rows of a subtree, given the solution in the rows above it.
    fn backward(&self, index: usize, x: MatMut<'_, f64>, above: MatRef<'_, f64>) {
        let piece = &self.pieces[index];
        let (below, mut own) = x.split_at_row_mut(piece.subtree - piece.size);
        match &self.pivoted_root {
            Some(root) if index + 1 == self.pieces.len() => root.solve_in_place_with_conj(Conj::No, own.as_mut()),
            _ => {
                let (l11, l21) = piece.columns.as_ref().split_at_row(piece.size);
                matmul(own.as_mut(), Accum::Add, l21.transpose(), above, -1.0, Par::Seq);
                solve_upper_triangular_in_place(l11.transpose(), own.as_mut(), Par::Seq);
            }
        }
        let Some([left, right]) = piece.children else { return };
        let known = |child: usize| {
            let place = &self.pieces[child].place;
            Mat::from_fn(place.len(), own.ncols(), |row, col| match (place[row] as usize).checked_sub(piece.size) {
                None => own[(place[row] as usize, col)],
                Some(row) => above[(row, col)],
            })
        };
        let (known_left, known_right) = (known(left), known(right));
        let (x_left, x_right) = below.split_at_row_mut(self.pieces[left].subtree);
        join(
            piece.subtree,
            || self.backward(left, x_left, known_left.as_ref()),
            || self.backward(right, x_right, known_right.as_ref()),
        );
    }
}

/// Runs two tasks, at once where the work pays for it.
pub(crate) fn join<A: Send, B: Send>(
    work: usize,
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    if work < PARALLEL { (left(), right()) } else { rayon::join(left, right) }
}

impl Elimination<'_> {
    fn subtree(&self, index: usize, map: &mut Vec<u32>) -> Result<Subtree, FemError> {
        let mut below: Vec<Subtree> = Vec::new();
        let work = self.ordered.subtree(index);
        if let Some([left, right]) = self.ordered.children[index] {
            if work < PARALLEL {
                below.push(self.subtree(left, map)?);
                below.push(self.subtree(right, map)?);
            } else {
                let mut own_map = self.ordered.empty_map();
                let (a, b) = rayon::join(|| self.subtree(left, map), || self.subtree(right, &mut own_map));
                below.extend([a?, b?]);
            }
        }
        let mut places = vec![Vec::new(); below.len()];
        let mut remainders: Vec<Remainder<'_>> = below
            .iter()
            .zip(&mut places)
            .map(|(child, place)| Remainder { rows: &child.rows, update: &child.update, place })
            .collect();
        let mut front = self.ordered.front(index, &mut remainders, map);
        // what the children handed upwards is in the front now, and as large as it
        below.iter_mut().for_each(|child| child.update = Mat::new());
        let size = front.pivots.ncols();
        if !(self.multipliers && index + 1 == self.ordered.children.len()) {
            self.eliminate(index, &mut front)?;
        }
        let mut pieces = Vec::new();
        for (child, place) in below.into_iter().zip(places) {
            pieces.extend(child.pieces);
            if let Some(top) = pieces.last_mut() {
                top.place = place;
            }
        }
        let children = self.ordered.children[index];
        pieces.push(PieceFactor { size, subtree: work, children, place: Vec::new(), columns: front.pivots });
        Ok(Subtree { pieces, rows: front.rows, update: front.update })
    }

    /// `L₁₁ L₁₁ᵀ = F₁₁`, `L₂₁ = F₂₁ L₁₁⁻ᵀ`, `F₂₂ - L₂₁ L₂₁ᵀ`.
    fn eliminate(&self, index: usize, front: &mut Front) -> Result<(), FemError> {
        let (size, first) = (front.pivots.ncols(), self.ordered.first[index]);
        let fail =
            |local: usize| FemError::NotPositiveDefinite { matrix: self.name, row: self.ordered.order[first + local] };
        let (mut top, mut bottom) = front.pivots.as_mut().split_at_row_mut(size);
        let scratch = cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(scratch)
            .map_err(|_| FemError::LinearAlgebra(format!("out of memory in the Cholesky of the {}", self.name)))?;
        cholesky_in_place(top.as_mut(), Default::default(), Par::Seq, MemStack::new(&mut memory), Default::default())
            .map_err(|LltError::NonPositivePivot { index }| fail(index))?;
        let vanishes = |i: &usize| !(top[(*i, *i)].powi(2) > SINGULAR * self.diagonal[first + *i]);
        if let Some(local) = (0..size).find(vanishes) {
            return Err(fail(local));
        }
        solve_lower_triangular_in_place(top.as_ref(), bottom.as_mut().transpose_mut(), Par::Seq);
        let (l21, lower) = (bottom.as_ref(), BlockStructure::TriangularLower);
        let full = BlockStructure::Rectangular;
        triangular::matmul(front.update.as_mut(), lower, Accum::Add, l21, full, l21.transpose(), full, -1.0, Par::Seq);
        Ok(())
    }
}

/// The factor of the root with its multipliers, if they are independent.
fn pivoted(root: MatRef<'_, f64>, multipliers: usize) -> Result<Lblt<f64>, FemError> {
    let factor = Lblt::new(root, Side::Lower);
    // A dependent constraint leaves a zero pivot, which shows in the solution.
    let mut probe = Mat::from_fn(root.nrows(), 1, |i, _| 1.0 + (i % 7) as f64);
    let size = probe.norm_max();
    factor.solve_in_place_with_conj(Conj::No, probe.as_mut());
    let mut back = Mat::zeros(root.nrows(), 1);
    let full = Mat::from_fn(root.nrows(), root.nrows(), |i, j| root[(i.max(j), i.min(j))]);
    matmul(back.as_mut(), Accum::Replace, full.as_ref(), probe.as_ref(), 1.0, Par::Seq);
    let off = (0..root.nrows()).map(|i| (back[(i, 0)] - 1.0 - (i % 7) as f64).abs()).fold(0.0f64, f64::max);
    if !(off <= 1e-6 * size) {
        return Err(FemError::Boundary(format!(
            "the {multipliers} averaged motions depend on each other or leave the body free; remove an interface"
        )));
    }
    Ok(factor)
}
