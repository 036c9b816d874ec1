//! Material of every element.

use wolff_density::{
    Calibration, Chain, DensityKind, Expected, KnownBone, MaterialOptions, Options, Relation, Rule, SampledField,
    Symmetry, map,
};
use wolff_fem::TetMesh;
use wolff_fem::material::{Elasticity, Material, MaterialField, axes_along};
use wolff_geometry::{Normals, TriangleSurface};
use wolff_imaging::density::DensityField;
use wolff_morphology::{BoneKind, Morphology};
use wolff_spatial::Vec3;
use wolff_verdict::{Finding, Judgement};

use super::BoneRequest;
use super::shape::Shape;
use crate::error::ScanError;

/// Density and material of every element.
#[derive(Debug)]
pub struct Tissue {
    /// For the finite elements, in the axes of the bone.
    pub materials: MaterialField,
    /// Apparent density of bone, without marrow \[kg/m³\], by element.
    pub density: Vec<f64>,
    /// Young's modulus along the bone \[Pa\], by element.
    pub modulus: Vec<f64>,
    /// Centroid of every element, in the frame of the input \[m\].
    pub centroids: Vec<Vec3>,
    /// Volume of every element \[m³\].
    pub volumes: Vec<f64>,
    /// How the material was found, as sentences.
    pub remarks: Vec<String>,
    /// Whether it is plausible.
    pub judgement: Judgement,
}

/// Whether the material is the same in all directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// The same in all directions.
    Isotropic,
    /// The long axis of the bone (y of its frame) is the stiff one, with the ratios of cortical bone.
    Orthotropic,
}

/// Density of marrow \[kg/m³\].
const MARROW_DENSITY: f64 = 1000.0;
/// Modulus of marrow, and the least of all elements \[MPa\]. It carries no load beside cortical bone of 17 GPa; with a
/// hundredth of it, marrow would vibrate by itself at 1 kHz, among the first frequencies of a bone (chosen here).
const LEAST_MODULUS: f64 = 50.0;
/// Apparent density of bone in the wall and in the ends of a bone without a CT \[kg/m³\].
const ASSUMED: [f64; 2] = [1900.0, 400.0];
/// Names of the regions of a mesh with an inner surface.
pub const CORTEX: &str = "cortex";
/// See [`CORTEX`].
pub const INSIDE: &str = "inside";
/// From densities to elements where nothing else is asked for: the mean of the modulus over many points. The corrected
/// density jumps at the inner side of the wall, so that a mean with a tolerance would need many more; these are 56.
pub const RULE: Rule = Rule::MeanModulus { steps: 6 };
/// Poisson's ratio of bone that is the same in all directions.
const POISSON: f64 = 0.3;
/// Parts of the length of a long bone between which its inside is marrow, where there is no CT.
const CANAL: [f64; 2] = [0.2, 0.8];

/// Material of every element of a mesh in the frame of the input.
///
/// # Errors
/// When a relation is unknown or constants are not admissible.
pub(super) fn tissue(
    request: &BoneRequest,
    shape: &Shape,
    morphology: &Morphology,
    mesh: &TetMesh,
) -> Result<Tissue, ScanError> {
    match &shape.density {
        Some(density) => from_density(request, shape, density, morphology, mesh),
        None => of_regions(request, shape, morphology, mesh),
    }
}

/// The corrected density of a CT, in g/cm³, at any point.
struct Corrected<'a>(&'a DensityField);

const PER_G_CM3: f64 = 1e-3;

impl SampledField for Corrected<'_> {
    fn dims(&self) -> [usize; 3] {
        self.0.size()
    }

    fn position(&self, index: &Vec3) -> Vec3 {
        self.0.layers().frame.position(index)
    }

    fn index(&self, position: &Vec3) -> Vec3 {
        self.0.layers().frame.index(position)
    }

    fn value(&self, voxel: [usize; 3]) -> f64 {
        PER_G_CM3 * self.0.voxel(voxel)
    }

    fn interpolated<const N: usize>(&self, position: &Vec3, law: impl Fn(f64) -> [f64; N]) -> [f64; N] {
        // wall and inside are told apart at the point itself, not between voxels
        law(PER_G_CM3 * self.0.at(*position))
    }
}

fn known(kind: BoneKind) -> KnownBone {
    match kind {
        BoneKind::Femur => KnownBone::Femur,
        BoneKind::Tibia => KnownBone::Tibia,
        BoneKind::Fibula => KnownBone::Fibula,
        BoneKind::Patella => KnownBone::Patella,
    }
}

fn from_density(
    request: &BoneRequest,
    shape: &Shape,
    density: &DensityField,
    morphology: &Morphology,
    mesh: &TetMesh,
) -> Result<Tissue, ScanError> {
    let chain = Chain::new(Calibration::identity(DensityKind::Apparent), Relation::named(&request.relation)?)?;
    let expected = Expected { bone: Some(known(morphology.kind)), stature: request.stature };
    let options = Options { expected, rule: request.rule, least_modulus: LEAST_MODULUS, ..Options::new(chain) };
    let mapped = map(mesh, &Corrected(density), &options)?;
    let (symmetry, remark) = match request.directions.unwrap_or(Directions::Isotropic) {
        Directions::Isotropic => {
            (Symmetry::Isotropic { poisson: POISSON }, format!("isotropic, Poisson's ratio {POISSON}"))
        }
        Directions::Orthotropic => {
            let (pattern, source) = match morphology.kind {
                BoneKind::Tibia | BoneKind::Fibula => {
                    (Material::cortical_rho().elasticity, "tibia, Rho 1996, Ultrasonics 34, 777-783")
                }
                BoneKind::Femur | BoneKind::Patella => {
                    (Material::cortical_ashman().elasticity, "femur, Ashman et al. 1984, J. Biomech. 17, 349-361")
                }
            };
            // y is up in the frame of a bone
            let axes = axes_along(&Vec3::y())?;
            let remark = format!(
                "orthotropic with the ratios of cortical bone of the {source}; the modulus of the relation is that along \
                 the bone, and the axes across the bone are not turned around the shaft"
            );
            (Symmetry::Scaled { pattern, axes }, remark)
        }
    };
    let materials = mapped.materials(mesh, &MaterialOptions { symmetry, ..MaterialOptions::default() })?;
    // the first remark is about the grey values, which are densities here
    let remarks = shape.remarks.iter().chain(mapped.remarks.iter().skip(1)).cloned().chain([remark]).collect();
    Ok(Tissue {
        materials: materials.field,
        density: mapped.elements.iter().map(|e| e.apparent_density).collect(),
        modulus: mapped.elements.iter().map(|e| e.modulus).collect(),
        centroids: centroids(mesh),
        volumes: mapped.volumes.clone(),
        remarks,
        judgement: mapped.judgement.clone(),
    })
}

