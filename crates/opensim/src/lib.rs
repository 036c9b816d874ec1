//! OpenSim models as multibody systems of Wolff.
//!
//! [`convert`] converts a model that [`wolff_formats::osim`] has read to an [`OpensimModel`]: a [`ModelSpec`] with the
//! file's bodies, joints, coordinate names and default pose, the supported forces, muscles, ideal actuators, markers,
//! and two lists: elements that are not converted and elements that are converted approximately.
//! [`OpensimModel::build`] builds the solver's model, [`OpensimSubject`] contains the [`wolff_motion::Subject`] for
//! analyses of motions.
//!
//! [`setup`] reads OpenSim's set-up files, [`scale`] scales models as its `ScaleTool` does, [`ik_job`], [`ik_tasks`]
//! and [`external_loads()`] prepare the inputs that set-ups describe.
//!
//! - Joints: every kind of the files; a scapulothoracic joint becomes two with a massless body between. Ball and free
//!   joints have OpenSim's x, y, z angles; their speeds are the rates of these angles, where OpenSim's are angular
//!   velocities.
//! - `SimmSpline` is evaluated as OpenSim does, also outside its points.
//! - Locked and prescribed coordinates become drivers (`lock <coordinate>`, `prescribe <coordinate>`): the model keeps
//!   all coordinates of the file, and taking the constraint away sets one free.
//! - Bodies without mass at the ends of the tree get [`KINEMATIC_MASS`] and are listed.
//! - Ranges are not enforced.
//! - Paths of muscles, ligaments and springs bend over surfaces as OpenSim's do ([`OpensimModel::with_construction`]
//!   changes that).
//!
//! ```
//! let file = wolff_formats::osim::read(br#"<OpenSimDocument Version="40000"><Model name="pendulum">
//!     <BodySet><objects><Body name="bob"><mass>2</mass><mass_center>0 -1 0</mass_center></Body></objects></BodySet>
//!     <JointSet><objects><PinJoint name="hinge">
//!         <socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/bob</socket_child_frame>
//!         <coordinates><Coordinate name="angle"><default_value>0.5</default_value></Coordinate></coordinates>
//!     </PinJoint></objects></JointSet></Model></OpenSimDocument>"#)?;
//! let converted = wolff_opensim::convert(&file).map_err(|mistakes| format!("{mistakes:?}"))?;
//! let model = converted.build()?;
//! assert!(converted.unconverted.is_empty() && converted.approximate.is_empty());
//! assert_eq!((model.coordinate_names(), &model.q0), (&["angle".to_string()][..], &vec![0.5]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(non_snake_case)]

mod actuator;
mod constraint;
mod contact;
pub mod contact_force;
mod control;
mod coordinate;
mod error;
mod external_loads;
mod findings;
mod force;
mod frame;
mod function;
mod hill;
mod ik;
mod joint;
mod limit;
mod massless;
mod muscle;
mod path;
mod path_force;
mod recording;
mod remarks;
pub mod scale;
pub mod setup;
mod subject;

pub use actuator::actuators;
pub use contact::ContactSpec;
pub use control::{control_bounds, schedule, tracking_tasks};
pub use coordinate::CoordinateSpec;
pub use error::OpensimError;
pub use external_loads::external_loads;
pub use force::{ForceKind, ForceSpec};
pub use frame::{Frames, xyz_rotation};
pub use function::convert_function;
pub use ik::{ik_job, ik_tasks, read_tasks};
pub use limit::{LimitForce, LimitLaw};
pub use massless::KINEMATIC_MASS;
pub use path_force::{PathForce, PathLaw};
pub use recording::{read_recording, read_recording_with};
pub use subject::{OpensimSubject, with_plain_labels};

use contact::Places;
use path::Paths;
use std::path::Path;
use wolff_formats::osim::{OsimBody, OsimModel};
use wolff_motion::{ActuatorSpec, MuscleSpec};
use wolff_multibody::spec::{BodySpec, FrameSpec, ModelSpec};
use wolff_multibody::{Model, SpecErrors};
use wolff_spatial::{InertiaError, MassProperties, Mat3, Pose, Vec3};

/// A converted model.
#[derive(Clone, Debug, Default)]
pub struct OpensimModel {
    /// Bodies, joints and constraints.
    pub spec: ModelSpec,
    /// Coordinates in the order of the file.
    pub coordinates: Vec<CoordinateSpec>,
    /// Passive forces: all that are neither muscles nor actuators.
    pub forces: Vec<ForceSpec>,
    /// Muscles; they are not among the forces of the built model.
    pub muscles: Vec<MuscleSpec>,
    /// Ideal actuators; they are not among the forces of the built model either.
    pub actuators: Vec<ActuatorSpec>,
    /// Markers by name.
    pub markers: Vec<(String, FrameSpec)>,
    /// Elements of the file that are not converted.
    pub unconverted: Vec<Unconverted>,
    /// Elements of the file that are converted approximately.
    pub approximate: Vec<Unconverted>,
}

/// An element of the file that is not converted, or converted approximately.
#[derive(Clone, Debug, PartialEq)]
pub struct Unconverted {
    /// Class or element in the file.
    pub class: String,
    /// Name of the object.
    pub name: String,
    /// Reason.
    pub reason: String,
}

impl Unconverted {
    pub(crate) fn new(class: &str, name: &str, reason: impl Into<String>) -> Self {
        Unconverted { class: class.into(), name: name.into(), reason: reason.into() }
    }
}

