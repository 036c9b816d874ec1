//! What one evaluation of a foundation contact costs on one core: two condyles on two plateaus of 30 by 30 elements, as
//! NURBS surfaces under 2090 N, and two balls of the analytic kind over flat layers.
//!
//! `cargo run --release -p wolff-contact --example foundation_cost`

#![allow(non_snake_case)]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use wolff_contact::foundation::{
    ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial, LayerThickness, Reading, Rule,
    Strain,
};
use wolff_geometry::knee::{Condyle, Plateau};
use wolff_geometry::nurbs::NurbsPatchSet;
use wolff_geometry::{Plane, Sphere, Surface};
use wolff_spatial::{Mat3, Motion, Pose, Vec3};

const STEPS: usize = 2000;
const LOAD: f64 = 2090.0;
const THICKNESS: f64 = 0.008;
/// Distance of the condyles [m].
const SPACING: f64 = 0.046;
const DISTAL_RADIUS: f64 = 0.034;
/// Tolerance of the surfaces, that of studies unless told otherwise [m].
const FIT: f64 = 5e-6;

fn main() -> Result<(), Box<dyn Error>> {
    let linear = LayerMaterial::linear(463e6, 0.46, Strain::Small)?;
    let nonlinear = LayerMaterial::nonlinear((0.0597, 18.4e6, 3.0), 0.46, Reading::Tangent, Strain::Small)?;
    let (knee, balls) = (Knee::new()?, [-1.0, 1.0].map(|side| (grid(side), side)));
    for (name, material) in [("linear", linear), ("nonlinear", nonlinear)] {
        for rule in [Rule::Centre, Rule::Adaptive] {
            let settings = FoundationSettings { rule, ..FoundationSettings::default() };
            let pair = FoundationPair::new(knee.elements.clone(), knee.femur.clone(), material, settings.clone())?;
            let depth = knee.depth_under_load(&pair)?;
            let knee_cost = cost(&pair, |k| knee.pose(depth, k))?;
            report(&format!("knee, {name}, {rule:?}"), &[knee_cost]);

            let mut costs = Vec::new();
            for (grid, side) in &balls {
                let ball = Arc::new(Sphere::new(Vec3::zeros(), 0.03)?);
                let elements = grid.as_ref().map_err(|e| e.to_string())?.clone();
                let pair = FoundationPair::new(elements, ball, material, settings.clone())?;
                costs.push(cost(&pair, |k| {
                    let x = 0.022 * side + 0.004 * (k as f64 * 0.0025).sin();
                    Pose::translation(Vec3::new(x, 0.001, 0.03 - 0.0003))
                })?);
            }
            report(&format!("balls, {name}, {rule:?}"), &costs);
        }
    }
    Ok(())
}

/// Median time [s], and queries, active elements and vertical force [N] per evaluation.
struct Cost {
    time: f64,
    queries: usize,
    active: usize,
    force: f64,
}

/// The steps move the surfaces against each other by up to 10 µm: 50 mm/s at steps of 0.2 ms.
fn cost(pair: &FoundationPair, pose: impl Fn(usize) -> Pose) -> Result<Cost, Box<dyn Error>> {
    let mut memory = pair.memory();
    let mut times = Vec::with_capacity(STEPS);
    let (mut queries, mut active, mut force) = (0, 0, 0.0);
    for k in 0..STEPS {
        let X_FM = pose(k);
        let start = Instant::now();
        let total = pair.evaluate(&mut memory, &X_FM, &Motion::ZERO)?.total;
        times.push(start.elapsed().as_secs_f64());
        (queries, active) = (queries + total.queries, active + total.active);
        force += total.on_moving.f.norm() / STEPS as f64;
    }
    // the median does not feel what else the machine does
    times.sort_by(f64::total_cmp);
    Ok(Cost { time: times[STEPS / 2], queries: queries / STEPS, active: active / STEPS, force })
}

