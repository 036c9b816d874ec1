//! Cholesky factorisation from the leaves of the tree to its root.

use nalgebra::DMatrix;

/// Overwrites the upper triangle of a symmetric positive definite `A` with `U`, `A = U Uᵀ`; the strict lower triangle
/// is left alone.
///
/// Speeds are eliminated from the last to the first, that is from the far ends of branches to ground: branches then do
/// not fill in between each other (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5), and what is zero
/// costs nothing. Where forces couple branches the result is as right, only not as fast. Columns are walked downwards,
/// so that the inner loops vectorise.
///
/// Gives the first speed whose pivot is not positive and finite, if there is one: an infinite one would count as no
/// motion at all.
pub(super) fn factor(a: &mut DMatrix<f64>) -> Result<(), usize> {
    let n = a.nrows();
    let data = a.as_mut_slice();
    let mut end = n;
    // two speeds at a time: the columns before them are read and written once for both
    while end >= 2 {
        let (k, l) = (end - 1, end - 2);
        let (before, from) = data.split_at_mut(l * n);
        let (last_but_one, last) = from.split_at_mut(n);
        let (u, w) = (&mut last[..=k], &mut last_but_one[..=l]);
        scale(u, k)?;
        subtract(w, u[l], u);
        scale(w, l)?;
        for i in 0..l {
            let (f, g) = (u[i], w[i]);
            if f != 0.0 || g != 0.0 {
                let column = &mut before[i * n..=i * n + i];
                column.iter_mut().zip(&*u).zip(&*w).for_each(|((x, u), w)| *x -= f * u + g * w);
            }
        }
        end = l;
    }
    if end == 1 { scale(&mut data[..1], 0) } else { Ok(()) }
}

/// Divides a column by the root of its pivot, which is its last entry.
fn scale(column: &mut [f64], k: usize) -> Result<(), usize> {
    let pivot = column[k];
    if !(pivot > 0.0 && pivot < f64::INFINITY) {
        return Err(k);
    }
    let scale = 1.0 / pivot.sqrt();
    column.iter_mut().for_each(|x| *x *= scale);
    Ok(())
}

/// `x := A⁻¹ x` from the factor.
pub(super) fn solve(u: &DMatrix<f64>, x: &mut [f64]) {
    let n = x.len();
    let column = |k: usize| &u.as_slice()[k * n..=k * n + k];
    for k in (0..n).rev() {
        let column = column(k);
        x[k] /= column[k];
        let factor = x[k];
        if factor != 0.0 {
            subtract(&mut x[..k], factor, &column[..k]);
        }
    }
    for k in 0..n {
        let column = column(k);
        x[k] = (x[k] - dot(&column[..k], &x[..k])) / column[k];
    }
}

/// `x -= factor y`.
#[inline]
fn subtract(x: &mut [f64], factor: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= factor * y);
}

/// Sum of products in four strands, which the processor adds side by side.
#[inline]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (mut sums, mut rest) = ([0.0; 4], 0.0);
    let (x4, y4) = (x.chunks_exact(4), y.chunks_exact(4));
    x4.remainder().iter().zip(y4.remainder()).for_each(|(x, y)| rest += x * y);
    for (x, y) in x4.zip(y4) {
        for strand in 0..4 {
            sums[strand] += x[strand] * y[strand];
        }
    }
    sums.iter().sum::<f64>() + rest
}
