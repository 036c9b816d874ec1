//! Time of closest points and rays on 5,120 triangles, cold and warm, on one thread.
//!
//! Mesh: an icosphere of radius 0.03 m, stretched by (1, 0.8, 1.3) to the size of a femoral condyle. Points: in uniform
//! directions, within 2 mm of the surface. Warm queries start from the answer for a point 0.1 mm away, as in a time step.
//!
//! Run with `cargo run --release -p wolff-geometry --example triangle_cost`.

use std::hint::black_box;
use std::time::Instant;

use wolff_geometry::{Normals, Place, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::{Mat3, Vec3};

const POINTS: usize = 200_000;
const STRETCH: [f64; 3] = [1.0, 0.8, 1.3];

fn main() -> Result<(), wolff_geometry::GeometryError> {
    let mesh = TriangleMesh::icosphere(0.03, 4)?.stretched(&Mat3::from_diagonal(&Vec3::from(STRETCH)))?;
    let started = Instant::now();
    let surface = TriangleSurface::new(mesh, Normals::Smooth)?;
    println!(
        "{} triangles, prepared in {:.1} ms",
        surface.mesh().triangles().len(),
        started.elapsed().as_secs_f64() * 1e3
    );

    let mut random = Random(1);
    let points: Vec<Vec3> = (0..POINTS).map(|_| near_surface(&mut random)).collect();
    let moved: Vec<Vec3> = points.iter().map(|p| p + random.direction() * 1e-4).collect();
    let places: Vec<Place> = points.iter().filter_map(|p| surface.closest(p)).map(|point| point.place).collect();
    let normals: Vec<Vec3> = points.iter().filter_map(|p| surface.closest(p)).map(|point| point.normal).collect();
    let range = (-0.005, 0.005);

    time("closest point, cold", |i| surface.closest(&points[i]).map(|x| x.position));
    time("closest point, warm", |i| surface.closest_from(&moved[i], &places[i]).map(|x| x.position));
    time("ray, cold", |i| surface.ray(&points[i], &normals[i], range).map(|x| x.point.position));
    time("ray, warm", |i| surface.ray_from(&moved[i], &normals[i], range, &places[i]).map(|x| x.point.position));

    let warm = |i: usize| surface.closest_from(&moved[i], &places[i]).map_or(0.0, |x| (x.position - moved[i]).norm());
    let cold = |i: usize| surface.closest(&moved[i]).map_or(0.0, |x| (x.position - moved[i]).norm());
    let apart = (0..POINTS).map(|i| (warm(i) - cold(i)).abs()).fold(0.0, f64::max);
    println!("warm and cold distances differ by {apart:.1e} m at most");
    let mean: f64 = points.iter().filter_map(|p| surface.closest(p).map(|x| (x.position - p).norm())).sum();
    println!("mean distance {:.6} mm", mean / POINTS as f64 * 1e3);
    Ok(())
}

/// Prints the time of a query: the best of some rounds for each short run of points, so that other programs do not count.
fn time(name: &str, query: impl Fn(usize) -> Option<Vec3>) {
    const RUN: usize = 500;
    const ROUNDS: usize = 7;
    let mut best = vec![f64::INFINITY; POINTS / RUN];
    for _ in 0..ROUNDS {
        for (run, best) in best.iter_mut().enumerate() {
            let started = Instant::now();
            for i in run * RUN..(run + 1) * RUN {
                black_box(query(i));
            }
            *best = best.min(started.elapsed().as_secs_f64());
        }
    }
    println!("{name:22} {:6.0} ns", best.iter().sum::<f64>() / POINTS as f64 * 1e9);
}

fn near_surface(random: &mut Random) -> Vec3 {
    let d = random.direction();
    d.component_mul(&Vec3::from(STRETCH)) * 0.03 + d * (0.004 * random.unit() - 0.002)
}

/// Uniform numbers by xorshift (Marsaglia 2003): the same on every machine.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform on the sphere: a point of the ball, pushed outwards.
    fn direction(&mut self) -> Vec3 {
        loop {
            let x = Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - Vec3::repeat(1.0);
            if x.norm_squared() <= 1.0 && x.norm_squared() > 1e-6 {
                return x.normalize();
            }
        }
    }
}
