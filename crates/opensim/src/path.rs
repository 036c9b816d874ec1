//! Paths of muscles, ligaments and springs, with the surfaces they bend over.

use crate::frame::{Frames, offset};
use crate::{OpensimError, convert_function, coordinate_name};
use wolff_formats::osim::{OsimAttached, OsimModel, OsimMoving, OsimPath, OsimPathPoint, OsimPathWrap, OsimPointKind};
use wolff_formats::osim::{OsimWrap, OsimWrapShape};
use wolff_multibody::spec::{FrameSpec, GROUND};
use wolff_muscle::path::{
    AxisSpec, Construction, EllipsoidMethod, PathSpec, PlaceSpec, PointSpec, Quadrant, RangeSpec, WrapSpec, WrapSurface,
};
use wolff_numerics::TimeFunction;
use wolff_spatial::{Mat3, Pose, Vec3};

/// Frames and wrap objects of a model, to which its paths refer.
pub(crate) struct Paths<'a> {
    pub frames: &'a Frames<'a>,
    wraps: Vec<(&'a OsimWrap, FrameSpec)>,
}

impl<'a> Paths<'a> {
    /// Collects the wrap objects of ground, bodies and the frames on them.
    pub fn new(model: &'a OsimModel, frames: &'a Frames<'a>) -> Result<Self, OpensimError> {
        let mut paths = Paths { frames, wraps: Vec::new() };
        paths.collect(&mut vec![GROUND], &model.ground)?;
        for body in &model.bodies {
            paths.collect(&mut vec!["bodyset", &body.name], &body.attached)?;
        }
        for frame in &model.frames {
            paths.collect(&mut vec![&frame.name], &frame.attached)?;
        }
        for joint in &model.joints {
            for frame in &joint.frames {
                paths.collect(&mut vec!["jointset", &joint.name, &frame.name], &frame.attached)?;
            }
        }
        Ok(paths)
    }

    fn collect(&mut self, owner: &mut Vec<&'a str>, attached: &'a OsimAttached) -> Result<(), OpensimError> {
        if !attached.wraps.is_empty() {
            let carrier = self.frames.resolve(owner, ".")?;
            self.wraps.extend(attached.wraps.iter().map(|w| (w, carrier.clone())));
        }
        for frame in &attached.frames {
            owner.push(&frame.name);
            self.collect(owner, &frame.attached)?;
            owner.pop();
        }
        Ok(())
    }

    /// The path of a force; the inner error is the reason why it is not supported.
    pub fn convert(&self, force: &str, path: &OsimPath) -> Result<Result<PathSpec, String>, OpensimError> {
        let mut points = Vec::with_capacity(path.points.len());
        for point in &path.points {
            match self.point(force, point)? {
                Ok(point) => points.push(point),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let mut wraps = Vec::with_capacity(path.wraps.len());
        for wrap in &path.wraps {
            match self.wrap(wrap, path.points.len()) {
                Ok(wrap) => wraps.extend(wrap),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        Ok(Ok(PathSpec { name: force.into(), points, wraps, construction: Construction::OpenSim }))
    }

    fn point(&self, force: &str, point: &OsimPathPoint) -> Result<Result<PointSpec, String>, OpensimError> {
        let owner = ["forceset", force, "geometrypath", point.name.as_str()];
        let frame = self.frames.resolve(&owner, &point.frame)?;
        let fixed = || PlaceSpec::Fixed(frame.pose.point(&Vec3::from(point.location)));
        let (place, active) = match &point.kind {
            OsimPointKind::Fixed => (fixed(), None),
            OsimPointKind::Conditional { coordinate, range } => {
                let [min, max] = *range;
                (fixed(), Some(RangeSpec { coordinate: coordinate_name(coordinate).into(), min, max }))
            }
            OsimPointKind::Moving(axes) => {
                if frame.pose.R != Mat3::identity() || frame.pose.p != Vec3::zeros() {
                    let reason = format!("its point `{}` moves on a frame other than that of a body", point.name);
                    return Ok(Err(reason));
                }
                let [x, y, z] = axes.as_ref();
                let axis = |k: usize, moving: &OsimMoving| moving_axis(force, point.location[k], moving);
                (PlaceSpec::Moving(Box::new([axis(0, x)?, axis(1, y)?, axis(2, z)?])), None)
            }
        };
        Ok(Ok(PointSpec { body: frame.body.clone(), place, active }))
    }

    /// A surface; `None` where it is disabled in the file.
    fn wrap(&self, path_wrap: &OsimPathWrap, points: usize) -> Result<Option<WrapSpec>, String> {
        let name = coordinate_name(&path_wrap.wrap_object);
        let found = self.wraps.iter().find(|(w, _)| w.name == name);
        let (wrap, carrier) =
            found.ok_or_else(|| format!("its wrap object `{name}` does not exist or is not supported"))?;
        if !wrap.active {
            return Ok(None);
        }
        let [first, last] = path_wrap.range.map(|end| end as i64);
        let point = |end: i64| (end >= 1).then(|| (end as usize - 1).min(points.saturating_sub(1)));
        Ok(Some(WrapSpec {
            name: wrap.name.clone(),
            body: carrier.body.clone(),
            pose: carrier.pose * offset(&wrap.translation, &wrap.orientation),
            surface: surface(&wrap.shape),
            quadrant: Quadrant::from_name(&wrap.quadrant),
            method: method(&path_wrap.method),
            first: point(first),
            last: point(last),
        }))
    }
}

/// The frames of the points of a path without surfaces, moving points and conditional points; `None` for other paths.
pub(crate) fn plain_points(path: &PathSpec) -> Option<Vec<FrameSpec>> {
    let place = |point: &PointSpec| match (&point.place, &point.active) {
        (PlaceSpec::Fixed(p), None) => Some(FrameSpec { body: point.body.clone(), pose: Pose::translation(*p) }),
        _ => None,
    };
    if path.wraps.is_empty() { path.points.iter().map(place).collect() } else { None }
}

/// A component of a moving point; without a function it stays at `location`.
fn moving_axis(force: &str, location: f64, moving: &OsimMoving) -> Result<AxisSpec, OpensimError> {
    let coordinate = Some(coordinate_name(&moving.coordinate)).filter(|name| !name.is_empty());
    match &moving.function {
        Some(f) => {
            Ok(AxisSpec { coordinate: coordinate.map(str::to_string), function: convert_function(force, f, 1.0)? })
        }
        None => Ok(AxisSpec { coordinate: None, function: TimeFunction::Constant(location) }),
    }
}

fn surface(shape: &OsimWrapShape) -> WrapSurface {
    match *shape {
        OsimWrapShape::Sphere { radius } => WrapSurface::Sphere { radius },
        OsimWrapShape::Cylinder { radius, length } => WrapSurface::Cylinder { radius, length },
        OsimWrapShape::Ellipsoid { dimensions } => WrapSurface::Ellipsoid { radii: Vec3::from(dimensions) },
        // OpenSim's inner radius is that of the tube, its outer one that of the circle in the tube's middle
        OsimWrapShape::Torus { inner_radius, outer_radius } => {
            WrapSurface::Torus { ring_radius: outer_radius, tube_radius: inner_radius }
        }
    }
}

fn method(name: &str) -> EllipsoidMethod {
    match name.trim().to_lowercase().as_str() {
        "midpoint" => EllipsoidMethod::Midpoint,
        "axial" => EllipsoidMethod::Axial,
        _ => EllipsoidMethod::Hybrid,
    }
}
