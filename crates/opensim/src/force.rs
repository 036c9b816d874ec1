//! Supported forces: ligaments, springs, bushings, limits of coordinates. Others are listed as not converted.

use crate::contact::{self, ContactSpec, Places};
use crate::coordinate::is_turn;
use crate::frame::offset;
use crate::limit::{LimitForce, LimitLaw};
use crate::path::{Paths, plain_points};
use crate::path_force::{PathForce, PathLaw};
use crate::{OpensimError, OpensimModel, Unconverted, actuator, convert_function, coordinate_name, muscle};
use nalgebra::{Matrix6, Vector6};
use wolff_formats::osim::{OsimContactForce, OsimForce, OsimForceKind, OsimPath};
use wolff_multibody::force::{
    Bushing, ForceElement, Ligament, LigamentLaw, TorsionalSpringDamper, TranslationalSpringDamper,
};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Frame, Model, SpecError};
use wolff_muscle::Path;
use wolff_muscle::path::PathSpec;

/// A force by names of bodies and coordinates, ready to be added to a model.
#[derive(Clone, Debug)]
pub struct ForceSpec {
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: ForceKind,
}

/// Supported forces.
#[derive(Clone, Debug)]
pub enum ForceKind {
    /// A ligament along fixed points.
    Ligament {
        /// Points from origin to insertion.
        points: Vec<FrameSpec>,
        /// Its material law.
        law: LigamentLaw,
        /// Slack length \[m\].
        slack_length: f64,
    },
    /// A ligament or spring along a path that bends over surfaces or has moving points.
    Path {
        /// Its path.
        path: Box<PathSpec>,
        /// Law of the tension.
        law: PathLaw,
    },
    /// Stiffness beyond the limits of a coordinate.
    Limit {
        /// The coordinate.
        coordinate: String,
        /// Limits and stiffness.
        law: LimitLaw,
    },
    /// A spring between two points.
    Spring {
        /// Its ends.
        ends: [FrameSpec; 2],
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Resting length \[m\].
        rest_length: f64,
    },
    /// A spring and damper on a coordinate.
    CoordinateSpring {
        /// The coordinate.
        coordinate: String,
        /// Stiffness \[N m/rad or N/m\].
        stiffness: f64,
        /// Damping \[N m s/rad or N s/m\].
        damping: f64,
        /// Rest position \[rad or m\].
        rest: f64,
    },
    /// Springs and dampers in six directions.
    Bushing {
        /// Its frames.
        ends: Box<[FrameSpec; 2]>,
        /// Stiffness: translations \[N/m\], then rotations \[N m/rad\].
        stiffness: [f64; 6],
        /// Damping: translations \[N s/m\], then rotations \[N m s/rad\].
        damping: [f64; 6],
    },
    /// Contact between surfaces.
    Contact(ContactSpec),
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
            ForceKind::Path { path, law } => Box::new(self.path_force(path, law, model)?),
            ForceKind::Limit { coordinate, law } => {
                Box::new(LimitForce::new(&self.name, self.speed(model, coordinate)?, *law)?)
            }
            ForceKind::Spring { ends: [a, b], stiffness, rest_length } => {
                let (a, b) = (frame(a)?, frame(b)?);
                Box::new(TranslationalSpringDamper::new(&self.name, a, b, *stiffness, 0.0, *rest_length)?)
            }
            ForceKind::CoordinateSpring { coordinate, stiffness, damping, rest } => {
                let index = self.speed(model, coordinate)?;
                Box::new(TorsionalSpringDamper::new(&self.name, index, *stiffness, *damping, *rest)?)
            }
            ForceKind::Bushing { ends, stiffness, damping } => {
                let diagonal = |d: &[f64; 6]| Matrix6::from_diagonal(&Vector6::from(*d));
                let (a, b) = (frame(&ends[0])?, frame(&ends[1])?);
                Box::new(Bushing::new(&self.name, a, b, diagonal(stiffness), diagonal(damping))?)
            }
            ForceKind::Contact(contact) => contact.element(&self.name, model)?,
        })
    }

    /// The ligament or spring along a path that bends over surfaces or has moving points; `None` for other forces.
    pub fn bent(&self, model: &Model) -> Result<Option<PathForce>, SpecError> {
        match &self.kind {
            ForceKind::Path { path, law } => self.path_force(path, law, model).map(Some),
            _ => Ok(None),
        }
    }

    fn path_force(&self, path: &PathSpec, law: &PathLaw, model: &Model) -> Result<PathForce, SpecError> {
        let path = Path::new(path, model).map_err(|e| SpecError::new(&self.name, e.to_string()))?;
        PathForce::new(path, law.clone())
    }

    fn speed(&self, model: &Model, coordinate: &str) -> Result<usize, SpecError> {
        let missing = || SpecError::new(&self.name, format!("coordinate `{coordinate}` does not exist"));
        model.coordinate_index(coordinate).ok_or_else(missing)
    }
}

