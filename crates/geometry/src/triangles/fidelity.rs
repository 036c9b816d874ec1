//! How well flat triangles show a curved surface, and whether it has holes.

use super::mesh::{TriangleMesh, double_area};
use wolff_spatial::Vec3;

/// Rims shorter than this part of the longest one are holes: the rims of articular sheets are of similar length.
const HOLE: f64 = 0.2;

impl TriangleMesh {
    /// Typical distance between the flat triangles and the curved surface on which their corners lie \[m\]: the median
    /// by area over all triangles. Zero of a mesh without neighbours.
    ///
    /// ```text
    /// g = A κ / (2 √3)
    /// ```
    /// A area of a triangle \[m²\], κ curvature there [1/m]: the angle between its normal and that of a neighbour over
    /// the distance of their centres, the mean over the neighbours. For a regular triangle on a sphere, g is the mean
    /// gap.
    pub fn facet_gap(&self) -> f64 {
        let Ok(topology) = self.topology() else { return 0.0 };
        let count = self.triangles().len();
        let centre = |t: usize| self.corners(t).iter().sum::<Vec3>() / 3.0;
        let doubled = |t: usize| double_area(&self.corners(t));
        let mut gaps = Vec::with_capacity(count);
        for (t, neighbours) in topology.neighbours().iter().enumerate().take(count) {
            let (own, here) = (doubled(t), centre(t));
            let curvature = |other: usize| {
                let theirs = doubled(other);
                own.cross(&theirs).norm().atan2(own.dot(&theirs)) / (centre(other) - here).norm()
            };
            let all: Vec<f64> = neighbours.iter().flatten().map(|other| curvature(*other as usize)).collect();
            if !all.is_empty() {
                let area = 0.5 * own.norm();
                gaps.push((area * all.iter().sum::<f64>() / all.len() as f64 / 12f64.sqrt(), area));
            }
        }
        gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = 0.5 * gaps.iter().map(|(_, area)| area).sum::<f64>();
        let mut below = 0.0;
        let median = gaps.iter().find(|(_, area)| {
            below += area;
            below >= half
        });
        median.map_or(0.0, |(gap, _)| *gap)
    }

    /// Number of holes: rims that are much shorter than the longest one.
    pub fn holes(&self) -> usize {
        let Ok(topology) = self.topology() else { return 0 };
        let place = |v: u32| self.vertices().get(v as usize).copied().unwrap_or_default();
        let length = |rim: &Vec<u32>| -> f64 {
            let next = rim.iter().cycle().skip(1);
            rim.iter().zip(next).map(|(&a, &b)| (place(a) - place(b)).norm()).sum()
        };
        let lengths: Vec<f64> = topology.rims().iter().map(length).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        lengths.iter().filter(|length| **length < HOLE * longest).count()
    }
}
