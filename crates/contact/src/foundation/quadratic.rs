//! A quadratic function on a rectangle, and quadrature over the part where it is positive.

/// Range of the coordinates (a, b) of an element; it looks the same with a and b exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Four-sided elements: -1 ≤ a, b ≤ 1.
    Square,
    /// Triangles: a, b ≥ -1/3, a + b ≤ 1/3; the origin is the centroid.
    Triangle,
}

const THIRD: f64 = 1.0 / 3.0;

impl Domain {
    /// Range of b.
    #[inline]
    fn b(self) -> (f64, f64) {
        match self {
            Domain::Square => (-1.0, 1.0),
            Domain::Triangle => (-THIRD, 2.0 * THIRD),
        }
    }

    /// Range of a on the line of b.
    #[inline]
    fn a(self, b: f64) -> (f64, f64) {
        match self {
            Domain::Square => (-1.0, 1.0),
            Domain::Triangle => (-THIRD, THIRD - b),
        }
    }

    /// The far end of the lines along a, as value at b = 0 and slope; the near end is constant.
    #[inline]
    fn far_side(self) -> (f64, f64) {
        match self {
            Domain::Square => (1.0, 0.0),
            Domain::Triangle => (THIRD, -1.0),
        }
    }

    /// Largest |a| or |b|.
    #[inline]
    fn reach(self) -> f64 {
        self.b().1
    }

    /// Corners, counter-clockwise in (a, b).
    pub(crate) fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Domain::Square => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            Domain::Triangle => &[(-THIRD, -THIRD), (2.0 * THIRD, -THIRD), (-THIRD, 2.0 * THIRD)],
        }
    }

    fn contains(self, a: f64, b: f64) -> bool {
        let (lo, hi) = self.a(b);
        self.b().0 <= b && b <= self.b().1 && lo <= a && a <= hi
    }
}

/// `q(a, b) = c + g·(a, b) + ½ (h_aa a² + 2 h_ab a b + h_bb b²)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Quadratic {
    /// Value at the origin.
    pub c: f64,
    /// Slope at the origin.
    pub g: [f64; 2],
    /// Second derivatives aa, ab, bb.
    pub h: [f64; 3],
}

impl Quadratic {
    #[inline]
    pub fn value(&self, a: f64, b: f64) -> f64 {
        let [haa, hab, hbb] = self.h;
        self.c + (self.g[0] + 0.5 * haa * a + hab * b) * a + (self.g[1] + 0.5 * hbb * b) * b
    }

    /// Bounds of the values on the domain; not the tightest.
    #[inline]
    pub fn bounds(&self, domain: Domain) -> (f64, f64) {
        let r = domain.reach();
        let [haa, hab, hbb] = self.h;
        let spread = (self.g[0].abs() + self.g[1].abs() + hab.abs() * r) * r;
        let (pa, pb) = (0.5 * haa * r * r, 0.5 * hbb * r * r);
        (self.c - spread + pa.min(0.0) + pb.min(0.0), self.c + spread + pa.max(0.0) + pb.max(0.0))
    }

    /// The largest value on the domain, or an upper bound where the function is positive at the origin.
    #[inline]
    pub fn highest(&self, domain: Domain) -> f64 {
        let bound = self.bounds(domain).1;
        if bound <= 0.0 || self.c > 0.0 {
            return bound;
        }
        let (a, b) = self.maximum(domain);
        self.value(a, b)
    }

