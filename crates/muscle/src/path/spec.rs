//! What a person writes or a reader finds in a file: a path by names.

use wolff_numerics::TimeFunction;
use wolff_spatial::{Pose, Vec3};

/// A muscle's way from origin to insertion.
#[derive(Clone, Debug)]
pub struct PathSpec {
    /// Unique name.
    pub name: String,
    /// Points in order from origin to insertion, two or more.
    pub points: Vec<PointSpec>,
    /// Surfaces the path may bend over.
    pub wraps: Vec<WrapSpec>,
    /// How bent parts are found.
    pub construction: Construction,
}

/// A point of a path on a body.
#[derive(Clone, Debug)]
pub struct PointSpec {
    /// Name of the body, `ground`, or a node of a flexible body as `shank.ankle`.
    pub body: String,
    /// Where on the body.
    pub place: PlaceSpec,
    /// When it is part of the path; none: always.
    pub active: Option<RangeSpec>,
}

impl PointSpec {
    /// A point fixed on a body, always part of the path.
    pub fn fixed(body: &str, p: Vec3) -> Self {
        PointSpec { body: body.into(), place: PlaceSpec::Fixed(p), active: None }
    }
}

/// Where a point is on its body.
#[derive(Clone, Debug)]
pub enum PlaceSpec {
    /// Always there \[m\].
    Fixed(Vec3),
    /// Each component \[m\] a function of a coordinate.
    Moving(Box<[AxisSpec; 3]>),
}

/// One component of a moving point.
#[derive(Clone, Debug)]
pub struct AxisSpec {
    /// The coordinate it depends on; none for a constant.
    pub coordinate: Option<String>,
    /// The function; its argument is the coordinate \[rad or m\], its value a length \[m\].
    pub function: TimeFunction,
}

/// A closed range of a coordinate.
#[derive(Clone, Debug)]
pub struct RangeSpec {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Lower end \[rad or m\].
    pub min: f64,
    /// Upper end.
    pub max: f64,
}

/// A surface that a path may bend over.
#[derive(Clone, Debug)]
pub struct WrapSpec {
    /// Name of the surface.
    pub name: String,
    /// The body that carries it.
    pub body: String,
    /// Pose of the surface's frame on the body; the axis of cylinder and torus is z.
    pub pose: Pose,
    /// Its shape.
    pub surface: WrapSurface,
    /// The half that the path must pass over; none: the shortest way.
    pub quadrant: Option<Quadrant>,
    /// How the plane of the path over an ellipsoid is chosen (OpenSim's construction only).
    pub method: EllipsoidMethod,
    /// First point of the path (counted from 0) whose segments may touch the surface; none: the first.
    pub first: Option<usize>,
    /// Last such point; none: the last.
    pub last: Option<usize>,
}

/// Shape of a wrap surface, lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WrapSurface {
    /// A sphere about the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder about z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length, centred on the origin: a path whose touching points are both beyond it slips off.
        length: f64,
    },
    /// An ellipsoid with axes x, y, z.
    Ellipsoid {
        /// Half axes.
        radii: Vec3,
    },
    /// A ring about z; the path runs through its hole.
    Torus {
        /// Radius of the circle in the middle of the tube.
        ring_radius: f64,
        /// Radius of the tube.
        tube_radius: f64,
    },
}

/// A half space of the surface's frame: `sign * axis > 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quadrant {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Whether the positive half is meant.
    pub positive: bool,
}

impl Quadrant {
    /// Reads OpenSim's names `x`, `+x`, `-x`, ... in either case; none for `all`, `Unassigned` and unknown names.
    pub fn from_name(name: &str) -> Option<Self> {
        let lower = name.trim().to_lowercase();
        let axis = ["x", "y", "z"].iter().position(|a| lower.trim_start_matches(['+', '-']) == *a)?;
        Some(Quadrant { axis, positive: !lower.starts_with('-') })
    }

    /// Whether `p` is on the wanted half; zero counts as positive.
    pub(crate) fn contains(&self, p: &Vec3) -> bool {
        (p[self.axis] >= 0.0) == self.positive
    }

    /// Unit vector into the wanted half.
    pub(crate) fn direction(&self) -> Vec3 {
        let mut d = Vec3::zeros();
        d[self.axis] = if self.positive { 1.0 } else { -1.0 };
        d
    }
}

/// How OpenSim chooses the plane of a path over an ellipsoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EllipsoidMethod {
    /// A blend of the axial plane and an average over the chord.
    #[default]
    Hybrid,
    /// Through the surface point closest to the middle of the chord.
    Midpoint,
    /// Through the surface point closest to where the chord crosses the coordinate plane that it is most normal to.
    Axial,
}

/// How the bent parts of a path are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Construction {
    /// The shortest path: helices on cylinders, geodesics on ellipsoids. The length is stationary in the touching
    /// points, so moment arms from the directions of the straight parts are the exact derivative of the length; not so
    /// on rings, whose stand-in cylinder moves with the segment.
    #[default]
    Shortest,
    /// As OpenSim 4: a plane through both ends on cylinders (a single surface only) and ellipsoids, few sweeps over
    /// several surfaces. Lengths agree with OpenSim's; moment arms, taken from the directions as OpenSim does, are then
    /// not exactly the derivative of the length. Two of OpenSim's lengths are no lengths and are not followed: over two
    /// cylinders at once it moves the touching points without renewing the arc (up to 7 mm short on gastrocnemius), and
    /// ways of more than half a turn get a turn too many or a negative sign.
    OpenSim,
}
