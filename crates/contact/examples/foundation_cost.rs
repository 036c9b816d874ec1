//! What one evaluation of a knee-like foundation contact costs: two spheres over two grids of 30 by 30 elements.
//!
//! `cargo run --profile test -p wolff-contact --example foundation_cost`

use std::sync::Arc;
use std::time::Instant;
use wolff_contact::foundation::{
    ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial, LayerThickness, Reading, Rule,
    Strain,
};
use wolff_geometry::{Plane, Sphere};
use wolff_spatial::{Motion, Pose, Vec3};

const STEPS: usize = 2000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let linear = LayerMaterial::linear(463e6, 0.46, Strain::Small)?;
    let nonlinear = LayerMaterial::nonlinear((0.0597, 18.4e6, 3.0), 0.46, Reading::Tangent, Strain::Small)?;
    for (name, material) in [("linear", linear), ("nonlinear", nonlinear)] {
        for rule in [Rule::Centre, Rule::Adaptive] {
            report(&format!("{name}, {rule:?}"), material, rule)?;
        }
    }
    Ok(())
}

/// Slides the ball to and fro by up to 10 µm per step: 50 mm/s at steps of 0.2 ms.
fn report(name: &str, material: LayerMaterial, rule: Rule) -> Result<(), Box<dyn std::error::Error>> {
    // one ball per compartment: two pairs, as a surface with two patches would be asked
    let mut time = 0.0;
    let (mut queries, mut active, mut force) = (0, 0, 0.0);
    for side in [-1.0, 1.0] {
        let settings = FoundationSettings { rule, ..FoundationSettings::default() };
        let pair = FoundationPair::new(grid(side)?, Arc::new(Sphere::new(Vec3::zeros(), 0.03)?), material, settings)?;
        let mut memory = pair.memory();
        let mut times = Vec::with_capacity(STEPS);
        for k in 0..STEPS {
            let x = 0.022 * side + 0.004 * (k as f64 * 0.0025).sin();
            let pose = Pose::translation(Vec3::new(x, 0.001, 0.03 - 0.0003));
            let start = Instant::now();
            let total = pair.evaluate(&mut memory, &pose, &Motion::ZERO)?.total;
            times.push(start.elapsed().as_secs_f64());
            (queries, active) = (queries + total.queries, active + total.active);
            force = total.on_moving.f.z;
        }
        // the median does not feel what else the machine does
        times.sort_by(f64::total_cmp);
        time += times[STEPS / 2];
    }
    let per_step = |x: usize| x as f64 / STEPS as f64;
    println!(
        "{name:20} {:6.1} us per evaluation, {:.0} queries, {:.0} of 1800 elements active, {force:.1} N per side",
        time * 1e6,
        per_step(queries),
        per_step(active)
    );
    Ok(())
}

fn grid(side: f64) -> Result<ElementSet, Box<dyn std::error::Error>> {
    let plane = Plane::new(Vec3::zeros(), Vec3::z())?;
    let surface = ElementSurface::Plane { origin: Vec3::x() * 0.022 * side, normal: Vec3::z(), along: Vec3::x() };
    let grid = Grid { surface, first: (-0.015, 0.015), second: (-0.02, 0.02), counts: (30, 30) };
    Ok(grid.project("side", &plane, (-1.0, 1.0), &LayerThickness::Constant(0.008))?)
}
