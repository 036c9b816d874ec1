//! Conversion of OpenSim joints.

use crate::frame::{Frames, xyz_rotation};
use crate::{OpensimError, convert_function};
use std::f64::consts::FRAC_PI_2;
use wolff_formats::osim::{OsimAxis, OsimCoordinate, OsimFunction, OsimJoint, OsimJointKind};
use wolff_multibody::joint::{CoordinateFunction, CustomJoint, itself, still};
use wolff_multibody::spec::{BodySpec, FrameSpec, JointKind, JointSpec};
use wolff_numerics::TimeFunction;
use wolff_spatial::{MassProperties, Mat3, Pose, Vec3};

/// A joint with the file's coordinate names and default pose.
///
/// Ball and free joints are rotations about x, y, z in sequence, as in OpenSim, so that their coordinates are those of
/// its files; the speeds of such a joint are the rates of the angles, whereas OpenSim uses the angular velocity.
pub(crate) fn convert(frames: &Frames<'_>, joint: &OsimJoint) -> Result<JointSpec, OpensimError> {
    let owner = ["jointset", joint.name.as_str()];
    let kind = kind_of(joint)?;
    let order = order_of(&joint.kind);
    let freedoms = kind.nv();
    if joint.coordinates.len() > freedoms {
        let reason = format!("{} coordinates for {freedoms} degrees of freedom; remove some", joint.coordinates.len());
        return Err(refused(joint, reason));
    }
    let places = (0..freedoms).map(|i| order.get(i).copied().unwrap_or(i));
    let names = places.clone().map(|i| name_of(joint, i)).collect();
    let ordered = |value: fn(&OsimCoordinate) -> f64| -> Vec<f64> {
        places.clone().map(|i| joint.coordinates.get(i).map_or(0.0, value)).collect()
    };
    Ok(JointSpec {
        name: joint.name.clone(),
        parent: frames.resolve(&owner, &joint.parent)?,
        child: frames.resolve(&owner, &joint.child)?,
        coordinates: names,
        q0: ordered(|c| c.default_value),
        v0: ordered(|c| c.default_speed),
        kind,
    })
}

/// The joint of the shoulder blade: an ellipsoid joint that carries a massless body, and on it a pin for winging.
///
/// The ellipsoid is turned by a quarter about z, as in OpenSim, so that abduction and elevation are positive. The
/// massless body and the pin are called `<joint>_winging`; the first three coordinates are those of the ellipsoid, the
/// fourth is that of the pin.
pub(crate) fn convert_scapulothoracic(
    frames: &Frames<'_>,
    joint: &OsimJoint,
) -> Result<Option<(BodySpec, [JointSpec; 2])>, OpensimError> {
    let OsimJointKind::Scapulothoracic { radii, winging_origin, winging_direction } = joint.kind else {
        return Ok(None);
    };
    let winging = format!("{}_winging", joint.name);
    let massless = MassProperties { mass: 0.0, com: Vec3::zeros(), inertia: Mat3::zeros() };
    let quarter = Pose::new(xyz_rotation(&[0.0, 0.0, FRAC_PI_2]), Vec3::zeros());
    let on_axis = Pose::translation(Vec3::new(winging_origin[0], winging_origin[1], 0.0));
    let owner = ["jointset", joint.name.as_str()];
    let gliding = OsimJoint {
        kind: OsimJointKind::Ellipsoid { radii: [radii[1], radii[0], radii[2]] },
        coordinates: joint.coordinates.iter().take(3).cloned().collect(),
        ..joint.clone()
    };
    let gliding = JointSpec {
        parent: frames.place(&owner, &joint.parent, quarter)?,
        child: FrameSpec { body: winging.clone(), pose: quarter },
        ..convert(frames, &gliding)?
    };
    let (sin, cos) = winging_direction.sin_cos();
    let angle = joint.coordinates.get(3);
    let pin = JointSpec {
        name: winging.clone(),
        kind: JointKind::Pin { axis: Vec3::new(-sin, cos, 0.0) },
        parent: FrameSpec { body: winging.clone(), pose: on_axis },
        child: frames.place(&owner, &joint.child, on_axis)?,
        coordinates: vec![name_of(joint, 3)],
        q0: angle.map(|c| c.default_value).into_iter().collect(),
        v0: angle.map(|c| c.default_speed).into_iter().collect(),
    };
    Ok(Some((BodySpec::rigid(&winging, massless), [gliding, pin])))
}

