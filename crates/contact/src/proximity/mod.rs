//! Overlap or gap of two shapes, with the common normal and the points on it.
//!
//! All pairs use the common-normal concept: the contact points are those where the surface normals lie on one line.
//! Depth is the overlap along it, negative for a gap, and a smooth function of the poses away from the medial axis of
//! the shapes (centres that coincide, a sphere's centre deep inside an ellipsoid).

mod ellipsoid_plane;
mod ellipsoid_sphere;
mod ellipsoids;
mod spheres;

pub use ellipsoid_sphere::nearest_point_on_ellipsoid;

use crate::error::{ContactError, require};
use crate::lookup::Work;
use crate::shape::Shape;
use std::sync::{Mutex, MutexGuard, PoisonError};
use wolff_spatial::{Pose, Vec3};

/// Two shapes, whatever they are: how they lie to each other.
///
/// A pair may remember where it found the last answer to begin the next search there. The memory is a hint and no state
/// of the model: without it the search only takes longer.
pub trait ContactPair: std::fmt::Debug + Send + Sync {
    /// Proximity of shape A at `X_GA` and shape B at `X_GB`.
    fn proximity(&self, X_GA: &Pose, X_GB: &Pose) -> Proximity;

    /// Smallest radius of the two shapes \[m\].
    fn reach(&self) -> f64;

    /// In how many separate places they overlap; only shapes that are not convex can do so in more than one.
    fn place_count(&self, X_GA: &Pose, X_GB: &Pose) -> usize {
        usize::from(self.proximity(X_GA, X_GB).depth > 0.0)
    }

    /// What has been read so far of shapes that are tables.
    fn table_work(&self) -> Option<Work> {
        None
    }
}

/// The content of a memory; one that a panic left behind is a hint like any other.
pub(crate) fn lock<T>(memory: &Mutex<T>) -> MutexGuard<'_, T> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Relative position of two shapes, in ground axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Depth of the overlap along the normal \[m\]; negative: gap.
    pub depth: f64,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Point on A's surface deepest in B, or nearest to it \[m\].
    pub point_a: Vec3,
    /// Point on B's surface deepest in A, or nearest to it \[m\]: `point_a - point_b = depth normal`.
    pub point_b: Vec3,
}

impl Proximity {
    /// The same with A and B exchanged.
    fn swapped(self) -> Self {
        Proximity { depth: self.depth, normal: -self.normal, point_a: self.point_b, point_b: self.point_a }
    }

    /// Middle of the overlap, where the force acts \[m\].
    pub fn midpoint(&self) -> Vec3 {
        (self.point_a + self.point_b) * 0.5
    }
}

/// Two shapes whose proximity can be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapePair {
    pair: Pair,
    swapped: bool,
}

/// Supported pairs in their canonical order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pair {
    Spheres { radius_a: f64, radius_b: f64 },
    PlaneSphere { radius: f64 },
    PlaneEllipsoid { semi_axes: Vec3 },
    EllipsoidSphere { semi_axes: Vec3, radius: f64 },
    Ellipsoids { semi_axes_a: Vec3, semi_axes_b: Vec3 },
}

impl ShapePair {
    /// Smallest radius or semi-axis of the two shapes \[m\].
    pub fn smallest_radius(&self) -> f64 {
        match &self.pair {
            Pair::Spheres { radius_a, radius_b } => radius_a.abs().min(radius_b.abs()),
            Pair::PlaneSphere { radius } => radius.abs(),
            Pair::PlaneEllipsoid { semi_axes } => semi_axes.min(),
            Pair::EllipsoidSphere { semi_axes, radius } => semi_axes.min().min(radius.abs()),
            Pair::Ellipsoids { semi_axes_a, semi_axes_b } => semi_axes_a.min().min(semi_axes_b.min()),
        }
    }

