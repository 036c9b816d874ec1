//! Constraints of OpenSim, locked and prescribed coordinates.

use crate::frame::{Frames, offset};
use crate::{OpensimError, Unconverted, convert_function};
use wolff_formats::osim::{OsimConstraint, OsimConstraintKind, OsimCoordinate, OsimModel, OsimPlace};
use wolff_multibody::spec::{ConstraintKind, ConstraintSpec, FrameSpec, GROUND};
use wolff_numerics::TimeFunction;
use wolff_spatial::{Pose, Vec3};

/// Converts a constraint; unsupported constraints are returned as not converted.
pub(crate) fn convert(
    frames: &Frames<'_>,
    c: &OsimConstraint,
) -> Result<Result<ConstraintSpec, Unconverted>, OpensimError> {
    let owner = ["constraintset", c.name.as_str()];
    let place = |p: &OsimPlace| frames.place(&owner, &p.frame, offset(&p.location, &p.orientation));
    let unconverted = |class: &str, reason: &str| Ok(Err(Unconverted::new(class, &c.name, reason)));
    let kind = match &c.kind {
        OsimConstraintKind::CoordinateCoupler { function, independent, dependent, scale } => {
            let ([one], Some(f)) = (&independent[..], function) else {
                return unconverted("CoordinateCouplerConstraint", "couples several coordinates or has no function");
            };
            ConstraintKind::Coupler {
                dependent: dependent.clone(),
                independent: one.clone(),
                function: convert_function(&c.name, f, *scale)?,
            }
        }
        OsimConstraintKind::Weld([a, b]) => ConstraintKind::Weld { a: place(a)?, b: place(b)? },
        OsimConstraintKind::Point([a, b]) => ConstraintKind::Spherical { a: place(a)?, b: place(b)? },
        OsimConstraintKind::ConstantDistance([a, b], length) => {
            ConstraintKind::Distance { a: place(a)?, b: place(b)?, length: *length }
        }
        OsimConstraintKind::PointOnLine { line, direction, follower } => {
            match point_on_line(place(line)?, &Vec3::from(*direction), place(follower)?) {
                Some(kind) => kind,
                None => return unconverted("PointOnLineConstraint", "only lines fixed in ground are supported"),
            }
        }
        OsimConstraintKind::Unsupported(class) => {
            return unconverted(class, "constraints of this class are not supported");
        }
    };
    Ok(Ok(ConstraintSpec { name: c.name.clone(), kind }))
}

/// A line fixed in ground: the follower point must stay on it.
fn point_on_line(line: FrameSpec, direction: &Vec3, follower: FrameSpec) -> Option<ConstraintKind> {
    let direction = (line.pose.R * direction).try_normalize(1e-12)?;
    if line.body != GROUND {
        return None;
    }
    let smallest = direction.iamin();
    let across = direction.cross(&Vec3::ith(smallest, 1.0)).normalize();
    let along = vec![across, direction.cross(&across)];
    let line = FrameSpec { pose: Pose::translation(line.pose.p), ..line };
    Some(ConstraintKind::Point { a: line, b: follower, along })
}

/// Locked and prescribed coordinates as drivers, called `lock <coordinate>` and `prescribe <coordinate>`.
///
/// Drivers instead of welds, so that the model keeps the coordinates of the file and a lock can be removed later.
pub(crate) fn drivers(model: &OsimModel) -> Result<Vec<ConstraintSpec>, OpensimError> {
    let mut drivers = Vec::new();
    for coordinate in model.joints.iter().flat_map(|j| &j.coordinates) {
        drivers.extend(driver(coordinate)?);
    }
    Ok(drivers)
}

fn driver(c: &OsimCoordinate) -> Result<Option<ConstraintSpec>, OpensimError> {
    let (name, function) = match &c.prescribed_function {
        _ if c.locked => (format!("lock {}", c.name), TimeFunction::Constant(c.default_value)),
        Some(f) if c.prescribed => (format!("prescribe {}", c.name), convert_function(&c.name, f, 1.0)?),
        _ => return Ok(None),
    };
    let kind = ConstraintKind::Driver { terms: vec![(c.name.clone(), 1.0)], function };
    Ok(Some(ConstraintSpec { name, kind }))
}
