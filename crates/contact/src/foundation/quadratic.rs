//! A quadratic function on a square or triangle, and Gauss rules there.

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
    pub(super) fn b(self) -> (f64, f64) {
        match self {
            Domain::Square => (-1.0, 1.0),
            Domain::Triangle => (-THIRD, 2.0 * THIRD),
        }
    }

    /// Range of a on the line of b.
    #[inline]
    pub(super) fn a(self, b: f64) -> (f64, f64) {
        match self {
            Domain::Square => (-1.0, 1.0),
            Domain::Triangle => (-THIRD, THIRD - b),
        }
    }

    /// The far end of the lines along a, as value at b = 0 and slope; the near end is constant.
    #[inline]
    pub(super) fn far_side(self) -> (f64, f64) {
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

    pub(super) fn contains(self, a: f64, b: f64) -> bool {
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

    /// The largest value on the domain, or an upper bound where the function is positive at the origin or at the corner
    /// uphill.
    #[inline(always)]
    pub fn highest(self, domain: Domain) -> f64 {
        let bound = self.bounds(domain).1;
        if bound <= 0.0 || self.c > 0.0 {
            return bound;
        }
        if domain == Domain::Square && self.value(1f64.copysign(self.g[0]), 1f64.copysign(self.g[1])) > 0.0 {
            return bound;
        }
        let (a, b) = self.maximum(domain);
        self.value(a, b)
    }

    /// Where the function is largest on the domain.
    pub fn maximum(self, domain: Domain) -> (f64, f64) {
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

/// Nodes and weights on \[0, 1\] of the Gauss rules of 2 to 5 points.
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