    /// Checks both shapes and that the pair is supported.
    pub fn new(a: Shape, b: Shape) -> Result<Self, ContactError> {
        let (a, b) = (a.checked()?, b.checked()?);
        if let Some(pair) = canonical(&a, &b) {
            check_fit(&pair)?;
            return Ok(ShapePair { pair, swapped: false });
        }
        if let Some(pair) = canonical(&b, &a) {
            return Ok(ShapePair { pair, swapped: true });
        }
        let remedy = match (&a, &b) {
            (Shape::Plane, Shape::Plane) => "cover one of them with spheres or ellipsoids",
            _ => "a cavity can only hold a sphere; use a sphere in place of the other shape",
        };
        Err(ContactError::UnsupportedPair { a: a.to_string(), b: b.to_string(), remedy })
    }

    /// Proximity of shape A at `X_GA` and shape B at `X_GB`. `warm` is a normal from A to B of a nearby position, which
    /// saves the search for a start between two ellipsoids, and decides where the normal is undefined.
    pub fn proximity(&self, X_GA: &Pose, X_GB: &Pose, warm: Option<Vec3>) -> Proximity {
        if self.swapped {
            self.pair.proximity(X_GB, X_GA, warm.map(|normal| -normal)).swapped()
        } else {
            self.pair.proximity(X_GA, X_GB, warm)
        }
    }
}

impl ContactPair for ShapePair {
    fn proximity(&self, X_GA: &Pose, X_GB: &Pose) -> Proximity {
        ShapePair::proximity(self, X_GA, X_GB, None)
    }

    fn reach(&self) -> f64 {
        self.smallest_radius()
    }
}

/// The pair in the order the methods expect.
fn canonical(a: &Shape, b: &Shape) -> Option<Pair> {
    Some(match (*a, *b) {
        (Shape::Sphere { radius: radius_a }, Shape::Sphere { radius: radius_b })
            if radius_a > 0.0 || radius_b > 0.0 =>
        {
            Pair::Spheres { radius_a, radius_b }
        }
        (Shape::Plane, Shape::Sphere { radius }) if radius > 0.0 => Pair::PlaneSphere { radius },
        (Shape::Plane, Shape::Ellipsoid { semi_axes }) => Pair::PlaneEllipsoid { semi_axes },
        (Shape::Ellipsoid { semi_axes }, Shape::Sphere { radius }) if radius > 0.0 => {
            Pair::EllipsoidSphere { semi_axes, radius }
        }
        (Shape::Ellipsoid { semi_axes: semi_axes_a }, Shape::Ellipsoid { semi_axes: semi_axes_b }) => {
            Pair::Ellipsoids { semi_axes_a, semi_axes_b }
        }
        _ => return None,
    })
}

/// A cavity must hold its sphere.
fn check_fit(pair: &Pair) -> Result<(), ContactError> {
    if let Pair::Spheres { radius_a, radius_b } = *pair
        && radius_a.min(radius_b) < 0.0
    {
        let rule = "must be less than zero: make the cavity larger than the sphere";
        require(
            radius_a + radius_b < 0.0,
            "sphere in a cavity",
            "sphere radius - cavity radius [m]",
            radius_a + radius_b,
            rule,
        )?;
    }
    Ok(())
}

impl Pair {
    fn proximity(&self, X_GA: &Pose, X_GB: &Pose, warm: Option<Vec3>) -> Proximity {
        match self {
            Pair::Spheres { radius_a, radius_b } => spheres::spheres((&X_GA.p, *radius_a), (&X_GB.p, *radius_b), warm),
            Pair::PlaneSphere { radius } => spheres::plane_sphere(X_GA, (&X_GB.p, *radius)),
            Pair::PlaneEllipsoid { semi_axes } => ellipsoid_plane::plane_ellipsoid(X_GA, (X_GB, semi_axes)),
            Pair::EllipsoidSphere { semi_axes, radius } => {
                ellipsoid_sphere::ellipsoid_sphere((X_GA, semi_axes), (&X_GB.p, *radius), warm)
            }
            Pair::Ellipsoids { semi_axes_a, semi_axes_b } => {
                ellipsoids::ellipsoids((X_GA, semi_axes_a), (X_GB, semi_axes_b), warm)
            }
        }
    }
}

/// `v/|v|`, or else the warm normal, or else +y.
fn direction(v: &Vec3, warm: Option<Vec3>) -> Vec3 {
    v.try_normalize(f64::MIN_POSITIVE).or_else(|| warm.and_then(|w| w.try_normalize(0.0))).unwrap_or_else(Vec3::y)
}
