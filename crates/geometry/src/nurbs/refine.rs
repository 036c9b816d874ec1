//! Knot insertion, Bézier pieces and cuts: other ways to write the same surface.

use super::bernstein::patch_jet;
use super::jet::{Homogeneous, Jet};
use super::knots::KnotVector;
use super::surface::NurbsSurface;
use crate::error::GeometryError;

/// A direction of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along the first parameter.
    U,
    /// Along the second parameter.
    V,
}

/// One polynomial (or rational) piece of a surface on the unit square.
#[derive(Clone, Debug, PartialEq)]
pub struct BezierPiece {
    pub(crate) u: (f64, f64),
    pub(crate) v: (f64, f64),
    degrees: (usize, usize),
    pub(crate) net: Vec<Homogeneous>,
}

impl BezierPiece {
    /// Ranges of u and v in the surface.
    pub fn ranges(&self) -> [(f64, f64); 2] {
        [self.u, self.v]
    }

    /// Bernstein control points, (i, j) at `i * (degree_v + 1) + j`.
    pub fn net(&self) -> &[Homogeneous] {
        &self.net
    }

    /// Position and derivatives at (u, v) of the unit square.
    pub fn jet(&self, u: f64, v: f64) -> Jet {
        patch_jet(&self.net, self.degrees, true, u, v)
    }
}

impl NurbsSurface {
    /// The same surface with one more knot at `t`, which must lie strictly inside the domain and not repeat more than
    /// degree times. Source: Piegl and Tiller, The NURBS Book, 2nd ed., 1997, eq. 5.15.
    pub fn with_knot(&self, direction: Direction, t: f64) -> Result<Self, GeometryError> {
        let knots = self.knots_along(direction);
        let (low, high) = knots.domain();
        let rule = "insert knots strictly inside the domain, at most degree times";
        if !(t > low && t < high) || knots.multiplicity(t) >= knots.degree() {
            let object = "NURBS surface".into();
            return Err(GeometryError::Parameter { object, quantity: "knot to insert", value: t, rule });
        }
        Ok(self.refined(direction, t))
    }

    /// The knots of a direction.
    pub fn knots_along(&self, direction: Direction) -> &KnotVector {
        match direction {
            Direction::U => self.knots_u(),
            Direction::V => self.knots_v(),
        }
    }

    /// One more knot at `t`, known to be allowed.
    fn refined(&self, direction: Direction, t: f64) -> Self {
        match direction {
            Direction::V => self.transposed().refined(Direction::U, t).transposed(),
            Direction::U => {
                let (knots, net) = insert(self.knots_u(), self.net(), self.knots_v().control_count(), t);
                NurbsSurface::from_net(knots, self.knots_v().clone(), net, self.is_reversed())
            }
        }
    }

    /// Every knot of the domain, ends included, repeated degree times: each span then holds its own Bézier points.
    fn bezier_form(&self, direction: Direction) -> Self {
        let mut form = self.clone();
        for t in self.knots_along(direction).breaks() {
            while form.knots_along(direction).multiplicity(t) < form.knots_along(direction).degree() {
                form = form.refined(direction, t);
            }
        }
        form
    }

    /// The polynomial pieces, u slowest.
    pub fn bezier_pieces(&self) -> Vec<BezierPiece> {
        let form = self.bezier_form(Direction::U).bezier_form(Direction::V);
        let (pu, pv, nv) = (form.knots_u().degree(), form.knots_v().degree(), form.knots_v().control_count());
        let ranges = |knots: &KnotVector| -> Vec<(usize, (f64, f64))> {
            knots.breaks().windows(2).map(|pair| (knots.span(pair[0]) - knots.degree(), (pair[0], pair[1]))).collect()
        };
        let (rows, columns) = (ranges(form.knots_u()), ranges(form.knots_v()));
        let mut pieces = Vec::with_capacity(rows.len() * columns.len());
        for (first_i, u) in &rows {
            for (first_j, v) in &columns {
                let row = |i: usize| form.net()[(first_i + i) * nv + first_j..][..=pv].iter().copied();
                pieces.push(BezierPiece { u: *u, v: *v, degrees: (pu, pv), net: (0..=pu).flat_map(row).collect() });
            }
        }
        pieces
    }

