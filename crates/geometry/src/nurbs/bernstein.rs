//! Bézier patches evaluated with Bernstein products: the inner loop of every query.

use super::jet::{Homogeneous, Jet};
use super::knots::MAX_DEGREE;

/// Value, first and second derivative of one Bernstein polynomial.
type Row = [f64; 3];

/// Position and derivatives of a Bézier patch at (u, v) of the unit square; points (i, j) at `i * (degree_v + 1) + j`.
///
/// ```text
/// S = Σᵢⱼ Bᵢ(u) Bⱼ(v) Pᵢⱼ,   Bᵢ(t) = (p over i) tⁱ (1-t)^(p-i)
/// ```
///
/// Degrees up to three run unrolled. The polynomials continue outside the square.
#[inline]
pub fn patch_jet(net: &[Homogeneous], degrees: (usize, usize), rational: bool, u: f64, v: f64) -> Jet {
    let h = match degrees {
        (3, 3) => tensor(net, &cubic(u), &cubic(v)),
        (2, 2) => tensor(net, &quadratic(u), &quadratic(v)),
        (3, 2) => tensor(net, &cubic(u), &quadratic(v)),
        (2, 3) => tensor(net, &quadratic(u), &cubic(v)),
        (2, 1) => tensor(net, &quadratic(u), &linear(v)),
        (1, 2) => tensor(net, &linear(u), &quadratic(v)),
        (3, 1) => tensor(net, &cubic(u), &linear(v)),
        (1, 3) => tensor(net, &linear(u), &cubic(v)),
        (1, 1) => tensor(net, &linear(u), &linear(v)),
        (p, q) => tensor(net, &general(p, u)[..=p], &general(q, v)[..=q]),
    };
    Jet::project(&h, rational)
}

/// Homogeneous sums in the order s, u, v, uu, uv, vv.
#[inline(always)]
fn tensor(net: &[Homogeneous], bu: &[Row], bv: &[Row]) -> [Homogeneous; 6] {
    let mut h = [[0.0; 4]; 6];
    for (row, b) in net.chunks_exact(bv.len()).zip(bu) {
        // along v first: value, first and second derivative of this row
        let mut along = [[0.0; 4]; 3];
        for (p, c) in row.iter().zip(bv) {
            for order in 0..3 {
                add(&mut along[order], c[order], p);
            }
        }
        add(&mut h[0], b[0], &along[0]);
        add(&mut h[1], b[1], &along[0]);
        add(&mut h[2], b[0], &along[1]);
        add(&mut h[3], b[2], &along[0]);
        add(&mut h[4], b[1], &along[1]);
        add(&mut h[5], b[0], &along[2]);
    }
    h
}

#[inline(always)]
fn add(sum: &mut Homogeneous, factor: f64, p: &Homogeneous) {
    for c in 0..4 {
        sum[c] += factor * p[c];
    }
}

#[inline(always)]
fn linear(t: f64) -> [Row; 2] {
    [[1.0 - t, -1.0, 0.0], [t, 1.0, 0.0]]
}

#[inline(always)]
fn quadratic(t: f64) -> [Row; 3] {
    let s = 1.0 - t;
    [[s * s, -2.0 * s, 2.0], [2.0 * s * t, 2.0 * (s - t), -4.0], [t * t, 2.0 * t, 2.0]]
}

#[inline(always)]
fn cubic(t: f64) -> [Row; 4] {
    let s = 1.0 - t;
    let (s2, t2, st) = (s * s, t * t, s * t);
    [
        [s2 * s, -3.0 * s2, 6.0 * s],
        [3.0 * s2 * t, 3.0 * (s2 - 2.0 * st), 6.0 * t - 12.0 * s],
        [3.0 * s * t2, 3.0 * (2.0 * st - t2), 6.0 * s - 12.0 * t],
        [t2 * t, 3.0 * t2, 6.0 * t],
    ]
}

/// Any degree: the values of degree p from those of p - 1, the derivatives from differences of lower values.
fn general(p: usize, t: f64) -> [Row; MAX_DEGREE + 1] {
    let mut rows = [[0.0; 3]; MAX_DEGREE + 1];
    rows[0][0] = 1.0;
    for q in 1..=p {
        for i in (0..=q).rev() {
            let left = if i > 0 { rows[i - 1] } else { [0.0; 3] };
            let here = if i < q { rows[i] } else { [0.0; 3] };
            let degree = q as f64;
            rows[i][0] = t * left[0] + (1.0 - t) * here[0];
            rows[i][2] = degree * (left[1] - here[1]);
            rows[i][1] = degree * (left[0] - here[0]);
        }
    }
    rows
}

/// Cuts the net to the part \[u0, u1\] × \[v0, v1\] of the unit square, in place, by de Casteljau's steps.
pub fn restrict(net: &mut [Homogeneous], degrees: (usize, usize), u: (f64, f64), v: (f64, f64)) {
    let (p, q) = degrees;
    for j in 0..=q {
        restrict_line(net, j, q + 1, p, u);
    }
    for i in 0..=p {
        restrict_line(net, i * (q + 1), 1, q, v);
    }
}

/// The same for one line of control points at `start`, `start + stride`, …
fn restrict_line(net: &mut [Homogeneous], start: usize, stride: usize, degree: usize, (low, high): (f64, f64)) {
    let blend =
        |a: Homogeneous, b: Homogeneous, t: f64| -> Homogeneous { std::array::from_fn(|c| a[c] + t * (b[c] - a[c])) };
    // keep [0, high]: the last points become those at high
    for level in 1..=degree {
        for i in (level..=degree).rev() {
            net[start + i * stride] = blend(net[start + (i - 1) * stride], net[start + i * stride], high);
        }
    }
    // keep [low, high] of that
    let t = low / high;
    for level in 1..=degree {
        for i in 0..=degree - level {
            net[start + i * stride] = blend(net[start + i * stride], net[start + (i + 1) * stride], t);
        }
    }
}
