//! Force elements and contacts on a model, by their names.

use crate::document::{ContactSpec, ForceKind, ForceSpec};
use wolff_contact::ContactForce;
use wolff_multibody::force::{
    Bushing, CoordinateForce, LineForce, PassiveJointTorque, PointForce, TorsionalSpringDamper,
    TranslationalSpringDamper, WrenchTable,
};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{ForceElement, Frame, Model, SpecError};

pub(super) fn frame(model: &Model, object: &str, spec: &FrameSpec) -> Result<Frame, SpecError> {
    model.frame(spec).ok_or_else(|| SpecError::new(object, format!("body `{}` does not exist", spec.body)))
}

fn coordinate(model: &Model, object: &str, name: &str) -> Result<usize, SpecError> {
    model.coordinate_index(name).ok_or_else(|| SpecError::new(object, format!("coordinate `{name}` does not exist")))
}

pub(super) fn build_force(model: &Model, force: &ForceSpec) -> Result<Box<dyn ForceElement>, SpecError> {
    let name = &force.name;
    Ok(match &force.kind {
        ForceKind::Spring { a, b, stiffness, damping, rest_length } => {
            let (a, b) = (frame(model, name, a)?, frame(model, name, b)?);
            Box::new(TranslationalSpringDamper::new(name, a, b, *stiffness, *damping, *rest_length)?)
        }
        ForceKind::TorsionSpring { coordinate: on, stiffness, damping, free_angle } => {
            let on = coordinate(model, name, on)?;
            Box::new(TorsionalSpringDamper::new(name, on, *stiffness, *damping, *free_angle)?)
        }
        ForceKind::Bushing { a, b, stiffness, damping } => {
            let (a, b) = (frame(model, name, a)?, frame(model, name, b)?);
            Box::new(Bushing::new(name, a, b, **stiffness, **damping)?)
        }
        ForceKind::PassiveTorque { coordinate: on, parameters } => {
            Box::new(PassiveJointTorque::new(name, coordinate(model, name, on)?, *parameters)?)
        }
        ForceKind::PointForce { on, force, torque, in_frame_axes } => {
            let on = frame(model, name, on)?;
            Box::new(PointForce::new(name, on, force.clone(), torque.clone(), *in_frame_axes))
        }
        ForceKind::LineForce { a, b, tension } => {
            Box::new(LineForce::new(name, frame(model, name, a)?, frame(model, name, b)?, tension.clone()))
        }
        ForceKind::CoordinateForce { coordinate: on, function } => {
            Box::new(CoordinateForce::new(name, coordinate(model, name, on)?, function.clone()))
        }
        ForceKind::WrenchTable { body, times, rows } => {
            let on = frame(model, name, &FrameSpec::at(body, Default::default()))?;
            Box::new(WrenchTable::new(name, on.body, times.clone(), rows.clone())?)
        }
    })
}

pub(super) fn build_contact(model: &Model, contact: &ContactSpec) -> Result<Box<dyn ForceElement>, SpecError> {
    let name = &contact.name;
    let a = frame(model, name, &contact.a.frame)?;
    let b = frame(model, name, &contact.b.frame)?;
    let element = ContactForce::new(name, (a, contact.a.shape), (b, contact.b.shape), contact.law, contact.friction);
    Ok(Box::new(element.map_err(|e| SpecError::new(name, e.to_string()))?))
}
