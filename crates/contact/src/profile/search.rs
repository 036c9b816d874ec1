//! Where two profiles touch.

use super::{CurvePoint, Profile, Sample};
use crate::proximity::{ContactPair, Proximity, lock};
use nalgebra::{Matrix2, Rotation2, Vector2};
use std::sync::{Arc, Mutex};
use wolff_spatial::{Pose, Vec3};

/// Newton steps; from a warm start four or five suffice.
const MAX_ITERATIONS: usize = 40;

/// A step below this share of the length ends the iteration: the depth is then right to its square.
const STEP_TOLERANCE: f64 = 1e-13;

/// Two profiles in one plane.
///
/// ```text
/// (a(s) - b(t)) · b'(t) = 0      a'(s) × b'(t) = 0      depth = -n_B · (a - b)
/// ```
///
/// a, b points of both curves at chord lengths s, t \[m\], n_B outward normal of B. Of the common normals those count
/// whose outward normals oppose each other and where the gap has a minimum, `κ_A + κ_B + κ_A κ_B gap > 0`; κ curvatures
/// \[1/m\]. Two circles so have one place, between their centres, and not a second one at their far sides.
///
/// Newton on (s, t) starts from the last answer while the profiles overlap there: a contact keeps its place, so its
/// force is smooth. In a gap, and where that start fails, every local minimum of the sampled gap is a start and the
/// deepest answer is taken, so no first touch is missed. [`ProfilePair::places`] lists all of them; one contact acts at
/// one place and never mixes two.
///
/// Limits: both frames keep their z axes parallel; only their xy planes are seen. Features smaller than the distance of
/// the samples (1/160 of the length or more) may be overlooked by the global search.
#[derive(Debug)]
pub struct ProfilePair {
    a: Arc<Profile>,
    b: Arc<Profile>,
    /// Last place: where a search begins, never what it finds.
    last: Mutex<Option<Place>>,
}

/// Parameters of a pair of points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    s: f64,
    t: f64,
}

/// A common normal, in A's frame.
#[derive(Clone, Copy, Debug)]
struct Found {
    place: Place,
    a: Vector2<f64>,
    b: Vector2<f64>,
    /// Outward from B.
    normal: Vector2<f64>,
    depth: f64,
}

/// B's frame in A's plane.
struct Relative {
    rotation: Rotation2<f64>,
    origin: Vector2<f64>,
}

impl Relative {
    fn new(X_GA: &Pose, X_GB: &Pose) -> Self {
        let R = X_GA.R.tr_mul(&X_GB.R);
        let p = X_GA.inverse_point(&X_GB.p);
        Relative { rotation: Rotation2::new(R[(1, 0)].atan2(R[(0, 0)])), origin: p.xy() }
    }

    fn point(&self, p: &CurvePoint) -> CurvePoint {
        CurvePoint {
            position: self.rotation * p.position + self.origin,
            d1: self.rotation * p.d1,
            d2: self.rotation * p.d2,
        }
    }
}

impl ProfilePair {
    /// Profile A against profile B.
    pub fn new(a: Arc<Profile>, b: Arc<Profile>) -> Self {
        ProfilePair { a, b, last: Mutex::new(None) }
    }

    /// Every place with a common normal, in the order of A's parameter.
    pub fn places(&self, X_GA: &Pose, X_GB: &Pose) -> Vec<Proximity> {
        let relative = Relative::new(X_GA, X_GB);
        self.common_normals(&relative).iter().map(|found| in_ground(X_GA, found)).collect()
    }

    fn common_normals(&self, relative: &Relative) -> Vec<Found> {
        let mut all: Vec<Found> = Vec::new();
        for start in self.starts(relative) {
            let Some(found) = self.newton(relative, start) else { continue };
            let same = |known: &&Found| (known.a - found.a).norm() < 1e-9 * self.a.length();
            if all.iter().find(same).is_none() {
                all.push(found);
            }
        }
        all
    }

    /// Pairs of samples at the local minima of the signed gap along A.
    fn starts(&self, relative: &Relative) -> Vec<Place> {
        let of_b: Vec<Sample> = self.b.samples().iter().map(|sample| moved(relative, sample)).collect();
        let gaps: Vec<(f64, f64)> = self.a.samples().iter().map(|sample| signed_gap(sample, &of_b)).collect();
        let count = gaps.len();
        let at = |k: usize, step: usize| match (self.a.is_closed(), (k + step).checked_sub(1)) {
            (true, _) => gaps[(k + step + count - 1) % count].0,
            (false, Some(i)) => gaps.get(i).map_or(f64::INFINITY, |g| g.0),
            (false, None) => f64::INFINITY,
        };
        let is_lowest = |k: &usize| gaps[*k].0 < f64::INFINITY && gaps[*k].0 <= at(*k, 0) && gaps[*k].0 <= at(*k, 2);
        (0..count).filter(is_lowest).map(|k| Place { s: self.a.samples()[k].s, t: gaps[k].1 }).collect()
    }

