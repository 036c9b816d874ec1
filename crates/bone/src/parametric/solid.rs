//! The built bone: mesh, sets and material directions.

use nalgebra::Vector3;

use super::shape::Shape;
use super::sweep::{Levels, Swept, SweptNode, sweep};
use super::{Bone, BoneKind, patch};
use crate::side::on_side;
use wolff_fem::FemError;
use wolff_fem::element::{ElementKind, tet10};
use wolff_fem::material::{Material, MaterialField, axes_along};
use wolff_fem::mesh::{SurfaceFace, TetMesh};
use wolff_fem::quality::quality;

/// The solid of a bone.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneSolid {
    /// The mesh with the sets that [`crate::parametric`] lists.
    pub mesh: TetMesh,
    /// For every element the unit vector along the bone, towards the distal end: axis 3 of its material.
    pub directions: Vec<Vector3<f64>>,
}

impl BoneSolid {
    /// The materials of wall and filling, with axis 3 along the bone.
    ///
    /// # Errors
    /// When a material is not admissible.
    pub fn material_field(&self, cortical: &Material, trabecular: &Material) -> Result<MaterialField, FemError> {
        let mut materials = vec![*cortical; self.directions.len()];
        for &element in self.mesh.element_set("trabecular")? {
            materials[element] = *trabecular;
        }
        let axes = self.directions.iter().map(axes_along).collect::<Result<Vec<_>, _>>()?;
        MaterialField::per_element(&self.mesh, &materials, &axes)
    }

    /// Volume of an element set \[m³\].
    ///
    /// # Errors
    /// When there is no such set.
    pub fn set_volume(&self, name: &str) -> Result<f64, FemError> {
        let set = self.mesh.element_set(name)?;
        let volumes: Vec<f64> = self.mesh.volumes().collect();
        Ok(set.iter().map(|&element| volumes[element]).sum())
    }

    /// The faces of the outer surface, without those of the canal: the periosteum and the end faces.
    ///
    /// # Errors
    /// As [`TetMesh::boundary`].
    pub fn outer_faces(&self) -> Result<Vec<SurfaceFace>, FemError> {
        let outer = self.mesh.node_set("surface")?;
        let mut faces = self.mesh.boundary()?;
        faces.retain(|face| face.nodes.iter().all(|node| outer.binary_search(node).is_ok()));
        Ok(faces)
    }
}

/// Builds a bone that has been checked.
pub(super) fn build(bone: &Bone) -> Result<BoneSolid, FemError> {
    let shape = bone.shape();
    let levels = Levels::new(&shape.plan.zones, &bone.density.layers);
    if let Some(fraction) = levels.fractions.iter().find(|&&f| !shape.section(f).outer.is_simple()) {
        return Err(FemError::Mesh(format!("the outer contour at {fraction} of the bone crosses itself")));
    }
    let swept = sweep(&shape, bone.side, bone.element, &bone.density, &levels)?;
    let along = |&level: &usize| on_side(bone.side, shape.frame(levels.fractions[level]).along);
    let directions = swept.element_levels.iter().map(along).collect();
    let mesh = with_sets(Swept { mesh: unfolded(swept.mesh)?, ..swept }, &shape, &levels, bone.kind)?;
    quality(&mesh).require_sound().map_err(|error| {
        FemError::Quality(format!(
            "the {} cannot be built with {:?}: {error}; divide it more finely",
            bone.kind.name(),
            bone.density
        ))
    })?;
    Ok(BoneSolid { mesh, directions })
}

/// The mesh with the edges of folded elements straight: on coarse meshes curved edges can cross a thin wall.
fn unfolded(mut mesh: TetMesh) -> Result<TetMesh, FemError> {
    // Straight edges may fold a neighbour in turn; a few rounds reach all.
    for _ in 0..4 {
        let folded = quality(&mesh).inverted;
        if mesh.kind() == ElementKind::Tet4 || folded.is_empty() {
            break;
        }
        let mut nodes = mesh.nodes().to_vec();
        for element in folded.iter().filter_map(|&element| mesh.element(element)) {
            for (edge, (a, b)) in tet10::EDGES.into_iter().enumerate() {
                nodes[element[4 + edge]] = 0.5 * (nodes[element[a]] + nodes[element[b]]);
            }
        }
        let connectivity = mesh.elements().flatten().copied().collect();
        mesh = TetMesh::new(mesh.kind(), nodes, connectivity)?;
    }
    Ok(mesh)
}

fn with_sets(swept: Swept, shape: &Shape, levels: &Levels, kind: BoneKind) -> Result<TetMesh, FemError> {
    let Swept { mut mesh, nodes, wall_elements, core_elements, .. } = swept;
    let select =
        |holds: &dyn Fn(&SweptNode) -> bool| (0..nodes.len()).filter(|&n| holds(&nodes[n])).collect::<Vec<_>>();
    let outer = |n: &SweptNode| n.template.depth == 2.0;
    let last = levels.last();
    mesh.set_nodes("proximal", select(&|n| n.level == 0))?;
    mesh.set_nodes("distal", select(&|n| n.level == last))?;
    mesh.set_nodes("surface", select(&|n| outer(n) || n.level == 0 || n.level == last))?;
    mesh.set_nodes("midshaft", select(&|n| outer(n) && n.level == levels.breaks[2]))?;
    if kind == BoneKind::Tibia {
        let at = |n: &SweptNode| (levels.fractions[n.level], n.template.phi);
        let patch = |test: fn(&Shape, f64, f64) -> bool| select(&|n| outer(n) && test(shape, at(n).0, at(n).1));
        mesh.set_nodes("tuberosity", patch(patch::on_tuberosity))?;
        mesh.set_nodes("soleal_line", patch(patch::on_soleal_line))?;
    }
    mesh.set_elements("cortical", wall_elements)?;
    mesh.set_elements("trabecular", core_elements)?;
    Ok(mesh)
}
