//! Quadrature over the part of an element where a quadratic is positive.
//!
//! Covered elements get a Gauss rule along both coordinates. Others are cut into strips at every line where the edge
//! `q = 0` enters, leaves or turns; on each line inside a strip the positive intervals are the exact ones, so the rule
//! follows the curved edge and integrals of functions that vanish there change smoothly with q. The lines of a strip
//! are worked on side by side. Own choice.

use super::quadratic::{Domain, Quadratic, rule};

/// What is integrated over the part in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integrand {
    /// Linear in the quadratic: two points along a line are exact.
    Linear,
    /// Curved, most of all where the quadratic is small: more points.
    Curved,
}

/// Intervals of N lines along the first coordinate a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<const N: usize> {
    /// Second coordinates.
    pub b: [f64; N],
    /// Starts of the intervals.
    pub start: [f64; N],
    /// Their lengths.
    pub length: [f64; N],
    /// Weights of the lines in the quadrature over b.
    pub weight: [f64; N],
}

impl<const N: usize> Lines<N> {
    const NONE: Self = Lines { b: [0.0; N], start: [0.0; N], length: [0.0; N], weight: [0.0; N] };
}

/// What is done with the lines of a quadrature.
pub(crate) trait LineVisitor {
    /// Takes N lines, on each of which a Gauss rule of P points is due.
    fn lines<const N: usize, const P: usize>(&mut self, lines: &Lines<N>);
}

/// Visits the points on the lines, with their weights.
struct Points<F> {
    swapped: bool,
    visit: F,
}

impl<F: FnMut((f64, f64), f64)> LineVisitor for Points<F> {
    #[inline]
    fn lines<const N: usize, const P: usize>(&mut self, lines: &Lines<N>) {
        for k in 0..N {
            let (b, length) = (lines.b[k], lines.length[k]);
            for &(s, w) in rule(P) {
                let a = lines.start[k] + length * s;
                (self.visit)(if self.swapped { (b, a) } else { (a, b) }, w * length * lines.weight[k]);
            }
        }
    }
}

/// Visits points and weights of a quadrature over the part of the domain where `q > 0`: those of [`positive_lines`].
#[inline]
pub(crate) fn positive_part(q: &Quadratic, domain: Domain, of: Integrand, visit: impl FnMut((f64, f64), f64)) {
    let swapped = q.lies_across();
    let q = if swapped { q.swapped() } else { *q };
    positive_lines(&q, domain, of, &mut Points { swapped, visit });
}

/// Visits the lines along a of a quadrature over the part of the domain where `q > 0`; q should be steeper along a
/// ([`Quadratic::lies_across`]).
#[inline]
pub(crate) fn positive_lines(q: &Quadratic, domain: Domain, of: Integrand, visitor: &mut impl LineVisitor) {
    let (low, high) = q.bounds(domain);
    if !(high > 0.0) {
        return;
    }
    match (of, low >= 0.0) {
        (Integrand::Linear, true) => covered::<2, 2>(domain, domain.b(), visitor),
        (Integrand::Curved, true) => covered::<3, 3>(domain, domain.b(), visitor),
        (Integrand::Linear, false) => strips::<2>(q, domain, visitor),
        (Integrand::Curved, false) => strips::<4>(q, domain, visitor),
    }
}

/// Lines of P points on the strips of a cut element: P of them where a strip is covered, otherwise four, or five where
/// the edge turns at one of its ends.
#[inline(always)]
fn strips<const P: usize>(q: &Quadratic, domain: Domain, visitor: &mut impl LineVisitor) {
    let cuts = cuts(q, domain);
    for pair in cuts.as_slice().windows(2) {
        let ((b0, turns0), (b1, turns1)) = (pair[0], pair[1]);
        if !(b1 > b0) {
            continue;
        }
        // between two cuts all lines are alike
        match cover(q, domain, 0.5 * (b0 + b1)) {
            Cover::None => {}
            Cover::Whole => covered::<P, P>(domain, (b0, b1), visitor),
            Cover::Part if turns0 || turns1 => cut_strip::<5, P>(q, domain, pair[0], pair[1], visitor),
            Cover::Part => cut_strip::<4, P>(q, domain, pair[0], pair[1], visitor),
        }
    }
}

