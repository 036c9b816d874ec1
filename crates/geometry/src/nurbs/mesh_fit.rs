//! A smooth surface through the vertices of a mesh that lies around an axis, such as a femoral condyle.

use super::fit::{FitErrors, FitOptions, fit_points};
use super::mask::Mask;
use super::parametrize::Base;
use super::surface::NurbsSurface;
use crate::error::GeometryError;
use crate::triangles::TriangleMesh;
use wolff_spatial::Vec3;

/// Cosine of the angle between a facet's normal and the way from the axis below which the facet is a side wall.
const STEEPEST: f64 = 0.35;

/// Vertices per cell of the mask, so that few cells inside are empty.
const VERTICES_PER_CELL: usize = 8;

/// Vertices below which nothing is fitted.
const FEWEST_VERTICES: usize = 32;

/// A fitted part of a mesh.
#[derive(Clone, Debug)]
pub struct MeshFit {
    /// The surface; its normals point away from the axis.
    pub surface: NurbsSurface,
    /// Where the mesh has vertices: elsewhere the surface is only bridged.
    pub mask: Mask,
    /// Distances of the vertices.
    pub errors: FitErrors,
}

/// Fits the vertices that `keep` picks, of facets that face away from the axis through `origin` along `axis`, to `tolerance` [m].
///
/// Angle about the axis and height along it are the first parameters, so no two parts may lie behind each other seen from the axis.
/// Knots are added until the tolerance is met; holes are bridged by a small penalty on bends and masked. Own choice.
pub fn fit_around_axis(
    mesh: &TriangleMesh,
    (origin, axis): (Vec3, Vec3),
    keep: impl Fn(&Vec3) -> bool,
    tolerance: f64,
) -> Result<MeshFit, GeometryError> {
    let points = facing_vertices(mesh, (origin, axis), keep);
    if points.len() < FEWEST_VERTICES {
        let (what, rule) = ("number of vertices that face away from the axis", "at least 32 are needed on each side");
        return Err(GeometryError::Count { object: "mesh to fit".into(), what, found: points.len(), rule });
    }
    let parameters = Base::cylinder_about(&points, origin, axis)?.parameters(&points)?;
    let options = FitOptions { smoothing: 1e-7, corrections: 1, reduce: false, ..FitOptions::to_tolerance(tolerance) };
    let fit = fit_points(&points, &parameters, &options)?;
    if !fit.within_tolerance {
        let (object, quantity) = ("mesh to fit".into(), "largest distance of a vertex [m]");
        let rule = "it is above the tolerance: give a larger one, or a smoother mesh";
        return Err(GeometryError::Parameter { object, quantity, value: fit.errors.max, rule });
    }
    let surface =
        if points_inward(&fit.surface, &parameters, (origin, axis)) { fit.surface.reversed() } else { fit.surface };
    Ok(MeshFit { surface, mask: mask(&parameters)?, errors: fit.errors })
}

/// From the axis to a point, across the axis.
fn outwards((origin, axis): (Vec3, Vec3), x: &Vec3) -> Vec3 {
    let r = x - origin;
    r - axis * axis.dot(&r)
}

/// The vertices of kept facets that face away from the axis, each once.
fn facing_vertices(mesh: &TriangleMesh, line: (Vec3, Vec3), keep: impl Fn(&Vec3) -> bool) -> Vec<Vec3> {
    let vertices = mesh.vertices();
    let mut wanted = vec![false; vertices.len()];
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|k| vertices[k as usize]);
        let (normal, out) = ((b - a).cross(&(c - a)), outwards(line, &((a + b + c) / 3.0)));
        if normal.dot(&out) > STEEPEST * normal.norm() * out.norm() && [a, b, c].iter().all(&keep) {
            triangle.iter().for_each(|k| wanted[*k as usize] = true);
        }
    }
    vertices.iter().zip(wanted).filter_map(|(x, wanted)| wanted.then_some(*x)).collect()
}

/// Whether most normals at the data point towards the axis.
fn points_inward(surface: &NurbsSurface, parameters: &[(f64, f64)], line: (Vec3, Vec3)) -> bool {
    let jets = parameters.iter().filter_map(|(u, v)| surface.jet(*u, *v));
    jets.map(|jet| jet.su.cross(&jet.sv).dot(&outwards(line, &jet.s)).signum()).sum::<f64>() < 0.0
}

/// Cells that hold a vertex, twice as many along u as along v, and gaps of up to two cells between them.
fn mask(parameters: &[(f64, f64)]) -> Result<Mask, GeometryError> {
    let columns = ((parameters.len() / (2 * VERTICES_PER_CELL)) as f64).sqrt().max(1.0) as usize;
    let rows = 2 * columns;
    let cell = |t: f64, count: usize| ((t * count as f64) as usize).min(count - 1);
    let mut keep = vec![false; rows * columns];
    for (u, v) in parameters {
        keep[cell(*u, rows) * columns + cell(*v, columns)] = true;
    }
    // grown by one cell, then shrunk by one: what is left of the growth are the gaps
    let grown = spread(&keep, rows, columns, true);
    Mask::new(rows, columns, spread(&grown, rows, columns, false))
}

/// Cells that have the value or a neighbour with it take it.
fn spread(cells: &[bool], rows: usize, columns: usize, value: bool) -> Vec<bool> {
    let around = |k: usize, count: usize| k.saturating_sub(1)..(k + 2).min(count);
    let near = |i: usize, j: usize| {
        around(i, rows).any(|row| around(j, columns).any(|column| cells[row * columns + column] == value))
    };
    (0..rows * columns).map(|k| near(k / columns, k % columns) == value).collect()
}
