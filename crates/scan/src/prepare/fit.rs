//! NURBS surfaces through meshes and point clouds.

use crate::error::ScanError;
use crate::prepare::input::Shape;
use wolff_geometry::nurbs::{
    Base, FitErrors, FitOptions, Mask, NurbsPatchSet, fit_mesh, fit_mesh_sparsely, fit_scattered,
};
use wolff_geometry::{GeometryError, NurbsSurface, Surface, TriangleMesh};
use wolff_spatial::Vec3;

/// Weight of the penalty on bends for point clouds: measured points are noisy.
const SMOOTHING: f64 = 1e-5;

/// Patches of one surface closer than this are joined \[m\].
const SAME_EDGE: f64 = 1e-9;

/// Over what the surface is a graph: no two parts of it may lie behind each other, seen from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// The part that faces in this direction, over a plane; the mean normal of a mesh where none is given.
    Towards(Option<Vec3>),
    /// The part that faces away from the axis through this point \[m\] in this direction, over a cylinder.
    AwayFromAxis(Vec3, Vec3),
}

/// What to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitRequest {
    /// Which part.
    pub side: Side,
    /// Largest distance \[m\] of the points that are kept from the surface.
    pub tolerance: f64,
    /// Take out knots that the tolerance does not need; slower.
    pub fewest: bool,
}

/// A fitted surface.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The surface on the unit square, normals outwards.
    pub surface: NurbsSurface,
    /// Where it lies on the input.
    pub mask: Option<Mask>,
    /// Distances of the points that were kept.
    pub errors: FitErrors,
    /// Points on bends too sharp for the tolerance.
    pub left_out: usize,
    /// Whether the largest distance is within the tolerance.
    pub within_tolerance: bool,
    /// Direction from which the surface is seen whole.
    pub seen_from: Vec3,
}

impl Fitted {
    /// Signed distance of points from the surface \[m\], positive outside; NaN where it is not beside them.
    pub fn deviations(&self, points: &[Vec3]) -> Result<Vec<f64>, GeometryError> {
        let mut set = NurbsPatchSet::new(std::slice::from_ref(&self.surface), SAME_EDGE)?;
        if let Some(mask) = &self.mask {
            set = set.with_mask(0, mask.clone())?;
        }
        let signed = |p: &Vec3| match set.closest(p) {
            Some(foot) if !foot.on_rim => foot.signed_distance(p),
            _ => f64::NAN,
        };
        Ok(points.iter().map(signed).collect())
    }
}

/// Fits a mesh or a point cloud.
///
/// # Errors
/// When the part has too few points, or more of them than a quarter are beyond the tolerance.
pub fn fit(shape: &Shape, request: &FitRequest) -> Result<Fitted, ScanError> {
    match shape {
        Shape::Mesh(mesh) => of_mesh(mesh, request),
        Shape::Points(points) => of_points(points, request),
        Shape::Nurbs(_) => Err(ScanError::Request("the input is a NURBS surface already".into())),
    }
}

/// A mesh has no direction of its own if its area vectors add up to less than this part of its area (chosen here).
const FACING: f64 = 0.05;

fn of_mesh(mesh: &TriangleMesh, request: &FitRequest) -> Result<Fitted, ScanError> {
    let mean: Vec3 = mesh.triangles().iter().map(|t| facet(mesh, t)).sum();
    let area: f64 = mesh.triangles().iter().map(|t| facet(mesh, t).norm()).sum();
    if matches!(request.side, Side::Towards(None)) && mean.norm() < FACING * area {
        let rule = "the mesh faces all directions, as a closed one does; give --towards or --axis";
        return Err(ScanError::Request(rule.into()));
    }
    let (base, seen_from) = base(mesh.vertices(), &request.side, mean)?;
    let fitted = match request.fewest {
        true => fit_mesh_sparsely(mesh, &base, |_| true, request.tolerance)?,
        false => fit_mesh(mesh, &base, |_| true, request.tolerance)?,
    };
    Ok(Fitted {
        surface: fitted.surface,
        mask: Some(fitted.mask),
        within_tolerance: fitted.errors.max <= request.tolerance,
        errors: fitted.errors,
        left_out: fitted.left_out,
        seen_from,
    })
}

/// Twice the area of a triangle, along its normal.
fn facet(mesh: &TriangleMesh, triangle: &[u32; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(|k| mesh.vertices()[k as usize]);
    (b - a).cross(&(c - a))
}

fn of_points(points: &[Vec3], request: &FitRequest) -> Result<Fitted, ScanError> {
    let (base, seen_from) = base(points, &request.side, Vec3::zeros())?;
    let mut options = FitOptions { smoothing: SMOOTHING, ..FitOptions::to_tolerance(request.tolerance) };
    // no more patches than the points determine
    options.max_spans = ((points.len() as f64 / 4.0).sqrt().ceil() as usize).clamp(2, 64);
    options.reduce = request.fewest;
    let fitted = fit_scattered(points, &base, &options)?;
    let inward = {
        let middle = fitted.surface.jet(0.5, 0.5).map(|jet| jet.su.cross(&jet.sv));
        middle.is_some_and(|normal| normal.dot(&seen_from) < 0.0)
    };
    let surface = if inward { fitted.surface.reversed() } else { fitted.surface };
    let within_tolerance = fitted.within_tolerance;
    Ok(Fitted { surface, mask: None, errors: fitted.errors, left_out: 0, within_tolerance, seen_from })
}

/// The base, and the direction from which the surface is seen.
fn base(points: &[Vec3], side: &Side, mean_normal: Vec3) -> Result<(Base, Vec3), ScanError> {
    match side {
        Side::AwayFromAxis(origin, axis) => {
            let base = Base::cylinder_about(points, *origin, *axis)?;
            let middle = points.iter().sum::<Vec3>() / points.len().max(1) as f64 - origin;
            let axis = axis.normalize();
            let across = middle - axis * axis.dot(&middle);
            Ok((base, across.try_normalize(1e-12).unwrap_or_else(Vec3::y)))
        }
        Side::Towards(direction) => {
            let wanted = direction.or_else(|| mean_normal.try_normalize(0.0));
            let Some(normal) = wanted else {
                // points without normals: the plane of least squares, seen from above where that makes sense
                let plane = Base::plane_of(points)?;
                let Base::Plane { x, y } = plane else { return Ok((plane, Vec3::y())) };
                let normal = x.cross(&y);
                let up = if normal[normal.iamax()] < 0.0 { -normal } else { normal };
                return Ok((Base::Plane { x, y: up.cross(&x) }, up));
            };
            let across = Vec3::ith(normal.iamin(), 1.0);
            let x = (across - normal * normal.dot(&across)).normalize();
            Ok((Base::Plane { x, y: normal.cross(&x) }, normal))
        }
    }
}
