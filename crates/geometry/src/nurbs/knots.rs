//! Knot vectors and B-spline basis functions.

use crate::error::GeometryError;

/// Highest degree that is accepted; it sizes the stack arrays of the evaluation.
pub const MAX_DEGREE: usize = 9;

/// Values of up to [`MAX_DEGREE`] + 1 basis functions.
pub type BasisRow = [f64; MAX_DEGREE + 1];

/// A degree and its knots, checked.
///
/// With n control points of degree p there are n + p + 1 knots U₀ ≤ U₁ ≤ …; the curve lives on [U_p, U_n]. End knots
/// may repeat p + 1 times (a clamped end, which passes through its control point) or less; inner knots at most p times,
/// so that the curve never tears.
#[derive(Clone, Debug, PartialEq)]
pub struct KnotVector {
    degree: usize,
    knots: Vec<f64>,
}

impl KnotVector {
    /// Checks and keeps the knots; `object` names the surface in errors.
    pub fn new(object: &str, degree: usize, knots: Vec<f64>) -> Result<Self, GeometryError> {
        let count = |what, found, rule| GeometryError::Count { object: object.into(), what, found, rule };
        if degree == 0 || degree > MAX_DEGREE {
            return Err(count("degree", degree, "use a degree from 1 to 9"));
        }
        if knots.len() < 2 * (degree + 1) {
            return Err(count("number of knots", knots.len(), "give at least 2 (degree + 1) knots"));
        }
        let refuse = |quantity, value, rule| GeometryError::Parameter { object: object.into(), quantity, value, rule };
        if let Some(bad) = knots.iter().find(|k| !k.is_finite()) {
            return Err(refuse("a knot", *bad, "knots must be finite"));
        }
        if let Some(pair) = knots.windows(2).find(|pair| pair[1] < pair[0]) {
            return Err(refuse("a knot", pair[1], "knots must not decrease: sort them"));
        }
        let (start, end) = (knots[degree], knots[knots.len() - 1 - degree]);
        if !(end > start) {
            return Err(refuse("width of the knot range", end - start, "the knots must span a positive range"));
        }
        if let Some(run) = knots.windows(degree + 1).find(|run| run[0] == run[degree] && run[0] > start && run[0] < end)
        {
            return Err(refuse("an inner knot", run[0], "it repeats more than degree times: split the surface there"));
        }
        if let Some(run) = knots.windows(degree + 2).find(|run| run[0] == run[degree + 1]) {
            return Err(refuse("an end knot", run[0], "it repeats more than degree + 1 times: remove the surplus"));
        }
        Ok(KnotVector { degree, knots })
    }

    /// Clamped knots on \[0, 1\] with the given inner knots, which must lie strictly inside and not decrease.
    pub fn clamped(object: &str, degree: usize, inner: &[f64]) -> Result<Self, GeometryError> {
        let mut knots = vec![0.0; degree + 1];
        knots.extend_from_slice(inner);
        knots.extend(std::iter::repeat_n(1.0, degree + 1));
        KnotVector::new(object, degree, knots)
    }

    /// Clamped knots on \[0, 1\] with `spans` equal spans.
    pub fn uniform(object: &str, degree: usize, spans: usize) -> Result<Self, GeometryError> {
        let inner: Vec<f64> = (1..spans.max(1)).map(|k| k as f64 / spans as f64).collect();
        KnotVector::clamped(object, degree, &inner)
    }

    /// Polynomial degree p.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// All knots.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Number of control points n.
    pub fn control_count(&self) -> usize {
        self.knots.len() - self.degree - 1
    }

    /// Parameter range [U_p, U_n].
    pub fn domain(&self) -> (f64, f64) {
        (self.knots[self.degree], self.knots[self.control_count()])
    }

    /// True if both ends are clamped.
    pub fn is_clamped(&self) -> bool {
        let (n, p) = (self.knots.len(), self.degree);
        self.knots[0] == self.knots[p] && self.knots[n - 1] == self.knots[n - 1 - p]
    }

    /// The distinct knots of the domain: the borders of its polynomial pieces.
    pub fn breaks(&self) -> Vec<f64> {
        let mut breaks = self.knots[self.degree..=self.control_count()].to_vec();
        breaks.dedup();
        breaks
    }

    /// How often `u` occurs.
    pub fn multiplicity(&self, u: f64) -> usize {
        self.knots.iter().filter(|k| **k == u).count()
    }

    /// Index k of the span with U_k ≤ u < U_{k+1} (the last span is closed); `u` outside the domain is moved to its
    /// end.
    pub fn span(&self, u: f64) -> usize {
        let (p, n) = (self.degree, self.control_count());
        let after = self.knots[p..=n].partition_point(|k| *k <= u) + p;
        // the last of several equal end knots is not a span
        let last = self.knots[..=n].partition_point(|k| *k < self.knots[n]);
        (after.max(p + 1) - 1).min(last - 1)
    }

    /// Index of the first of the p + 1 basis functions that do not vanish at `u`, and their values, first and second
    /// derivatives. Outside the domain the polynomials of its end continue.
    ///
    /// ```text
    /// N_{i,p} = (u - U_i)/(U_{i+p} - U_i) N_{i,p-1} + (U_{i+p+1} - u)/(U_{i+p+1} - U_{i+1}) N_{i+1,p-1}
    /// N'_{i,p} = p/(U_{i+p} - U_i) N_{i,p-1} - p/(U_{i+p+1} - U_{i+1}) N_{i+1,p-1}
    /// ```
    ///
    /// Source: Piegl and Tiller, The NURBS Book, 2nd ed., 1997, eqs. 2.5 and 2.7.
    pub fn basis(&self, u: f64) -> (usize, [BasisRow; 3]) {
        let (p, k) = (self.degree, self.span(u));
        let (mut value, mut first, mut second) = ([0.0; MAX_DEGREE + 1], [0.0; MAX_DEGREE + 1], [0.0; MAX_DEGREE + 1]);
        value[0] = 1.0;
        for q in 1..=p {
            second = self.derivative_row(k, q, &first);
            first = self.derivative_row(k, q, &value);
            value = self.value_row(k, q, u, &value);
        }
        (k - p, [value, first, second])
    }

    /// Degree q values on span k from those of degree q - 1.
    fn value_row(&self, k: usize, q: usize, u: f64, lower: &BasisRow) -> BasisRow {
        let mut row = [0.0; MAX_DEGREE + 1];
        for j in 0..q {
            // function i = k - q + 1 + j of degree q - 1 feeds i - 1 and i of degree q
            let (left, right) = (self.knots[k + 1 + j - q], self.knots[k + 1 + j]);
            let share = lower[j] / (right - left);
            row[j] += (right - u) * share;
            row[j + 1] += (u - left) * share;
        }
        row
    }

    /// Derivatives of degree q on span k from the values (or derivatives) of degree q - 1.
    fn derivative_row(&self, k: usize, q: usize, lower: &BasisRow) -> BasisRow {
        let mut row = [0.0; MAX_DEGREE + 1];
        for j in 0..q {
            let share = q as f64 * lower[j] / (self.knots[k + 1 + j] - self.knots[k + 1 + j - q]);
            row[j] -= share;
            row[j + 1] += share;
        }
        row
    }

    /// With the given knots, known to be right.
    pub(crate) fn with_knots(&self, knots: Vec<f64>) -> KnotVector {
        KnotVector { degree: self.degree, knots }
    }
}
