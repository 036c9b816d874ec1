//! Cost of the queries on a bicubic surface with 15 x 20 control points, in nanoseconds on one core.

use std::hint::black_box;
use std::time::Instant;
use wolff_geometry::nurbs::{KnotVector, NurbsPatchSet, NurbsSurface};
use wolff_geometry::{GeometryError, Surface, SurfacePoint};
use wolff_spatial::Vec3;

const QUERIES: usize = 4_000;
const STRETCH: usize = 200;

/// A condyle-like plate of 60 x 80 mm: curved with radii of 30 to 60 mm, slightly wavy.
fn plate(rational: bool) -> Result<NurbsSurface, GeometryError> {
    let (nu, nv) = (15, 20);
    let (u, v) = (KnotVector::uniform("plate", 3, nu - 3)?, KnotVector::uniform("plate", 3, nv - 3)?);
    let mut points = Vec::new();
    for k in 0..nu * nv {
        let (x, y) = (0.06 * (k / nv) as f64 / (nu - 1) as f64 - 0.03, 0.08 * (k % nv) as f64 / (nv - 1) as f64 - 0.04);
        let wave = 3e-4 * (200.0 * x).sin() * (150.0 * y).cos();
        points.push(Vec3::new(x, y, -x * x / 0.06 - y * y / 0.12 + wave));
    }
    let weights: Vec<f64> = (0..nu * nv).map(|k| 1.0 + 0.1 * (k as f64).sin()).collect();
    NurbsSurface::new(u, v, &points, rational.then_some(&weights[..]))
}

/// A path over the surface at a height [m]; neighbouring points are about 0.1 mm apart.
fn path(surface: &NurbsSurface, height: f64) -> Vec<(Vec3, Vec3)> {
    let at = |k: usize| {
        let angle = 4e-3 * k as f64;
        let (u, v) = (0.5 + 0.35 * angle.cos(), 0.5 + 0.35 * (1.618 * angle).sin());
        let normal = surface.normal(u, v).unwrap_or_else(Vec3::z);
        (surface.point(u, v).unwrap_or_default() + normal * height, normal)
    };
    (0..QUERIES).map(at).collect()
}

/// Mean over short stretches of the path of the best of twenty passes [ns per query]: other load hardly shows.
fn cost<T>(items: &[T], mut query: impl FnMut(&T)) -> f64 {
    let mut total = 0.0;
    for stretch in items.chunks(STRETCH) {
        let passes = (0..20).map(|_| {
            let start = Instant::now();
            stretch.iter().for_each(&mut query);
            start.elapsed().as_nanos() as f64
        });
        total += passes.fold(f64::INFINITY, f64::min);
    }
    total / items.len() as f64
}

fn report(name: &str, surface: &NurbsSurface, patches: &[NurbsSurface]) -> Result<(), GeometryError> {
    let set = NurbsPatchSet::new(patches, 1e-9)?;
    let places: Vec<_> = path(surface, 0.0).iter().filter_map(|(p, _)| set.closest(p)).collect();
    let evaluation = cost(&places, |SurfacePoint { place, .. }| {
        black_box(set.jet_at(place));
    });
    println!("{name}: {} patches, evaluation with second derivatives {evaluation:.0} ns", set.patches().len());
    for height in [1e-3, -1e-3, 8e-3] {
        let points = path(surface, height);
        let range = (-0.02, 0.02);
        let cold = cost(&points, |(p, _)| {
            black_box(set.closest(p));
        });
        let cold_ray = cost(&points, |(p, n)| {
            black_box(set.ray(p, n, range));
        });
        let mut place = places[0].place;
        let warm = cost(&points, |(p, _)| {
            place = black_box(set.closest_from(p, &place)).map_or(place, |found| found.place);
        });
        let warm_ray = cost(&points, |(p, n)| {
            place = black_box(set.ray_from(p, n, range, &place)).map_or(place, |hit| hit.point.place);
        });
        let mm = height * 1e3;
        println!(
            "  {mm:4.0} mm off: closest cold {cold:.0}, warm {warm:.0}; ray cold {cold_ray:.0}, warm {warm_ray:.0} ns"
        );
    }
    Ok(())
}

fn main() -> Result<(), GeometryError> {
    for rational in [false, true] {
        let surface = plate(rational)?;
        report(if rational { "rational" } else { "polynomial" }, &surface, std::slice::from_ref(&surface))?;
    }
    let surface = plate(false)?;
    for (rows, columns) in [(3, 4), (8, 12)] {
        report(&format!("split into {}", rows * columns), &surface, &surface.split(rows, columns)?)?;
    }
    let sphere = NurbsSurface::sphere(Vec3::zeros(), 0.025)?;
    report("sphere", &sphere, std::slice::from_ref(&sphere))
}
