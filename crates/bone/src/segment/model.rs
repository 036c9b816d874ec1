//! A flexible bone replaces a rigid segment of a model: bodies, frames and muscle paths.

use wolff_multibody::spec::{ConstraintKind, FrameSpec, ModelSpec};
use wolff_muscle::path::{PathSpec, PlaceSpec, PointSpec};
use wolff_spatial::{Pose, Vec3};

use super::attachment::Attachment;
use super::recipe::WalkingBone;
use crate::BoneError;
use crate::person::Solid;

/// Points of different muscles closer than this share an attachment \[m\].
const SAME_POINT: f64 = 1e-9;

/// An attachment for every fixed point that these paths have on the body `segment`; those near the ends are carried
/// by the joints.
pub fn attachments(paths: &[PathSpec], segment: &str, solid: &Solid) -> Vec<Attachment> {
    let mut found: Vec<Attachment> = Vec::new();
    for path in paths {
        for (k, point) in path.points.iter().enumerate().filter(|(_, p)| p.body == segment) {
            let PlaceSpec::Fixed(p) = &point.place else { continue };
            if !found.iter().any(|a| (a.point - p).norm() < SAME_POINT) {
                found.push(Attachment::at(&format!("{}_{k}", path.name.replace('.', "_")), *p, &solid.ends));
            }
        }
    }
    found
}

impl WalkingBone {
    /// A frame of the rigid segment, carried by the nearer of the two joints.
    pub fn hang(&self, pose: &Pose) -> FrameSpec {
        let nodes = self.joints.iter().filter_map(|joint| self.body.node(joint).ok());
        let distance = |p: &Vec3| (p - pose.p).norm();
        let nearest = nodes.min_by(|a, b| distance(&a.position).total_cmp(&distance(&b.position)));
        let (name, at) = nearest.map_or((wolff_flexbody::node::BASE, Vec3::zeros()), |n| (n.name.as_str(), n.position));
        FrameSpec { body: format!("{}.{name}", self.body.name), pose: Pose::new(pose.R, pose.p - at) }
    }

    /// Replaces the rigid body of the same name: its joints and constraints are connected to the joints of the bone.
    ///
    /// # Errors
    /// When the model has no such body.
    pub fn replace_in(&self, spec: &mut ModelSpec) -> Result<(), BoneError> {
        let name = self.body.name.clone();
        let Some(body) = spec.bodies.iter_mut().find(|b| b.name == name) else {
            let rule = format!("model `{}` has no body of this name; name the bone as the segment", spec.name);
            return Err(BoneError::invalid(name, rule));
        };
        *body = self.body_spec();
        let joints = spec.joints.iter_mut().flat_map(|joint| [&mut joint.parent, &mut joint.child]);
        let constraints = spec.constraints.iter_mut().flat_map(|constraint| frames(&mut constraint.kind));
        for frame in joints.chain(constraints).filter(|frame| frame.body == name) {
            *frame = self.hang(&frame.pose);
        }
        Ok(())
    }

    /// The path of a muscle of the rigid model on the flexible bone: fixed points on their attachments (see
    /// [`attachments`]), moving points on the proximal joint, surfaces on the nearer joint.
    ///
    /// # Errors
    /// When a fixed point of the path has no attachment.
    pub fn carry(&self, path: &PathSpec) -> Result<PathSpec, BoneError> {
        let mut carried = path.clone();
        for point in carried.points.iter_mut().filter(|p| p.body == self.body.name) {
            self.carry_point(&path.name, point)?;
        }
        for wrap in carried.wraps.iter_mut().filter(|w| w.body == self.body.name) {
            let frame = self.hang(&wrap.pose);
            (wrap.body, wrap.pose) = (frame.body, frame.pose);
        }
        Ok(carried)
    }

    fn carry_point(&self, path: &str, point: &mut PointSpec) -> Result<(), BoneError> {
        let PlaceSpec::Fixed(p) = &point.place else {
            // the proximal joint is the origin of the segment
            point.body = self.joint_frame(0).body;
            return Ok(());
        };
        let Some(attachment) = self.attachments.iter().find(|a| (a.point - p).norm() < SAME_POINT) else {
            let rule =
                format!("its point {:?} m has no attachment on `{}`; add one there", p.as_slice(), self.body.name);
            return Err(BoneError::invalid(format!("path `{path}`"), rule));
        };
        let frame = self.frame(&attachment.name)?;
        (point.body, point.place) = (frame.body, PlaceSpec::Fixed(frame.pose.p));
        Ok(())
    }
}

/// The frames of a constraint.
fn frames(kind: &mut ConstraintKind) -> Vec<&mut FrameSpec> {
    match kind {
        ConstraintKind::Point { a, b, .. }
        | ConstraintKind::Spherical { a, b }
        | ConstraintKind::Revolute { a, b }
        | ConstraintKind::Universal { a, b }
        | ConstraintKind::Translational { a, b }
        | ConstraintKind::Weld { a, b }
        | ConstraintKind::Distance { a, b, .. } => vec![a, b],
        ConstraintKind::Coupler { .. } | ConstraintKind::Driver { .. } => Vec::new(),
    }
}
