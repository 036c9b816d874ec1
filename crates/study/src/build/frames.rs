//! Every frame in a study.

use wolff_document::{ForceKind, MeasureKind, Study};
use wolff_multibody::spec::{ConstraintKind, FrameSpec};
use wolff_spatial::Pose;

/// Applies `change` to every frame of a study: joints, constraints, forces, contacts, foundations, measures.
pub(crate) fn each_frame(study: &mut Study, change: &mut dyn FnMut(&mut FrameSpec)) {
    for joint in &mut study.model.joints {
        change(&mut joint.parent);
        change(&mut joint.child);
    }
    for constraint in &mut study.model.constraints {
        frames_of_constraint(&mut constraint.kind, change);
    }
    for force in &mut study.forces {
        frames_of_force(&mut force.kind, change);
    }
    for contact in &mut study.contacts {
        change(&mut contact.a.frame);
        change(&mut contact.b.frame);
    }
    for foundation in &mut study.foundations {
        change(&mut foundation.fixed);
        change(&mut foundation.moving);
    }
    for measure in &mut study.measures {
        if let MeasureKind::Point(frame, _)
        | MeasureKind::Velocity(frame, _)
        | MeasureKind::AngularVelocity { frame, .. } = &mut measure.kind
        {
            change(frame);
        }
    }
}

fn frames_of_constraint(kind: &mut ConstraintKind, change: &mut dyn FnMut(&mut FrameSpec)) {
    match kind {
        ConstraintKind::Point { a, b, .. }
        | ConstraintKind::Spherical { a, b }
        | ConstraintKind::Revolute { a, b }
        | ConstraintKind::Universal { a, b }
        | ConstraintKind::Translational { a, b }
        | ConstraintKind::Weld { a, b }
        | ConstraintKind::Distance { a, b, .. } => {
            change(a);
            change(b);
        }
        ConstraintKind::Coupler { .. } | ConstraintKind::Driver { .. } => {}
    }
}

fn frames_of_force(kind: &mut ForceKind, change: &mut dyn FnMut(&mut FrameSpec)) {
    match kind {
        ForceKind::Spring { a, b, .. } | ForceKind::Bushing { a, b, .. } | ForceKind::LineForce { a, b, .. } => {
            change(a);
            change(b);
        }
        ForceKind::Ligament { path, .. } => path.iter_mut().for_each(change),
        ForceKind::PointForce { on, .. } => change(on),
        // a wrench acts at a point of the ground; only the name of the body matters
        ForceKind::WrenchTable { body, .. } | ForceKind::GroundForce { body, .. } => {
            let mut frame = FrameSpec { body: body.clone(), pose: Pose::identity() };
            change(&mut frame);
            *body = frame.body;
        }
        ForceKind::TorsionSpring { .. } | ForceKind::PassiveTorque { .. } | ForceKind::CoordinateForce { .. } => {}
    }
}
