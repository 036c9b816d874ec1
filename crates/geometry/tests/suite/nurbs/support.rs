//! Surfaces and points for the tests.

use wolff_geometry::nurbs::{KnotVector, NurbsPatchSet, NurbsSurface};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// A small generator of repeatable numbers in [0, 1) (a 64 bit linear congruence, upper bits).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}

/// A bicubic, gently wavy plate of 60 x 80 mm with 15 x 20 control points, turned and moved; waves of `height` [m].
pub fn wavy(seed: u64, height: f64, rational: bool) -> NurbsSurface {
    let mut numbers = Numbers(seed);
    let (nu, nv) = (15, 20);
    let u = KnotVector::uniform("plate", 3, nu - 3).unwrap();
    let v = KnotVector::uniform("plate", 3, nv - 3).unwrap();
    let mut points = Vec::new();
    for i in 0..nu {
        for j in 0..nv {
            let (x, y) = (0.06 * i as f64 / (nu - 1) as f64, 0.08 * j as f64 / (nv - 1) as f64);
            let z = height * (70.0 * x).sin() * (55.0 * y).cos() + 0.1 * height * numbers.between(-1.0, 1.0);
            points.push(Vec3::new(x, y, z));
        }
    }
    let weights: Vec<f64> = points.iter().map(|_| numbers.between(0.8, 1.3)).collect();
    let plate = NurbsSurface::new(u, v, &points, rational.then_some(&weights[..])).unwrap();
    plate.transformed(&pose(&mut numbers))
}

pub fn pose(numbers: &mut Numbers) -> Pose {
    Pose::new(Quaternion::from_rotation_vector(&numbers.vector(2.0)).matrix(), numbers.vector(0.1))
}

pub fn set(surface: &NurbsSurface) -> NurbsPatchSet {
    NurbsPatchSet::new(std::slice::from_ref(surface), 1e-9).unwrap()
}

/// Least distance of `p` from a dense sample of the surface [m]: never below the true distance.
pub fn sampled_distance(surface: &NurbsSurface, p: &Vec3, steps: usize) -> f64 {
    let ((u0, u1), (v0, v1)) = (surface.knots_u().domain(), surface.knots_v().domain());
    let at = |a: f64, b: f64, k: usize| a + (b - a) * k as f64 / steps as f64;
    let pairs = (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j)));
    pairs.map(|(i, j)| (surface.point(at(u0, u1, i), at(v0, v1, j)).unwrap() - p).norm()).fold(f64::INFINITY, f64::min)
}
