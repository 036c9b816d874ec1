//! Elastic foundations: pressure laws, a sphere on a layer and in a socket, grids, and two definitions of distance on a
//! knee.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use crate::knee::Knee;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use wolff_contact::foundation::exact::{SphereInSocket, SphereOnLayer, SphereState};
use wolff_contact::foundation::material::confinement;
use wolff_contact::foundation::{
    Along, Distance, ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial,
    LayerThickness, PatchResult, Reading, Rule, Strain,
};
use wolff_geometry::{Plane, Sphere, Surface};
use wolff_spatial::{Motion, Pose, Vec3};

/// Relative tolerance of quadratures, inverted or not, which is the accuracy of the reference.
const QUADRATURE: f64 = 1e-8;

/// Relative tolerance of the rule of the paper on the same grid, and of pressures.
const SAME_RULE: f64 = 1e-10;

/// Relative tolerances of a socket of 12 x 12 and of 60 x 60 elements; twice these for areas.
const SOCKET_GRIDS: [(usize, f64); 2] = [(12, 1e-3), (60, 2e-6)];

/// Relative difference between minimum distance and ray firing on a knee, corrected to the midsurface.
const BOTH_WAYS: f64 = 1e-3;

const MM: f64 = 1e-3;
const MPA: f64 = 1e6;

/// Default sphere and layer \[m\], and position of the axis of the sphere over the grids.
const RADIUS: f64 = 30.0 * MM;
const THICKNESS: f64 = 8.0 * MM;
const AXIS: (f64, f64) = (1.3 * MM, -0.7 * MM);

/// Cartilage: sphere and both layers together \[m\].
const CARTILAGE: (f64, f64) = (25.0 * MM, 4.0 * MM);

/// Sphere and socket \[m\].
const SOCKET: (f64, f64) = (22.0 * MM, 22.3 * MM);

#[derive(Deserialize)]
struct Reference {
    source: String,
    modulus_mpa: Numbers,
    pressure_mpa: Table,
    sphere_on_layer: BTreeMap<String, Table>,
    closed_form: Table,
    cartilage: BTreeMap<String, Table>,
    under_force: BTreeMap<String, UnderForce>,
    grids: Grids,
    socket: Vec<Socket>,
}

/// States by law; the sphere is that of [`RADIUS`] unless another is given.
#[derive(Deserialize)]
struct UnderForce {
    radius_mm: Option<f64>,
    states: BTreeMap<String, Numbers>,
}

#[derive(Deserialize)]
struct Grids {
    centre: Table,
    exact: Numbers,
}

#[derive(Deserialize)]
struct Socket {
    law: String,
    method: String,
    indentation_mm: f64,
    half_angle_rad: f64,
    area_mm2: f64,
    force_n: f64,
    peak_mpa: f64,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/foundation.json"))?;
    items.cite(&reference.source);
    check_materials(items, &reference)?;
    for (name, table) in &reference.sphere_on_layer {
        let sphere = SphereOnLayer::new(RADIUS, THICKNESS, law(name)?)?;
        check_sphere(items, &format!("sphere_on_layer.{name}"), &sphere, table, QUADRATURE);
    }
    // without quadrature there are only rounding errors
    let sphere = SphereOnLayer::new(RADIUS, THICKNESS, law("linear-small")?)?;
    check_sphere(items, "closed_form", &sphere, &reference.closed_form, 1e-12);
    for (name, table) in &reference.cartilage {
        let strain = if name == "linear-large" { Strain::Large } else { Strain::Small };
        let sphere = SphereOnLayer::new(CARTILAGE.0, CARTILAGE.1, cartilage(strain)?)?;
        check_sphere(items, &format!("cartilage.{name}"), &sphere, table, QUADRATURE);
    }
    for (name, case) in &reference.under_force {
        check_under_force(items, name, case)?;
    }
    check_grids(items, &reference.grids)?;
    for row in &reference.socket {
        check_socket(items, row)?;
    }
    check_wedges(items)?;
    check_knee(items)
}

/// Polyethylene by the name of its law: elasticity and strain.
fn law(name: &str) -> Result<LayerMaterial, Failure> {
    let (elasticity, strain) = name.split_once('-').ok_or("the name of the law has no strain")?;
    let strain = if strain == "large" { Strain::Large } else { Strain::Small };
    let reading = match elasticity {
        "linear" => return Ok(LayerMaterial::linear(463.0 * MPA, 0.46, strain)?),
        "tangent" => Reading::Tangent,
        "secant" => Reading::Secant,
        "uniaxial" => Reading::Uniaxial,
        _ => return Err(format!("unknown law `{name}`").into()),
    };
    Ok(LayerMaterial::nonlinear((0.0597, 18.4 * MPA, 3.0), 0.46, reading, strain)?)
}

