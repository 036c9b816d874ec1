//! Spheres through points.

use nalgebra::{Matrix4, Vector4};
use wolff_spatial::Vec3;

/// A sphere and how well points lie on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereFit {
    /// Centre.
    pub centre: Vec3,
    /// Radius.
    pub radius: f64,
    /// Root-mean-square distance of the points from it.
    pub residual: f64,
    /// Points that were used.
    pub points: usize,
}

/// The sphere with the least sum of `(|x - c|² - R²)²`: linear in c and R² - |c|² (Coope 1993, J. Optim. Theory Appl.
/// 76, 381-388). `None` for fewer than four points or points in a plane.
pub fn sphere(points: &[Vec3]) -> Option<SphereFit> {
    let n = points.len() as f64;
    let middle = points.iter().sum::<Vec3>() / n;
    let (mut a, mut b) = (Matrix4::zeros(), Vector4::zeros());
    for x in points.iter().map(|x| x - middle) {
        let row = Vector4::new(2.0 * x.x, 2.0 * x.y, 2.0 * x.z, 1.0);
        a += row * row.transpose();
        b += row * x.norm_squared();
    }
    let solution = (points.len() >= 4).then(|| a.lu().solve(&b)).flatten()?;
    let c = solution.xyz();
    let radius = (solution.w + c.norm_squared()).sqrt();
    if !(radius.is_finite() && radius > 0.0) {
        return None;
    }
    let centre = middle + c;
    let square: f64 = points.iter().map(|x| ((x - centre).norm() - radius).powi(2)).sum();
    Some(SphereFit { centre, radius, residual: (square / n).sqrt(), points: points.len() })
}

/// The sphere of a round part of a surface: fitted to the points near it on the side of `facing`, again and again.
///
/// `start` is a first guess. Points count within a tenth of the radius of the last sphere, at first within a quarter,
/// and at most so far behind the centre, against `facing`, as `behind` radii.
pub fn cap(points: &[Vec3], start: (Vec3, f64), facing: &Vec3, behind: f64) -> Option<SphereFit> {
    const ROUNDS: usize = 24;
    let (mut centre, mut radius) = start;
    let mut found = None;
    for round in 0..ROUNDS {
        let band = if round < 6 { 0.25 } else { 0.10 };
        let near = |x: &&Vec3| {
            let d = *x - centre;
            (d.norm() - radius).abs() < band * radius && d.dot(facing) > -behind * radius
        };
        let fit = sphere(&points.iter().filter(near).copied().collect::<Vec<_>>())?;
        // a cap that runs away is none
        if !(fit.radius > 0.4 * start.1 && fit.radius < 2.5 * start.1) {
            return None;
        }
        (centre, radius) = (fit.centre, fit.radius);
        found = Some(fit);
    }
    found
}
