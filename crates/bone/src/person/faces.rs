//! A tibia from a mesh whose joint faces are named.

use std::sync::Arc;

use crate::parametric::{BoneKind, Side};
use wolff_fem::TetMesh;
use wolff_spatial::Vec3;

use super::forward::{boundary_triangles, find_forward};
use super::{GivenBone, JointMarks};
use crate::BoneError;

/// Lengths of tibiae and femora of adults \[m\]; own choice, a wide range.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.2..=0.65;

/// Supported units of meshes.
const UNITS: [(&str, f64); 3] = [("metres", 1.0), ("millimetres", 1e-3), ("centimetres", 1e-2)];

/// How a mesh gets the sets that it needs.
const SETS: &str = "put the nodes of the upper joint face into a node set `proximal` and those of the lower one into \
                    `distal`, as physical surfaces of these names in Gmsh or by *NSET in an Abaqus file";

/// What a mesh without materials is made of.
pub const UNIFORM: &str = "every element of its mesh is cortical bone";

/// Names of the node sets of the joint faces.
pub const FACE_SETS: [&str; 2] = ["proximal", "distal"];

impl GivenBone {
    /// A tibia from a mesh in m, cm or mm with the node sets `proximal` and `distal`, its joint faces: their middles
    /// are plateau and plafond. Without a forward direction, it is found from the shape ([`find_forward`]).
    ///
    /// # Errors
    /// When a set is missing, no unit gives the length of a bone, or the shape does not tell what is forward.
    pub fn with_faces(mesh: &TetMesh, side: Side, forward: Option<Vec3>) -> Result<Self, BoneError> {
        let [proximal, distal] = middles(mesh)?;
        let (unit, size) = unit((proximal - distal).norm())?;
        let found = match forward {
            Some(_) => None,
            None => Some(find_forward(&boundary_triangles(mesh)?, proximal, distal, side)?),
        };
        let anterior = forward.or(found.map(|found| found.direction)).unwrap_or_else(Vec3::zeros);
        let mut remarks = vec![format!("its mesh is taken to be in {unit}")];
        remarks.extend(found.map(|found| found.remark()));
        let method = vec![UNIFORM.into()];
        let marks = JointMarks { proximal: proximal * size, distal: distal * size, anterior };
        marks.check()?;
        let mesh = Arc::new(mesh.mapped(|x| x * size)?);
        Ok(GivenBone { kind: BoneKind::Tibia, side, mesh, materials: None, marks, scale: [1.0; 3], remarks, method })
    }
}

/// Name and size \[m\] of the unit in which a distance is the length of a bone.
fn unit(distance: f64) -> Result<(&'static str, f64), BoneError> {
    UNITS.into_iter().find(|(_, size)| LENGTHS.contains(&(size * distance))).ok_or_else(|| {
        let rule = format!(
            "the centres of its node sets `proximal` and `distal` are {distance} apart; a bone of the leg has {} to {} \
             m between its joint faces, and this is not such a length in metres, centimetres or millimetres: give the \
             joint faces these names, or convert the mesh (`wolff mesh convert --scale`)",
            LENGTHS.start(),
            LENGTHS.end()
        );
        BoneError::invalid("given mesh", rule)
    })
}

/// Middles of the joint faces: mean of their nodes.
fn middles(mesh: &TetMesh) -> Result<[Vec3; 2], BoneError> {
    let middle = |set: &str| -> Result<Vec3, BoneError> {
        let nodes = mesh.node_set(set).map_err(|e| BoneError::invalid("given mesh", format!("{e}; {SETS}")))?;
        Ok(nodes.iter().map(|&n| mesh.nodes()[n]).sum::<Vec3>() / nodes.len().max(1) as f64)
    };
    let [proximal, distal] = FACE_SETS;
    Ok([middle(proximal)?, middle(distal)?])
}