/// N lines from end to end.
#[inline(always)]
fn covered<const N: usize, const P: usize>(domain: Domain, (b0, b1): (f64, f64), visitor: &mut impl LineVisitor) {
    let mut lines = Lines::NONE;
    for (k, (t, w)) in rule(N).iter().enumerate() {
        lines.b[k] = b0 + (b1 - b0) * t;
        lines.weight[k] = w * (b1 - b0);
        let (lo, hi) = domain.a(lines.b[k]);
        (lines.start[k], lines.length[k]) = (lo, hi - lo);
    }
    visitor.lines::<N, P>(&lines);
}

/// N lines cut by the edge, between two marked ends of a strip.
#[inline(always)]
fn cut_strip<const N: usize, const P: usize>(
    q: &Quadratic,
    domain: Domain,
    (b0, turns0): (f64, bool),
    (b1, turns1): (f64, bool),
    visitor: &mut impl LineVisitor,
) {
    let width = b1 - b0;
    let mut lines = Lines::<N>::NONE;
    for (k, (t, w)) in rule(N).iter().enumerate() {
        // where the edge turns, the length of the lines grows like a square root, which crowding smooths
        let (x, dx) = crowded(*t, (turns0, turns1));
        (lines.b[k], lines.weight[k]) = (b0 + width * x, w * dx * width);
    }
    if q.h[0] < 0.0 {
        hill_intervals(q, domain, &mut lines);
        return visitor.lines::<N, P>(&lines);
    }
    for side in 0..2 {
        for k in 0..N {
            let (start, end) = positive_intervals(q, domain.a(lines.b[k]), lines.b[k])[side];
            (lines.start[k], lines.length[k]) = (start, end - start);
        }
        if side == 0 || lines.length.iter().any(|x| *x > 0.0) {
            visitor.lines::<N, P>(&lines);
        }
    }
}

/// A point t of \[0, 1\] moved towards the marked ends, and the derivative.
#[inline(always)]
fn crowded(t: f64, ends: (bool, bool)) -> (f64, f64) {
    match ends {
        (false, false) => (t, 1.0),
        (true, false) => (t * t, 2.0 * t),
        (false, true) => (t * (2.0 - t), 2.0 * (1.0 - t)),
        (true, true) => (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)),
    }
}

/// How much of a line is positive.
enum Cover {
    None,
    Part,
    Whole,
}

/// How much of the line of b is positive.
#[inline(always)]
fn cover(q: &Quadratic, domain: Domain, b: f64) -> Cover {
    let (lo, hi) = domain.a(b);
    let [value, slope, curvature] = q.along(b);
    if curvature < 0.0 {
        // a hill: its ends tell, or its top if it is between them
        let at = |a: f64| value + (slope + curvature * a) * a > 0.0;
        return match (at(lo), at(hi)) {
            (true, true) => Cover::Whole,
            (false, false) => {
                let top = -0.5 * slope / curvature;
                if lo < top && top < hi && at(top) { Cover::Part } else { Cover::None }
            }
            _ => Cover::Part,
        };
    }
    let [one, other] = positive_intervals(q, (lo, hi), b);
    let length = one.1 - one.0 + (other.1 - other.0);
    match length > 0.0 {
        true if length >= hi - lo => Cover::Whole,
        true => Cover::Part,
        false => Cover::None,
    }
}

/// Sets starts and lengths of the positive parts of lines along which q is a hill, `h_aa < 0`.
#[inline(always)]
fn hill_intervals<const N: usize>(q: &Quadratic, domain: Domain, lines: &mut Lines<N>) {
    for k in 0..N {
        let [value, slope, curvature] = q.along(lines.b[k]);
        let (lo, hi) = domain.a(lines.b[k]);
        let discriminant = slope * slope - 4.0 * curvature * value;
        // without cancellation; comparisons are such that nothing positive leaves nothing
        let root = -0.5 * (slope + at_least(discriminant, 0.0).sqrt().copysign(slope));
        let (one, other) = (value / root, root / curvature);
        let (near, far) = if one < other { (one, other) } else { (other, one) };
        let (start, end) = (at_most(at_least(near, lo), hi), at_most(at_least(far, lo), hi));
        lines.start[k] = start;
        lines.length[k] = if discriminant > 0.0 { end - start } else { 0.0 };
    }
}

/// `max(x, bound)` in one instruction, the bound for NaN.
#[inline(always)]
fn at_least(x: f64, bound: f64) -> f64 {
    if x > bound { x } else { bound }
}