/// The name of coordinate `i`, or OpenSim's default name.
fn name_of(joint: &OsimJoint, i: usize) -> String {
    let given = joint.coordinates.get(i).map(|c| c.name.as_str()).filter(|n| !n.is_empty());
    given.map_or_else(|| format!("{}_coord_{i}", joint.name), str::to_string)
}

/// The angle of a planar joint is the first coordinate in OpenSim, the last one here.
fn order_of(kind: &OsimJointKind) -> &'static [usize] {
    match kind {
        OsimJointKind::Planar => &[1, 2, 0],
        _ => &[],
    }
}

fn kind_of(joint: &OsimJoint) -> Result<JointKind, OpensimError> {
    let xyz = [Vec3::x(), Vec3::y(), Vec3::z()];
    Ok(match &joint.kind {
        OsimJointKind::Weld => JointKind::Weld,
        OsimJointKind::Pin => JointKind::Pin { axis: Vec3::z() },
        OsimJointKind::Slider => JointKind::Slider { axis: Vec3::x() },
        OsimJointKind::Universal => JointKind::Universal { axes: [Vec3::x(), Vec3::y()] },
        OsimJointKind::Gimbal | OsimJointKind::Ball => JointKind::Gimbal { axes: xyz },
        OsimJointKind::Planar => JointKind::Planar,
        OsimJointKind::Free => {
            let axes = std::array::from_fn(|k| xyz[k % 3]);
            custom(joint, CustomJoint::new(6, axes, std::array::from_fn(itself)))?
        }
        OsimJointKind::Custom(axes) => custom_joint(joint, axes)?,
        OsimJointKind::Ellipsoid { radii } => {
            let turns = |k: usize| if k < 3 { itself(k) } else { still() };
            let axes = std::array::from_fn(|k| xyz[k % 3]);
            let made = CustomJoint::new(3, axes, std::array::from_fn(turns));
            custom(joint, made.and_then(|c| c.on_ellipsoid(Vec3::from(*radii))))?
        }
        OsimJointKind::Scapulothoracic { .. } => {
            return Err(refused(joint, "a scapulothoracic joint must be converted to two joints"));
        }
        OsimJointKind::Unsupported(class) => {
            return Err(refused(joint, format!("joints of class `{class}` are not supported; use a custom joint")));
        }
    })
}

fn custom_joint(joint: &OsimJoint, axes: &[OsimAxis; 6]) -> Result<JointKind, OpensimError> {
    let mut functions = Vec::with_capacity(6);
    for axis in axes {
        functions.push(axis_function(joint, axis)?);
    }
    let functions: [CoordinateFunction; 6] =
        functions.try_into().map_err(|_| refused(joint, "a custom joint has six axes"))?;
    let directions = std::array::from_fn(|k| Vec3::from(axes[k].axis));
    custom(joint, CustomJoint::new(joint.coordinates.len(), directions, functions))
}

/// The function of an axis; without a function it is the coordinate itself, without a coordinate it is constant.
fn axis_function(joint: &OsimJoint, axis: &OsimAxis) -> Result<CoordinateFunction, OpensimError> {
    let name = match &axis.coordinates[..] {
        [] => None,
        [one] => Some(one),
        many => {
            let reason =
                format!("an axis depends on {} coordinates ({}); only one is supported", many.len(), many.join(", "));
            return Err(refused(joint, reason));
        }
    };
    let index = |name: &String| {
        let found = joint.coordinates.iter().position(|c| c.name == *name);
        found.ok_or_else(|| {
            refused(joint, format!("an axis depends on `{name}`, which is not a coordinate of the joint"))
        })
    };
    let coordinate = name.map(index).transpose()?;
    let function = match (&axis.function, coordinate) {
        (None, Some(_)) => itself(0).function,
        (None, None) => TimeFunction::Constant(0.0),
        // a function without argument is evaluated at zero
        (Some(f), None) => TimeFunction::Constant(convert_function(&joint.name, f, 1.0)?.value(0.0)),
        (Some(OsimFunction::Constant(c)), Some(_)) => TimeFunction::Constant(*c),
        (Some(f), Some(_)) => convert_function(&joint.name, f, 1.0)?,
    };
    Ok(CoordinateFunction { coordinate: coordinate.unwrap_or(0), function })
}

fn custom(joint: &OsimJoint, made: Result<CustomJoint, String>) -> Result<JointKind, OpensimError> {
    made.map(|c| JointKind::Custom(Box::new(c))).map_err(|reason| refused(joint, reason))
}

fn refused(joint: &OsimJoint, reason: impl Into<String>) -> OpensimError {
    OpensimError::Joint { joint: joint.name.clone(), reason: reason.into() }
}