fn report(name: &str, costs: &[Cost]) {
    let (time, force) = costs.iter().fold((0.0, 0.0), |(t, f), c| (t + c.time, f + c.force));
    let (queries, active) = costs.iter().fold((0, 0), |(q, a), c| (q + c.queries, a + c.active));
    println!(
        "{name:26} {:6.1} us per evaluation, {queries} queries, {active} of 1800 elements active, {force:.0} N",
        time * 1e6
    );
}

/// Two condyles over two dishes, x forward, y up, z to the right.
struct Knee {
    femur: Arc<dyn Surface>,
    elements: ElementSet,
    /// Centre of the distal arc in the femur [m].
    centre: Vec3,
}

impl Knee {
    fn new() -> Result<Self, Box<dyn Error>> {
        let condyle = |side: f64| Condyle {
            middle: 0.5 * SPACING * side,
            distal_radius: DISTAL_RADIUS,
            posterior_radius: 0.022,
            transition: (0.35, 0.9),
            coronal_radius: 0.024,
            sagittal_range: (-0.9, 1.8),
            coronal_reach: 0.8,
        };
        let surfaces = [condyle(-1.0).surface(0.0, FIT)?, condyle(1.0).surface(0.0, FIT)?];
        let middle = condyle(0.0);
        Ok(Knee {
            femur: Arc::new(NurbsPatchSet::new(&surfaces, 1e-7)?),
            elements: ElementSet::join([dish("medial", -1.0)?, dish("lateral", 1.0)?]),
            centre: middle.point(0.0, 0.0, 0.0) - middle.normal(0.0, 0.0) * DISTAL_RADIUS,
        })
    }

    /// The femur pressed into the dishes and flexed to and fro about its distal arc.
    fn pose(&self, depth: f64, k: usize) -> Pose {
        let (sin, cos) = (0.12 * (k as f64 * 0.0025).sin()).sin_cos();
        let R = Mat3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
        Pose::new(R, Vec3::new(0.001, DISTAL_RADIUS - depth, 0.0) - R * self.centre)
    }

    /// Depth [m] at which the first pose carries the load, by bisection.
    fn depth_under_load(&self, pair: &FoundationPair) -> Result<f64, Box<dyn Error>> {
        let (mut low, mut high) = (0.0, 1e-3);
        for _ in 0..40 {
            let depth = 0.5 * (low + high);
            let force = pair.evaluate(&mut pair.memory(), &self.pose(depth, 0), &Motion::ZERO)?.total.on_moving.f.y;
            if force < LOAD { low = depth } else { high = depth }
        }
        Ok(0.5 * (low + high))
    }
}

/// 30 by 30 elements of a dish.
fn dish(name: &str, side: f64) -> Result<ElementSet, Box<dyn Error>> {
    let middle = Vec3::z() * (0.5 * SPACING * side);
    let (half_length, half_width) = (0.022, 0.015);
    let plateau = Plateau {
        middle,
        sagittal_curvature: 1.0 / 0.060,
        coronal_curvature: 1.0 / 0.028,
        half_size: (1.05 * half_length, 1.05 * half_width),
    };
    let contact = NurbsPatchSet::new(&[plateau.surface(FIT)?], 1e-7)?;
    let surface = ElementSurface::Plane { origin: middle - Vec3::y() * THICKNESS, normal: Vec3::y(), along: Vec3::x() };
    let (first, second) = ((-half_length, half_length), (-half_width, half_width));
    let grid = Grid { surface, first, second, counts: (30, 30) };
    Ok(grid.project(name, &contact, (0.0, 0.05), &LayerThickness::Constant(THICKNESS))?)
}

/// 30 by 30 elements of a flat layer.
fn grid(side: f64) -> Result<ElementSet, Box<dyn Error>> {
    let plane = Plane::new(Vec3::zeros(), Vec3::z())?;
    let surface = ElementSurface::Plane { origin: Vec3::x() * 0.022 * side, normal: Vec3::z(), along: Vec3::x() };
    let grid = Grid { surface, first: (-0.015, 0.015), second: (-0.02, 0.02), counts: (30, 30) };
    Ok(grid.project("side", &plane, (-1.0, 1.0), &LayerThickness::Constant(THICKNESS))?)
}
