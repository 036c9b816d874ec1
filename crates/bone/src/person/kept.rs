//! A bone as it is kept in the file of a flexible body.

use std::sync::Arc;

use nalgebra::Matrix6;

use crate::parametric::{BoneKind, Side};
use wolff_fem::material::MaterialField;
use wolff_fem::{ElementKind, TetMesh};
use wolff_flexbody::SolidMesh;
use wolff_morphology as morphology;
use wolff_spatial::Vec3;

use super::{GivenBone, JointMarks};
use crate::BoneError;

/// The solid of a bone in its own frame (x anterior, y up, z to the right) for a file.
pub fn solid_mesh(
    (bone, side): (&str, Side),
    mesh: &TetMesh,
    materials: &MaterialField,
    joints: [Vec3; 2],
) -> SolidMesh {
    let numbers = |nodes: &[usize]| nodes.iter().map(|&n| n as u32).collect::<Vec<u32>>();
    let (stiffness, density) = materials.materials().map(|(stiffness, density)| (upper(stiffness), density)).unzip();
    SolidMesh {
        bone: bone.into(),
        side: side.word().into(),
        joints,
        nodes: mesh.nodes().to_vec(),
        nodes_per_element: mesh.kind().node_count() as u8,
        elements: mesh.elements().flatten().map(|&n| n as u32).collect(),
        node_sets: mesh.node_sets().iter().map(|(name, nodes)| (name.clone(), numbers(nodes))).collect(),
        stiffness,
        density,
        element_material: numbers(materials.element_material()),
    }
}

/// The bone of the solid in a file.
///
/// # Errors
/// When it is neither tibia nor femur, or its parts do not fit together.
pub fn given_bone(solid: &SolidMesh) -> Result<GivenBone, BoneError> {
    let numbers = |nodes: &[u32]| nodes.iter().map(|&n| n as usize).collect::<Vec<usize>>();
    let kind = match morphology::BoneKind::ALL.into_iter().find(|kind| kind.word() == solid.bone) {
        Some(morphology::BoneKind::Tibia) => BoneKind::Tibia,
        Some(morphology::BoneKind::Femur) => BoneKind::Femur,
        _ => {
            return Err(BoneError::invalid("given bone", format!("a {}; give a tibia or a femur", solid.bone)));
        }
    };
    let side = Side::BOTH.into_iter().find(|side| side.word() == solid.side);
    let side = side.ok_or_else(|| BoneError::invalid("given bone", format!("the side `{}` is unknown", solid.side)))?;
    let elements = if solid.nodes_per_element == 10 { ElementKind::Tet10 } else { ElementKind::Tet4 };
    let mut mesh = TetMesh::new(elements, solid.nodes.clone(), numbers(&solid.elements))?;
    for (name, nodes) in &solid.node_sets {
        mesh.set_nodes(name, numbers(nodes))?;
    }
    let materials = solid.stiffness.iter().map(whole).zip(solid.density.iter().copied()).collect();
    let materials = MaterialField::of_stiffness(&mesh, materials, numbers(&solid.element_material))?;
    let [proximal, distal] = solid.joints;
    Ok(GivenBone {
        kind,
        side,
        mesh: Arc::new(mesh),
        materials: Some(Arc::new(materials)),
        marks: JointMarks { proximal, distal, anterior: Vec3::x() },
        scale: [1.0; 3],
        remarks: Vec::new(),
        method: Vec::new(),
    })
}

/// The upper triangle of a symmetric matrix, row by row.
fn upper(matrix: &Matrix6<f64>) -> [f64; 21] {
    let mut values = [0.0; 21];
    for (value, (row, column)) in values.iter_mut().zip(places()) {
        *value = matrix[(row, column)];
    }
    values
}

fn whole(values: &[f64; 21]) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    for (value, (row, column)) in values.iter().zip(places()) {
        matrix[(row, column)] = *value;
        matrix[(column, row)] = *value;
    }
    matrix
}

fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..6).flat_map(|row| (row..6).map(move |column| (row, column)))
}
