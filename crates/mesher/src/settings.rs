//! What is asked for and what comes back.

use crate::error::MesherError;
use wolff_fem::{ElementKind, TetMesh};
use wolff_spatial::Vec3;

/// What kind of mesh is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Mean edge aimed at \[m\]; thin and strongly curved places get shorter ones.
    pub size: f64,
    /// Linear elements, or quadratic ones with middle nodes on the surface where they stay sound.
    pub order: ElementKind,
    /// How often the size may be halved where the shape asks for it: 0 for a uniform mesh, at most 3.
    pub halvings: u32,
    /// More elements than this are refused.
    pub most_elements: usize,
}

impl Default for Settings {
    /// Linear elements of 3 mm, halved twice at most, 20 million at most.
    fn default() -> Self {
        Settings { size: 3e-3, order: ElementKind::Tet4, halvings: 2, most_elements: 20_000_000 }
    }
}

impl Settings {
    /// Refuses settings that cannot be met.
    pub(crate) fn check(&self) -> Result<(), MesherError> {
        let rule = |quantity, value, rule| Err(MesherError::Setting { quantity, value, rule });
        if !(self.size > 0.0 && self.size.is_finite()) {
            return rule("element size [m]", self.size, "it must be positive and finite");
        }
        if self.halvings > crate::lattice::HALVINGS {
            return rule("number of halvings", f64::from(self.halvings), "it must be 0, 1, 2 or 3");
        }
        if self.most_elements == 0 {
            return rule("largest number of elements", 0.0, "it must be at least 1");
        }
        Ok(())
    }
}

/// A step of the work, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Distances, and the lattice around the body.
    Lattice,
    /// The lattice is cut along the interfaces.
    Cut,
    /// Angles are improved.
    Improve,
    /// Short edges are merged where the mesh is finer than asked for.
    Coarsen,
    /// Volumes are matched.
    Fit,
    /// The mesh is measured.
    Report,
}

/// Told the stage and its finished part from 0 to 1; `false` stops the work.
pub type Progress<'a> = dyn FnMut(Stage, f64) -> bool + 'a;

/// Tells the progress and stops if asked to.
pub(crate) fn tell(progress: &mut Progress, stage: Stage, part: f64) -> Result<(), MesherError> {
    if progress(stage, part) { Ok(()) } else { Err(MesherError::Stopped) }
}

/// A mesh and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Meshed {
    /// The mesh, with one element set per material.
    pub mesh: TetMesh,
    /// Its size, its angles and how well it follows its input.
    pub report: MeshingReport,
}

/// One material of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialReport {
    /// The name of its element set.
    pub name: String,
    /// Its elements.
    pub tets: usize,
    /// Its volume \[m³\].
    pub volume: f64,
    /// Its volume in the input \[m³\].
    pub input_volume: f64,
    /// Its centroid \[m\].
    pub centroid: Vec3,
    /// Distance between its outside and its surface in the input, where that was measured for each material.
    pub distance: Option<SurfaceDistance>,
}

/// Distance between two surfaces, both ways, from the vertices and centroids of their triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// Mean, weighted by area \[m\].
    pub mean: f64,
    /// Largest \[m\].
    pub largest: f64,
    /// Area of the surface of the mesh \[m²\].
    pub area: f64,
}

/// Size, angles and fidelity of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshingReport {
    /// Elements.
    pub tets: usize,
    /// Nodes, middle nodes included.
    pub nodes: usize,
    /// Volume of all elements \[m³\].
    pub volume: f64,
    /// Volume of the input \[m³\].
    pub input_volume: f64,
    /// The smallest dihedral angle of the corners \[rad\].
    pub min_dihedral: f64,
    /// First percentile of the smallest dihedral angle of each element \[rad\].
    pub p1_dihedral: f64,
    /// The largest dihedral angle \[rad\].
    pub max_dihedral: f64,
    /// Mean length of the edges between corners \[m\].
    pub mean_edge: f64,
    /// Mean distance between the surfaces of mesh and input, both ways \[m\]; [`mesh_labels`](crate::mesh_labels)
    /// leaves it out, because labels have no surface of their own.
    pub mean_distance: Option<f64>,
    /// Largest distance between both, from vertices and centroids of their triangles \[m\]; left out likewise.
    pub hausdorff: Option<f64>,
    /// The materials, in the order of the input.
    pub materials: Vec<MaterialReport>,
    /// What falls short, in words.
    pub shortfalls: Vec<String>,
}
