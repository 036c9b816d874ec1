//! Where muscles and tendons attach to the bone.

use wolff_fem::attachment::{Patch, PointSpec};
use wolff_spatial::Vec3;

use super::Fibula;
use crate::BoneError;
use crate::person::{Ends, Solid};

/// Share of the bone at either end within which a point may be carried by the rigid interface of the joint there: the
/// filled ends of the bone, more than three diameters from the gauges of the shaft. Points beyond the ends are
/// carried by it too.
pub const END_ZONE: f64 = 0.12;

/// A point of a muscle's path on the bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Name, unique on the bone.
    pub name: String,
    /// Position in the frame of the segment \[m\], on the bone or off it.
    pub point: Vec3,
    /// What carries it.
    pub kind: AttachmentKind,
}

/// What carries a point.
#[derive(Debug, Clone, PartialEq)]
pub enum AttachmentKind {
    /// The nodes of the outer surface within this distance \[m\] of the one nearest to the point follow it in the mean
    /// (RBE3): force and couple of a point off the bone act on it without stiffening it.
    Patch {
        /// Radius \[m\].
        radius: f64,
    },
    /// A node set of the mesh in the mean, such as `tuberosity` or `soleal_line` of the built-in tibia.
    Set(String),
    /// The rigid interface of the proximal joint. Suitable for points near that end: the bone between them and the
    /// joint is loaded incorrectly, the shaft beyond exactly.
    Proximal,
    /// The rigid interface of the distal joint.
    Distal,
    /// The fibula: the force is divided between its two ends by the lever rule.
    Fibula,
}

/// Half of a bone's diameter at mid-shaft: patches are about a diameter wide \[m\].
pub const PATCH_RADIUS: f64 = 0.014;

impl Attachment {
    /// A point on a patch of about a bone's diameter.
    pub fn patch(name: &str, point: Vec3) -> Self {
        Attachment { name: name.into(), point, kind: AttachmentKind::Patch { radius: PATCH_RADIUS } }
    }

    /// A point on a node set.
    pub fn on_set(name: &str, point: Vec3, set: &str) -> Self {
        Attachment { name: name.into(), point, kind: AttachmentKind::Set(set.into()) }
    }

    /// A point carried by the interface of a joint within [`END_ZONE`] of an end, by a patch elsewhere.
    pub fn at(name: &str, point: Vec3, ends: &Ends) -> Self {
        let fraction = ends.fraction(point.y);
        let kind = if fraction < END_ZONE {
            AttachmentKind::Proximal
        } else if fraction > 1.0 - END_ZONE {
            AttachmentKind::Distal
        } else {
            return Self::patch(name, point);
        };
        Attachment { name: name.into(), point, kind }
    }

    /// The nodes that carry it on a solid; `None` where a joint or the fibula carries it.
    ///
    /// # Errors
    /// When the point is not finite or the solid has no such set.
    pub fn patch_spec(&self, solid: &Solid) -> Result<Option<PointSpec>, BoneError> {
        self.point_spec(solid, &solid.outer_nodes())
    }

    pub(crate) fn point_spec(&self, solid: &Solid, outer: &[usize]) -> Result<Option<PointSpec>, BoneError> {
        let nodes = match &self.kind {
            AttachmentKind::Patch { radius } => patch(solid, outer, &self.name, &self.point, *radius)?,
            AttachmentKind::Set(set) => solid.mesh.node_set(set)?.to_vec(),
            AttachmentKind::Proximal | AttachmentKind::Distal | AttachmentKind::Fibula => return Ok(None),
        };
        Ok(Some(PointSpec { name: self.name.clone(), position: self.point, patch: Patch::Nodes(nodes) }))
    }

    /// Name of the node of the body that carries it.
    pub(crate) fn node<'a>(&'a self, solid: &'a Solid) -> &'a str {
        match self.kind {
            AttachmentKind::Proximal => &solid.joints[0],
            AttachmentKind::Distal => &solid.joints[1],
            AttachmentKind::Patch { .. } | AttachmentKind::Set(_) | AttachmentKind::Fibula => &self.name,
        }
    }
}

/// The outer nodes within a radius of the one nearest to a point.
fn patch(solid: &Solid, outer: &[usize], name: &str, point: &Vec3, radius: f64) -> Result<Vec<usize>, BoneError> {
    let at = |node: usize| solid.mesh.nodes()[node];
    let nearest = outer.iter().copied().min_by(|&a, &b| (at(a) - point).norm().total_cmp(&(at(b) - point).norm()));
    let finite = point.iter().all(|c| c.is_finite()) && radius >= 0.0 && radius.is_finite();
    let (Some(nearest), true) = (nearest, finite) else {
        let rule = format!("the point {:?} m or the radius {radius} m is not a finite number", point.as_slice());
        return Err(BoneError::invalid(format!("attachment `{name}`"), rule));
    };
    Ok(outer.iter().copied().filter(|&node| (at(node) - at(nearest)).norm() <= radius).collect())
}

/// Refuses names that appear twice, or are those of a joint or the floating frame.
pub(crate) fn check_names(solid: &Solid, attachments: &[Attachment], fibula: Option<&Fibula>) -> Result<(), BoneError> {
    let mut names: Vec<&str> = vec![wolff_flexbody::node::BASE, &solid.joints[0], &solid.joints[1]];
    names.extend(super::recipe::RING_NAMES);
    if fibula.is_some() {
        names.push(super::fibula::HEAD);
    }
    for attachment in attachments {
        if names.contains(&attachment.name.as_str()) || attachment.name.contains('.') {
            let rule = "its name is already used or contains a dot; rename it";
            return Err(BoneError::invalid(format!("attachment `{}`", attachment.name), rule));
        }
        if attachment.kind == AttachmentKind::Fibula && fibula.is_none() {
            return Err(BoneError::invalid(
                format!("attachment `{}`", attachment.name),
                "is on the fibula, and the bone has none; give the recipe a fibula",
            ));
        }
        names.push(&attachment.name);
    }
    Ok(())
}
