//! Paths of muscles over points and surfaces.
//!
//! [`PathSpec`] is what a person writes, [`Path`] what is computed with: indices instead of names. [`Path::solve`]
//! gives a [`PathGeometry`], where the path runs just now, from which length, speed, moment arms and forces follow.

mod geometry;
mod solve;
mod spec;
pub mod wrap;

pub use geometry::{Jump, PathGeometry, Station, StationKind};
pub use spec::{
    AxisSpec, Construction, EllipsoidMethod, PathSpec, PlaceSpec, PointSpec, Quadrant, RangeSpec, WrapSpec, WrapSurface,
};

use crate::error::{MuscleError, finite, positive, require};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Instant, Model};
use wolff_numerics::TimeFunction;
use wolff_spatial::{Pose, Vec3};

/// Most points and touching points of one path.
pub const MAX_STATIONS: usize = 40;

/// Where bodies and coordinates are just now.
pub trait Scene {
    /// Pose of a body in ground.
    fn pose(&self, body: usize) -> Pose;
    /// Value of a coordinate \[rad or m\].
    fn coordinate(&self, i: usize) -> f64;
}

impl Scene for Instant<'_> {
    fn pose(&self, body: usize) -> Pose {
        self.kin.bodies[body].X_GB
    }

    fn coordinate(&self, i: usize) -> f64 {
        Instant::coordinate(self, i)
    }
}

/// A path ready to be computed with.
#[derive(Clone, Debug)]
pub struct Path {
    name: String,
    pub(crate) points: Vec<PathPoint>,
    pub(crate) wraps: Vec<PathWrap>,
    pub(crate) construction: Construction,
}

/// A point of a path.
#[derive(Clone, Debug)]
pub(crate) struct PathPoint {
    pub body: usize,
    pub place: Place,
    /// Coordinate with the closed range in which the point is part of the path.
    pub active: Option<(usize, [f64; 2])>,
}

/// Where a point is on its body.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Fixed(Vec3),
    Moving(Box<[Axis; 3]>),
}

/// A component of a moving point.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub coordinate: Option<usize>,
    pub function: TimeFunction,
}

/// A surface with the part of the path that may touch it.
#[derive(Clone, Debug)]
pub(crate) struct PathWrap {
    pub body: usize,
    pub X_BW: Pose,
    pub surface: WrapSurface,
    pub quadrant: Option<Quadrant>,
    pub method: EllipsoidMethod,
    pub points: [usize; 2],
}

impl PathPoint {
    /// Whether it is part of the path just now.
    pub fn is_active(&self, scene: &impl Scene) -> bool {
        self.active.is_none_or(|(i, [min, max])| {
            let q = scene.coordinate(i);
            // a coordinate that sits on the end of a range but for rounding counts as inside, as in OpenSim
            q >= min - RANGE_MARGIN && q <= max + RANGE_MARGIN
        })
    }

    /// Position on its body.
    pub fn place(&self, scene: &impl Scene) -> Vec3 {
        match &self.place {
            Place::Fixed(p) => *p,
            Place::Moving(axes) => {
                let value = |a: &Axis| a.function.value(a.coordinate.map_or(0.0, |i| scene.coordinate(i)));
                Vec3::new(value(&axes[0]), value(&axes[1]), value(&axes[2]))
            }
        }
    }

    /// Hands `(coordinate, ∂p/∂q in body axes)` of every moving component to `visit`.
    pub fn drift(&self, scene: &impl Scene, mut visit: impl FnMut(usize, Vec3)) {
        let Place::Moving(axes) = &self.place else { return };
        for (k, axis) in axes.iter().enumerate() {
            if let Some(i) = axis.coordinate {
                let mut d = Vec3::zeros();
                d[k] = axis.function.evaluate(scene.coordinate(i)).d1;
                visit(i, d);
            }
        }
    }
}

/// Width \[rad or m\] by which the ends of an active range are taken wider.
const RANGE_MARGIN: f64 = 1e-5;

impl Path {
    /// Resolves names with a model.
    pub fn new(spec: &PathSpec, model: &Model) -> Result<Self, MuscleError> {
        let body =
            |name: &str| model.frame(&FrameSpec { body: name.into(), pose: Pose::identity() }).map(|frame| frame.body);
        Path::resolve(spec, body, |name| model.coordinate_index(name))
    }

    /// Resolves names with two functions, `body(name)` and `coordinate(name)`, and checks every number.
    pub fn resolve(
        spec: &PathSpec,
        body: impl Fn(&str) -> Option<usize>,
        coordinate: impl Fn(&str) -> Option<usize>,
    ) -> Result<Self, MuscleError> {
        check_counts(spec)?;
        let names = Names { path: &spec.name, body: &body, coordinate: &coordinate };
        let points: Result<Vec<_>, _> = spec.points.iter().map(|p| names.point(p)).collect();
        let wraps: Result<Vec<_>, _> = spec.wraps.iter().map(|w| names.wrap(w, spec.points.len())).collect();
        Ok(Path { name: spec.name.clone(), points: points?, wraps: wraps?, construction: spec.construction })
    }

