//! The side of a closed contact mesh that is in contact.

use super::articular::SmithMesh;
use super::error::ContactPosesError;
use super::meshes::{ArticularSide, MeshFiles};
use wolff_formats::osim::OsimModel;
use wolff_geometry::{
    ArticularMesh, Facing, GeometryError, Normals, Shell, TriangleMesh, TriangleSurface, articular_mesh,
};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Model, System};
use wolff_spatial::Pose;

/// Maximum distance at which the other body is searched \[m\]; the gap of a joint in the default pose of a model is
/// smaller.
const REACH: f64 = 0.05;

/// A contact mesh and its frame.
type Placed<'m> = (SmithMesh<'m>, FrameSpec);

/// The articular sides of both meshes of a contact, each in its own frame.
pub(super) fn articular_sides(
    contact: &str,
    model: &OsimModel,
    files: &MeshFiles,
    placed: &[Placed<'_>; 2],
) -> Result<[ArticularMesh; 2], ContactPosesError> {
    let [a, b] = placed;
    let meshes = [files.read(&a.0.0.name, a.0.1)?, files.read(&b.0.0.name, b.0.1)?];
    let name = |k: usize| placed[k].0.0.name.as_str();
    let refused = |k: usize, e: GeometryError| {
        let rule = match e {
            GeometryError::UnclearSheet { .. } => {
                format!("mesh `{}`: {e}; give the direction with --articular {}=x,y,z", name(k), name(k))
            }
            e => format!("mesh `{}`: {e}", name(k)),
        };
        ContactPosesError::Contact { contact: contact.into(), rule }
    };
    // the pose is needed only for shells whose side is not given
    let mut X_AB = None;
    let mut sides = Vec::with_capacity(2);
    for (k, mesh) in meshes.iter().enumerate() {
        let side = match files.side(name(k)) {
            Some(ArticularSide::Whole) => Ok(ArticularMesh::whole(mesh.clone())),
            Some(ArticularSide::Towards(direction)) => articular_mesh(mesh, &Facing::Direction(direction)),
            None if !has_shells(mesh) => Ok(ArticularMesh::whole(mesh.clone())),
            None => {
                let X_AB = match X_AB {
                    Some(known) => known,
                    None => *X_AB.insert(default_pose(contact, model, [&a.1, &b.1])?),
                };
                let X = if k == 0 { X_AB } else { X_AB.inverse() };
                facing_partner(mesh, &meshes[1 - k], &X)
            }
        };
        sides.push(side.map_err(|e| refused(k, e))?);
    }
    <[ArticularMesh; 2]>::try_from(sides)
        .map_err(|_| ContactPosesError::Contact { contact: contact.into(), rule: "must have two meshes".into() })
}

/// Whether any part of a mesh is a closed shell. A mesh that cannot be divided into parts counts as closed, so that it
/// is reported.
fn has_shells(mesh: &TriangleMesh) -> bool {
    // a mesh with inconsistent orientation of neighbours has no parts but can still be the casting mesh
    let Ok(parts) = mesh.parts() else { return false };
    parts.iter().any(|part| !matches!(Shell::new(part), Ok(None)))
}

/// The side of a mesh from which more of the other mesh is visible; X is the pose of the other frame in that of the
/// mesh.
fn facing_partner(mesh: &TriangleMesh, partner: &TriangleMesh, X: &Pose) -> Result<ArticularMesh, GeometryError> {
    let partner = TriangleSurface::new(partner.clone().transformed(X)?, Normals::Facets)?;
    articular_mesh(mesh, &Facing::Partner { surface: &partner, reach: REACH })
}

/// Pose of the second frame in the first in the default pose of the model.
fn default_pose(contact: &str, file: &OsimModel, frames: [&FrameSpec; 2]) -> Result<Pose, ContactPosesError> {
    let listed = |errors: Vec<String>| ContactPosesError::Model(errors);
    let converted = wolff_opensim::convert(file).map_err(|e| listed(e.iter().map(ToString::to_string).collect()))?;
    let model = Model::build(&converted.spec).map_err(|e| listed(e.iter().map(ToString::to_string).collect()))?;
    let [Some(a), Some(b)] = frames.map(|frame| model.frame(frame)) else {
        let rule = "the bodies of its meshes must be in the model".into();
        return Err(ContactPosesError::Contact { contact: contact.into(), rule });
    };
    let mut system = System::new(&model);
    system.update_kinematics(&model.q0, &model.v0);
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    Ok(at.pose(&a).inverse() * at.pose(&b))
}
