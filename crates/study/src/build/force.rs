//! Force elements and contacts on a model, by their names.

use std::sync::Arc;
use wolff_contact::{ContactForce, ContactPair, FoundationForce, FoundationPair, ProfilePair, ShapePair, TablePair};
use wolff_document::{ContactSpec, ForceKind, ForceSpec, FoundationSpec, Slack, SurfaceShape};
use wolff_multibody::force::{
    Bushing, CoordinateForce, Ligament, LigamentLaw, LineForce, PassiveJointTorque, PointForce, TorsionalSpringDamper,
    TranslationalSpringDamper, WrenchTable,
};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{ForceElement, Frame, Model, SpecError, System};

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
        ForceKind::Ligament { path, law, quadratic, slack } => {
            Box::new(build_ligament(model, name, path, (*law, *quadratic), *slack)?)
        }
        ForceKind::WrenchTable { body, times, rows } => {
            let on = frame(model, name, &FrameSpec::at(body, Default::default()))?;
            Box::new(WrenchTable::new(name, on.body, times.clone(), rows.clone())?)
        }
    })
}

/// A ligament; a reference strain applies where all coordinates are zero.
pub(super) fn build_ligament(
    model: &Model,
    name: &str,
    path: &[FrameSpec],
    (law, quadratic): (LigamentLaw, Option<f64>),
    slack: Slack,
) -> Result<Ligament, SpecError> {
    let ligament = with_slack(model, name, path, law, slack)?;
    match quadratic {
        Some(stiffness) => {
            let law = LigamentLaw::quadratic(stiffness, ligament.slack_length(), law.damping);
            ligament.with_law(law)
        }
        None => Ok(ligament),
    }
}

fn with_slack(
    model: &Model,
    name: &str,
    path: &[FrameSpec],
    law: LigamentLaw,
    slack: Slack,
) -> Result<Ligament, SpecError> {
    let points = path.iter().map(|spec| frame(model, name, spec)).collect::<Result<Vec<_>, _>>()?;
    let strain = match slack {
        Slack::Length(length) => return Ligament::new(name, points, law, length),
        Slack::ReferenceStrain(strain) => strain,
    };
    let mut q = vec![0.0; model.nq()];
    for body in model.bodies() {
        body.joint.reference_position(&mut q[body.q_start..body.q_start + body.joint.nq()]);
    }
    let v = vec![0.0; model.nv()];
    let mut system = System::new(model);
    system.update_kinematics(&q, &v);
    Ligament::from_reference_strain(name, points, law, strain, &system.instant(0.0, &q, &v, None))
}

pub(super) fn build_contact(model: &Model, contact: &ContactSpec) -> Result<ContactForce, SpecError> {
    let name = &contact.name;
    let frames = [frame(model, name, &contact.a.frame)?, frame(model, name, &contact.b.frame)?];
    let refused = |e: wolff_contact::ContactError| SpecError::new(name, e.to_string());
    let pair: Arc<dyn ContactPair> = match (&contact.a.shape, &contact.b.shape) {
        (SurfaceShape::Simple(a), SurfaceShape::Simple(b)) => Arc::new(ShapePair::new(*a, *b).map_err(refused)?),
        (SurfaceShape::Profile(a), SurfaceShape::Profile(b)) => Arc::new(ProfilePair::new(a.clone(), b.clone())),
        (SurfaceShape::Table(a), SurfaceShape::Table(b)) => Arc::new(TablePair::new(a.clone(), b.clone())),
        _ => {
            let rule = "contact is supported only of a profile with a profile and of a table with a table; \
                        give two shapes of the same kind";
            return Err(SpecError::new(name, rule));
        }
    };
    let element = ContactForce::between(name, frames, pair, contact.law, contact.friction).map_err(refused)?;
    Ok(match contact.subsurface {
        Some(layer) => element.with_subsurface(layer),
        None => element,
    })
}

/// An elastic foundation in two versions, one that acts and one for the measures, which may have other elements.
pub(super) fn build_foundation(model: &Model, spec: &FoundationSpec) -> Result<[FoundationForce; 2], SpecError> {
    let name = &spec.name;
    let (fixed, moving) = (frame(model, name, &spec.fixed)?, frame(model, name, &spec.moving)?);
    let force = |pair: &Arc<FoundationPair>| {
        FoundationForce::new(name, fixed, moving, pair.clone()).map_err(|e| SpecError::new(name, e.to_string()))
    };
    Ok([force(&spec.pair)?, force(&spec.report)?])
}