    /// Name of the path.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Refuses paths with too few or too many points, or without two that always exist.
fn check_counts(spec: &PathSpec) -> Result<(), MuscleError> {
    let always = spec.points.iter().filter(|p| p.active.is_none()).count();
    let stations = spec.points.len() + 2 * spec.wraps.len();
    let rule = if always < 2 {
        format!("{always} points are always part of the path; give two or more without an active range")
    } else if stations > MAX_STATIONS {
        format!("points and twice the surfaces are {stations}, at most {MAX_STATIONS} are possible; split the path")
    } else {
        return Ok(());
    };
    Err(MuscleError::Rule { object: spec.name.clone(), rule })
}

/// Turns names into indices.
struct Names<'a> {
    path: &'a str,
    body: &'a dyn Fn(&str) -> Option<usize>,
    coordinate: &'a dyn Fn(&str) -> Option<usize>,
}

impl Names<'_> {
    fn body(&self, name: &str) -> Result<usize, MuscleError> {
        (self.body)(name).ok_or_else(|| MuscleError::Unknown {
            object: self.path.into(),
            what: "body",
            name: name.into(),
            remedy: "name a rigid body, ground, or a node of a flexible body",
        })
    }

    fn coordinate(&self, name: &str) -> Result<usize, MuscleError> {
        (self.coordinate)(name).ok_or_else(|| MuscleError::Unknown {
            object: self.path.into(),
            what: "coordinate",
            name: name.into(),
            remedy: "name one of the model's coordinates",
        })
    }

    fn point(&self, spec: &PointSpec) -> Result<PathPoint, MuscleError> {
        let place = match &spec.place {
            PlaceSpec::Fixed(p) => {
                p.iter().try_for_each(|x| finite(self.path, "a point's position [m]", *x).map(|_| ()))?;
                Place::Fixed(*p)
            }
            PlaceSpec::Moving(axes) => {
                let [x, y, z] = axes.as_ref();
                Place::Moving(Box::new([self.axis(x)?, self.axis(y)?, self.axis(z)?]))
            }
        };
        let active = spec.active.as_ref().map(|r| self.range(r)).transpose()?;
        Ok(PathPoint { body: self.body(&spec.body)?, place, active })
    }

    fn axis(&self, spec: &AxisSpec) -> Result<Axis, MuscleError> {
        let coordinate = spec.coordinate.as_deref().map(|name| self.coordinate(name)).transpose()?;
        Ok(Axis { coordinate, function: spec.function.clone() })
    }

    fn range(&self, spec: &RangeSpec) -> Result<(usize, [f64; 2]), MuscleError> {
        let rule = "must not be above the upper end of the range, and no NaN";
        require(spec.min <= spec.max, self.path, "lower end of an active range", spec.min, rule)?;
        Ok((self.coordinate(&spec.coordinate)?, [spec.min, spec.max]))
    }

    fn wrap(&self, spec: &WrapSpec, points: usize) -> Result<PathWrap, MuscleError> {
        check_surface(&format!("{}, surface {}", self.path, spec.name), &spec.surface)?;
        let (first, last) = (spec.first.unwrap_or(0), spec.last.unwrap_or(points - 1));
        if first > last || last >= points || spec.quadrant.is_some_and(|q| q.axis > 2) {
            let rule = format!(
                "surface {} is for points {first} to {last} (counted from 0) of {points}; the first must not come after \
                 the last, and a quadrant's axis is 0, 1 or 2",
                spec.name
            );
            return Err(MuscleError::Rule { object: self.path.into(), rule });
        }
        Ok(PathWrap {
            body: self.body(&spec.body)?,
            X_BW: spec.pose,
            surface: spec.surface,
            quadrant: spec.quadrant,
            method: spec.method,
            points: [first, last],
        })
    }
}

/// Refuses surfaces without size.
fn check_surface(object: &str, surface: &WrapSurface) -> Result<(), MuscleError> {
    match *surface {
        WrapSurface::Sphere { radius } => positive(object, "radius [m]", radius).map(|_| ()),
        WrapSurface::Cylinder { radius, length } => {
            positive(object, "radius [m]", radius)?;
            positive(object, "length [m]", length).map(|_| ())
        }
        WrapSurface::Ellipsoid { radii } => {
            radii.iter().try_for_each(|r| positive(object, "half axis [m]", *r).map(|_| ()))
        }
        WrapSurface::Torus { ring_radius, tube_radius } => {
            positive(object, "tube radius [m]", tube_radius)?;
            let rule = "must be a finite number greater than the radius of the tube, or the ring has no hole";
            require(ring_radius > tube_radius && ring_radius.is_finite(), object, "ring radius [m]", ring_radius, rule)
                .map(|_| ())
        }
    }
}