fn cartilage(strain: Strain) -> Result<LayerMaterial, Failure> {
    Ok(LayerMaterial::linear(4.0 * MPA, 0.45, strain)?)
}

fn check_materials(items: &mut Items, reference: &Reference) -> Result<(), Failure> {
    let polyethylene = law("linear-small")?.modulus_at_rest();
    let cartilage = cartilage(Strain::Small)?.modulus_at_rest();
    // the modulus of the nonlinear law does not include the factor of confinement
    let nonlinear = law("tangent-small")?.modulus_at_rest() / confinement(0.46)?;
    items.named(
        "modulus_mpa",
        &reference.modulus_mpa,
        |_, x| SAME_RULE * x,
        |name| match name {
            "polyethylene" => Some(polyethylene / MPA),
            "cartilage" => Some(cartilage / MPA),
            "nonlinear_at_rest" => Some(nonlinear / MPA),
            _ => None,
        },
    );
    let table = &reference.pressure_mpa;
    for name in table.columns.iter().skip(1) {
        let law = law(name)?;
        let ours: Vec<f64> = table.keys().iter().map(|x| law.pressure(x * THICKNESS, THICKNESS) / MPA).collect();
        items.lists(&format!("pressure_mpa.{name}"), &ours, &table.column(name), |x| SAME_RULE * x);
    }
    Ok(())
}

/// A number of a sphere's state by its name.
fn of_state(state: &SphereState, name: &str) -> Option<f64> {
    match name {
        "indentation_mm" => Some(state.indentation / MM),
        "radius_mm" => Some((state.area / std::f64::consts::PI).sqrt() / MM),
        "area_mm2" => Some(state.area / (MM * MM)),
        "force_n" => Some(state.force),
        "peak_mpa" => Some(state.peak_pressure / MPA),
        "mean_mpa" => Some(state.force / state.area / MPA),
        _ => None,
    }
}

fn check_sphere(items: &mut Items, case: &str, sphere: &SphereOnLayer, table: &Table, tolerance: f64) {
    let states: Vec<SphereState> = table.keys().iter().map(|delta| sphere.state(delta * MM)).collect();
    let value = |row: usize, column: &str| of_state(states.get(row)?, column);
    items.history(&format!("{case}."), table, |_, x| tolerance * x, value);
}

fn check_under_force(items: &mut Items, case: &str, reference: &UnderForce) -> Result<(), Failure> {
    let radius = reference.radius_mm.map_or(RADIUS, |r| r * MM);
    for (name, numbers) in &reference.states {
        let force = *numbers.get("force_n").ok_or("the state has no force")?;
        let state = SphereOnLayer::new(radius, THICKNESS, law(name)?)?.under_force(force)?;
        let case = format!("under_force.{case}.{name}");
        items.named(&case, numbers, |_, x| QUADRATURE * x, |name| of_state(&state, name));
    }
    Ok(())
}

/// The flat layer z ≤ 0 with `n` by `n` elements within 6 mm of the origin.
fn layer(n: usize) -> Result<ElementSet, Failure> {
    let plane = Plane::new(Vec3::zeros(), Vec3::z())?;
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let grid = Grid { surface, first: (-6.0 * MM, 6.0 * MM), second: (-6.0 * MM, 6.0 * MM), counts: (n, n) };
    Ok(grid.project("layer", &plane, (-1.0, 1.0), &LayerThickness::Constant(THICKNESS))?)
}

/// The sphere 0.2 mm deep in `n` by `n` elements; the layer is strained along its normal.
fn on_grid(n: usize, rule: Rule) -> Result<PatchResult, Failure> {
    let settings =
        FoundationSettings { distance: Distance::Ray, along: Along::FixedNormal, rule, ..Default::default() };
    let ball = Arc::new(Sphere::new(Vec3::zeros(), RADIUS)?);
    let pair = FoundationPair::new(layer(n)?, ball, law("linear-small")?, settings)?;
    let pose = Pose::translation(Vec3::new(AXIS.0, AXIS.1, RADIUS - 0.2 * MM));
    Ok(pair.evaluate(&mut pair.memory(), &pose, &Motion::ZERO)?.total)
}

/// A number of a contact on the layer by its name; moments act on the layer.
fn of_patch(patch: &PatchResult, name: &str) -> Option<f64> {
    match name {
        "force_n" => Some(patch.on_moving.f.z),
        "area_mm2" => Some(patch.area / (MM * MM)),
        "peak_mpa" => Some(patch.peak_pressure / MPA),
        "mx_n_mm" => Some(-patch.on_moving.n.x / MM),
        "my_n_mm" => Some(-patch.on_moving.n.y / MM),
        _ => None,
    }
}