    /// The part between two parameters of a direction, as a clamped surface; both must lie in the domain, in order.
    pub fn part(&self, direction: Direction, range: (f64, f64)) -> Result<Self, GeometryError> {
        let (low, high) = self.knots_along(direction).domain();
        if !(low <= range.0 && range.0 < range.1 && range.1 <= high) {
            let (quantity, rule) =
                ("width of the part", "both ends must lie in the domain, the first below the second");
            return Err(GeometryError::Parameter {
                object: "NURBS surface".into(),
                quantity,
                value: range.1 - range.0,
                rule,
            });
        }
        Ok(match direction {
            Direction::V => self.transposed().part_u(range).transposed(),
            Direction::U => self.part_u(range),
        })
    }

    fn part_u(&self, range: (f64, f64)) -> Self {
        let mut form = self.clone();
        for t in [range.0, range.1] {
            while form.knots_u().multiplicity(t) < form.knots_u().degree() {
                form = form.refined(Direction::U, t);
            }
        }
        let (knots, p, nv) = (form.knots_u(), form.knots_u().degree(), form.knots_v().control_count());
        let (first, last) = (knots.span(range.0) - p, knots.knots().partition_point(|k| *k < range.1) - 1);
        let inner = knots.knots().iter().copied().filter(|k| *k > range.0 && *k < range.1);
        let ends = |t: f64| std::iter::repeat_n(t, p + 1);
        let part = knots.with_knots(ends(range.0).chain(inner).chain(ends(range.1)).collect());
        let net = form.net()[first * nv..(last + 1) * nv].to_vec();
        NurbsSurface::from_net(part, form.knots_v().clone(), net, self.is_reversed())
    }

    /// `rows` × `columns` surfaces that together are this one, cut at equal steps of u and v.
    pub fn split(&self, rows: usize, columns: usize) -> Result<Vec<NurbsSurface>, GeometryError> {
        if rows == 0 || columns == 0 {
            let (object, what, rule) =
                ("split surface".into(), "number of rows or columns", "use at least one of each");
            return Err(GeometryError::Count { object, what, found: 0, rule });
        }
        let mut pieces = Vec::with_capacity(rows * columns);
        for u in cuts(self.knots_u(), rows) {
            let strip = self.part(Direction::U, u)?;
            for v in cuts(self.knots_v(), columns) {
                pieces.push(strip.part(Direction::V, v)?);
            }
        }
        Ok(pieces)
    }
}

/// Equal parts of the domain; a cut that all but meets a knot is put on it, so that no sliver is left.
fn cuts(knots: &KnotVector, parts: usize) -> Vec<(f64, f64)> {
    let (low, high) = knots.domain();
    let breaks = knots.breaks();
    let at = |k: usize| {
        let t = low + (high - low) * k as f64 / parts as f64;
        breaks.iter().copied().find(|b| (b - t).abs() <= 1e-9 * (high - low)).unwrap_or(t)
    };
    (0..parts).map(|k| (at(k), at(k + 1))).collect()
}

/// Boehm's knot insertion on rows of `width` control points.
fn insert(knots: &KnotVector, net: &[Homogeneous], width: usize, t: f64) -> (KnotVector, Vec<Homogeneous>) {
    let (p, old) = (knots.degree(), knots.knots());
    // U_k ≤ t < U_{k+1}, also at the very end of the domain where copies of t follow
    let k = old.partition_point(|x| *x <= t).min(old.len() - p - 1).max(p + 1) - 1;
    let mut rows = Vec::with_capacity(net.len() + width);
    for i in 0..=knots.control_count() {
        let alpha = if i + p <= k {
            1.0
        } else if i > k {
            0.0
        } else {
            (t - old[i]) / (old[i + p] - old[i])
        };
        for j in 0..width {
            let at = |row: usize| net[row * width + j];
            rows.push(if alpha == 1.0 {
                at(i)
            } else if alpha == 0.0 {
                at(i - 1)
            } else {
                let (a, b) = (at(i), at(i - 1));
                std::array::from_fn(|c| alpha * a[c] + (1.0 - alpha) * b[c])
            });
        }
    }
    let mut refined = old.to_vec();
    refined.insert(k + 1, t);
    (knots.with_knots(refined), rows)
}