impl OpensimModel {
    /// The solver's model with all forces, or all its errors.
    pub fn build(&self) -> Result<Model, SpecErrors> {
        let mut model = Model::build(&self.spec)?;
        let mut errors = Vec::new();
        for force in &self.forces {
            let added = force.element(&model).and_then(|element| model.add_force(element));
            errors.extend(added.err());
        }
        SpecErrors::check(errors)?;
        Ok(model)
    }
}

/// Converts a model, or lists all errors that prevent it. Contact meshes are not read: their files are beside the
/// model's, see [`convert_in`].
pub fn convert(model: &OsimModel) -> Result<OpensimModel, Vec<OpensimError>> {
    convert_in(model, None)
}

/// Converts a model whose file is in a folder, with its contact meshes.
pub fn convert_in(model: &OsimModel, folder: Option<&Path>) -> Result<OpensimModel, Vec<OpensimError>> {
    let frames = Frames::new(model);
    let mut errors = Vec::new();
    let mut out = OpensimModel::default();
    out.spec.name = model.name.clone();
    out.spec.gravity = Vec3::from(model.gravity);
    for body in &model.bodies {
        let converted = convert_body(body, &mut out.approximate);
        keep(converted, &mut out.spec.bodies, &mut errors);
    }
    for joint in &model.joints {
        match joint::convert_scapulothoracic(&frames, joint) {
            Ok(None) => keep(joint::convert(&frames, joint), &mut out.spec.joints, &mut errors),
            Ok(Some((body, joints))) => {
                out.spec.bodies.push(body);
                out.spec.joints.extend(joints);
            }
            Err(e) => errors.push(e),
        }
    }
    massless::give_mass(&mut out);
    convert_constraints(model, &frames, &mut out, &mut errors);
    out.coordinates = coordinate::convert(model);
    convert_forces(&Places { model, frames: &frames, folder }, &mut out, &mut errors);
    for marker in &model.markers {
        let frame =
            frames.place(&["markerset", &marker.name], &marker.frame, Pose::translation(marker.location.into()));
        keep(frame.map(|f| (marker.name.clone(), f)), &mut out.markers, &mut errors);
    }
    let unread = model
        .unsupported
        .iter()
        .map(|u| Unconverted::new(&u.element, &u.object, format!("not read (line {})", u.line)));
    out.unconverted.extend(unread);
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// Enabled forces, muscles and actuators.
fn convert_forces(places: &Places<'_>, out: &mut OpensimModel, errors: &mut Vec<OpensimError>) {
    let paths = match Paths::new(places.model, places.frames) {
        Ok(paths) => paths,
        Err(e) => return errors.push(e),
    };
    for force in &places.model.forces {
        if force.enabled {
            errors.extend(force::convert(&paths, places, force, out).err());
        } else {
            out.unconverted.push(Unconverted::new("force", &force.name, "is disabled in the file"));
        }
    }
}

/// Enabled constraints, and drivers for locked and prescribed coordinates.
fn convert_constraints(model: &OsimModel, frames: &Frames<'_>, out: &mut OpensimModel, errors: &mut Vec<OpensimError>) {
    for c in &model.constraints {
        if !c.enforced {
            out.unconverted.push(Unconverted::new("constraint", &c.name, "is disabled in the file"));
            continue;
        }
        match constraint::convert(frames, c) {
            Ok(Ok(spec)) => out.spec.constraints.push(spec),
            Ok(Err(unconverted)) => out.unconverted.push(unconverted),
            Err(e) => errors.push(e),
        }
    }
    match constraint::drivers(model) {
        Ok(drivers) => out.spec.constraints.extend(drivers),
        Err(e) => errors.push(e),
    }
}

/// The name of a coordinate that a file gives as a path, such as `/jointset/knee_r/knee_angle_r`.
pub fn coordinate_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Collects results and errors.
fn keep<T>(result: Result<T, OpensimError>, kept: &mut Vec<T>, errors: &mut Vec<OpensimError>) {
    match result {
        Ok(value) => kept.push(value),
        Err(e) => errors.push(e),
    }
}

/// A body; a physically impossible inertia is corrected and listed.
fn convert_body(body: &OsimBody, approximate: &mut Vec<Unconverted>) -> Result<BodySpec, OpensimError> {
    let [xx, yy, zz, xy, xz, yz] = body.inertia;
    let mut inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let com = Vec3::from(body.mass_center);
    if let Err(InertiaError::Triangle(moments)) = MassProperties::new(body.mass, com, inertia)
        && moments.iter().all(|m| *m >= 0.0)
    {
        inertia = least_possible(&inertia);
        let reason = format!("principal moments {moments:?} are physically impossible; the smaller ones were raised");
        approximate.push(Unconverted::new("Body", &body.name, reason));
    }
    let mass = MassProperties::new(body.mass, com, inertia)
        .map_err(|e| OpensimError::Mass { body: body.name.clone(), reason: e.to_string() })?;
    Ok(BodySpec::rigid(&body.name, mass))
}

/// Raises the two smaller principal moments by the same amount until their sum equals the largest: a flat body with
/// that largest moment. Chosen here; OpenSim computes with the impossible inertia.
fn least_possible(inertia: &Mat3) -> Mat3 {
    let eigen = inertia.symmetric_eigen();
    let (largest, c) = eigen.eigenvalues.argmax();
    let lack = c - (eigen.eigenvalues.sum() - c);
    let moments = Vec3::from_fn(|i, _| eigen.eigenvalues[i] + if i == largest { 0.0 } else { lack / 2.0 });
    eigen.eigenvectors * Mat3::from_diagonal(&moments) * eigen.eigenvectors.transpose()
}