    /// Newton from a start; nothing where it ends elsewhere than at a minimum of the gap.
    fn newton(&self, relative: &Relative, mut place: Place) -> Option<Found> {
        let longest = 0.05 * self.a.length().min(self.b.length());
        for _ in 0..MAX_ITERATIONS {
            let (a, b) = (self.a.point(place.s), relative.point(&self.b.point(place.t)));
            let d = a.position - b.position;
            let residual = Vector2::new(d.dot(&b.d1), a.d1.perp(&b.d1));
            let jacobian =
                Matrix2::new(a.d1.dot(&b.d1), d.dot(&b.d2) - b.d1.norm_squared(), a.d2.perp(&b.d1), a.d1.perp(&b.d2));
            let step = -(jacobian.try_inverse()? * residual);
            let size = step.amax();
            let step = if size > longest { step * (longest / size) } else { step };
            place = Place { s: place.s + step.x, t: place.t + step.y };
            if size <= STEP_TOLERANCE * self.a.length().max(self.b.length()) {
                return self.accepted(relative, place);
            }
        }
        None
    }

    fn accepted(&self, relative: &Relative, place: Place) -> Option<Found> {
        let (a, b) = (self.a.point(place.s), relative.point(&self.b.point(place.t)));
        let normal = b.normal();
        let gap = normal.dot(&(a.position - b.position));
        let opposed = a.normal().dot(&normal) < 0.0;
        let (bend_a, bend_b) = (a.curvature(), b.curvature());
        let is_lowest = bend_a + bend_b + bend_a * bend_b * gap > 0.0;
        let found = Found { place, a: a.position, b: b.position, normal, depth: -gap };
        (opposed && is_lowest).then_some(found)
    }

    /// The last place, if the profiles still overlap there.
    fn followed(&self, relative: &Relative, last: Option<Place>) -> Option<Found> {
        let last = last?;
        let found = self.newton(relative, last)?;
        let near = (found.place.s - last.s).abs() < 0.05 * self.a.length();
        (near && found.depth > 0.0).then_some(found)
    }

    fn deepest(&self, relative: &Relative) -> Option<Found> {
        self.common_normals(relative).into_iter().max_by(|x, y| x.depth.total_cmp(&y.depth))
    }

    /// No common normal: the nearest two samples, as a gap.
    fn nearest(&self, relative: &Relative) -> Found {
        let of_b: Vec<Sample> = self.b.samples().iter().map(|sample| moved(relative, sample)).collect();
        let mut best = Found {
            place: Place { s: 0.0, t: 0.0 },
            a: Vector2::zeros(),
            b: relative.origin,
            normal: Vector2::y(),
            depth: f64::NEG_INFINITY,
        };
        for p in self.a.samples() {
            for q in &of_b {
                let d = p.position - q.position;
                let distance = d.norm();
                // NaN must not hide as an open contact
                if -distance > best.depth || distance.is_nan() {
                    let normal = if distance > 0.0 { d / distance } else { q.normal };
                    let place = Place { s: p.s, t: q.s };
                    best = Found { place, a: p.position, b: q.position, normal, depth: -distance };
                }
            }
        }
        best
    }
}

impl ContactPair for ProfilePair {
    fn proximity(&self, X_GA: &Pose, X_GB: &Pose) -> Proximity {
        let relative = Relative::new(X_GA, X_GB);
        let last = *lock(&self.last);
        let found = self.followed(&relative, last).or_else(|| self.deepest(&relative));
        *lock(&self.last) = found.map(|found| found.place);
        in_ground(X_GA, &found.unwrap_or_else(|| self.nearest(&relative)))
    }

    fn reach(&self) -> f64 {
        self.a.smallest_radius().min(self.b.smallest_radius())
    }

    fn place_count(&self, X_GA: &Pose, X_GB: &Pose) -> usize {
        self.common_normals(&Relative::new(X_GA, X_GB)).iter().filter(|found| found.depth > 0.0).count()
    }
}

fn moved(relative: &Relative, sample: &Sample) -> Sample {
    Sample {
        s: sample.s,
        position: relative.rotation * sample.position + relative.origin,
        normal: relative.rotation * sample.normal,
    }
}

/// Gap of a sample from the nearest one of B that faces it, negative inside, and that one's parameter; infinite where
/// none does.
fn signed_gap(sample: &Sample, of_b: &[Sample]) -> (f64, f64) {
    let mut best = (f64::INFINITY, f64::INFINITY, 0.0);
    for q in of_b.iter().filter(|q| q.normal.dot(&sample.normal) < 0.0) {
        let d = sample.position - q.position;
        let distance = d.norm_squared();
        if distance < best.0 {
            best = (distance, distance.sqrt().copysign(q.normal.dot(&d)), q.s);
        }
    }
    (best.1, best.2)
}

fn in_ground(X_GA: &Pose, found: &Found) -> Proximity {
    let lift = |p: &Vector2<f64>| X_GA.point(&Vec3::new(p.x, p.y, 0.0));
    let normal = X_GA.R * Vec3::new(-found.normal.x, -found.normal.y, 0.0);
    Proximity { depth: found.depth, normal, point_a: lift(&found.a), point_b: lift(&found.b) }
}
