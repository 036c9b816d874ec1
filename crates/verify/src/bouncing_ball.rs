//! A ball of 1 kg and 0.1 m dropped from 0.5 m on three contact models: Hertz, Hunt-Crossley and an elastic foundation.
//!
//! The impacts are those of the same laws integrated for a single point, since the springs on a sphere that are pushed
//! along the normal of a plane add up to `F = k π R d² (1 + c d')`. OpenSim's ball has the same laws; its sphere is a
//! mesh of flat triangles.

use super::items::{Failure, Items};
use super::table::Table;
use super::trial::{Trial, dop853};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::Arc;
use wolff_contact::foundation::{
    Along, Distance, ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial,
    LayerThickness, Rule, Strain,
};
use wolff_geometry::{Plane, Sphere, TriangleMesh};
use wolff_multibody::Baumgarte;
use wolff_multibody::simulation::Impact;
use wolff_spatial::{Motion, Pose, Vec3};

/// Relative tolerances of impacts on one point, and on elements.
const POINT: f64 = 1e-6;
const ELEMENTS: f64 = 2e-5;

/// Tolerance of OpenSim's heights \[m\] with the same law and without facets: rounding and its own error.
const SAME_LAW: f64 = 1e-7;

/// Tolerance of OpenSim's heights \[m\] with facets: twice the distance of the facets of 5,120 triangles from the
/// sphere.
const FACETS: f64 = 2e-4;

/// Relative tolerance of OpenSim's force at 1, 5 and 10 mm: its springs are at the centres of the facets, so every
/// depth is up to 0.09 mm too small and springs at the edge of the contact are lost.
const FACET_FORCES: [f64; 3] = [0.2, 0.06, 0.03];

/// Relative tolerance of our sum over the sphere: the smallest contact is nine elements wide, and the error decreases
/// with the fourth power of their size.
const SPHERE_FORCE: f64 = 1e-5;

/// Relative tolerance of our sum over OpenSim's facets by OpenSim's rule, pressure at the centre times area.
const SAME_FACETS: f64 = 1e-9;

const MASS: f64 = 1.0;
const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.4;
const GRAVITY: f64 = 9.81;

/// Pressure per depth of the foundation \[Pa/m\].
const STIFFNESS: f64 = 1e8;

/// Dissipation of Hunt-Crossley contact \[s/m\].
const DISSIPATION: f64 = 0.1;

/// Number of samples of each impact, from which the maximum force is determined.
const SAMPLES: usize = 200;

#[derive(Deserialize)]
struct Reference {
    source: String,
    impacts: BTreeMap<String, Table>,
    opensim: OpenSim,
}

#[derive(Deserialize)]
struct OpenSim {
    source: String,
    heights_m: BTreeMap<String, Table>,
    force_n: Table,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/bouncing_ball.json"))?;
    items.cite(&reference.source);
    for (model, table) in &reference.impacts {
        check_impacts(items, model, table)?;
    }
    items.cite(&reference.opensim.source);
    for (model, table) in &reference.opensim.heights_m {
        let (trial, tolerance) = (ball(model)?, if model == "elastic-foundation" { FACETS } else { SAME_LAW });
        let run = trial.run(dop853(1e-11), &table.keys())?;
        let heights: Vec<f64> = run.samples.iter().map(|at| at.q[0]).collect();
        items.lists(&format!("opensim.{model}.height_m"), &heights, &table.column("y_m"), |_| tolerance);
    }
    check_force(items, &reference.opensim.force_n)
}

/// The ball with one of the three models.
fn ball(model: &str) -> Result<Trial, Failure> {
    let speed = (2.0 * GRAVITY * HEIGHT).sqrt();
    let mut set = vec![("mass", MASS), ("radius", RADIUS), ("height", HEIGHT), ("gravity", GRAVITY)];
    let study = match model {
        "elastic-foundation" => {
            set.extend([("stiffness", STIFFNESS), ("damping", 1.0)]);
            "bouncing-ball-foundation"
        }
        _ => {
            // OpenSim's effective modulus of two equal bodies, and 1 + 3/2 c d' as Hunt and Crossley's factor at the
            // beginning of contact
            let modulus = 1e6 / 2f64.powf(1.5);
            let hertz = [("stiffness", 4.0 / 3.0 * modulus * RADIUS.sqrt()), ("exponent", 1.5)];
            set.extend(hertz.into_iter().chain([("restitution", 1.0 - DISSIPATION * speed)]));
            "bouncing-ball"
        }
    };
    let mut set: Vec<_> = set.into_iter().map(|(name, value)| (name, format!("{value:e}"))).collect();
    if study == "bouncing-ball" {
        set.push(("law", model.into()));
    }
    Trial::new(study, &set)
}

