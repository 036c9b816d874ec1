//! Exact rational surfaces: points, derivatives, normals, closest points, lines and the gap of two spheres. Lengths in
//! mm.

use super::items::{Failure, Items};
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_geometry::nurbs::{NurbsPatchSet, NurbsSurface};
use wolff_geometry::{Place, Surface, SurfacePoint};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// Absolute tolerance \[mm\], also of derivatives.
const EXACT: f64 = 1e-10;

/// Edges closer than this are merged \[mm\].
const SAME_EDGE: f64 = 1e-9;

const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The other sphere of the gap: centre and radius.
const OTHER: ([f64; 3], f64) = ([30.0, 20.0, -18.0], 20.0);

#[derive(Deserialize)]
struct Reference {
    source: String,
    surfaces: BTreeMap<String, Case>,
    two_spheres_gap: f64,
}

#[derive(Deserialize)]
struct Case {
    points: Vec<Evaluation>,
    closest: Vec<Closest>,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Evaluation {
    u: f64,
    v: f64,
    point: [f64; 3],
    along_u: [f64; 3],
    along_v: [f64; 3],
    normal: [f64; 3],
}

#[derive(Deserialize)]
struct Closest {
    query: [f64; 3],
    point: [f64; 3],
    distance: f64,
    normal: [f64; 3],
}

#[derive(Deserialize)]
struct Line {
    origin: [f64; 3],
    direction: [f64; 3],
    t: Vec<f64>,
    points: Vec<[f64; 3]>,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/nurbs.json"))?;
    items.cite(&reference.source);
    for (name, case) in &reference.surfaces {
        let surface = surface(name)?;
        let set = NurbsPatchSet::new(std::slice::from_ref(&surface), SAME_EDGE)?;
        for (i, row) in case.points.iter().enumerate() {
            check_point(items, &format!("{name}.at.{}", i + 1), &surface, row)?;
        }
        for (i, row) in case.closest.iter().enumerate() {
            check_closest(items, &format!("{name}.closest.{}", i + 1), &set, row)?;
        }
        for (i, row) in case.lines.iter().enumerate() {
            check_line(items, &format!("{name}.line.{}", i + 1), &set, row)?;
        }
    }
    items.check("two_spheres.gap_mm", gap()?, reference.two_spheres_gap, EXACT);
    Ok(())
}

fn surface(name: &str) -> Result<NurbsSurface, Failure> {
    match name {
        "sphere" => Ok(NurbsSurface::sphere(Vec3::zeros(), 25.0)?),
        "torus" => Ok(NurbsSurface::torus(Vec3::zeros(), 30.0, 8.0)?),
        "cylinder" => {
            let cylinder = NurbsSurface::cylinder(Vec3::zeros(), Vec3::z() * 40.0, 12.0)?;
            // the parameter of the reference starts on +x
            let start = cylinder.point(0.0, 0.0).ok_or("a cylinder without a first point")?;
            let turn = Quaternion::from_rotation_vector(&(Vec3::z() * -start.y.atan2(start.x)));
            Ok(cylinder.transformed(&Pose::new(turn.matrix(), Vec3::zeros())))
        }
        _ => Err(format!("unknown surface `{name}`").into()),
    }
}

fn compare(items: &mut Items, id: &str, ours: &Vec3, reference: &[f64; 3]) {
    items.lists(id, ours.as_slice(), reference, |_| EXACT);
}

fn check_point(items: &mut Items, case: &str, surface: &NurbsSurface, row: &Evaluation) -> Result<(), Failure> {
    let jet = surface.jet(row.u, row.v).ok_or("the parameters are outside the surface")?;
    let normal = surface.normal(row.u, row.v).ok_or("there is no normal")?;
    compare(items, &format!("{case}.point_mm"), &jet.s, &row.point);
    compare(items, &format!("{case}.along_u"), &jet.su, &row.along_u);
    compare(items, &format!("{case}.along_v"), &jet.sv, &row.along_v);
    compare(items, &format!("{case}.normal"), &normal, &row.normal);
    Ok(())
}

/// Without a start, and from the middle of every patch: the search must cross the seams.
fn check_closest(items: &mut Items, case: &str, set: &NurbsPatchSet, row: &Closest) -> Result<(), Failure> {
    let p = Vec3::from(row.query);
    let mut found = vec![set.closest(&p).ok_or("there is no closest point")?];
    for patch in 0..set.patches().len() as u32 {
        found.push(set.closest_from(&p, &Place { patch, u: 0.4, v: 0.7 }).ok_or("there is no closest point")?);
    }
    let mut each = |quantity: &str, of: &dyn Fn(&SurfacePoint) -> Vec3, reference: &[f64; 3]| {
        let ours: Vec<f64> = found.iter().flat_map(|f| of(f).iter().copied().collect::<Vec<_>>()).collect();
        items.lists(&format!("{case}.{quantity}"), &ours, &reference.repeat(found.len()), |_| EXACT);
    };
    each("point_mm", &|f| f.position, &row.point);
    each("normal", &|f| f.normal, &row.normal);
    let distances = found.iter().map(|f| (f.signed_distance(&p), row.distance));
    items.worst(&format!("{case}.distance_mm"), distances, |_| EXACT);
    Ok(())
}

/// All intersections, and the first one by ray firing.
fn check_line(items: &mut Items, case: &str, set: &NurbsPatchSet, row: &Line) -> Result<(), Failure> {
    let (origin, direction) = (Vec3::from(row.origin), Vec3::from(row.direction));
    let hits = set.all_hits(&origin, &direction, EVERYWHERE);
    let t: Vec<f64> = hits.iter().map(|h| h.t).collect();
    let points: Vec<f64> = hits.iter().flat_map(|h| h.point.position.iter().copied().collect::<Vec<_>>()).collect();
    items.lists(&format!("{case}.t_mm"), &t, &row.t, |_| EXACT);
    items.lists(&format!("{case}.points_mm"), &points, &row.points.concat(), |_| EXACT);
    let first = set.ray(&origin, &direction, EVERYWHERE).ok_or("the line does not intersect the surface")?.t;
    let least = row.t.iter().copied().min_by(|a, b| a.abs().total_cmp(&b.abs())).ok_or("there are no intersections")?;
    items.check(&format!("{case}.first_mm"), first, least, EXACT);
    Ok(())
}

/// Minimum distance of two overlapping spheres: the deepest point of one in the other, found by iteration along the
/// normals.
fn gap() -> Result<f64, Failure> {
    let centre = Vec3::from(OTHER.0);
    let one = NurbsPatchSet::new(&[NurbsSurface::sphere(Vec3::zeros(), 25.0)?], SAME_EDGE)?;
    let other = NurbsPatchSet::new(&[NurbsSurface::sphere(centre, OTHER.1)?], SAME_EDGE)?;
    let mut p = other.closest(&Vec3::zeros()).ok_or("there is no closest point")?.position;
    for _ in 0..50 {
        let normal = one.closest(&p).ok_or("there is no closest point")?.normal;
        p = other.closest(&(centre - normal * 100.0)).ok_or("there is no closest point")?.position;
    }
    Ok(one.closest(&p).ok_or("there is no closest point")?.signed_distance(&p))
}
