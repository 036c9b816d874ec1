//! The surface of a mesh: closest points, rays, normals, curvature.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use wolff_spatial::{Mat3, Vec3};

use super::clearance::{Clearances, Rings};
use super::facet::{Facet, Foot};
use super::mesh::TriangleMesh;
use super::normals::{NormalField, shape_operator};
use super::report::bounds;
use super::shell::ArticularMesh;
use super::topology::Topology;
use crate::error::GeometryError;
use crate::surface::{Bounds, Hit, Place, Surface, SurfacePoint};

/// Which normals a surface of triangles shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normals {
    /// Those of the triangles; on edges and at vertices the mean of the triangles there. Curvature is zero.
    Facets,
    /// Weighted means at the vertices, interpolated over the triangles. Curvature is constant on each triangle.
    Smooth,
}

/// A place whose barycentric weight is below this lies on the edge where that weight is zero.
const ON_EDGE: f64 = 1e-12;

/// Boxes of triangles are enlarged by this part of the size of the mesh, so that rounding loses no hit at their faces.
const MARGIN: f64 = 1e-12;

/// A mesh with its tree of boxes (of parry) and its normals.
///
/// A [`Place`] is a triangle and the barycentric weights of its second and third corner. Positions lie on the flat
/// triangles whichever normals are chosen. Queries do not allocate on trees of up to 32 levels (any mesh of sensible
/// shape).
///
/// At an edge, a vertex or with smooth normals `p - x` is not along the normal, and [`SurfacePoint::signed_distance`]
/// is short of the distance by the cosine of the angle between; its sign is right. [`TriangleSurface::signed_distance`]
/// is exact.
#[derive(Clone, Debug)]
pub struct TriangleSurface {
    mesh: TriangleMesh,
    topology: Topology,
    normals: Normals,
    pub(super) facets: Vec<Facet>,
    pub(super) tree: Bvh,
    pub(super) rings: Rings,
    pub(super) clearances: Clearances,
    pub(super) field: NormalField,
    /// Of each triangle in its plane, for smooth normals only \[1/m\].
    curvature: Vec<Mat3>,
    /// Way through the material behind each triangle \[m\]; empty where it is not known.
    thickness: Vec<f64>,
    bounds: Bounds,
}

impl TriangleSurface {
    /// Prepares a mesh for queries.
    ///
    /// # Errors
    /// When more than two triangles meet at an edge, or neighbours disagree on the outside.
    pub fn new(mesh: TriangleMesh, normals: Normals) -> Result<Self, GeometryError> {
        let topology = mesh.topology()?;
        let bounds = bounds(&mesh);
        let count = mesh.triangles().len();
        let margin = MARGIN * (bounds.max - bounds.min).norm();
        let boxes: Vec<Aabb> = (0..count).map(|t| box_of(&mesh.corners(t), margin)).collect();
        let field = NormalField::new(&mesh, &topology);
        let curvature = match normals {
            Normals::Facets => Vec::new(),
            Normals::Smooth => {
                (0..count).map(|t| shape_operator(&mesh.corners(t), &field.smooth[t], &field.faces[t])).collect()
            }
        };
        let facets: Vec<Facet> = (0..count).map(|t| Facet::new(mesh.corners(t))).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let rings = Rings::new(&mesh);
        Ok(TriangleSurface {
            clearances: Clearances::new(&facets),
            facets,
            tree,
            rings,
            mesh,
            topology,
            normals,
            field,
            curvature,
            thickness: Vec::new(),
            bounds,
        })
    }

