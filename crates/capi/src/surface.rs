//! Surfaces from arrays and files.

use crate::coordinates::require_finite;
use crate::error::CapiError;
use std::path::Path;
use std::sync::Arc;
use wolff_files::input;
use wolff_geometry::{
    GeometryError, Normals, NurbsPatchSet, NurbsSurface, Plane, Sphere, Surface, TriangleMesh, TriangleSurface,
};
use wolff_meshes::nurbs::{self as nurbs_file, NamedSurface};
use wolff_meshes::surface;
use wolff_spatial::Vec3;

/// Edges of NURBS surfaces of one file that are closer than this are joined [m]; chosen here: a tenth of the
/// resolution of scanners.
const SHARED_EDGE: f64 = 1e-6;

/// A surface with an outer side; can be used in several contacts. Created by `wolff_surface_...`, freed by
/// `wolff_surface_free`.
#[derive(Clone, Debug)]
pub struct WolffSurface {
    surface: Arc<dyn Surface>,
    /// The same surface, if it consists of triangles.
    triangles: Option<Arc<TriangleSurface>>,
}

impl WolffSurface {
    /// Triangles over shared vertices [m], counter-clockwise seen from outside.
    pub fn from_triangles(vertices: &[[f64; 3]], triangles: &[[u32; 3]], normals: Normals) -> Result<Self, CapiError> {
        let vertices = vertices.iter().map(|x| Vec3::from(*x)).collect();
        Ok(Self::from_mesh(TriangleMesh::new(vertices, triangles.to_vec())?, normals)?)
    }

    /// A file: `.stl`, `.obj`, `.vtp` (also `.gz`), or NURBS surfaces in `.json`; coordinates times `scale` are metres.
    pub fn from_file(path: &str, scale: f64, normals: Normals) -> Result<Self, CapiError> {
        require_finite("scale", &[scale])?;
        let bytes = input::read(Path::new(path)).map_err(|source| CapiError::File { path: path.into(), source })?;
        let is_json = Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let surface = if is_json {
            nurbs(&String::from_utf8_lossy(&bytes), scale).map(|set| Self::from_smooth(Arc::new(set)))
        } else {
            surface::read(path, &bytes)
                .and_then(|read| read.mesh.scaled(scale))
                .and_then(|m| Self::from_mesh(m, normals))
        };
        surface.map_err(|source| CapiError::SurfaceFile { path: path.into(), source })
    }

    /// A sphere with the material inside.
    pub fn sphere(centre: &[f64; 3], radius: f64) -> Result<Self, CapiError> {
        require_finite("centre", centre)?;
        Ok(Self::from_smooth(Arc::new(Sphere::new(Vec3::from(*centre), radius)?)))
    }

    /// An infinite plane; the material is on the side opposite to the normal.
    pub fn plane(origin: &[f64; 3], normal: &[f64; 3]) -> Result<Self, CapiError> {
        require_finite("origin", origin)?;
        require_finite("normal", normal)?;
        Ok(Self::from_smooth(Arc::new(Plane::new(Vec3::from(*origin), Vec3::from(*normal))?)))
    }

    fn from_mesh(mesh: TriangleMesh, normals: Normals) -> Result<Self, GeometryError> {
        let triangles = Arc::new(TriangleSurface::new(mesh, normals)?);
        Ok(WolffSurface { surface: triangles.clone(), triangles: Some(triangles) })
    }

    fn from_smooth(surface: Arc<dyn Surface>) -> Self {
        WolffSurface { surface, triangles: None }
    }

    /// The surface for queries.
    pub(crate) fn surface(&self) -> &Arc<dyn Surface> {
        &self.surface
    }

    /// The triangles of the surface, if it has any.
    pub(crate) fn mesh(&self) -> Option<&TriangleMesh> {
        self.triangles.as_ref().map(|t| t.mesh())
    }
}

/// All surfaces of a NURBS file as one.
fn nurbs(text: &str, scale: f64) -> Result<NurbsPatchSet, GeometryError> {
    let named: Vec<NamedSurface> = nurbs_file::read(text)?;
    let scaled: Vec<NurbsSurface> = named.iter().map(|n| n.surface.scaled(scale)).collect::<Result<_, _>>()?;
    let mut set = NurbsPatchSet::new(&scaled, SHARED_EDGE)?;
    for (index, named) in named.into_iter().enumerate() {
        if let Some(mask) = named.mask {
            set = set.with_mask(index, mask)?;
        }
    }
    Ok(set)
}
