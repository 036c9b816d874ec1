//! Where two tables touch.

use super::window::{Jet, Window};
use super::{CoarsePoint, SurfaceTable};
use crate::proximity::{ContactPair, Proximity, lock};
use nalgebra::{Matrix2, Matrix4, Vector4};
use std::sync::Mutex;
use wolff_spatial::{Pose, Vec3};

/// Newton steps; from a warm start four or five suffice.
const MAX_ITERATIONS: usize = 40;

/// From here on steps are halved: they may jump to and fro over the border of a cell, where second derivatives jump.
const HALVED_AFTER: usize = 12;

/// A step below this many cells ends the iteration: the depth is then right to its square.
const STEP_TOLERANCE: f64 = 1e-10;

/// Starts of the first search that are followed, the most promising first.
const MOST_STARTS: usize = 6;

/// Two surfaces from tables.
///
/// ```text
/// (a - b) · b_s = 0    (a - b) · b_t = 0    n · a_u = 0    n · a_v = 0    n = b_s × b_t    depth = -n · (a - b)/|n|
/// ```
///
/// a(u, v), b(s, t) points of both surfaces, indices partial derivatives. Newton on the four parameters starts from the
/// last answer, within the windows, which move with it. The first search, and one that lost its way, compares the
/// coarse copies of both tables and follows the local minima of the gap. The price of an answer does not depend on the
/// size of the tables.
///
/// Limits: a contact follows one place, that of its first search. Surfaces that have no common normal within their
/// tables are apart by the distance of the coarse points. The material of an open surface is everywhere behind it: what
/// comes around its rim is found deep inside.
#[derive(Debug)]
pub struct TablePair {
    a: SurfaceTable,
    b: SurfaceTable,
    memory: Mutex<Memory>,
}

/// What the next search begins with.
#[derive(Debug)]
struct Memory {
    window_a: Window,
    window_b: Window,
    last: Option<Vector4<f64>>,
    searches: usize,
}

/// Work done so far, and memory needed, of both tables together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Points of the tables.
    pub points: usize,
    /// Points in memory: the windows and the coarse copies.
    pub points_held: usize,
    /// Points read into the windows.
    pub points_read: usize,
    /// How often a window was filled.
    pub window_moves: usize,
    /// Searches over the coarse copies.
    pub searches: usize,
}

/// A common normal, in A's frame.
struct Found {
    a: Vec3,
    b: Vec3,
    /// Outward from B.
    normal: Vec3,
    place: Vector4<f64>,
}

impl TablePair {
    /// Surface A against surface B.
    pub fn new(a: SurfaceTable, b: SurfaceTable) -> Self {
        let memory = Memory { window_a: a.open_window(), window_b: b.open_window(), last: None, searches: 0 };
        TablePair { a, b, memory: Mutex::new(memory) }
    }

    /// How much has been read and searched.
    pub fn work(&self) -> Work {
        let memory = lock(&self.memory);
        let (a, b) = (&memory.window_a, &memory.window_b);
        Work {
            points: self.a.size().iter().product::<usize>() + self.b.size().iter().product::<usize>(),
            points_held: a.held() + b.held() + self.a.coarse_count() + self.b.coarse_count(),
            points_read: a.points_read() + b.points_read(),
            window_moves: a.moves() + b.moves(),
            searches: memory.searches,
        }
    }

    fn search(&self, X_AB: &Pose, memory: &mut Memory) -> Option<Found> {
        memory.searches += 1;
        let starts = self.starts(X_AB);
        let answers = starts.into_iter().filter_map(|start| self.newton(X_AB, memory, start));
        answers.max_by(|x, y| x.depth().total_cmp(&y.depth()))
    }