/// Cortical bone in the wall, trabecular bone in the ends and marrow in the shaft of a bone without densities. The wall
/// is what lies outside of the inner surface, or of assumed thickness.
fn of_regions(
    request: &BoneRequest,
    shape: &Shape,
    morphology: &Morphology,
    mesh: &TetMesh,
) -> Result<Tissue, ScanError> {
    let centroids = centroids(mesh);
    let heights: Vec<f64> = centroids.iter().map(|x| morphology.in_bone(x).y).collect();
    let [low, high] = heights.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], &y| [l.min(y), h.max(y)]);
    let along: Vec<f64> = heights.iter().map(|y| (y - low) / (high - low).max(f64::MIN_POSITIVE)).collect();
    let in_wall = match &shape.inner {
        Some(_) => {
            let mut in_wall = vec![false; centroids.len()];
            mesh.element_set(CORTEX)?.iter().for_each(|&e| in_wall[e] = true);
            in_wall
        }
        None => {
            let surface = TriangleSurface::new(shape.surface.clone(), Normals::Facets)?;
            let depth = |x: &Vec3| surface.signed_distance(x).map_or(0.0, |d| -d);
            centroids.iter().zip(&along).map(|(x, along)| depth(x) < wall(*along, request.wall)).collect()
        }
    };
    let is_long = morphology.kind != BoneKind::Patella;
    let class = |(in_wall, along): (&bool, &f64)| match in_wall {
        true => 0,
        false if is_long && *along > CANAL[0] && *along < CANAL[1] => 2,
        false => 1,
    };
    let classes: Vec<usize> = in_wall.iter().zip(&along).map(class).collect();
    let materials = region_materials(request.directions);
    let moduli = materials.map(|m| along_bone(&m.elasticity));
    // y is up in the frame of a bone
    let field = MaterialField::grouped(mesh, &materials, &axes_along(&Vec3::y())?, classes.clone())?;
    let densities = [ASSUMED[0], ASSUMED[1], 0.0];
    let mut judgement = Judgement::default();
    judgement.found([assumption(request, shape)]);
    Ok(Tissue {
        materials: field,
        density: classes.iter().map(|&c| densities[c]).collect(),
        modulus: classes.iter().map(|&c| moduli[c]).collect(),
        centroids,
        volumes: mesh.volumes().collect(),
        remarks: vec!["cortical bone in the wall, trabecular bone in the ends, marrow in the shaft".into()],
        judgement,
    })
}

/// Cortical bone, trabecular bone and marrow.
fn region_materials(directions: Option<Directions>) -> [Material; 3] {
    let mut cortical = Material::cortical_bone();
    if directions == Some(Directions::Isotropic) {
        cortical.elasticity = Elasticity::Isotropic { young: along_bone(&cortical.elasticity), poisson: POISSON };
    }
    let marrow = Material {
        elasticity: Elasticity::Isotropic { young: 1e6 * LEAST_MODULUS, poisson: POISSON },
        density: MARROW_DENSITY,
    };
    [cortical, Material::trabecular_bone(), marrow]
}

/// What is assumed about a bone without densities.
fn assumption(request: &BoneRequest, shape: &Shape) -> Finding {
    if shape.inner.is_some() {
        return Finding::note(
            "the input has no densities: those of cortical bone, trabecular bone and marrow are assumed for its regions",
            "give a calibrated CT for densities of this bone",
        );
    }
    let [shaft, ends] = request.wall.map(|t| 1e3 * t);
    Finding::warning(
        format!(
            "the input has no densities: the wall is assumed to be {shaft} mm thick at the shaft and {ends} mm at the ends"
        ),
        "give a calibrated CT, the inner surface with --inner FILE, or the thickness of this bone with --wall SHAFT,ENDS",
    )
}

/// Thickness of the wall \[m\] at a part of the length: that of the shaft in the canal, falling to that of the ends.
pub(super) fn wall(along: f64, [shaft, ends]: [f64; 2]) -> f64 {
    let from_end = along.min(1.0 - along) / CANAL[0];
    ends + (shaft - ends) * from_end.clamp(0.0, 1.0)
}

/// Young's modulus along the bone \[Pa\].
fn along_bone(elasticity: &Elasticity) -> f64 {
    match elasticity {
        Elasticity::Isotropic { young, .. } => *young,
        Elasticity::TransverselyIsotropic { young_axial, .. } => *young_axial,
        Elasticity::Orthotropic { young, .. } => young[2],
    }
}

fn centroids(mesh: &TetMesh) -> Vec<Vec3> {
    mesh.elements().map(|e| e[..4].iter().map(|&n| mesh.nodes()[n]).sum::<Vec3>() / 4.0).collect()
}
