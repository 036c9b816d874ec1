//! Elastic foundation contact. Lengths in mm and pressures in MPa come from the shared reference and are converted here.

mod derivative;
mod elements;
mod force;
mod material;
mod pair;
mod reference;
mod shell;
mod solver;

use std::sync::Arc;
use wolff_contact::foundation::{
    Along, Distance, ElementSet, ElementSurface, FoundationPair, FoundationResult, FoundationSettings, Grid,
    LayerMaterial, LayerThickness, Reading, Rule, Strain,
};
use wolff_geometry::{Plane, Sphere, Surface};
use wolff_spatial::{Motion, Pose, Vec3};

pub const MM: f64 = 1e-3;
pub const MPA: f64 = 1e6;

/// Polyethylene of the reference.
pub fn polyethylene(strain: Strain) -> LayerMaterial {
    LayerMaterial::linear(463.0 * MPA, 0.46, strain).unwrap()
}

pub fn nonlinear(reading: Reading, strain: Strain) -> LayerMaterial {
    LayerMaterial::nonlinear((0.0597, 18.4 * MPA, 3.0), 0.46, reading, strain).unwrap()
}

/// A flat layer z ≤ 0, `n` by `n` elements over a square of half the side `half` [m].
pub fn flat_layer(n: usize, half: f64, h: f64) -> ElementSet {
    let plane = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let grid = Grid { surface, first: (-half, half), second: (-half, half), counts: (n, n) };
    grid.project("layer", &plane, (-1.0, 1.0), &LayerThickness::Constant(h)).unwrap()
}

/// A socket around the origin, open upwards; grid of half the angle `half` [rad] about its lowest point.
pub fn socket(n: usize, half: f64, radius: f64, h: f64) -> ElementSet {
    let cavity = Sphere::cavity(Vec3::zeros(), radius).unwrap();
    let surface =
        ElementSurface::Sphere { centre: Vec3::zeros(), towards: -Vec3::z(), along: Vec3::x(), radius: 0.5 * radius };
    let grid = Grid { surface, first: (-half, half), second: (-half, half), counts: (n, n) };
    grid.project("socket", &cavity, (0.0, radius), &LayerThickness::Constant(h)).unwrap()
}

pub fn ball(radius: f64) -> Arc<dyn Surface> {
    Arc::new(Sphere::new(Vec3::zeros(), radius).unwrap())
}

pub fn settings(distance: Distance, along: Along, rule: Rule) -> FoundationSettings {
    FoundationSettings { distance, along, rule, ..FoundationSettings::default() }
}

/// As the sphere on layer of the reference is defined: strain along the layer's normal.
pub fn vertical(rule: Rule) -> FoundationSettings {
    settings(Distance::Ray, Along::FixedNormal, rule)
}

pub fn pair(
    set: ElementSet,
    surface: Arc<dyn Surface>,
    material: LayerMaterial,
    s: FoundationSettings,
) -> FoundationPair {
    FoundationPair::new(set, surface, material, s).unwrap()
}

/// One evaluation at rest with a fresh memory.
pub fn at(pair: &FoundationPair, pose: &Pose) -> FoundationResult {
    pair.evaluate(&mut pair.memory(), pose, &Motion::ZERO).unwrap().clone()
}

/// The ball of the reference: R = 30 mm, pressed by `delta` [m] at (x, y) into the layer.
pub fn pressed(delta: f64, x: f64, y: f64) -> Pose {
    Pose::translation(Vec3::new(x, y, 30.0 * MM - delta))
}