/// The rule of the paper on its grids, to rounding, and the order of convergence of the adaptive rule.
fn check_grids(items: &mut Items, reference: &Grids) -> Result<(), Failure> {
    let mut patches = Vec::new();
    for n in reference.centre.keys() {
        patches.push(on_grid(n as usize, Rule::Centre)?);
    }
    let value = |row: usize, column: &str| of_patch(patches.get(row)?, column);
    items.history("centre_rule.", &reference.centre, |_, x| SAME_RULE * x, value);

    // four halvings: 10 elements are six across the contact
    let (coarse, fine) = (on_grid(10, Rule::Adaptive)?, on_grid(160, Rule::Adaptive)?);
    let error = |patch: &PatchResult, name: &str, exact: f64| of_patch(patch, name).map(|x| (x / exact - 1.0).abs());
    for (name, &exact) in &reference.exact {
        let ours = of_patch(&fine, name).ok_or("unknown quantity")?;
        items.relative(&format!("adaptive_rule.{name}"), ours, exact, 1e-9);
        let errors = error(&coarse, name, exact).zip(error(&fine, name, exact));
        let (rough, good) = errors.ok_or("unknown quantity")?;
        items.check(&format!("adaptive_rule.10_elements.{name}_error"), rough, 0.0, 5e-5);
        // the peak is exact on every grid; the edge of the contact converges one order slower than the interior
        let expected = match name.as_str() {
            "peak_mpa" => continue,
            "area_mm2" => 3.0,
            _ => 4.0,
        };
        // a higher order than expected is accepted
        let order = (rough / good).log2() / 4.0;
        items.check(&format!("adaptive_rule.order.{name}"), order.min(expected), expected, 0.3);
    }
    Ok(())
}

fn method(name: &str) -> Result<(Distance, Along), Failure> {
    match name {
        "ray" => Ok((Distance::Ray, Along::FixedNormal)),
        "mindist" => Ok((Distance::Minimum, Along::FixedNormal)),
        "midsurface" => Ok((Distance::Minimum, Along::Midsurface)),
        _ => Err(format!("unknown method `{name}`").into()),
    }
}

/// The socket around the origin, open upwards, with `n` by `n` elements.
fn socket(n: usize) -> Result<ElementSet, Failure> {
    let cavity = Sphere::cavity(Vec3::zeros(), SOCKET.1)?;
    let radius = 0.5 * SOCKET.1;
    let surface = ElementSurface::Sphere { centre: Vec3::zeros(), towards: -Vec3::z(), along: Vec3::x(), radius };
    let grid = Grid { surface, first: (-0.8, 0.8), second: (-0.8, 0.8), counts: (n, n) };
    Ok(grid.project("socket", &cavity, (0.0, SOCKET.1), &LayerThickness::Constant(THICKNESS))?)
}

fn check_socket(items: &mut Items, row: &Socket) -> Result<(), Failure> {
    let case = format!("socket.{}.{}.{}mm", row.law, row.method, row.indentation_mm);
    let (distance, along) = method(&row.method)?;
    let (law, delta) = (law(&row.law)?, row.indentation_mm * MM);
    let exact = SphereInSocket::new(SOCKET.0, SOCKET.1, THICKNESS, law)?;
    let state = exact.state(delta, distance, along);
    items.relative(&format!("{case}.force_n"), state.force, row.force_n, QUADRATURE);
    items.relative(&format!("{case}.area_mm2"), state.area / (MM * MM), row.area_mm2, QUADRATURE);
    items.relative(&format!("{case}.peak_mpa"), state.peak_pressure / MPA, row.peak_mpa, QUADRATURE);
    items.relative(&format!("{case}.half_angle_rad"), exact.half_angle(delta), row.half_angle_rad, QUADRATURE);
    for (n, tolerance) in SOCKET_GRIDS {
        let settings = FoundationSettings { distance, along, ..Default::default() };
        let ball = Arc::new(Sphere::new(Vec3::zeros(), SOCKET.0)?);
        let pair = FoundationPair::new(socket(n)?, ball, law, settings)?;
        let pose = Pose::translation(-Vec3::z() * (SOCKET.1 - SOCKET.0 + delta));
        let patch = pair.evaluate(&mut pair.memory(), &pose, &Motion::ZERO)?.total;
        items.relative(&format!("{case}.{n}x{n}.force_n"), patch.on_moving.f.z, row.force_n, tolerance);
        items.relative(&format!("{case}.{n}x{n}.area_mm2"), patch.area / (MM * MM), row.area_mm2, 2.0 * tolerance);
    }
    Ok(())
}

