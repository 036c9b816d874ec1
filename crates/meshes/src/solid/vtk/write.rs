//! Writing `.vtu` files with fields, and `.pvd` files that put such files on a time axis.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use nalgebra::Vector3;
pub use wolff_formats::vtk::{DataArray, Fields};
use wolff_formats::vtk::{Grid, Marks, SurfaceCells, pvd, surface_vtu, vtu};

use super::super::{atomic, from_formats};
use super::{ELEMENT_SET, NODE_SET};
use wolff_fem::ElementKind;
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// Writes a mesh with its sets and fields: base64, 64-bit, least significant byte first.
///
/// # Errors
/// When a field has another length than the mesh or a number that is not finite, or the stream fails.
pub fn write_vtu(out: &mut dyn Write, mesh: &TetMesh, fields: &Fields) -> Result<(), FemError> {
    require_free_names(&fields.point, NODE_SET)?;
    require_free_names(&fields.cell, ELEMENT_SET)?;
    let cells = mesh.element_count();
    let grid = Grid {
        points: mesh.nodes().iter().map(|x| (*x).into()).collect(),
        connectivity: mesh.elements().flatten().copied().collect(),
        ends: (1..=cells).map(|cell| cell * mesh.kind().node_count()).collect(),
        types: vec![if mesh.kind() == ElementKind::Tet4 { 10 } else { 24 }; cells],
        point_marks: marks(mesh.node_sets(), NODE_SET),
        cell_marks: marks(mesh.element_sets(), ELEMENT_SET),
    };
    let text = vtu(&grid, fields).map_err(from_formats)?;
    out.write_all(text.as_bytes()).map_err(atomic::stream_failed)
}

/// Writes triangles, such as the surface of a body, with fields as a `.vtu` file, the whole or nothing.
///
/// # Errors
/// When a triangle names a point that is not there, a position is not finite, or as [`write_vtu`].
pub fn write_triangles_to(
    path: &Path,
    points: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    fields: &Fields,
) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_triangles(out, points, triangles, fields))
}

/// As [`write_triangles_to`], to a stream.
///
/// # Errors
/// As [`write_triangles_to`].
pub fn write_triangles(
    out: &mut dyn Write,
    points: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    fields: &Fields,
) -> Result<(), FemError> {
    let points = points.iter().map(|x| (*x).into()).collect();
    let text = surface_vtu(points, SurfaceCells::Triangles(triangles), fields).map_err(from_formats)?;
    out.write_all(text.as_bytes()).map_err(atomic::stream_failed)
}

/// Writes a `.vtu` file, the whole or nothing.
///
/// # Errors
/// As [`write_vtu`].
pub fn write_vtu_to(path: &Path, mesh: &TetMesh, fields: &Fields) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_vtu(out, mesh, fields))
}

/// Writes a `.pvd` file: times in s with the names of the `.vtu` files, relative to its folder.
///
/// # Errors
/// When a time is not finite, or the system refuses.
pub fn write_pvd_to(path: &Path, series: &[(f64, String)]) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_pvd(out, series))
}

/// As [`write_pvd_to`], to a stream.
///
/// # Errors
/// As [`write_pvd_to`].
pub fn write_pvd(out: &mut dyn Write, series: &[(f64, String)]) -> Result<(), FemError> {
    let text = pvd(series).map_err(from_formats)?;
    out.write_all(text.as_bytes()).map_err(atomic::stream_failed)
}

fn marks(sets: &BTreeMap<String, Vec<usize>>, prefix: &str) -> Vec<Marks> {
    sets.iter().map(|(name, set)| Marks { name: format!("{prefix}{name}"), members: set.clone() }).collect()
}

/// Refuses fields that would be read as sets.
fn require_free_names(arrays: &[DataArray], reserved: &str) -> Result<(), FemError> {
    match arrays.iter().find(|array| array.name.starts_with(reserved)) {
        None => Ok(()),
        Some(array) => {
            let message = format!("field `{}` must have a name not beginning with `{reserved}`", array.name);
            Err(FemError::Unwritable { format: "a .vtu file", message })
        }
    }
}
