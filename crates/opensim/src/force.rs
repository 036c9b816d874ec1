//! Forces that Wolff has: ligaments, springs, bushings. Others are listed.

use crate::frame::{Frames, offset};
use crate::{Left, OpensimError, OpensimModel, coordinate_name};
use nalgebra::{Matrix6, Vector6};
use wolff_formats::osim::{OsimBlankevoort, OsimContactForce, OsimForce, OsimForceKind, OsimPath, OsimPointKind};
use wolff_multibody::force::{
    Bushing, ForceElement, Ligament, LigamentLaw, TorsionalSpringDamper, TranslationalSpringDamper,
};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Frame, Model, SpecError};
use wolff_spatial::{Pose, Vec3};

/// A force by names of bodies and coordinates, ready to be added to a model.
#[derive(Clone, Debug)]
pub struct ForceSpec {
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: ForceKind,
}

/// Forces that Wolff has.
#[derive(Clone, Debug)]
pub enum ForceKind {
    /// A ligament along points.
    Ligament {
        /// Points from origin to insertion.
        points: Vec<FrameSpec>,
        /// What it is made of.
        law: LigamentLaw,
        /// Slack length [m].
        slack_length: f64,
    },
    /// A spring between two points.
    Spring {
        /// Its ends.
        ends: [FrameSpec; 2],
        /// Stiffness [N/m].
        stiffness: f64,
        /// Resting length [m].
        rest_length: f64,
    },
    /// A spring and damper on a coordinate.
    CoordinateSpring {
        /// The coordinate.
        coordinate: String,
        /// Stiffness [N m/rad or N/m].
        stiffness: f64,
        /// Damping [N m s/rad or N s/m].
        damping: f64,
        /// Where it is at rest [rad or m].
        rest: f64,
    },
    /// Springs and dampers in six directions.
    Bushing {
        /// Its frames.
        ends: Box<[FrameSpec; 2]>,
        /// Stiffness: displacements [N/m], then turns [N m/rad].
        stiffness: [f64; 6],
        /// Damping: displacements [N s/m], then turns [N m s/rad].
        damping: [f64; 6],
    },
}

impl ForceSpec {
    /// The force element for a model with these bodies and coordinates.
    pub fn element(&self, model: &Model) -> Result<Box<dyn ForceElement>, SpecError> {
        let frame = |spec: &FrameSpec| -> Result<Frame, SpecError> {
            let missing = || SpecError::new(&self.name, format!("body `{}` does not exist in the model", spec.body));
            model.frame(spec).ok_or_else(missing)
        };
        Ok(match &self.kind {
            ForceKind::Ligament { points, law, slack_length } => {
                let points: Result<Vec<_>, _> = points.iter().map(frame).collect();
                Box::new(Ligament::new(&self.name, points?, *law, *slack_length)?)
            }
            ForceKind::Spring { ends: [a, b], stiffness, rest_length } => {
                let (a, b) = (frame(a)?, frame(b)?);
                Box::new(TranslationalSpringDamper::new(&self.name, a, b, *stiffness, 0.0, *rest_length)?)
            }
            ForceKind::CoordinateSpring { coordinate, stiffness, damping, rest } => {
                let index = model.coordinate_index(coordinate);
                let missing = || SpecError::new(&self.name, format!("coordinate `{coordinate}` does not exist"));
                let index = index.ok_or_else(missing)?;
                Box::new(TorsionalSpringDamper::new(&self.name, index, *stiffness, *damping, *rest)?)
            }
            ForceKind::Bushing { ends, stiffness, damping } => {
                let diagonal = |d: &[f64; 6]| Matrix6::from_diagonal(&Vector6::from(*d));
                let (a, b) = (frame(&ends[0])?, frame(&ends[1])?);
                Box::new(Bushing::new(&self.name, a, b, diagonal(stiffness), diagonal(damping))?)
            }
        })
    }
}