/// A flat body under an even overlap on a layer that thickens along x, between a plane and the surface behind it.
///
/// `F = k d b/s ln((h + s l)/(h - s l))`, `p = k d/(h - s l)`: h thickness in the middle, s slope, 2 l and b length and
/// width. And a ball on the same wedge: its largest strain `(d - x²/(2 R))/(h + s x)` is beside the deepest point.
fn check_wedges(items: &mut Items) -> Result<(), Failure> {
    items.cite("closed forms of a wedge of springs");
    let (h, s, l, d) = (3.0 * MM, 0.2, 6.0 * MM, 0.1 * MM);
    let law = law("linear-small")?;
    let k = law.modulus_at_rest();
    let (front, back) = (Plane::new(Vec3::zeros(), Vec3::z())?, Plane::new(-Vec3::z() * h, Vec3::new(s, 0.0, 1.0))?);
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let pressed = |n: usize, moving: Arc<dyn Surface>, pose: Vec3| {
        let grid = Grid { surface, first: (-l, l), second: (-l, l), counts: (n, n) };
        let layer = LayerThickness::ToBack { back: &back, reach: 1.0, least: 0.0 };
        let settings = FoundationSettings { distance: Distance::Ray, along: Along::FixedNormal, ..Default::default() };
        let pair = FoundationPair::new(grid.project("wedge", &front, (-1.0, 1.0), &layer)?, moving, law, settings)?;
        Ok::<PatchResult, Failure>(pair.evaluate(&mut pair.memory(), &Pose::translation(pose), &Motion::ZERO)?.total)
    };
    let plate: Arc<dyn Surface> = Arc::new(Plane::new(Vec3::zeros(), -Vec3::z())?);
    let flat = pressed(12, plate, -Vec3::z() * d)?;
    let force = k * d * 2.0 * l / s * ((h + s * l) / (h - s * l)).ln();
    items.relative("wedge.plate.force_n", flat.normal_force, force, 1e-5);
    items.relative("wedge.plate.peak_mpa", flat.peak_pressure / MPA, k * d / (h - s * l) / MPA, 1e-9);
    // d/dx of the strain vanishes where s x² /(2 R) + h x/R + s d = 0
    let x = (-h + (h * h - 2.0 * RADIUS * s * s * d).sqrt()) / s;
    let strain = (d - x * x / (2.0 * RADIUS)) / (h + s * x);
    for n in [16, 18, 20, 22, 24, 30] {
        let ball = Arc::new(Sphere::new(Vec3::zeros(), RADIUS)?);
        let found = pressed(n, ball, Vec3::z() * (RADIUS - d))?;
        // the parabola stands for the circle up to x²/(4 R²)
        items.relative(&format!("wedge.ball.{n}x{n}.peak_strain"), found.peak_strain, strain, 1e-5);
    }
    Ok(())
}

/// Minimum distance against ray firing: NURBS condyles in hollow plateaus, standing and flexed.
fn check_knee(items: &mut Items) -> Result<(), Failure> {
    items.cite("ray firing, corrected to the same midsurface");
    let knee = Knee::new()?;
    for (name, strain, flexion, depth) in
        [("standing", Strain::Small, 0.0, 0.3 * MM), ("flexed", Strain::Large, 1.0, 0.2 * MM)]
    {
        let force = |distance: Distance| {
            let settings = FoundationSettings { distance, along: Along::Midsurface, ..Default::default() };
            let pair = knee.pair((30, 30), LayerMaterial::linear(463.0 * MPA, 0.46, strain)?, settings)?;
            let pose = knee.pose(flexion, depth);
            Ok::<PatchResult, Failure>(pair.evaluate(&mut pair.memory(), &pose, &Motion::ZERO)?.total)
        };
        let (nearest, ray) = (force(Distance::Minimum)?, force(Distance::Ray)?);
        for (quantity, ours, theirs) in [
            ("force_n", nearest.normal_force, ray.normal_force),
            ("vertical_n", nearest.on_moving.f.y, ray.on_moving.f.y),
            ("area_mm2", nearest.area / (MM * MM), ray.area / (MM * MM)),
            ("peak_mpa", nearest.peak_pressure / MPA, ray.peak_pressure / MPA),
        ] {
            items.relative(&format!("minimum_distance_and_ray.{name}.{quantity}"), ours, theirs, BOTH_WAYS);
        }
    }
    Ok(())
}