    /// Pairs of coarse points at the local minima of the gap along A, the lowest first.
    fn starts(&self, X_AB: &Pose) -> Vec<Vector4<f64>> {
        let of_b = moved(X_AB, self.b.coarse());
        let gaps: Vec<_> = self.a.coarse().iter().map(|p| signed_gap(p, &of_b)).collect();
        let columns = self.a.coarse_columns;
        let lower_than = |k: usize, n: Option<usize>| n.and_then(|n| gaps.get(n)).is_none_or(|g| gaps[k].0 <= g.0);
        let is_lowest = |k: &usize| {
            let (left, right) =
                ((!k.is_multiple_of(columns)).then(|| k - 1), (k % columns + 1 < columns).then_some(k + 1));
            let around = [left, right, k.checked_sub(columns), Some(k + columns)];
            gaps[*k].0 < f64::INFINITY && around.into_iter().all(|n| lower_than(*k, n))
        };
        let mut lowest: Vec<usize> = (0..gaps.len()).filter(is_lowest).collect();
        lowest.sort_by(|x, y| gaps[*x].0.total_cmp(&gaps[*y].0));
        let start = |k: usize| {
            let (p, q) = (self.a.coarse()[k].place, gaps[k].1);
            Vector4::new(p[0], p[1], q[0], q[1])
        };
        lowest.into_iter().take(MOST_STARTS).map(start).collect()
    }

    /// Newton from a start; nothing where it ends elsewhere than at a minimum of the gap inside both tables.
    fn newton(&self, X_AB: &Pose, memory: &mut Memory, mut place: Vector4<f64>) -> Option<Found> {
        let size = [self.a.size[0], self.a.size[1], self.b.size[0], self.b.size[1]];
        let longest = Vector4::from_fn(|k, _| 0.1 * size[k] as f64);
        for iteration in 0..MAX_ITERATIONS {
            let (a, b) = self.jets(X_AB, memory, &place);
            let (residual, jacobian) = equations(&a, &b);
            let mut step = -jacobian.lu().solve(&residual)?;
            let excess = step.component_div(&longest).amax();
            if excess > 1.0 {
                step /= excess;
            } else if iteration >= HALVED_AFTER {
                step *= 0.5;
            }
            let wanted = place + step;
            place = Vector4::from_fn(|k, _| wanted[k].clamp(0.0, (size[k] - 1) as f64));
            let settled = step.amax() <= STEP_TOLERANCE;
            if settled && place == wanted {
                let (a, b) = self.jets(X_AB, memory, &place);
                return accepted(&a, &b, place);
            }
            if settled || step.amax().is_nan() {
                return None;
            }
        }
        None
    }

    fn jets(&self, X_AB: &Pose, memory: &mut Memory, place: &Vector4<f64>) -> (Jet, Jet) {
        let a = memory.window_a.jet([place[0], place[1]]);
        let b = memory.window_b.jet([place[2], place[3]]);
        let turn = |d: Vec3| X_AB.R * d;
        let b = Jet {
            r: X_AB.point(&b.r),
            r_u: turn(b.r_u),
            r_v: turn(b.r_v),
            r_uu: turn(b.r_uu),
            r_uv: turn(b.r_uv),
            r_vv: turn(b.r_vv),
        };
        (a, b)
    }

    /// No common normal: the nearest coarse points, as a gap.
    fn nearest(&self, X_AB: &Pose) -> Proximity {
        let of_b = moved(X_AB, self.b.coarse());
        let mut best =
            Proximity { depth: f64::NEG_INFINITY, normal: Vec3::y(), point_a: Vec3::zeros(), point_b: Vec3::zeros() };
        for p in self.a.coarse() {
            for q in &of_b {
                let d = q.position - p.position;
                let distance = d.norm();
                // NaN must not hide as an open contact
                if -distance > best.depth || distance.is_nan() {
                    let normal = if distance > 0.0 { d / distance } else { p.normal };
                    best = Proximity { depth: -distance, normal, point_a: p.position, point_b: q.position };
                }
            }
        }
        best
    }
}

impl ContactPair for TablePair {
    fn proximity(&self, X_GA: &Pose, X_GB: &Pose) -> Proximity {
        let X_AB = X_GA.inverse() * *X_GB;
        let mut memory = lock(&self.memory);
        let last = memory.last;
        let found = last.and_then(|start| self.newton(&X_AB, &mut memory, start));
        let found = found.or_else(|| self.search(&X_AB, &mut memory));
        memory.last = found.as_ref().map(|found| found.place);
        let local = found.map_or_else(|| self.nearest(&X_AB), |found| found.proximity());
        Proximity {
            depth: local.depth,
            normal: X_GA.R * local.normal,
            point_a: X_GA.point(&local.point_a),
            point_b: X_GA.point(&local.point_b),
        }
    }

