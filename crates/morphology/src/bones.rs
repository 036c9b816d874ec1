//! Joint centres, landmarks and joint surfaces of each kind of bone.

mod femur;
mod small;
mod tibia;

use wolff_geometry::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Judgement;

use crate::found::{JointCentre, Landmark, Patch};
use crate::kind::BoneKind;
use crate::seen::Seen;

/// What was found on a bone, in anatomical coordinates until it is moved back.
#[derive(Default)]
pub(crate) struct Details {
    /// Axes (anterior, up, lateral) as columns, and origin; both in the coordinates of [`Seen`].
    pub axes: Option<Mat3>,
    pub origin: Vec3,
    pub joints: Vec<JointCentre>,
    pub landmarks: Vec<Landmark>,
    pub patches: Vec<Patch>,
    pub judgement: Judgement,
}

impl Details {
    /// What a kind of bone shows.
    pub fn of(kind: BoneKind, seen: &Seen, centre: &Vec3) -> Self {
        match kind {
            BoneKind::Femur => femur::details(seen),
            BoneKind::Tibia => tibia::details(seen),
            BoneKind::Fibula => small::fibula(seen, centre),
            BoneKind::Patella => small::patella(seen, centre),
        }
    }

    fn mark(&mut self, name: &'static str, position: Option<Vec3>) {
        self.landmarks.extend(position.map(|position| Landmark { name, position }));
    }

    fn patch(&mut self, name: &'static str, triangles: Vec<u32>) {
        if !triangles.is_empty() {
            self.patches.push(Patch { name, triangles, vertices: Vec::new() });
        }
    }

    /// Everything in the frame of the mesh.
    pub fn moved_back(mut self, seen: &Seen, mesh: &TriangleMesh) -> Self {
        for landmark in &mut self.landmarks {
            landmark.position = seen.back(&landmark.position);
        }
        for joint in &mut self.joints {
            joint.position = seen.back(&joint.position);
            joint.axis = joint.axis.map(|axis| seen.back_direction(&axis));
        }
        for patch in &mut self.patches {
            patch.vertices = patch.triangles.iter().flat_map(|&t| mesh.triangles()[t as usize]).collect();
            patch.vertices.sort_unstable();
            patch.vertices.dedup();
        }
        self.origin = seen.back(&self.origin);
        self.axes =
            self.axes.map(|axes| Mat3::from_columns(&[0, 1, 2].map(|i| seen.back_direction(&axes.column(i).into()))));
        self
    }
}

/// Axes (anterior, up, lateral) from the upward direction and one that points laterally.
fn axes_from(up: Vec3, lateral: Vec3) -> Option<Mat3> {
    let y = up.try_normalize(0.0)?;
    let z = (lateral - y * lateral.dot(&y)).try_normalize(0.0)?;
    Some(Mat3::from_columns(&[y.cross(&z), y, z]))
}
