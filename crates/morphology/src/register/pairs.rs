//! Matched points of two surfaces: samples of each and the closest points of the other that face the same way.

use wolff_geometry::{Normals, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::Vec3;

use super::similarity::Similarity;
use crate::MorphologyError;

/// A point and where it is on the other surface.
pub(super) type Pair = (Vec3, Vec3);

/// Part of the nearest pairs that is kept: the others have no counterpart.
const KEPT: f64 = 0.9;
/// Normals of matched points differ by less than this cosine.
const FACING: f64 = 0.4;

/// A surface with points spread evenly over it.
pub(super) struct Sampled {
    surface: TriangleSurface,
    /// Positions and normals.
    pub samples: Vec<(Vec3, Vec3)>,
}

impl Sampled {
    /// At most so many points, each for the same area, in the order of the triangles.
    ///
    /// # Errors
    /// When the surface has no closest points.
    pub fn new(mesh: TriangleMesh, count: usize) -> Result<Self, MorphologyError> {
        let surface = TriangleSurface::new(mesh, Normals::Facets)?;
        let samples = spread_by_area(surface.mesh(), count);
        Ok(Self { surface, samples })
    }

    pub fn closest(&self, x: &Vec3) -> Vec3 {
        self.surface.closest(x).map_or(*x, |found| found.position)
    }

    /// Pairs of points of a surface and of this one, in both ways, where the other is moved by a similarity.
    pub fn pairs(&self, other: &Sampled, moved: &Similarity) -> Vec<Pair> {
        let there = other.samples.iter().filter_map(|(x, normal)| {
            let x = moved.apply(x);
            let found = self.surface.closest(&x)?;
            (found.normal.dot(&(moved.rotation * normal)) > FACING).then_some((x, found.position))
        });
        let back = self.samples.iter().filter_map(|(y, normal)| {
            let found = other.surface.closest(&moved.back(y))?;
            (normal.dot(&(moved.rotation * found.normal)) > FACING).then_some((moved.apply(&found.position), *y))
        });
        [nearest(there.collect()), nearest(back.collect())].concat()
    }
}

/// The pairs without the farthest ones.
fn nearest(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_by(|a, b| (a.1 - a.0).norm().total_cmp(&(b.1 - b.0).norm()));
    pairs.truncate((KEPT * pairs.len() as f64).ceil() as usize);
    pairs
}

/// Points in equal steps of area along the triangles, within each triangle by an even sequence (Roberts 2018, the
/// plastic number).
fn spread_by_area(mesh: &TriangleMesh, count: usize) -> Vec<(Vec3, Vec3)> {
    const PLASTIC: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    let double_areas: Vec<Vec3> = (0..mesh.triangles().len())
        .map(|t| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(&(c - a))
        })
        .collect();
    let step = double_areas.iter().map(|n| n.norm()).sum::<f64>() / count.max(1) as f64;
    let (mut passed, mut samples) = (0.5 * step, Vec::with_capacity(count));
    for (t, double) in double_areas.iter().enumerate() {
        passed += double.norm();
        while passed >= step && step > 0.0 && samples.len() < count {
            passed -= step;
            let i = samples.len() as f64;
            let [mut u, mut v] = PLASTIC.map(|ratio| (i * ratio).fract());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let [a, b, c] = mesh.corners(t);
            samples.push((a + (b - a) * u + (c - a) * v, double.normalize()));
        }
    }
    samples
}