    fn table_work(&self) -> Option<Work> {
        Some(self.work())
    }

    fn reach(&self) -> f64 {
        self.a.smallest_radius().min(self.b.smallest_radius())
    }
}

impl Found {
    fn depth(&self) -> f64 {
        -self.normal.dot(&(self.a - self.b))
    }

    fn proximity(&self) -> Proximity {
        Proximity { depth: self.depth(), normal: -self.normal, point_a: self.a, point_b: self.b }
    }
}

/// The four conditions and their derivatives by (u, v, s, t).
fn equations(a: &Jet, b: &Jet) -> (Vector4<f64>, Matrix4<f64>) {
    let d = a.r - b.r;
    let n = b.r_u.cross(&b.r_v);
    let n_s = b.r_uu.cross(&b.r_v) + b.r_u.cross(&b.r_uv);
    let n_t = b.r_uv.cross(&b.r_v) + b.r_u.cross(&b.r_vv);
    let residual = Vector4::new(d.dot(&b.r_u), d.dot(&b.r_v), n.dot(&a.r_u), n.dot(&a.r_v));
    #[rustfmt::skip]
    let jacobian = Matrix4::new(
        a.r_u.dot(&b.r_u), a.r_v.dot(&b.r_u), d.dot(&b.r_uu) - b.r_u.dot(&b.r_u), d.dot(&b.r_uv) - b.r_v.dot(&b.r_u),
        a.r_u.dot(&b.r_v), a.r_v.dot(&b.r_v), d.dot(&b.r_uv) - b.r_u.dot(&b.r_v), d.dot(&b.r_vv) - b.r_v.dot(&b.r_v),
        n.dot(&a.r_uu), n.dot(&a.r_uv), n_s.dot(&a.r_u), n_t.dot(&a.r_u),
        n.dot(&a.r_uv), n.dot(&a.r_vv), n_s.dot(&a.r_v), n_t.dot(&a.r_v),
    );
    (residual, jacobian)
}

/// The answer, where the normals oppose each other and the gap grows to all sides: A rises faster above the common
/// tangent plane than B does.
fn accepted(a: &Jet, b: &Jet, place: Vector4<f64>) -> Option<Found> {
    let normal = b.r_u.cross(&b.r_v).try_normalize(0.0)?;
    let opposed = a.r_u.cross(&a.r_v).dot(&normal) < 0.0;
    let e1 = b.r_u.normalize();
    let e2 = normal.cross(&e1);
    let rise = |jet: &Jet| {
        let tangents = Matrix2::new(jet.r_u.dot(&e1), jet.r_v.dot(&e1), jet.r_u.dot(&e2), jet.r_v.dot(&e2));
        let (uu, uv, vv) = (normal.dot(&jet.r_uu), normal.dot(&jet.r_uv), normal.dot(&jet.r_vv));
        tangents.try_inverse().map(|inverse| inverse.transpose() * Matrix2::new(uu, uv, uv, vv) * inverse)
    };
    let relative = rise(a)? - rise(b)?;
    let is_lowest = relative.trace() > 0.0 && relative.determinant() > 0.0;
    (opposed && is_lowest).then_some(Found { a: a.r, b: b.r, normal, place })
}

fn moved(X_AB: &Pose, points: &[CoarsePoint]) -> Vec<CoarsePoint> {
    let moved =
        |p: &CoarsePoint| CoarsePoint { place: p.place, position: X_AB.point(&p.position), normal: X_AB.R * p.normal };
    points.iter().map(moved).collect()
}

/// Gap of a coarse point from the nearest one of B that faces it, negative inside, and that one's place; infinite where
/// none does.
fn signed_gap(p: &CoarsePoint, of_b: &[CoarsePoint]) -> (f64, [f64; 2]) {
    let mut best = (f64::INFINITY, f64::INFINITY, [0.0; 2]);
    for q in of_b.iter().filter(|q| q.normal.dot(&p.normal) < 0.0) {
        let d = p.position - q.position;
        let distance = d.norm_squared();
        if distance < best.0 {
            best = (distance, distance.sqrt().copysign(q.normal.dot(&d)), q.place);
        }
    }
    (best.1, best.2)
}
