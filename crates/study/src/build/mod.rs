//! From a [`Study`] to the model that the solver runs.

use crate::document::{ContactSpec, ForceKind, ForceSpec, Measure, MeasureKind, Study};
use crate::error::StudyError;
use std::sync::Arc;
use wolff_contact::ContactForce;
use wolff_multibody::force::{
    CoordinateForce, LineForce, PassiveJointTorque, PointForce, TorsionalSpringDamper, TranslationalSpringDamper,
    WrenchTable,
};
use wolff_multibody::spec::{BodySpec, FrameSpec, ModelSpec};
use wolff_multibody::{ForceElement, Frame, Model, SpecError};

/// Builds the model with its forces and contacts; mistakes point to the objects in the study's text.
pub fn build_model(study: &Study) -> Result<Model, StudyError> {
    let spec = with_flexible(study)?;
    let mut model = Model::build(&spec).map_err(|errors| error(study, errors))?;
    let mut errors = Vec::new();
    for force in &study.forces {
        let built = build_force(&model, force).and_then(|element| model.add_force(element));
        errors.extend(built.err());
    }
    for contact in &study.contacts {
        let built = build_contact(&model, contact).and_then(|element| model.add_force(element));
        errors.extend(built.err());
    }
    errors.extend(study.measures.iter().filter_map(|m| stress_without_material(&model, m)));
    if errors.is_empty() { Ok(model) } else { Err(error(study, errors)) }
}

/// A stress is asked for at a gauge that knows no material.
fn stress_without_material(model: &Model, measure: &Measure) -> Option<SpecError> {
    let MeasureKind::Stress(name, _) = &measure.kind else { return None };
    let (body, gauge) = name.rsplit_once('.')?;
    let flexible = model.flexible(model.body_index(body)?)?;
    let known = flexible.data.gauges.iter().any(|g| g.name == gauge && g.elasticity.amax() > 0.0);
    let rule = format!("gauge `{name}` knows no material; give the body its modulus `young`");
    (!known).then(|| SpecError::new(&measure.name, rule))
}

/// The specification with the flexible bodies reduced.
fn with_flexible(study: &Study) -> Result<ModelSpec, StudyError> {
    let mut spec = study.model.clone();
    let mut errors = Vec::new();
    for flexible in &study.flexible {
        match flexible.make() {
            Ok(reduced) => {
                let modes = reduced.modes();
                let mut body = BodySpec::flexible(&flexible.name, Arc::new(reduced));
                if let Some(start) = &mut body.flexible {
                    start.eta0 = padded(&flexible.eta, modes);
                    start.eta_dot0 = padded(&flexible.eta_dot, modes);
                }
                spec.bodies.push(body);
            }
            Err(e) => errors.push(SpecError::new(&flexible.name, e.to_string())),
        }
    }
    if errors.is_empty() { Ok(spec) } else { Err(error(study, errors)) }
}

/// Values for all modes, zero where none is given; more than there are modes stay and are refused with the body.
fn padded(given: &[f64], modes: usize) -> Vec<f64> {
    let mut values = given.to_vec();
    values.resize(given.len().max(modes), 0.0);
    values
}

fn error(study: &Study, errors: Vec<SpecError>) -> StudyError {
    study.error(errors.into_iter().map(|e| (e.object, e.rule)))
}

fn frame(model: &Model, object: &str, spec: &FrameSpec) -> Result<Frame, SpecError> {
    model.frame(spec).ok_or_else(|| SpecError::new(object, format!("body `{}` does not exist", spec.body)))
}

fn coordinate(model: &Model, object: &str, name: &str) -> Result<usize, SpecError> {
    model.coordinate_index(name).ok_or_else(|| SpecError::new(object, format!("coordinate `{name}` does not exist")))
}

fn build_force(model: &Model, force: &ForceSpec) -> Result<Box<dyn ForceElement>, SpecError> {
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

fn build_contact(model: &Model, contact: &ContactSpec) -> Result<Box<dyn ForceElement>, SpecError> {
    let name = &contact.name;
    let a = frame(model, name, &contact.a.frame)?;
    let b = frame(model, name, &contact.b.frame)?;
    let element = ContactForce::new(name, (a, contact.a.shape), (b, contact.b.shape), contact.law, contact.friction);
    Ok(Box::new(element.map_err(|e| SpecError::new(name, e.to_string()))?))
}
