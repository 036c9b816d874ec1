//! Variable thickness of the layers of JAM models.

use super::error::ContactPosesError;
use super::meshes::MeshFiles;
use wolff_contact::foundation::MovingLayer;
use wolff_formats::osim::OsimSmithMesh;
use wolff_geometry::{Normals, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::Vec3;

/// Thickness of the layer on a contact mesh.
///
/// With `use_variable_thickness`, as OpenSim JAM defines it: of each triangle, the way from its centre against its
/// normal to the mesh behind it. Where that is shorter than `min_thickness`, longer than `max_thickness`, or where
/// nothing is behind, the layer counts as `min_thickness`. Otherwise `thickness` everywhere.
///
/// Source: OpenSim JAM, `Smith2018ContactMesh::computeVariableThickness`.
#[derive(Debug)]
pub(super) struct Layer {
    /// Constant thickness \[m\].
    constant: f64,
    /// The mesh behind, where the thickness is variable.
    back: Option<TriangleSurface>,
    /// Minimum and maximum \[m\].
    range: [f64; 2],
}

impl Layer {
    /// Reads the mesh behind, if the model asks for it.
    pub fn new(contact: &str, files: &MeshFiles, name: &str, mesh: &OsimSmithMesh) -> Result<Self, ContactPosesError> {
        let (constant, range) = (mesh.thickness, mesh.thickness_range);
        if !mesh.use_variable_thickness {
            return Ok(Layer { constant, back: None, range });
        }
        let refused = |rule: String| ContactPosesError::Contact { contact: contact.into(), rule };
        if !(range[0] > 0.0 && range[0] <= range[1] && range[1].is_finite()) {
            return Err(refused(format!(
                "mesh `{name}` has min_thickness {} m and max_thickness {} m; the first must be above zero, the second \
                 not below the first",
                range[0], range[1]
            )));
        }
        let behind = format!("{name}.back");
        if mesh.back_file.trim().is_empty() && !files.replaces(&behind) {
            let remedy = format!(
                "give the surface of the bone with --mesh {behind}=FILE, or set use_variable_thickness to false"
            );
            return Err(refused(format!("mesh `{name}` has variable thickness, but no mesh_back_file; {remedy}")));
        }
        let file = OsimSmithMesh { file: mesh.back_file.clone(), ..mesh.clone() };
        let back = TriangleSurface::new(files.read(&behind, &file)?, Normals::Facets);
        let back = back.map_err(|e| refused(format!("mesh `{behind}`: {e}")))?;
        Ok(Layer { constant, back: Some(back), range })
    }

    /// Thickness \[m\] behind a point with this outward normal.
    pub fn at(&self, point: &Vec3, normal: &Vec3) -> f64 {
        /// Longest way searched \[m\].
        const FAR: f64 = 1.0;
        let Some(back) = &self.back else { return self.constant };
        let way = back.ray(point, &-normal, (0.0, FAR)).map_or(0.0, |hit| hit.t);
        if way < self.range[0] || way > self.range[1] { self.range[0] } else { way }
    }

    /// The layer on a moving mesh.
    pub fn on(&self, mesh: &TriangleMesh) -> MovingLayer {
        if self.back.is_none() {
            return MovingLayer::Constant(self.constant);
        }
        let even = |k: usize| {
            let [a, b, c] = mesh.corners(k);
            let cross = (b - a).cross(&(c - a));
            let normal = cross.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            [self.at(&((a + b + c) / 3.0), &normal); 3]
        };
        MovingLayer::Triangles((0..mesh.triangles().len()).map(even).collect())
    }

    /// A remark on what is measured, over the given points and normals; none of constant layers.
    pub fn remark(&self, name: &str, mesh: &TriangleMesh) -> Option<String> {
        let MovingLayer::Triangles(all) = self.on(mesh) else { return None };
        let clamped = all.iter().filter(|[h, ..]| *h == self.range[0]).count();
        let mean = all.iter().map(|[h, ..]| h).sum::<f64>() / all.len().max(1) as f64;
        Some(format!(
            "mesh `{name}`: variable thickness, {:.2} mm on average; {:.0} % of the triangles count as {} mm \
             (min_thickness)",
            1e3 * mean,
            100.0 * clamped as f64 / all.len().max(1) as f64,
            1e3 * self.range[0]
        ))
    }
}