/// Time, maximum depth, maximum force and energy after each impact.
fn check_impacts(items: &mut Items, model: &str, table: &Table) -> Result<(), Failure> {
    let trial = ball(model)?;
    let tolerance = if model == "elastic-foundation" { ELEMENTS } else { POINT };
    // shortly after the end of the last impact
    let last = table.column("t_s").last().copied().ok_or("there are no references")? + 0.06;
    let run = trial.run(dop853(1e-11), &[last])?;
    let impacts: Vec<&Impact> = run.report.impacts.iter().take(table.rows.len()).collect();
    let forces = largest_forces(&trial, &impacts)?;
    let value = |row: usize, column: &str| {
        let impact = impacts.get(row)?;
        match column {
            "t_s" => Some(impact.t_start),
            "depth_mm" => Some(1e3 * impact.depth_max),
            "force_n" => forces.get(row).copied(),
            "energy_j" => Some(0.5 * MASS * impact.separation?.powi(2)),
            _ => None,
        }
    };
    items.history(&format!("{model}."), table, |_, x| tolerance * x, value);
    Ok(())
}

/// The maximum contact force of each impact \[N\], from the motion of the ball: `m (a + g)`.
fn largest_forces(trial: &Trial, impacts: &[&Impact]) -> Result<Vec<f64>, Failure> {
    let span = |i: &&Impact| i.t_end.map(|end| (i.t_start, end - i.t_start)).ok_or("an impact has not ended");
    let spans = impacts.iter().map(span).collect::<Result<Vec<_>, _>>()?;
    let within = |&(start, long): &(f64, f64)| (1..SAMPLES).map(move |k| start + long * k as f64 / SAMPLES as f64);
    let times: Vec<f64> = spans.iter().flat_map(within).collect();
    let run = trial.run(dop853(1e-11), &times)?;
    let mut forces = Vec::new();
    for at in &run.samples {
        let mut a = [0.0];
        trial.system(at).accelerations(at.t, &at.q, &at.v, Baumgarte::NONE, &mut a)?;
        forces.push(MASS * (a[0] + GRAVITY));
    }
    Ok(forces.chunks(SAMPLES - 1).map(top).collect())
}

/// Vertex of the parabola through the maximum of equally spaced numbers and its neighbours.
fn top(numbers: &[f64]) -> f64 {
    let largest = (1..numbers.len().saturating_sub(1)).max_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let Some(i) = largest else { return f64::NAN };
    let (before, at, after) = (numbers[i - 1], numbers[i], numbers[i + 1]);
    at - (after - before).powi(2) / (8.0 * (before - 2.0 * at + after))
}

/// The ball's springs pushed by a plane: force \[N\] on the ball at a depth \[m\].
fn pushed(set: ElementSet, rule: Rule, depth: f64) -> Result<f64, Failure> {
    let settings =
        FoundationSettings { distance: Distance::Minimum, along: Along::MovingNormal, rule, ..Default::default() };
    let material = LayerMaterial::linear(STIFFNESS * RADIUS, 0.0, Strain::Small)?;
    let floor = Arc::new(Plane::new(Vec3::zeros(), Vec3::y())?);
    let pair = FoundationPair::new(set, floor, material, settings)?;
    let pose = Pose::translation(Vec3::y() * (depth - RADIUS));
    Ok(-pair.evaluate(&mut pair.memory(), &pose, &Motion::ZERO)?.total.on_moving.f.y)
}

/// Curved elements over the bottom of the sphere.
fn bottom() -> Result<ElementSet, Failure> {
    let towards = -Vec3::y();
    let surface = ElementSurface::Sphere { centre: Vec3::zeros(), towards, along: Vec3::x(), radius: 0.5 * RADIUS };
    let grid = Grid { surface, first: (-0.5, 0.5), second: (-0.5, 0.5), counts: (30, 30) };
    let sphere = Sphere::new(Vec3::zeros(), RADIUS)?;
    Ok(grid.project("ball", &sphere, (0.0, RADIUS), &LayerThickness::Constant(RADIUS))?)
}

/// `k π R d²` by curved elements; OpenSim's number by its own facets and rule, and its difference from the sphere.
fn check_force(items: &mut Items, table: &Table) -> Result<(), Failure> {
    let mesh = TriangleMesh::icosphere(RADIUS, 4)?;
    for ((depth_mm, theirs), facets) in table.keys().into_iter().zip(table.column("force_n")).zip(FACET_FORCES) {
        let depth = 1e-3 * depth_mm;
        let ours = pushed(bottom()?, Rule::Adaptive, depth)?;
        let triangles = ElementSet::from_triangles("ball", mesh.vertices(), mesh.triangles(), RADIUS)?;
        let same = pushed(triangles, Rule::Centre, depth)?;
        items.relative(&format!("opensim.force_n.{depth_mm}mm"), ours, theirs, facets);
        items.relative(&format!("opensim.force_on_its_facets_n.{depth_mm}mm"), same, theirs, SAME_FACETS);
        let exact = STIFFNESS * PI * RADIUS * depth * depth;
        items.relative(&format!("elastic-foundation.force_n.{depth_mm}mm"), ours, exact, SPHERE_FORCE);
    }
    Ok(())
}
