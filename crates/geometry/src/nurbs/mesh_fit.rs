//! A smooth surface through the vertices of a mesh that is a graph over a plane or a cylinder, such as a tibial plateau
//! or a condyle.

use super::fit::{Fit, FitErrors, FitOptions, fit_points};
use super::mask::Mask;
use super::parametrize::Base;
use super::surface::NurbsSurface;
use crate::error::GeometryError;
use crate::surface::Surface;
use crate::triangles::{Normals, TriangleMesh, TriangleSurface};
use wolff_spatial::Vec3;

/// Cosine of the angle between a facet's normal and that of the base below which the facet is a side wall.
const STEEPEST: f64 = 0.6;

/// Vertices per patch of the finest surface tried: with fewer it would follow their noise, and curve between them.
const VERTICES_PER_PATCH: f64 = 4.0;

/// Weight of the penalty on bends.
const SMOOTHING: f64 = 1e-5;

/// Largest part of the vertices that may be left out.
const LEFT_OUT: f64 = 0.25;

/// Vertices below which nothing is fitted.
const FEWEST_VERTICES: usize = 32;

/// The surface exists no farther from the mesh than this many tolerances: flat facets are off where the mesh bends
/// most.
const OFF_MESH: f64 = 4.0;

/// A fitted part of a mesh.
#[derive(Clone, Debug)]
pub struct MeshFit {
    /// The surface; its normals point away from the base.
    pub surface: NurbsSurface,
    /// Where it lies on the mesh: elsewhere it only bridges, and runs out beyond the rim.
    pub mask: Mask,
    /// Distances of the vertices that were kept.
    pub errors: FitErrors,
    /// Number of vertices, on sharp bends, that no surface as smooth as this came close to.
    pub left_out: usize,
}

/// Fits the vertices that `keep` picks, of facets that face away from the base, to `tolerance` \[m\].
///
/// The parameters of a vertex are its coordinates on the base and stay so: the surface is a graph over the base, which
/// cannot fold where it bridges holes. So no two parts may lie behind each other seen from the base. Knots are added
/// until the tolerance is met, but no more than the vertices determine; what bends too sharply for them, such as the
/// rounded rim of an implant, is left out, since a surface forced around it would ripple far inside. Where the surface
/// is not close to the mesh, it is masked. Own choice.
pub fn fit_mesh(
    mesh: &TriangleMesh,
    base: &Base,
    keep: impl Fn(&Vec3) -> bool,
    tolerance: f64,
) -> Result<MeshFit, GeometryError> {
    fitted(mesh, base, keep, (tolerance, false))
}

/// As [`fit_mesh`], with as few knots as the tolerance allows: those that it does not need are taken out at the end,
/// which takes many more fits.
pub fn fit_mesh_sparsely(
    mesh: &TriangleMesh,
    base: &Base,
    keep: impl Fn(&Vec3) -> bool,
    tolerance: f64,
) -> Result<MeshFit, GeometryError> {
    fitted(mesh, base, keep, (tolerance, true))
}

fn fitted(
    mesh: &TriangleMesh,
    base: &Base,
    keep: impl Fn(&Vec3) -> bool,
    (tolerance, fewest): (f64, bool),
) -> Result<MeshFit, GeometryError> {
    let points = facing_vertices(mesh, base, keep);
    if points.len() < FEWEST_VERTICES {
        let (what, rule) = ("number of vertices that face away from the base", "at least 32 are needed on each side");
        return Err(GeometryError::Count { object: "mesh to fit".into(), what, found: points.len(), rule });
    }
    let parameters = base.parameters(&points)?;
    let spans = (2.0 * points.len() as f64 / VERTICES_PER_PATCH).sqrt().ceil() as usize;
    // a rough mesh, too much of which would be left out, gets a surface that follows it more closely
    let (fit, left_out) = smooth_fit(&points, &parameters, spans, (tolerance, fewest))
        .or_else(|_| smooth_fit(&points, &parameters, 2 * spans, (tolerance, fewest)))?;
    let surface = if points_inward(&fit.surface, &parameters, base) { fit.surface.reversed() } else { fit.surface };
    let mask = mask(&surface, mesh, points.len(), tolerance)?;
    Ok(MeshFit { surface, mask, errors: fit.errors, left_out })
}

