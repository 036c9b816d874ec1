//! A parametric knee for the verification and timing of contact: two NURBS condyles in two hollow plateaus.

use std::sync::Arc;
use wolff_contact::ContactError;
use wolff_contact::foundation::{
    ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial, LayerThickness,
};
use wolff_geometry::knee::{Condyle, Plateau};
use wolff_geometry::{GeometryError, NurbsPatchSet, NurbsSurface};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Centres of the two sides along z \[m\].
const SIDES: [(&str, f64); 2] = [("medial", -0.023), ("lateral", 0.023)];

/// Thickness of the layer on the plateaus \[m\].
const LAYER: f64 = 0.008;

/// Tolerance of the fitted surfaces, and distance below which edges are merged \[m\].
const FIT: f64 = 2e-6;
const SAME_EDGE: f64 = 1e-6;

/// Condyles and plateaus; x forward, y up, z to the right; the lowest points of the plateaus are at y = 0.
pub struct Knee {
    condyles: [Condyle; 2],
    surfaces: [NurbsSurface; 2],
    femur: Arc<NurbsPatchSet>,
    plateaus: [(Plateau, NurbsPatchSet); 2],
}

impl Knee {
    /// The surfaces.
    pub fn new() -> Result<Self, GeometryError> {
        let condyles = SIDES.map(|(_, z)| condyle(z));
        let surfaces = [condyles[0].surface(0.0, FIT)?, condyles[1].surface(0.0, FIT)?];
        let [medial, lateral] = SIDES.map(|(_, z)| plateau(z));
        let of = |p: &Plateau| NurbsPatchSet::new(&[p.surface(FIT)?], SAME_EDGE);
        let plateaus = [(medial, of(&medial)?), (lateral, of(&lateral)?)];
        let femur = Arc::new(NurbsPatchSet::new(&surfaces, SAME_EDGE)?);
        Ok(Knee { condyles, surfaces, femur, plateaus })
    }

    /// The surfaces of the condyles.
    pub fn condyles(&self) -> &[NurbsSurface; 2] {
        &self.surfaces
    }

    /// Contact with this number of elements on each plateau.
    pub fn pair(
        &self,
        counts: (usize, usize),
        material: LayerMaterial,
        settings: FoundationSettings,
    ) -> Result<FoundationPair, ContactError> {
        let mut sets = Vec::new();
        for ((name, _), (plateau, surface)) in SIDES.iter().zip(&self.plateaus) {
            let (a, b) = plateau.half_size;
            let below = ElementSurface::Plane { origin: plateau.middle, normal: Vec3::y(), along: Vec3::x() };
            // just inside the rim
            let grid = Grid { surface: below, first: (-0.99 * a, 0.99 * a), second: (-0.99 * b, 0.99 * b), counts };
            sets.push(grid.project(name, surface, (-0.01, 0.03), &LayerThickness::Constant(LAYER))?);
        }
        FoundationPair::new(ElementSet::join(sets), self.femur.clone(), material, settings)
    }

    /// Pose of the femur at a flexion \[rad\], with its lowest points at a `depth` \[m\] below the centres of the
    /// plateaus.
    pub fn pose(&self, flexion: f64, depth: f64) -> Pose {
        let R = Quaternion::from_rotation_vector(&(Vec3::z() * flexion)).matrix();
        let lowest = R * Condyle { middle: 0.0, ..self.condyles[0] }.point(flexion, 0.0, 0.0);
        Pose::new(R, -lowest - Vec3::y() * depth)
    }
}

fn condyle(middle: f64) -> Condyle {
    Condyle {
        middle,
        distal_radius: 0.034,
        posterior_radius: 0.022,
        transition: (0.1, 0.7),
        coronal_radius: 0.021,
        sagittal_range: (-0.7, 2.1),
        coronal_reach: 0.8,
    }
}

fn plateau(z: f64) -> Plateau {
    let middle = Vec3::new(0.0, 0.0, z);
    Plateau { middle, sagittal_curvature: 1.0 / 0.060, coronal_curvature: 1.0 / 0.025, half_size: (0.02, 0.012) }
}
