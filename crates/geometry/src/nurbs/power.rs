//! Bézier patches as powers about their middle: fewer products than the Bernstein form, for the inner loop of every
//! query.

use super::jet::{Homogeneous, Jet};

/// Coefficients a_ij of a patch, `S(u, v) = Σ a_ij (u - ½)ⁱ (v - ½)ʲ`, in the order of its control points.
///
/// About the middle no power exceeds 2⁻ⁱ, so the sums round like those of the Bernstein form.
pub(crate) fn centred_powers(net: &[Homogeneous], (p, q): (usize, usize)) -> Vec<Homogeneous> {
    let mut powers = net.to_vec();
    for i in 0..=p {
        line_powers(&mut powers, i * (q + 1), 1, q);
    }
    for j in 0..=q {
        line_powers(&mut powers, j, q + 1, p);
    }
    powers
}

/// The same for one line of control points at `start`, `start + stride`, …: `a_k = (degree over k) Δᵏ P(½)`.
fn line_powers(net: &mut [Homogeneous], start: usize, stride: usize, degree: usize) {
    let line: Vec<Homogeneous> = (0..=degree).map(|i| net[start + i * stride]).collect();
    let mut binomial = 1.0;
    for k in 0..=degree {
        let mut points = line.clone();
        for level in 0..degree {
            // differences first, then de Casteljau's means
            let (new, old) = if level < k { (1.0, -1.0) } else { (0.5, 0.5) };
            points = points.windows(2).map(|w| std::array::from_fn(|c| new * w[1][c] + old * w[0][c])).collect();
        }
        net[start + k * stride] = points[0].map(|x| binomial * x);
        binomial *= (degree - k) as f64 / (k + 1) as f64;
    }
}

/// Position and derivatives at (u, v) of the unit square by Horner's rule; degrees up to three run unrolled.
#[inline]
pub(crate) fn power_jet(a: &[Homogeneous], degrees: (usize, usize), rational: bool, u: f64, v: f64) -> Jet {
    let (s, t) = (u - 0.5, v - 0.5);
    let h = match degrees {
        (3, 3) => tensor::<4, 4>(a, s, t),
        (2, 2) => tensor::<3, 3>(a, s, t),
        (3, 2) => tensor::<4, 3>(a, s, t),
        (2, 3) => tensor::<3, 4>(a, s, t),
        (2, 1) => tensor::<3, 2>(a, s, t),
        (1, 2) => tensor::<2, 3>(a, s, t),
        (3, 1) => tensor::<4, 2>(a, s, t),
        (1, 3) => tensor::<2, 4>(a, s, t),
        (1, 1) => tensor::<2, 2>(a, s, t),
        (_, q) => general(a, q + 1, s, t),
    };
    Jet::project(&h, rational)
}

/// Homogeneous sums in the order s, u, v, uu, uv, vv; N rows of M coefficients.
#[inline(always)]
fn tensor<const N: usize, const M: usize>(a: &[Homogeneous], s: f64, t: f64) -> [Homogeneous; 6] {
    // along v: value, first and second derivative of every row
    let mut rows = [[[0.0; 4]; N]; 3];
    for (i, row) in a.chunks_exact(M).take(N).enumerate() {
        let [value, first, second] = horner(row, t);
        (rows[0][i], rows[1][i], rows[2][i]) = (value, first, second);
    }
    let [value, u, uu] = horner(&rows[0], s);
    let [v, uv, _] = horner(&rows[1], s);
    let [vv, ..] = horner(&rows[2], s);
    [value, u, v, uu, uv, vv]
}

/// The same for any number of rows of `m` coefficients, the rows from the last to the first.
fn general(a: &[Homogeneous], m: usize, s: f64, t: f64) -> [Homogeneous; 6] {
    let mut h = [[0.0; 4]; 6];
    for row in a.chunks_exact(m).rev() {
        let [value, first, second] = horner(row, t);
        let [x, u, v, uu, uv, vv] = h;
        h = [
            step(&x, s, &value),
            step(&u, s, &x),
            step(&v, s, &first),
            step(&uu, s, &u.map(|x| 2.0 * x)),
            step(&uv, s, &v),
            step(&vv, s, &second),
        ];
    }
    h
}

/// Value, first and second derivative of `Σ a_k tᵏ`.
#[inline(always)]
fn horner(a: &[Homogeneous], t: f64) -> [Homogeneous; 3] {
    let zero = [0.0; 4];
    let (mut value, mut first, mut half) = (zero, zero, zero);
    for (k, a) in a.iter().rev().enumerate() {
        // what is still zero needs no product
        half = if k > 2 { step(&half, t, &first) } else { first };
        first = if k > 1 { step(&first, t, &value) } else { value };
        value = if k > 0 { step(&value, t, a) } else { *a };
    }
    [value, first, half.map(|x| 2.0 * x)]
}

#[inline(always)]
fn step(x: &Homogeneous, t: f64, a: &Homogeneous) -> Homogeneous {
    std::array::from_fn(|c| x[c] * t + a[c])
}
