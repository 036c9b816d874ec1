//! Places of muscles carried from the built-in bone to a given one, by registration of their surfaces.

use crate::parametric::BoneKind;
use wolff_geometry::TriangleMesh;
use wolff_morphology::{self as morphology, Morphology, RegisterOptions, register};
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Verdict;

use super::{Solid, surface_of};
use crate::BoneError;

/// The node set to which soleus is attached.
pub const SOLEAL_LINE: &str = "soleal_line";

/// Nodes of a given bone up to this distance from the carried nodes of a set belong to it \[m\].
const REACH: f64 = 5e-3;

/// Mean way of the places of muscles that is reported as far \[mm\]; own choice: bones of one size differ by a few mm.
const FAR: f64 = 10.0;

/// Points carried to a given bone.
#[derive(Debug, Clone, PartialEq)]
pub struct CarriedPoints {
    /// The points, in the frame of the segment \[m\].
    pub points: Vec<Vec3>,
    /// What was done, as a sentence.
    pub remark: String,
}

/// Carries points of the built-in bone to a given bone in the same segment, and gives the given tibia the node set of
/// soleus. Points stay where they are when the surfaces cannot be registered, and the remark tells so.
///
/// # Errors
/// When a surface is none.
pub fn carry(
    kind: BoneKind,
    (builtin, given): (&Solid, &mut Solid),
    points: &[Vec3],
) -> Result<CarriedPoints, BoneError> {
    let line: Vec<Vec3> = match builtin.mesh.node_set(SOLEAL_LINE) {
        Ok(nodes) => nodes.iter().map(|&n| builtin.mesh.nodes()[n]).collect(),
        Err(_) => Vec::new(),
    };
    let all: Vec<Vec3> = points.iter().chain(&line).copied().collect();
    let (from, to) = (outer_surface(builtin)?, outer_surface(given)?);
    let frames = [builtin, &*given].map(|solid| frame(kind, solid));
    let wrong = |e: wolff_morphology::MorphologyError| BoneError::invalid("registration", e.to_string());
    // both frames are known: closest points would turn and stretch a bone that is only wider
    let options = RegisterOptions { rounds: 0, ..RegisterOptions::default() };
    let found = register((&from, &frames[0]), (&to, &frames[1]), &all, &options).map_err(wrong)?;
    let [similar, _, smooth] = found.distances.map(|d| 1e3 * d.rms);
    if found.judgement.judged.iter().any(|judged| judged.verdict == Verdict::Failed) {
        let remark = format!(
            "muscles stay at the places of the built-in bone: its surface is {similar:.1} mm from the given one after a \
             similarity and {smooth:.1} mm after a smooth deformation, so that places cannot be carried over; check side, \
             frame and completeness of the given bone"
        );
        return Ok(CarriedPoints { points: points.to_vec(), remark });
    }
    let (moved, line) = found.points.split_at(points.len());
    attach_line(given, line)?;
    let ways: Vec<f64> = moved.iter().zip(points).map(|(a, b)| 1e3 * (a - b).norm()).collect();
    let mean = ways.iter().sum::<f64>() / ways.len().max(1) as f64;
    let far = match mean > FAR {
        true => "; so far that bone and person are not of one size, and lever arms change: choose a person of its size",
        false => "",
    };
    let remark = format!(
        "{} places of muscles were carried from the built-in bone to the given one by registration of their surfaces, \
         {similar:.1} mm apart after a similarity and {smooth:.1} mm after a smooth deformation (RMS): they moved by \
         {mean:.1} mm in the mean and {:.1} mm at most{far}",
        points.len(),
        ways.iter().copied().fold(0.0, f64::max)
    );
    Ok(CarriedPoints { points: moved.to_vec(), remark })
}

/// The outer surface of a solid.
fn outer_surface(solid: &Solid) -> Result<TriangleMesh, BoneError> {
    let mut is_outer = vec![false; solid.mesh.nodes().len()];
    for node in solid.outer_nodes() {
        is_outer[node] = true;
    }
    surface_of(&solid.mesh, solid.boundary().iter().filter(|face| face.nodes.iter().all(|&n| is_outer[n])))
}

/// The frame of a bone in its segment.
fn frame(kind: BoneKind, solid: &Solid) -> Morphology {
    let kind = match kind {
        BoneKind::Femur => morphology::BoneKind::Femur,
        BoneKind::Tibia | BoneKind::Tube { .. } => morphology::BoneKind::Tibia,
    };
    let origin = Vec3::new(0.0, solid.ends.height(0.0), 0.0);
    Morphology::known(kind, solid.side, Mat3::identity(), origin, solid.ends.length())
}

/// Gives a bone the node set of soleus: its outer nodes near the carried nodes of the built-in bone.
fn attach_line(solid: &mut Solid, line: &[Vec3]) -> Result<(), BoneError> {
    let nodes = solid.mesh.nodes();
    let is_near = |node: &usize| line.iter().any(|x| (nodes[*node] - x).norm() < REACH);
    let near: Vec<usize> = solid.outer_nodes().into_iter().filter(is_near).collect();
    // fewer than three nodes define no patch
    if near.len() >= 3 {
        solid.mesh.set_nodes(SOLEAL_LINE, near)?;
    }
    Ok(())
}
