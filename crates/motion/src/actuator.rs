//! Ideal actuators: a control times a constant, for reserves and residuals.

use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Instant, Loads, Model, SpecError};
use wolff_muscle::Path;
use wolff_muscle::path::PathSpec;
use wolff_spatial::{Force, Vec3};

/// An ideal actuator by names.
#[derive(Clone, Debug)]
pub struct ActuatorSpec {
    /// Name.
    pub name: String,
    /// What it acts on.
    pub kind: ActuatorKind,
    /// Force \[N\] or moment \[N m\] at a control of one.
    pub optimal_force: f64,
    /// Minimum and maximum control; infinite where there is no bound.
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
        /// Body on which it acts.
        body: FrameSpec,
        /// Body on which the reaction acts.
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
    /// Force \[N\] or moment \[N m\] at a control of one.
    pub optimal_force: f64,
    /// Minimum and maximum control.
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
            let rule = || refused(format!("direction {:?} has zero length; give a direction", d.as_slice()));
            d.try_normalize(1e-12).filter(|d| d.iter().all(|x| x.is_finite())).ok_or_else(rule)
        };
        if !(self.optimal_force != 0.0 && self.optimal_force.is_finite()) {
            return Err(refused(format!("optimal force is {}, must be finite and not zero", self.optimal_force)));
        }
        if !(self.control[0] <= self.control[1]) {
            return Err(refused(format!(
                "minimum control {} is above the maximum {}",
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
    /// Passes to `visit` every loaded body with its force for one newton or newton metre (body, force about the tree's
    /// point in ground axes).
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

    /// Applies a force \[N\] or moment \[N m\].
    pub fn act(&self, value: f64, at: &Instant<'_>, out: &mut Loads<'_>) {
        match &self.on {
            Target::Speed(i) => out.generalized(*i, value),
            Target::Path(path) => path.pull(&path.solve(at, None), value, at, out),
            _ => self.unit_loads(at, |body, force| {
                let origin = at.kin.bodies[body].origin;
                out.force_at(body, &origin, force.f * value);
                out.torque(body, force.n * value);
            }),
        }
    }

    /// Generalised forces for one newton or newton metre, written to `tau` (one entry per speed).
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
