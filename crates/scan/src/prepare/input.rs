//! Meshes, point clouds, grids, curves and NURBS from files.

use crate::error::ScanError;
use crate::source::{found_unit, is_surface, read_surface};
use std::path::Path;
use wolff_files::input;
use wolff_formats::csv;
use wolff_geometry::{NurbsSurface, TriangleMesh};
use wolff_meshes::{nurbs, size, surface};
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// What a file holds, in m.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Triangles.
    Mesh(TriangleMesh),
    /// Points without triangles.
    Points(Vec<Vec3>),
    /// The first surface of a NURBS file.
    Nurbs(NurbsSurface),
}

/// Reads `.stl`, `.obj`, `.ply`, `.vtp` and `.vtk` (triangles), `.csv` with the columns x, y, z and `.vtp` without
/// polygons (points), and `.json` (NURBS). `unit` is the unit of length \[m\]; without it, it is found from the size
/// and told; NURBS files are in m. Points that are there twice are left out, but not those of a grid (`is_grid`), whose
/// rows must stay whole.
///
/// # Errors
/// When the file cannot be read or understood.
pub fn read(path: &Path, unit: Option<f64>, is_grid: bool) -> Result<(Shape, Vec<Finding>), ScanError> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let bytes = || input::read(path).map_err(|cause| ScanError::Unreadable { path: path.into(), cause });
    if name.ends_with(".json") {
        let surfaces = nurbs::read(&String::from_utf8_lossy(&bytes()?)).map_err(ScanError::surface(path))?;
        let count = surfaces.len();
        let more = (count > 1).then(|| Finding::note(format!("the file has {count} surfaces, the first is used"), ""));
        let first = surfaces.into_iter().next();
        let first = first.ok_or_else(|| ScanError::Request(format!("`{}` has no surface", path.display())))?;
        let scaled = first.surface.scaled(unit.unwrap_or(1.0))?;
        return Ok((Shape::Nurbs(scaled), more.into_iter().collect()));
    }
    let points = if name.ends_with(".csv") {
        Some(csv_points(path, &bytes()?)?)
    } else if name.ends_with(".vtp") {
        surface::vtp::points_without_faces(&bytes()?).map_err(ScanError::surface(path))?
    } else {
        None
    };
    match points {
        Some(points) => cloud(points, unit, is_grid).map(|(points, found)| (Shape::Points(points), found)),
        None if is_surface(path) => read_surface(path, unit).map(|(mesh, found)| (Shape::Mesh(mesh), found)),
        None => Err(ScanError::Request(format!(
            "`{}` is no surface: give .stl, .obj, .ply, .vtp, .vtk, .csv with the columns x, y and z, or .json (NURBS)",
            path.display()
        ))),
    }
}

fn csv_points(path: &Path, bytes: &[u8]) -> Result<Vec<Vec3>, ScanError> {
    let wrong = |what: String| ScanError::Request(format!("`{}`: {what}", path.display()));
    let table = csv::read(bytes).map_err(|e| wrong(e.to_string()))?;
    let (Some(x), Some(y)) = (table.column("x"), table.column("y")) else {
        return Err(wrong("there is no column `x` or no column `y`; the first line names the columns x, y, z".into()));
    };
    // plane curves have two columns
    let z = table.column("z").unwrap_or_else(|| vec![0.0; x.len()]);
    let points: Vec<Vec3> = x.into_iter().zip(y).zip(z).map(|((x, y), z)| Vec3::new(x, y, z)).collect();
    match points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(k) => Err(wrong(format!("row {} has an empty field; give all coordinates or remove the row", k + 2))),
        None => Ok(points),
    }
}

/// The points in m; repeated ones are left out unless `keep_all`.
fn cloud(points: Vec<Vec3>, unit: Option<f64>, keep_all: bool) -> Result<(Vec<Vec3>, Vec<Finding>), ScanError> {
    let mut found = Vec::new();
    let longest = size::longest_side(&points);
    let unit = unit.unwrap_or_else(|| {
        let (unit, finding) = found_unit(longest);
        found.push(finding);
        unit
    });
    let mut seen = std::collections::HashSet::new();
    let all = points.len();
    let kept: Vec<Vec3> =
        points.into_iter().filter(|p| keep_all || seen.insert(p.map(f64::to_bits).data.0)).map(|p| p * unit).collect();
    if kept.len() < all {
        found.push(Finding::note(format!("{} points are there twice and were left out", all - kept.len()), ""));
    }
    found.extend(size::finding("the point cloud", size::longest_side(&kept), size::Expected::Any));
    Ok((kept, found))
}
