//! Ideal actuators of models and of force set files.

use crate::path::Paths;
use crate::{Frames, OpensimError, Unconverted, coordinate_name, setup};
use wolff_formats::osim::{OsimActuator, OsimForceKind, OsimPath, OsimPlace};
use wolff_motion::{ActuatorKind, ActuatorSpec};
use wolff_multibody::spec::{FrameSpec, GROUND};
use wolff_muscle::path::PathSpec;
use wolff_spatial::{Pose, Vec3};

/// The actuators of a force set file; disabled ones are omitted.
pub fn actuators(set: &setup::ActuatorSet) -> Vec<ActuatorSpec> {
    let spec = |actuator: &setup::Actuator| ActuatorSpec {
        name: actuator.name.clone(),
        kind: kind_of(&actuator.kind),
        optimal_force: actuator.optimal_force,
        control: actuator.control,
    };
    set.actuators.iter().filter(|a| a.applies).map(spec).collect()
}

fn kind_of(kind: &setup::ActuatorKind) -> ActuatorKind {
    let place = |body: &str, point: [f64; 3]| FrameSpec {
        body: Some(coordinate_name(body)).filter(|b| !b.is_empty()).unwrap_or(GROUND).into(),
        pose: Pose::translation(Vec3::from(point)),
    };
    match kind {
        setup::ActuatorKind::Coordinate(name) => ActuatorKind::Coordinate(coordinate_name(name).into()),
        setup::ActuatorKind::Point { body, point, point_in_ground, direction, direction_in_ground } => {
            ActuatorKind::Point {
                place: place(body, *point),
                point_in_ground: *point_in_ground,
                direction: Vec3::from(*direction),
                direction_in_ground: *direction_in_ground,
            }
        }
        setup::ActuatorKind::Torque { body, other, axis, axis_in_ground } => ActuatorKind::Torque {
            body: place(body, [0.0; 3]),
            other: place(other, [0.0; 3]),
            axis: Vec3::from(*axis),
            axis_in_ground: *axis_in_ground,
        },
    }
}

/// Converts an actuator of the model; `None` for other forces.
pub(crate) fn convert(
    paths: &Paths<'_>,
    name: &str,
    kind: &OsimForceKind,
    unconverted: &mut Vec<Unconverted>,
) -> Result<Option<ActuatorSpec>, OpensimError> {
    let (owner, frames) = (["forceset", name], paths.frames);
    let body = |name: &str| frames.resolve(&owner, if name.is_empty() { "/ground" } else { name });
    let unbounded = OsimActuator { optimal_force: 1.0, ..Default::default() };
    let (kind, actuator) = match kind {
        OsimForceKind::CoordinateActuator { coordinate, actuator } => {
            (ActuatorKind::Coordinate(coordinate_name(coordinate).into()), *actuator)
        }
        OsimForceKind::PointActuator { place, point_is_global, direction, force_is_global, actuator } => {
            (point(frames, &owner, place, (*point_is_global, *direction, *force_is_global))?, *actuator)
        }
        OsimForceKind::TorqueActuator { bodies: [a, b], axis, torque_is_global, actuator } => {
            let (body, other) = (body(a)?, body(b)?);
            let axis = Vec3::from(*axis);
            (ActuatorKind::Torque { body, other, axis, axis_in_ground: *torque_is_global }, *actuator)
        }
        OsimForceKind::PathActuator { path, optimal_force } => {
            let Some(path) = path_or_none(paths, name, path, unconverted)? else { return Ok(None) };
            (ActuatorKind::Path(Box::new(path)), OsimActuator { optimal_force: *optimal_force, ..unbounded })
        }
        _ => return Ok(None),
    };
    let control = [actuator.min_control.unwrap_or(f64::NEG_INFINITY), actuator.max_control.unwrap_or(f64::INFINITY)];
    Ok(Some(ActuatorSpec { name: name.into(), kind, optimal_force: actuator.optimal_force, control }))
}

fn point(
    frames: &Frames<'_>,
    owner: &[&str],
    place: &OsimPlace,
    (point_in_ground, direction, direction_in_ground): (bool, [f64; 3], bool),
) -> Result<ActuatorKind, OpensimError> {
    let frame = frames.resolve(owner, &place.frame)?;
    let p = Vec3::from(place.location);
    let p = if point_in_ground { p } else { frame.pose.point(&p) };
    Ok(ActuatorKind::Point {
        place: FrameSpec { body: frame.body, pose: Pose::translation(p) },
        point_in_ground,
        direction: Vec3::from(direction),
        direction_in_ground,
    })
}

fn path_or_none(
    paths: &Paths<'_>,
    name: &str,
    path: &OsimPath,
    unconverted: &mut Vec<Unconverted>,
) -> Result<Option<PathSpec>, OpensimError> {
    match paths.convert(name, path)? {
        Ok(path) => Ok(Some(path)),
        Err(reason) => {
            unconverted.push(Unconverted::new("PathActuator", name, reason));
            Ok(None)
        }
    }
}
