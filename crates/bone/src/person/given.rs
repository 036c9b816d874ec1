//! A bone from a mesh file.

use std::sync::Arc;

use crate::parametric::Side;
use wolff_fem::TetMesh;
use wolff_fem::material::Material;
use wolff_spatial::Vec3;

use super::forward::{FoundForward, boundary_triangles, find_forward};
use super::{JointMarks, Solid};
use crate::BoneError;

/// Lengths of tibiae and femora of adults \[m\]; own choice, a wide range.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.2..=0.65;

/// Supported units of meshes.
const UNITS: [(&str, f64); 3] = [("metres", 1.0), ("millimetres", 1e-3), ("centimetres", 1e-2)];

/// How a mesh gets the sets that it needs.
const SETS: &str = "put the nodes of the upper joint face into a node set `proximal` and those of the lower one into \
                    `distal`, as physical surfaces of these names in Gmsh or by *NSET in an Abaqus file";

/// A length that differs by more than this from the prediction by stature is reported: two standard errors of the
/// regression are 7 %.
const LIKELY: f64 = 0.10;

/// A mesh with the node sets `proximal` and `distal`, its joint faces: their middles are plateau and plafond. It
/// keeps its size.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenBone {
    /// The mesh as it is in its file.
    pub mesh: Arc<TetMesh>,
    /// Its forward direction.
    pub forward: Forward,
    /// Factors on its size along the bone, anterior and lateral; 1: as it is.
    pub scale: [f64; 3],
}

/// The forward direction of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Forward {
    /// Found from its shape ([`find_forward`]).
    Auto,
    /// This direction.
    Given(Vec3),
}

/// The unit found for a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenUnit {
    /// Unit of its coordinates.
    pub name: &'static str,
    /// The unit \[m\].
    pub size: f64,
    /// Distance of the middles of its joint faces, as it is in the file \[m\].
    pub length: f64,
}

impl GivenBone {
    /// The unit of the mesh, from the distance of its joint faces: only one gives the length of a bone.
    ///
    /// # Errors
    /// When a set is missing, or no unit gives the length of a bone.
    pub fn unit(&self) -> Result<GivenUnit, BoneError> {
        let [proximal, distal] = self.faces()?;
        let distance = (proximal - distal).norm();
        let found = UNITS.into_iter().find(|(_, size)| LENGTHS.contains(&(size * distance)));
        let Some((name, size)) = found else {
            let rule = format!(
                "the centres of its node sets `proximal` and `distal` are {distance} apart; a bone of the leg has {} \
                 to {} m between its \
                 joint faces, and this is not such a length in metres, centimetres or millimetres: give the joint \
                 faces these names, or convert the mesh \
                 (`wolff mesh convert --scale`)",
                LENGTHS.start(),
                LENGTHS.end()
            );
            return Err(BoneError::invalid("given mesh", rule));
        };
        Ok(GivenUnit { name, size, length: size * distance })
    }

    /// The forward direction found from the shape; `None` when it was given.
    ///
    /// # Errors
    /// As [`find_forward`].
    pub fn found_forward(&self, side: Side) -> Result<Option<FoundForward>, BoneError> {
        if self.forward != Forward::Auto {
            return Ok(None);
        }
        let [proximal, distal] = self.faces()?;
        find_forward(&boundary_triangles(&self.mesh)?, proximal, distal, side).map(Some)
    }

    /// The bone in its own size, or scaled if requested, between joint centres `segment` apart \[m\]; with remarks for
    /// the user. `expected` is the length predicted by the stature of the person \[m\].
    ///
    /// # Errors
    /// As [`GivenBone::unit`], [`GivenBone::found_forward`], [`Solid::registered`] and [`Solid::scaled`].
    pub fn solid(
        &self,
        segment: f64,
        expected: f64,
        side: Side,
        material: &Material,
    ) -> Result<(Solid, Vec<String>), BoneError> {
        let unit = self.unit()?;
        let found = self.found_forward(side)?;
        let anterior = match (self.forward, &found) {
            (Forward::Given(direction), _) => direction,
            (Forward::Auto, Some(found)) => found.direction,
            (Forward::Auto, None) => Vec3::zeros(),
        };
        let [proximal, distal] = self.faces()?;
        let marks = JointMarks { proximal, distal, anterior };
        let bone = Solid::registered(&self.mesh, &marks, unit.size, side, material)?.scaled(self.scale)?;
        let remarks = self.remarks(&unit, found.as_ref(), bone.ends.length(), [segment, expected]);
        Ok((bone.in_segment(segment)?, remarks))
    }

    fn remarks(
        &self,
        unit: &GivenUnit,
        found: Option<&FoundForward>,
        length: f64,
        [segment, expected]: [f64; 2],
    ) -> Vec<String> {
        let mm = |x: f64| format!("{:.0} mm", 1e3 * x);
        let size = match self.scale {
            [1.0, 1.0, 1.0] => "it keeps its size".to_string(),
            [along, anterior, lateral] => format!(
                "scaled by {along} along the bone to {}, {anterior} anterior, {lateral} lateral, as asked",
                mm(length)
            ),
        };
        let mut remarks = vec![format!(
            "tibia_mesh is taken to be in {}: {} from plateau to plafond; {size}",
            unit.name,
            mm(unit.length)
        )];
        remarks.extend(found.map(|found| format!("tibia_mesh: {}", found.remark())));
        // more than rounding
        if length > segment + 1e-6 {
            remarks.push(format!(
                "the tibia of tibia_mesh, {}, is longer than the shank, {} from knee to ankle centre: its ends lie \
                 beyond the joint centres; choose a \
                 person of its size (`stature`), or set `tibia_scale_along`",
                mm(length),
                mm(segment)
            ));
        }
        let ratio = length / expected;
        if !((ratio - 1.0).abs() <= LIKELY) {
            remarks.push(format!(
                "the tibia of tibia_mesh, {}, is {:+.0} % of the {} that the person's stature predicts: choose a \
                 person of its size (`stature`), \
                 or set `tibia_scale_along={:.3}` and the scales across",
                mm(length),
                100.0 * (ratio - 1.0),
                mm(expected),
                self.scale[0] / ratio
            ));
        }
        remarks
    }

    /// Middles of the joint faces: mean of their nodes.
    fn faces(&self) -> Result<[Vec3; 2], BoneError> {
        let center = |set: &str| -> Result<Vec3, BoneError> {
            let nodes =
                self.mesh.node_set(set).map_err(|e| BoneError::invalid("given mesh", format!("{e}; {SETS}")))?;
            Ok(nodes.iter().map(|&n| self.mesh.nodes()[n]).sum::<Vec3>() / nodes.len().max(1) as f64)
        };
        Ok([center("proximal")?, center("distal")?])
    }
}