/// Converts a force into the model; what Wolff does not have, or has otherwise, is listed.
pub(crate) fn convert(frames: &Frames<'_>, force: &OsimForce, out: &mut OpensimModel) -> Result<(), OpensimError> {
    let owner = ["forceset", force.name.as_str()];
    let place =
        |p: &wolff_formats::osim::OsimPlace| frames.place(&owner, &p.frame, offset(&p.location, &p.orientation));
    let kind = match &force.kind {
        OsimForceKind::Blankevoort(ligament) => match convert_ligament(frames, force, ligament, out)? {
            Some(kind) => kind,
            None => return Ok(()),
        },
        OsimForceKind::PointToPointSpring { ends: [a, b], stiffness, rest_length } => {
            ForceKind::Spring { ends: [place(a)?, place(b)?], stiffness: *stiffness, rest_length: *rest_length }
        }
        OsimForceKind::SpringGeneralized { coordinate, stiffness, rest_length, viscosity } => {
            ForceKind::CoordinateSpring {
                coordinate: coordinate_name(coordinate).into(),
                stiffness: *stiffness,
                damping: *viscosity,
                rest: *rest_length,
            }
        }
        OsimForceKind::Bushing { ends, stiffness, damping } => {
            let reason =
                "turns are measured by the rotation vector, in OpenSim by x, y, z angles; alike where they are small";
            out.approximate.push(Left::new("BushingForce", &force.name, reason));
            let swapped = |d: &[f64; 6]| [d[3], d[4], d[5], d[0], d[1], d[2]];
            let ends = Box::new([place(&ends[0])?, place(&ends[1])?]);
            ForceKind::Bushing { ends, stiffness: swapped(stiffness), damping: swapped(damping) }
        }
        other => {
            let (class, reason) = reason_left(other);
            out.left.push(Left::new(class, &force.name, reason));
            return Ok(());
        }
    };
    out.forces.push(ForceSpec { name: force.name.clone(), kind });
    Ok(())
}

/// A ligament along its fixed points; wrap objects are listed as an approximation.
fn convert_ligament(
    frames: &Frames<'_>,
    force: &OsimForce,
    ligament: &OsimBlankevoort,
    out: &mut OpensimModel,
) -> Result<Option<ForceKind>, OpensimError> {
    const CLASS: &str = "Blankevoort1991Ligament";
    let Some(points) = fixed_points(frames, &force.name, &ligament.path)? else {
        out.left.push(Left::new(CLASS, &force.name, "its path has moving or conditional points"));
        return Ok(None);
    };
    if let Some(wrap) = ligament.path.wraps.first() {
        let reason = format!("straight where it may wrap around `{}`", wrap.wrap_object);
        out.approximate.push(Left::new(CLASS, &force.name, reason));
    }
    let law = LigamentLaw {
        stiffness: ligament.linear_stiffness,
        transition_strain: ligament.transition_strain,
        damping: ligament.damping_coefficient,
    };
    Ok(Some(ForceKind::Ligament { points, law, slack_length: ligament.slack_length }))
}

/// The points of a path; none where some move or come and go.
fn fixed_points(frames: &Frames<'_>, name: &str, path: &OsimPath) -> Result<Option<Vec<FrameSpec>>, OpensimError> {
    if path.points.iter().any(|p| p.kind != OsimPointKind::Fixed) {
        return Ok(None);
    }
    let mut points = Vec::with_capacity(path.points.len());
    for point in &path.points {
        let owner = ["forceset", name, "geometrypath", point.name.as_str()];
        points.push(frames.place(&owner, &point.frame, Pose::translation(Vec3::from(point.location)))?);
    }
    Ok(Some(points))
}

/// The class of a force that is left out, and why.
fn reason_left(kind: &OsimForceKind) -> (&str, &'static str) {
    let no_control = "does nothing without a control";
    match kind {
        OsimForceKind::Muscle(muscle) => (&muscle.class, "muscles are data so far"),
        OsimForceKind::Contact(contact) => (contact_class(contact), "contacts are data so far"),
        OsimForceKind::Ligament { .. } => ("Ligament", "ligaments with a curve of their own are data so far"),
        OsimForceKind::PathSpring { .. } => ("PathSpring", "springs along paths are data so far"),
        OsimForceKind::PathActuator { .. } => ("PathActuator", no_control),
        OsimForceKind::CoordinateActuator { .. } => ("CoordinateActuator", no_control),
        OsimForceKind::PointActuator { .. } => ("PointActuator", no_control),
        OsimForceKind::TorqueActuator { .. } => ("TorqueActuator", no_control),
        OsimForceKind::CoordinateLimit { .. } => ("CoordinateLimitForce", "limits of coordinates are data so far"),
        OsimForceKind::ExpressionCoordinate { .. } => ("ExpressionBasedCoordinateForce", "formulas are data so far"),
        OsimForceKind::ExpressionBushing { .. } => ("ExpressionBasedBushingForce", "formulas are data so far"),
        OsimForceKind::Unsupported(class) => (class, "forces of this class are not read"),
        // the others are converted
        _ => ("force", "is not converted"),
    }
}

fn contact_class(contact: &OsimContactForce) -> &'static str {
    match contact {
        OsimContactForce::HuntCrossley(_) => "HuntCrossleyForce",
        OsimContactForce::ElasticFoundation(_) => "ElasticFoundationForce",
        OsimContactForce::SmoothSphereHalfSpace { .. } => "SmoothSphereHalfSpaceForce",
        OsimContactForce::Smith2018 { .. } => "Smith2018ArticularContactForce",
    }
}