    /// The articular side of a mesh, with the thickness of what lies behind it.
    ///
    /// # Errors
    /// As [`TriangleSurface::new`].
    pub fn articular(articular: ArticularMesh, normals: Normals) -> Result<Self, GeometryError> {
        let ArticularMesh { mesh, thickness, .. } = articular;
        Ok(TriangleSurface { thickness, ..TriangleSurface::new(mesh, normals)? })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Who is beside whom.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Which normals it shows.
    pub fn normals(&self) -> Normals {
        self.normals
    }

    /// Centre, area \[m²\] and normal of each triangle: the elements of a contact patch.
    pub fn elements(&self) -> impl Iterator<Item = (SurfacePoint, f64)> {
        const THIRD: f64 = 1.0 / 3.0;
        self.facets.iter().enumerate().map(|(t, facet)| {
            let foot = Foot { u: THIRD, v: THIRD, d2: 0.0 };
            (self.point(t, &foot), 0.5 * facet.ab.cross(&facet.ac).norm())
        })
    }

    /// Distance of `p` from the surface \[m\], negative inside the material. `None` beside an open surface, where the
    /// nearest point lies on the rim and there is no inside.
    pub fn signed_distance(&self, p: &Vec3) -> Option<f64> {
        let (t, foot) = self.nearest(p, f64::INFINITY)?;
        let (normal, on_rim) = self.pseudonormal(t, foot.u, foot.v);
        let side = normal.dot(&(p - self.facets[t].point(foot.u, foot.v)));
        (!on_rim).then(|| foot.d2.sqrt().copysign(side))
    }

    #[inline]
    pub(super) fn point(&self, t: usize, foot: &Foot) -> SurfacePoint {
        let &Foot { u, v, .. } = foot;
        let (pseudonormal, on_rim) = self.pseudonormal(t, u, v);
        let normal = match self.normals {
            Normals::Facets => pseudonormal,
            Normals::Smooth => self.field.interpolated(t, u, v),
        };
        SurfacePoint { position: self.facets[t].point(u, v), normal, place: Place { patch: t as u32, u, v }, on_rim }
    }

    /// The normal of the face, edge or vertex at a place, and whether it is on the rim.
    #[inline]
    fn pseudonormal(&self, t: usize, u: f64, v: f64) -> (Vec3, bool) {
        let zero = [v <= ON_EDGE, 1.0 - u - v <= ON_EDGE, u <= ON_EDGE];
        if zero == [false; 3] {
            return (self.field.faces[t], false);
        }
        let beside = &self.topology.neighbours()[t];
        match zero {
            [true, false, false] => (self.field.edges[t][0], beside[0].is_none()),
            [false, true, false] => (self.field.edges[t][1], beside[1].is_none()),
            [false, false, true] => (self.field.edges[t][2], beside[2].is_none()),
            [true, _, true] => self.at_corner(t, 0),
            [true, true, _] => self.at_corner(t, 1),
            [_, true, true] => self.at_corner(t, 2),
            [false, false, false] => (self.field.faces[t], false),
        }
    }

    fn at_corner(&self, t: usize, corner: usize) -> (Vec3, bool) {
        let vertex = self.mesh.triangles()[t][corner] as usize;
        (self.field.corners[t][corner], self.topology.on_rim()[vertex])
    }

    /// The triangle of a place; `None` if there is no such triangle.
    #[inline]
    pub(super) fn triangle_of(&self, place: &Place) -> Option<usize> {
        let t = place.patch as usize;
        (t < self.facets.len()).then_some(t)
    }
}

impl Surface for TriangleSurface {
    fn triangles(&self) -> Option<&TriangleMesh> {
        Some(&self.mesh)
    }

    fn closest(&self, p: &Vec3) -> Option<SurfacePoint> {
        self.nearest(p, f64::INFINITY).map(|(t, foot)| self.point(t, &foot))
    }

    fn closest_from(&self, p: &Vec3, from: &Place) -> Option<SurfacePoint> {
        let (t, foot) = self.nearest_from(p, from)?;
        Some(self.point(t, &foot))
    }

    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        self.first_hit(origin, direction, range).map(|(t, foot, at)| Hit { t: at, point: self.point(t, &foot) })
    }

    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), from: &Place) -> Option<Hit> {
        let (t, foot, at) = self.first_hit_from(origin, direction, range, from)?;
        Some(Hit { t: at, point: self.point(t, &foot) })
    }

    fn at(&self, place: &Place) -> Option<SurfacePoint> {
        let &Place { u, v, .. } = place;
        let inside = u >= -ON_EDGE && v >= -ON_EDGE && u + v <= 1.0 + ON_EDGE;
        let t = self.triangle_of(place).filter(|_| inside)?;
        Some(self.point(t, &Foot { u, v, d2: 0.0 }))
    }

    fn shape_operator(&self, place: &Place) -> Mat3 {
        let Some(W) = self.curvature.get(place.patch as usize) else { return Mat3::zeros() };
        // the interpolated normal leans away from that of the plane: back to W n = 0
        let n = self.field.interpolated(place.patch as usize, place.u, place.v);
        let tangential = Mat3::identity() - n * n.transpose();
        tangential * W * tangential
    }

    fn is_closed(&self) -> bool {
        self.topology.rims().is_empty()
    }

    fn thickness(&self, place: &Place) -> f64 {
        self.thickness.get(place.patch as usize).copied().unwrap_or(f64::INFINITY)
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }
}

/// A vector of parry.
#[inline]
pub(super) fn to_parry(x: &Vec3) -> Vector {
    Vector::new(x.x, x.y, x.z)
}

pub(super) fn box_of([a, b, c]: &[Vec3; 3], margin: f64) -> Aabb {
    let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
    Aabb::new(to_parry(&low.add_scalar(-margin)), to_parry(&high.add_scalar(margin)))
}
