//! Ideal actuators: a control times a constant, for reserves and residuals.

use crate::path::Paths;
use crate::{Frames, Left, OpensimError, OpensimModel, coordinate_name};
use wolff_formats::osim::{OsimActuator, OsimForceKind, OsimPath, OsimPlace};
use wolff_formats::setup;
use wolff_multibody::spec::{FrameSpec, GROUND};
use wolff_multibody::{Instant, Model, SpecError};
use wolff_muscle::Path;
use wolff_muscle::path::PathSpec;
use wolff_spatial::{Force, Pose, Vec3};

/// An ideal actuator by names.
#[derive(Clone, Debug)]
pub struct ActuatorSpec {
    /// Name.
    pub name: String,
    /// What it acts on.
    pub kind: ActuatorKind,
    /// Force [N] or moment [N m] at a control of one.
    pub optimal_force: f64,
    /// Least and greatest control; infinite where there is no bound.
    pub control: [f64; 2],
}

/// What an actuator acts on.
#[derive(Clone, Debug)]
pub enum ActuatorKind {
    /// A coordinate.
    Coordinate(String),
    /// A point of a body.
    Point {
        /// The body; the point is the frame's origin.
        place: FrameSpec,
        /// Whether the point is given in ground.
        point_in_ground: bool,
        /// Direction of the force.
        direction: Vec3,
        /// Whether the direction is given in ground.
        direction_in_ground: bool,
    },
    /// A moment between two bodies.
    Torque {
        /// Body it acts on.
        body: FrameSpec,
        /// Body it reacts on.
        other: FrameSpec,
        /// Its axis.
        axis: Vec3,
        /// Whether the axis is given in ground.
        axis_in_ground: bool,
    },
    /// Tension along a path.
    Path(Box<PathSpec>),
}

/// An actuator of a built model.
#[derive(Clone, Debug)]
pub struct Actuator {
    /// Name.
    pub name: String,
    /// Force [N] or moment [N m] at a control of one.
    pub optimal_force: f64,
    /// Least and greatest control.
    pub control: [f64; 2],
    on: Target,
}

#[derive(Clone, Debug)]
enum Target {
    Speed(usize),
    Point { body: usize, point: Vec3, point_in_ground: bool, direction: Vec3, direction_in_ground: bool },
    Torque { body: usize, other: usize, axis: Vec3, axis_in_ground: bool },
    Path(Box<Path>),
}

impl ActuatorSpec {
    /// The actuator for a model with these bodies and coordinates.
    pub fn resolve(&self, model: &Model) -> Result<Actuator, SpecError> {
        let refused = |rule: String| SpecError::new(&self.name, rule);
        let body = |spec: &FrameSpec| {
            let missing = || refused(format!("body `{}` does not exist in the model", spec.body));
            model.frame(spec).ok_or_else(missing)
        };
        let unit = |d: &Vec3| {
            let rule = || refused(format!("direction {:?} has no length; give one", d.as_slice()));
            d.try_normalize(1e-12).filter(|d| d.iter().all(|x| x.is_finite())).ok_or_else(rule)
        };
        if !(self.optimal_force != 0.0 && self.optimal_force.is_finite()) {
            return Err(refused(format!("optimal force is {}, must be finite and not zero", self.optimal_force)));
        }
        if !(self.control[0] <= self.control[1]) {
            return Err(refused(format!(
                "least control {} is above the greatest {}",
                self.control[0], self.control[1]
            )));
        }
        let on = match &self.kind {
            ActuatorKind::Coordinate(name) => {
                let index = model.coordinate_index(name);
                Target::Speed(index.ok_or_else(|| refused(format!("coordinate `{name}` does not exist")))?)
            }
            ActuatorKind::Point { place, point_in_ground, direction, direction_in_ground } => {
                let frame = body(place)?;
                Target::Point {
                    body: frame.body,
                    point: frame.X_BF.p,
                    point_in_ground: *point_in_ground,
                    direction: unit(direction)?,
                    direction_in_ground: *direction_in_ground,
                }
            }
            ActuatorKind::Torque { body: on, other, axis, axis_in_ground } => {
                let (frame, axis) = (body(on)?, unit(axis)?);
                Target::Torque {
                    body: frame.body,
                    other: body(other)?.body,
                    axis: if *axis_in_ground { axis } else { frame.X_BF.R * axis },
                    axis_in_ground: *axis_in_ground,
                }
            }
            ActuatorKind::Path(path) => {
                Target::Path(Box::new(Path::new(path, model).map_err(|e| refused(e.to_string()))?))
            }
        };
        Ok(Actuator { name: self.name.clone(), optimal_force: self.optimal_force, control: self.control, on })
    }
}