/// `min(x, bound)` in one instruction, the bound for NaN.
#[inline(always)]
fn at_most(x: f64, bound: f64) -> f64 {
    if x < bound { x } else { bound }
}

/// Ends of the strips, in order, with a mark where the edge turns.
struct Cuts {
    at: [(f64, bool); 8],
    count: usize,
}

impl Cuts {
    fn as_slice(&self) -> &[(f64, bool)] {
        &self.at[..self.count]
    }

    /// Keeps the list sorted; ignores what is outside of the ends.
    fn insert(&mut self, b: f64, turns: bool, (lo, hi): (f64, f64)) {
        if !(lo < b && b < hi) {
            return;
        }
        let mut k = self.count;
        while k > 0 && self.at[k - 1].0 > b {
            self.at[k] = self.at[k - 1];
            k -= 1;
        }
        self.at[k] = (b, turns);
        self.count += 1;
    }
}

fn cuts(q: &Quadratic, domain: Domain) -> Cuts {
    let [haa, hab, hbb] = q.h;
    let b_range = domain.b();
    let mut cuts = Cuts { at: [(0.0, false); 8], count: 2 };
    cuts.at[0] = (b_range.0, false);
    cuts.at[1] = (b_range.1, false);
    // the edge crosses the ends of the lines, a = at + slope b
    for (at, slope) in [(domain.a(0.0).0, 0.0), domain.far_side()] {
        let second = 0.5 * hbb + slope * (hab + 0.5 * haa * slope);
        let first = q.g[1] + hab * at + slope * (q.g[0] + haa * at);
        let roots = quadratic_roots(second, first, q.c + (q.g[0] + 0.5 * haa * at) * at);
        roots.into_iter().flatten().for_each(|b| cuts.insert(b, false, b_range));
    }
    // the edge is parallel to the lines: the discriminant of q(·, b) vanishes, inside the range of a
    let roots =
        quadratic_roots(hab * hab - haa * hbb, 2.0 * (q.g[0] * hab - haa * q.g[1]), q.g[0] * q.g[0] - 2.0 * haa * q.c);
    for b in roots.into_iter().flatten() {
        if domain.contains(-(q.g[0] + hab * b) / haa, b) {
            cuts.insert(b, true, b_range);
        }
    }
    cuts
}

/// The intervals of a line where q is positive; empty ones have no length.
#[inline(always)]
fn positive_intervals(q: &Quadratic, (lo, hi): (f64, f64), b: f64) -> [(f64, f64); 2] {
    let [value, slope, curvature] = q.along(b);
    let clip = |a: f64| a.max(lo).min(hi);
    let discriminant = slope * slope - 4.0 * curvature * value;
    if !(discriminant > 0.0) {
        // one sign all along
        let middle = 0.5 * (lo + hi);
        let end = if value + (slope + curvature * middle) * middle > 0.0 { hi } else { lo };
        return [(lo, end), (lo, lo)];
    }
    // without cancellation; the far root of a straight line is at infinity, on the side where it is positive
    let root = -0.5 * (slope + discriminant.sqrt().copysign(slope));
    if curvature > 0.0 {
        let (near, far) = (value / root, root / curvature);
        return [(lo, clip(near.min(far))), (clip(near.max(far)), hi)];
    }
    let (near, far) = (value / root, root / -curvature.abs());
    [(clip(near.min(far)), clip(near.max(far))), (lo, lo)]
}

/// Real roots of `α x² + β x + γ` in ascending order, without cancellation; one for a line, none for a constant.
#[inline]
fn quadratic_roots(alpha: f64, beta: f64, gamma: f64) -> [Option<f64>; 2] {
    let discriminant = beta * beta - 4.0 * alpha * gamma;
    if !(discriminant >= 0.0) {
        return [None, None];
    }
    let q = -0.5 * (beta + discriminant.sqrt().copysign(beta));
    if q == 0.0 {
        return if alpha == 0.0 { [None, None] } else { [Some(0.0), Some(0.0)] };
    }
    let (near, far) = (gamma / q, q / alpha);
    // a line, or so nearly one that its far root is out of reach
    if !far.is_finite() {
        return [Some(near), None];
    }
    if near <= far { [Some(near), Some(far)] } else { [Some(far), Some(near)] }
}
