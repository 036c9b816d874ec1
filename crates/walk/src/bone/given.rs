//! A bone from a mesh that somebody else made.

use std::sync::Arc;

use wolff_fem::TetMesh;
use wolff_fem::bone::Side;
use wolff_fem::material::Material;
use wolff_spatial::Vec3;

use super::{BoneError, JointMarks, Solid};

/// Distances of the joint centres of grown people's shanks and thighs [m]; own choice, wide.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.2..=0.65;

/// Units in which meshes come.
const UNITS: [(&str, f64); 3] = [("metres", 1.0), ("millimetres", 1e-3), ("centimetres", 1e-2)];

/// A mesh with the node sets `proximal` and `distal`, the faces of its joints, whose centres are taken for those of the joints.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenBone {
    /// The mesh as it is in its file.
    pub mesh: Arc<TetMesh>,
    /// A direction in the mesh that points forward.
    pub anterior: Vec3,
}

/// What a mesh was taken for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenUnit {
    /// Unit of its coordinates.
    pub name: &'static str,
    /// Distance of its joint centres [m].
    pub length: f64,
}

impl GivenBone {
    /// The unit of the mesh, told by the distance of its joint centres: only one makes a bone of it.
    ///
    /// # Errors
    /// When a set is missing, or no unit makes a bone of it.
    pub fn unit(&self) -> Result<GivenUnit, BoneError> {
        let marks = self.marks()?;
        let distance = (marks.proximal - marks.distal).norm();
        let found = UNITS.into_iter().find(|(_, size)| LENGTHS.contains(&(size * distance)));
        let Some((name, size)) = found else {
            let rule = format!(
                "the centres of its node sets `proximal` and `distal` are {distance} apart; a bone of the leg has {} to {} m between its \
                 joints, and this is none in metres, centimetres or millimetres: name the joint faces so, or convert the mesh \
                 (`wolff mesh convert --scale`)",
                LENGTHS.start(),
                LENGTHS.end()
            );
            return Err(BoneError::invalid("given mesh", rule));
        };
        Ok(GivenUnit { name, length: size * distance })
    }

    /// The bone between joint centres `length` apart [m].
    ///
    /// # Errors
    /// As [`GivenBone::unit`] and [`Solid::registered`].
    pub fn solid(&self, length: f64, side: Side, material: &Material) -> Result<Solid, BoneError> {
        self.unit()?;
        Solid::registered(&self.mesh, &self.marks()?, length, side, material)
    }

    fn marks(&self) -> Result<JointMarks, BoneError> {
        let center = |set: &str| -> Result<Vec3, BoneError> {
            let nodes = self.mesh.node_set(set)?;
            Ok(nodes.iter().map(|&n| self.mesh.nodes()[n]).sum::<Vec3>() / nodes.len().max(1) as f64)
        };
        Ok(JointMarks { proximal: center("proximal")?, distal: center("distal")?, anterior: self.anterior })
    }
}