    /// Where the function is largest on the domain.
    pub fn maximum(&self, domain: Domain) -> (f64, f64) {
        let [haa, hab, hbb] = self.h;
        // a hill inside
        let det = haa * hbb - hab * hab;
        if det > 0.0 && haa < 0.0 {
            let a = (hab * self.g[1] - hbb * self.g[0]) / det;
            let b = (hab * self.g[0] - haa * self.g[1]) / det;
            if domain.contains(a, b) {
                return (a, b);
            }
            if domain == Domain::Square {
                return self.facing_maximum((a, b));
            }
        }
        // corners, and hills of the sides: q(start + t way) is quadratic in t
        let corners = domain.corners();
        let mut best = (f64::NEG_INFINITY, (0.0, 0.0));
        for (k, &start) in corners.iter().enumerate() {
            let end = corners[(k + 1) % corners.len()];
            let way = (end.0 - start.0, end.1 - start.1);
            let slope = way.0 * (self.g[0] + haa * start.0 + hab * start.1)
                + way.1 * (self.g[1] + hab * start.0 + hbb * start.1);
            let curvature = haa * way.0 * way.0 + 2.0 * hab * way.0 * way.1 + hbb * way.1 * way.1;
            let top = if curvature < 0.0 { (-slope / curvature).clamp(0.0, 1.0) } else { 0.0 };
            for t in [0.0, top] {
                let at = (start.0 + t * way.0, start.1 + t * way.1);
                let value = self.value(at.0, at.1);
                if value > best.0 {
                    best = (value, at);
                }
            }
        }
        best.1
    }

    /// Where a hill with its top outside of the square is highest on it: on a side that faces the top.
    fn facing_maximum(&self, top: (f64, f64)) -> (f64, f64) {
        let [haa, hab, hbb] = self.h;
        let nearest = (top.0.clamp(-1.0, 1.0), top.1.clamp(-1.0, 1.0));
        let on_a = (nearest.0, (-(self.g[1] + hab * nearest.0) / hbb).clamp(-1.0, 1.0));
        let on_b = ((-(self.g[0] + hab * nearest.1) / haa).clamp(-1.0, 1.0), nearest.1);
        match (top.0 == nearest.0, top.1 == nearest.1) {
            (true, _) => on_b,
            (_, true) => on_a,
            _ if self.value(on_a.0, on_a.1) > self.value(on_b.0, on_b.1) => on_a,
            _ => on_b,
        }
    }

    /// Whether it is steeper along b.
    #[inline]
    pub fn lies_across(&self) -> bool {
        self.g[0].abs() < self.g[1].abs()
    }

    /// Coefficients of 1, a, a² along the line of b.
    #[inline(always)]
    pub fn along(&self, b: f64) -> [f64; 3] {
        [self.c + (self.g[1] + 0.5 * self.h[2] * b) * b, self.g[0] + self.h[1] * b, 0.5 * self.h[0]]
    }

    /// With a and b exchanged.
    #[inline]
    pub fn swapped(&self) -> Quadratic {
        Quadratic { c: self.c, g: [self.g[1], self.g[0]], h: [self.h[2], self.h[1], self.h[0]] }
    }
}

/// Nodes and weights on [0, 1] of the Gauss rules of 2 to 5 points.
const RULES: [&[(f64, f64)]; 4] = [
    &[(0.2113248654051871, 0.5), (0.7886751345948129, 0.5)],
    &[(0.1127016653792583, 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.8872983346207417, 5.0 / 18.0)],
    &[
        (0.06943184420297371, 0.17392742256872692),
        (0.33000947820757187, 0.32607257743127307),
        (0.6699905217924281, 0.32607257743127307),
        (0.9305681557970262, 0.17392742256872692),
    ],
    &[
        (0.046910077030668, 0.11846344252809454),
        (0.23076534494715845, 0.23931433524968324),
        (0.5, 0.28444444444444444),
        (0.7692346550528415, 0.23931433524968324),
        (0.953089922969332, 0.11846344252809454),
    ],
];

/// The Gauss rule of 2 to 5 points.
#[inline(always)]
pub(crate) fn rule(points: usize) -> &'static [(f64, f64)] {
    RULES[points.clamp(2, 5) - 2]
}

/// Visits the points and weights of the Gauss rule of `order` points along both coordinates.
#[inline]
pub(crate) fn gauss(domain: Domain, order: usize, mut visit: impl FnMut((f64, f64), f64)) {
    let (b0, b1) = domain.b();
    for &(t, wt) in rule(order) {
        let b = b0 + (b1 - b0) * t;
        let (a0, a1) = domain.a(b);
        for &(s, ws) in rule(order) {
            visit((a0 + (a1 - a0) * s, b), ws * wt * (a1 - a0) * (b1 - b0));
        }
    }
}

/// Points across a strip, and across one at whose end the edge turns.
const STRIP_POINTS: (usize, usize) = (4, 5);