/// The fit, with so many spans a side at most, of all vertices but those, returned as a number, that it does not meet
/// within the tolerance \[m\].
fn smooth_fit(
    points: &[Vec3],
    parameters: &[(f64, f64)],
    max_spans: usize,
    (tolerance, fewest): (f64, bool),
) -> Result<(Fit, usize), GeometryError> {
    let all = points.len();
    let smooth =
        FitOptions { smoothing: SMOOTHING, corrections: 0, reduce: fewest, ..FitOptions::to_tolerance(tolerance) };
    let options = FitOptions { max_spans, ..smooth };
    let (mut points, mut parameters) = (points.to_vec(), parameters.to_vec());
    loop {
        let fit = fit_points(&points, &parameters, &options)?;
        if fit.within_tolerance {
            return Ok((fit, all - points.len()));
        }
        let data = points.iter().copied().zip(parameters.iter().copied()).zip(&fit.distances);
        (points, parameters) = data.filter(|(_, d)| **d <= tolerance).map(|(datum, _)| datum).unzip();
        if ((all - points.len()) as f64) > LEFT_OUT * all as f64 {
            let (object, quantity) = ("mesh to fit".into(), "largest distance of a vertex [m]");
            let rule = "too many are above the tolerance: give a larger one, or a smoother mesh";
            return Err(GeometryError::Parameter { object, quantity, value: fit.errors.max, rule });
        }
    }
}

/// The vertices of kept facets that face away from the base, each once.
fn facing_vertices(mesh: &TriangleMesh, base: &Base, keep: impl Fn(&Vec3) -> bool) -> Vec<Vec3> {
    let vertices = mesh.vertices();
    let mut wanted = vec![false; vertices.len()];
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|k| vertices[k as usize]);
        let (normal, out) = ((b - a).cross(&(c - a)), base.outwards(&((a + b + c) / 3.0)));
        if normal.dot(&out) > STEEPEST * normal.norm() * out.norm() && [a, b, c].iter().all(&keep) {
            triangle.iter().for_each(|k| wanted[*k as usize] = true);
        }
    }
    vertices.iter().zip(wanted).filter_map(|(x, wanted)| wanted.then_some(*x)).collect()
}

/// Whether most normals at the data point towards the base.
fn points_inward(surface: &NurbsSurface, parameters: &[(f64, f64)], base: &Base) -> bool {
    let jets = parameters.iter().filter_map(|(u, v)| surface.jet(*u, *v));
    jets.map(|jet| jet.su.cross(&jet.sv).dot(&base.outwards(&jet.s)).signum()).sum::<f64>() < 0.0
}

/// Cells that lie on the mesh, twice as many along u as along v.
fn mask(surface: &NurbsSurface, mesh: &TriangleMesh, vertices: usize, tolerance: f64) -> Result<Mask, GeometryError> {
    let columns = ((vertices / 2) as f64).sqrt().max(1.0) as usize;
    let rows = 2 * columns;
    let near = near_mesh(surface, mesh, (2 * rows, 2 * columns), OFF_MESH * tolerance)?;
    let around = |i: usize, j: usize| (0..9).all(|k| near[(2 * i + k / 3) * (2 * columns + 1) + 2 * j + k % 3]);
    let keep: Vec<bool> = (0..rows * columns).map(|k| around(k / columns, k % columns)).collect();
    Mask::new(rows, columns, keep)
}

/// Which points of a lattice over the surface, ends included, are within a distance \[m\] of the mesh.
fn near_mesh(
    surface: &NurbsSurface,
    mesh: &TriangleMesh,
    (steps_u, steps_v): (usize, usize),
    within: f64,
) -> Result<Vec<bool>, GeometryError> {
    let triangles = TriangleSurface::new(mesh.clone(), Normals::Facets)?;
    let near = |k: usize| {
        let (i, j) = (k / (steps_v + 1), k % (steps_v + 1));
        let x = surface.point(i as f64 / steps_u as f64, j as f64 / steps_v as f64)?;
        Some((triangles.closest(&x)?.position - x).norm() <= within)
    };
    Ok((0..(steps_u + 1) * (steps_v + 1)).map(|k| near(k).unwrap_or(false)).collect())
}
