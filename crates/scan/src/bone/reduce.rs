//! Joint surfaces, natural frequencies and the flexible body.

use wolff_fem::TetMesh;
use wolff_fem::dofs::Constraints;
use wolff_fem::reduce::{Reduced, Reduction, Selection};
use wolff_flexbody::Surface;
use wolff_geometry::TriangleMesh;
use wolff_morphology::{BoneKind, Morphology};
use wolff_spatial::Vec3;

use super::shape::Shape;
use super::tissue::Tissue;
use super::{BoneRequest, STAGES, Tell, in_bone_frame};
use crate::error::ScanError;

/// Free natural frequencies that are computed.
pub const FREQUENCIES: usize = 10;
/// Critical damping ratio of every mode of the flexible body.
const DAMPING: f64 = 0.02;

/// The bone as bodies.
#[derive(Debug)]
pub struct Bodies {
    /// The mesh in the frame of the bone, with node sets of the joints.
    pub mesh: TetMesh,
    /// The first natural frequencies of the free bone \[Hz\].
    pub frequencies: Vec<f64>,
    /// The surface of the free bone with these modes, for pictures.
    pub free: Option<Surface>,
    /// The flexible body with a node at each joint; `None` of a bone with fewer than two joint surfaces.
    pub flexible: Option<Reduced>,
    /// Joints: name of the node set, and number of its nodes.
    pub joints: Vec<(&'static str, usize)>,
}

/// Computes frequencies and the flexible body.
///
/// # Errors
/// When the solver fails.
pub(super) fn reduce(
    request: &BoneRequest,
    shape: &Shape,
    morphology: &Morphology,
    mesh: &TetMesh,
    tissue: &Tissue,
    tell: &mut Tell,
) -> Result<Bodies, ScanError> {
    tell("free modes", STAGES[7])?;
    let (placed, ends) = placed(&shape.surface, morphology, mesh, 2.0 * request.mesh.size)?;
    let materials = &tissue.materials;
    let mut free = Reduction::new(morphology.kind.word(), &placed, materials, Constraints::default());
    free.fixed_modes = FREQUENCIES;
    free.selection = Selection::Count(FREQUENCIES);
    free.surface = true;
    let free = free.run()?;
    tell("reduction to a flexible body", STAGES[8])?;
    let flexible = match ends.len() {
        0 | 1 => None,
        _ => {
            let interfaces =
                ends.iter().fold(Constraints::default(), |all, (name, nodes, at)| all.tie(name, *at, nodes));
            let mut reduction = Reduction::new(morphology.kind.word(), &placed, materials, interfaces);
            reduction.fixed_modes = request.modes;
            reduction.damping_ratio = DAMPING;
            reduction.surface = true;
            Some(reduction.run()?)
        }
    };
    let joints = ends.iter().map(|(name, nodes, _)| (*name, nodes.len())).collect();
    Ok(Bodies { mesh: placed, frequencies: free.report.frequencies, free: free.surface, flexible, joints })
}

/// A mesh in the frame of the bone, with node sets of the joints: nodes up to `reach` from a joint surface.
pub(crate) fn placed(
    surface: &TriangleMesh,
    morphology: &Morphology,
    mesh: &TetMesh,
    reach: f64,
) -> Result<(TetMesh, Vec<End>), ScanError> {
    let ends = joint_nodes(surface, morphology, mesh, reach)?;
    let mut placed = in_bone_frame(mesh, morphology)?;
    for (name, nodes, _) in &ends {
        placed.set_nodes(name, nodes.clone())?;
    }
    Ok((placed, ends))
}

/// Names of the joints at the upper and lower end of a bone.
pub(super) fn ends_of(kind: BoneKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        BoneKind::Femur => &[("proximal", "hip"), ("distal", "knee")],
        BoneKind::Tibia => &[("proximal", "knee"), ("distal", "ankle")],
        BoneKind::Fibula | BoneKind::Patella => &[],
    }
}

/// A joint: name of its node set, its nodes, and its centre in the frame of the bone.
pub(crate) type End = (&'static str, Vec<usize>, Vec3);

/// Nodes of the surface of the mesh on the joint surfaces of the bone.
fn joint_nodes(
    surface: &TriangleMesh,
    morphology: &Morphology,
    mesh: &TetMesh,
    reach: f64,
) -> Result<Vec<End>, ScanError> {
    let mut on_surface: Vec<usize> = mesh.boundary()?.iter().flat_map(|face| face.nodes.clone()).collect();
    on_surface.sort_unstable();
    on_surface.dedup();
    let vertices = surface.vertices();
    let mut ends = Vec::new();
    for (name, joint) in ends_of(morphology.kind) {
        let (Some(patch), Some(centre)) = (morphology.patch(joint), morphology.joint(joint)) else { continue };
        let points: Vec<Vec3> = patch.vertices.iter().map(|&v| vertices[v as usize]).collect();
        let is_near = |node: &usize| points.iter().any(|p| (mesh.nodes()[*node] - p).norm() < reach);
        let nodes: Vec<usize> = on_surface.iter().copied().filter(is_near).collect();
        if nodes.len() >= 3 {
            ends.push((*name, nodes, morphology.in_bone(&centre.position)));
        }
    }
    Ok(ends)
}