/// Converts a force into the model; unsupported and approximately converted forces are listed.
pub(crate) fn convert(
    paths: &Paths<'_>,
    places: &Places<'_>,
    force: &OsimForce,
    out: &mut OpensimModel,
) -> Result<(), OpensimError> {
    if let OsimForceKind::Muscle(found) = &force.kind {
        return muscle::convert(paths, &force.name, found, out);
    }
    if let Some(found) = actuator::convert(paths, &force.name, &force.kind, &mut out.unconverted)? {
        out.actuators.push(found);
        return Ok(());
    }
    if let OsimForceKind::Contact(found) = &force.kind {
        match contact::convert(places, &force.name, found)? {
            Ok(spec) => out.forces.push(ForceSpec { name: force.name.clone(), kind: ForceKind::Contact(spec) }),
            Err(reason) => out.unconverted.push(Unconverted::new(contact_class(found), &force.name, reason)),
        }
        return Ok(());
    }
    let kind = match path_force(paths, force, out)? {
        Some(kind) => Some(kind),
        None => other_force(paths, force, out)?,
    };
    match kind {
        Some(kind) => out.forces.push(ForceSpec { name: force.name.clone(), kind }),
        None if out.unconverted.last().is_some_and(|l| l.name == force.name) => {}
        None => {
            let (class, reason) = reason_unconverted(&force.kind);
            out.unconverted.push(Unconverted::new(class, &force.name, reason));
        }
    }
    Ok(())
}

/// Forces along a path; unsupported ones are listed.
fn path_force(paths: &Paths<'_>, force: &OsimForce, out: &mut OpensimModel) -> Result<Option<ForceKind>, OpensimError> {
    let Some((class, path, law)) = path_law(force)? else { return Ok(None) };
    let path = match paths.convert(&force.name, path)? {
        Ok(path) => path,
        Err(reason) => {
            out.unconverted.push(Unconverted::new(class, &force.name, reason));
            return Ok(None);
        }
    };
    Ok(Some(match (plain_points(&path), law) {
        (Some(points), PathLaw::Blankevoort { law, slack_length }) => ForceKind::Ligament { points, law, slack_length },
        (_, law) => ForceKind::Path { path: Box::new(path), law },
    }))
}

/// Class, path and law of a ligament or path spring.
fn path_law(force: &OsimForce) -> Result<Option<(&'static str, &OsimPath, PathLaw)>, OpensimError> {
    Ok(Some(match &force.kind {
        OsimForceKind::Blankevoort(ligament) => {
            let law = LigamentLaw {
                stiffness: ligament.linear_stiffness,
                transition_strain: ligament.transition_strain,
                damping: ligament.damping_coefficient,
            };
            let law = PathLaw::Blankevoort { law, slack_length: ligament.slack_length };
            ("Blankevoort1991Ligament", &ligament.path, law)
        }
        OsimForceKind::Ligament { path, resting_length, pcsa_force, curve: Some(curve) } => {
            let curve = convert_function(&force.name, curve, 1.0)?;
            ("Ligament", path, PathLaw::Curve { curve, scale: *pcsa_force, slack_length: *resting_length })
        }
        OsimForceKind::PathSpring { path, resting_length, stiffness, dissipation } => {
            let (stiffness, dissipation, rest_length) = (*stiffness, *dissipation, *resting_length);
            ("PathSpring", path, PathLaw::Spring { stiffness, dissipation, rest_length })
        }
        _ => return Ok(None),
    }))
}

/// Forces without a path; `None` for unsupported ones.
fn other_force(
    paths: &Paths<'_>,
    force: &OsimForce,
    out: &mut OpensimModel,
) -> Result<Option<ForceKind>, OpensimError> {
    let owner = ["forceset", force.name.as_str()];
    let place =
        |p: &wolff_formats::osim::OsimPlace| paths.frames.place(&owner, &p.frame, offset(&p.location, &p.orientation));
    Ok(Some(match &force.kind {
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
        OsimForceKind::CoordinateLimit { coordinate, limits, stiffness, damping, transition } => {
            let coordinate = coordinate_name(coordinate);
            // angles of the file are in degrees
            let unit = if is_turn(&out.coordinates, coordinate) { std::f64::consts::PI / 180.0 } else { 1.0 };
            let law = LimitLaw {
                limits: limits.map(|x| x * unit),
                stiffness: stiffness.map(|k| k / unit),
                damping: damping / unit,
                transition: transition * unit,
            };
            ForceKind::Limit { coordinate: coordinate.into(), law }
        }
        OsimForceKind::Bushing { ends, stiffness, damping } => {
            let reason = "rotations are measured by the rotation vector, in OpenSim by x, y, z angles; \
                equal for small rotations";
            out.approximate.push(Unconverted::new("BushingForce", &force.name, reason));
            let swapped = |d: &[f64; 6]| [d[3], d[4], d[5], d[0], d[1], d[2]];
            let ends = Box::new([place(&ends[0])?, place(&ends[1])?]);
            ForceKind::Bushing { ends, stiffness: swapped(stiffness), damping: swapped(damping) }
        }
        _ => return Ok(None),
    }))
}

/// The class of a force that is not converted, and why.
fn reason_unconverted(kind: &OsimForceKind) -> (&str, &'static str) {
    match kind {
        OsimForceKind::Ligament { .. } => ("Ligament", "has no force-length curve"),
        OsimForceKind::ExpressionCoordinate { .. } => {
            ("ExpressionBasedCoordinateForce", "expressions are not supported yet")
        }
        OsimForceKind::ExpressionBushing { .. } => ("ExpressionBasedBushingForce", "expressions are not supported yet"),
        OsimForceKind::Unsupported(class) => (class, "forces of this class are not supported"),
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