/// What is integrated over the part in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integrand {
    /// Linear in the quadratic: two points along a line are exact.
    Linear,
    /// Curved, most of all where the quadratic is small: more points.
    Curved,
}

/// A point t of [0, 1] moved towards the marked ends, and the derivative.
#[inline]
fn crowded(t: f64, ends: (bool, bool)) -> (f64, f64) {
    match ends {
        (false, false) => (t, 1.0),
        (true, false) => (t * t, 2.0 * t),
        (false, true) => (t * (2.0 - t), 2.0 * (1.0 - t)),
        (true, true) => (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)),
    }
}

/// An interval of a line along the first coordinate a.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Second coordinate.
    pub b: f64,
    /// Ends.
    pub ends: (f64, f64),
    /// Weight of the line in the quadrature over b.
    pub weight: f64,
    /// Points on it, 2 to 4.
    pub points: usize,
}

/// Visits points and weights of a quadrature over the part of the domain where `q > 0`: those of [`positive_lines`].
#[inline]
pub(crate) fn positive_part(q: &Quadratic, domain: Domain, of: Integrand, mut visit: impl FnMut((f64, f64), f64)) {
    let swap = q.lies_across();
    let q = if swap { q.swapped() } else { *q };
    positive_lines(&q, domain, of, |Line { b, ends: (a0, a1), weight, points }| {
        for &(s, w) in rule(points) {
            let a = a0 + (a1 - a0) * s;
            visit(if swap { (b, a) } else { (a, b) }, w * (a1 - a0) * weight);
        }
    });
}

/// Visits the lines along a of a quadrature over the part of the domain where `q > 0`; q should be steeper along a
/// ([`Quadratic::lies_across`]).
///
/// Covered elements get a Gauss rule along both coordinates. Others are cut into strips
/// at every line where the edge `q = 0` enters, leaves or turns; on each line inside a strip the positive intervals are the
/// exact ones, so the rule follows the curved edge and integrals of functions that vanish there change smoothly with q.
/// Own choice.
#[inline(always)]
pub(crate) fn positive_lines(q: &Quadratic, domain: Domain, of: Integrand, mut visit: impl FnMut(Line)) {
    let (low, high) = q.bounds(domain);
    if !(high > 0.0) {
        return;
    }
    if low >= 0.0 {
        let points = if of == Integrand::Linear { 2 } else { 3 };
        return covered(domain, domain.b(), points, &mut visit);
    }
    let cut = if of == Integrand::Linear { 2 } else { 4 };
    let cuts = cuts(q, domain);
    for pair in cuts.as_slice().windows(2) {
        let ((b0, turns0), (b1, turns1)) = (pair[0], pair[1]);
        let width = b1 - b0;
        // between two cuts all lines are alike: empty, covered from end to end, or cut
        let middle = b0 + 0.5 * width;
        let (lo, hi) = domain.a(middle);
        let [one, other] = positive_intervals(q, (lo, hi), middle);
        let length = one.1 - one.0 + (other.1 - other.0);
        if !(width > 0.0 && length > 0.0) {
            continue;
        }
        if length >= hi - lo {
            covered(domain, (b0, b1), cut, &mut visit);
            continue;
        }
        let points = if turns0 || turns1 { STRIP_POINTS.1 } else { STRIP_POINTS.0 };
        for &(t, w) in rule(points) {
            // where the edge turns, the length of the lines grows like a square root, which crowding smooths
            let (x, dx) = crowded(t, (turns0, turns1));
            let (b, weight) = (b0 + width * x, w * dx * width);
            let [one, other] = positive_intervals(q, domain.a(b), b);
            visit(Line { b, ends: one, weight, points: cut });
            if other.1 > other.0 {
                visit(Line { b, ends: other, weight, points: cut });
            }
        }
    }
}

/// Lines from end to end.
#[inline(always)]
fn covered(domain: Domain, (b0, b1): (f64, f64), points: usize, visit: &mut impl FnMut(Line)) {
    for &(t, w) in rule(points) {
        let b = b0 + (b1 - b0) * t;
        visit(Line { b, ends: domain.a(b), weight: w * (b1 - b0), points });
    }
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