impl Actuator {
    /// Hands every body that feels it its force for one newton or newton metre (body, force about the tree's point in ground axes).
    pub fn unit_loads(&self, at: &Instant<'_>, mut visit: impl FnMut(usize, Force)) {
        let pose = |body: usize| at.kin.bodies[body].X_GB;
        match &self.on {
            Target::Speed(_) => {}
            Target::Point { body, point, point_in_ground, direction, direction_in_ground } => {
                let p_G = if *point_in_ground { *point } else { pose(*body).point(point) };
                let f_G = if *direction_in_ground { *direction } else { pose(*body).R * direction };
                visit(*body, Force::through(&(p_G - at.kin.bodies[*body].origin), f_G));
            }
            Target::Torque { body, other, axis, axis_in_ground } => {
                let n_G = if *axis_in_ground { *axis } else { pose(*body).R * axis };
                visit(*body, Force::new(n_G, Vec3::zeros()));
                visit(*other, Force::new(-n_G, Vec3::zeros()));
            }
            Target::Path(path) => {
                for (a, b, u) in path.solve(at, None).straight_parts() {
                    for (station, f) in [(a, u), (b, -u)] {
                        let r = station.p_G - at.kin.bodies[station.body].origin;
                        visit(station.body, Force::through(&r, f));
                    }
                }
            }
        }
    }

    /// Generalised forces for one newton or newton metre, written to `tau` (one entry a speed).
    pub fn unit_generalized(&self, at: &Instant<'_>, tau: &mut [f64]) {
        tau.fill(0.0);
        match &self.on {
            Target::Speed(i) => tau[*i] = 1.0,
            Target::Path(path) => {
                path.length_gradient(&path.solve(at, None), at, tau);
                tau.iter_mut().for_each(|x| *x = -*x);
            }
            _ => self.unit_loads(at, |body, force| at.kin.powers(at.model, body, &force, |k, p| tau[k] += p)),
        }
    }
}

impl OpensimModel {
    /// Adds the actuators of a force set file to the model; those that do not act are left out.
    pub fn add_actuators(&mut self, set: &setup::ActuatorSet) {
        let place = |body: &str, point: [f64; 3]| FrameSpec {
            body: Some(coordinate_name(body)).filter(|b| !b.is_empty()).unwrap_or(GROUND).into(),
            pose: Pose::translation(Vec3::from(point)),
        };
        for actuator in set.actuators.iter().filter(|a| a.applies) {
            let kind = match &actuator.kind {
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
            };
            let (optimal_force, control) = (actuator.optimal_force, actuator.control);
            self.actuators.push(ActuatorSpec { name: actuator.name.clone(), kind, optimal_force, control });
        }
    }
}

/// Converts an actuator of the model; none for other forces.
pub(crate) fn convert(
    paths: &Paths<'_>,
    name: &str,
    kind: &OsimForceKind,
    left: &mut Vec<Left>,
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
            let Some(path) = path_or_left(paths, name, path, left)? else { return Ok(None) };
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

fn path_or_left(
    paths: &Paths<'_>,
    name: &str,
    path: &OsimPath,
    left: &mut Vec<Left>,
) -> Result<Option<PathSpec>, OpensimError> {
    match paths.convert(name, path)? {
        Ok(path) => Ok(Some(path)),
        Err(reason) => {
            left.push(Left::new("PathActuator", name, reason));
            Ok(None)
        }
    }
}
