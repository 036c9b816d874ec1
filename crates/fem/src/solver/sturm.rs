//! How many eigenvalues lie below a bound: the sign count of a factor (Sturm sequence).
//!
//! By Sylvester's law of inertia `K - σ M = L D Lᵀ` has as many negative pivots as there are `λ < σ`. With constraints
//! the matrix is bordered by `A`, and each constraint adds one negative pivot of its own. The pivots are taken in the
//! order of the dissection without exchange, which serves as long as none of them vanishes (Grimes, Lewis and Simon
//! 1994, SIAM J. Matrix Anal. 15, 228-272).

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::{Accum, Mat, Par};

use crate::error::FemError;
use crate::solver::fronts::{DofTree, Front, Ordered, PARALLEL, Remainder};
use crate::system::sparse::SymmetricMatrix;

/// What a subtree hands upwards, and its negative pivots.
struct Counted {
    negative: usize,
    rows: Vec<u32>,
    update: Mat<f64>,
}

/// The number of negative eigenvalues of a symmetric matrix.
///
/// # Errors
/// When an entry is not finite, or a pivot vanishes: the shift is at an eigenvalue of the model or of a part of it.
pub(crate) fn negative_eigenvalues(a: &SymmetricMatrix, tree: &DofTree) -> Result<usize, FemError> {
    if !a.values().iter().all(|v| v.is_finite()) {
        return Err(FemError::NonFinite("an entry of a shifted stiffness matrix".into()));
    }
    let ordered = Ordered::new(a, tree);
    match tree.pieces.len().checked_sub(1) {
        Some(root) => Ok(subtree(&ordered, root, &mut ordered.empty_map())?.negative),
        None => Ok(0),
    }
}

/// `map` is empty before and after; each half of a large subtree has its own.
fn subtree(ordered: &Ordered, index: usize, map: &mut Vec<u32>) -> Result<Counted, FemError> {
    let mut below = Vec::new();
    if let Some([left, right]) = ordered.children[index] {
        if ordered.subtree(index) < PARALLEL {
            below.push(subtree(ordered, left, map)?);
            below.push(subtree(ordered, right, map)?);
        } else {
            let mut own_map = ordered.empty_map();
            let (a, b) = rayon::join(|| subtree(ordered, left, map), || subtree(ordered, right, &mut own_map));
            below.extend([a?, b?]);
        }
    }
    let mut places = vec![Vec::new(); below.len()];
    let mut remainders: Vec<Remainder<'_>> = below
        .iter()
        .zip(&mut places)
        .map(|(child, place)| Remainder { rows: &child.rows, update: &child.update, place })
        .collect();
    let mut front = ordered.front(index, &mut remainders, map);
    // what the children handed upwards is in the front now, and as large as it
    below.iter_mut().for_each(|child| child.update = Mat::new());
    let own = eliminate(&mut front)?;
    let negative = own + below.iter().map(|child| child.negative).sum::<usize>();
    Ok(Counted { negative, rows: front.rows, update: front.update })
}

/// `F₁₁ = L D Lᵀ`, `F₂₂ - Z D⁻¹ Zᵀ` with `Z = F₂₁ L⁻ᵀ`; returns the number of negative pivots.
fn eliminate(front: &mut Front) -> Result<usize, FemError> {
    let size = front.pivots.ncols();
    let (mut top, mut bottom) = front.pivots.as_mut().split_at_row_mut(size);
    let scratch = cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default());
    let mut memory = MemBuffer::try_new(scratch)
        .map_err(|_| FemError::LinearAlgebra("out of memory while counting modes".into()))?;
    let vanished = || {
        FemError::LinearAlgebra(
            "a pivot vanished while counting modes: the bound is at a frequency of the model; move it a little".into(),
        )
    };
    cholesky_in_place(top.as_mut(), Default::default(), Par::Seq, MemStack::new(&mut memory), Default::default())
        .map_err(|LdltError::ZeroPivot { .. }| vanished())?;
    solve_unit_lower_triangular_in_place(top.as_ref(), bottom.as_mut().transpose_mut(), Par::Seq);
    let mut scaled = bottom.to_owned();
    for j in 0..size {
        scaled.col_as_slice_mut(j).iter_mut().for_each(|x| *x /= top[(j, j)]);
    }
    let full = BlockStructure::Rectangular;
    triangular::matmul(
        front.update.as_mut(),
        BlockStructure::TriangularLower,
        Accum::Add,
        scaled.as_ref(),
        full,
        bottom.transpose(),
        full,
        -1.0,
        Par::Seq,
    );
    if !(0..size).all(|j| top[(j, j)].is_finite()) {
        return Err(vanished());
    }
    Ok((0..size).filter(|&j| top[(j, j)] < 0.0).count())
}
