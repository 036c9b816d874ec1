//! The outline of a section of a mesh, seen from its centroid.

use nalgebra::{Matrix2, Vector2};
use wolff_spatial::Vec3;

use crate::BoneError;
use crate::person::Solid;

/// A section as the segments that a plane across the segment cuts from the surface, curved faces divided into flat
/// triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    /// Centroid of the bone's section \[m\].
    pub centroid: Vec3,
    /// Segments, anterior and lateral of the centroid \[m\]; outer surface and canal.
    segments: Vec<[Vector2<f64>; 2]>,
    lateral: f64,
}

/// Each edge of a curved face is divided into this many: the chords of 12 elements around a section then miss 0.3 %
/// of its area.
const CURVED_PARTS: usize = 4;

impl Contour {
    /// Cuts a solid at a fraction of the bone.
    ///
    /// # Errors
    /// When the fraction is outside 0 to 1 or no section is cut.
    pub fn new(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let centroid = solid.section(fraction)?.centroid;
        let lateral = solid.side.outward();
        let at = |node: usize| {
            let d = solid.mesh.nodes()[node] - centroid;
            Vec3::new(d.x, lateral * d.z, d.y)
        };
        let mut segments = Vec::new();
        for face in solid.faces() {
            let nodes: Vec<Vec3> = face.nodes.iter().map(|&node| at(node)).collect();
            if nodes.iter().all(|p| p.z > MARGIN) || nodes.iter().all(|p| p.z < -MARGIN) {
                continue;
            }
            segments.extend(flat_parts(&nodes).iter().filter_map(cut));
        }
        Ok(Contour { centroid, segments, lateral })
    }

    /// The segments of the outline, anterior and lateral of the centroid \[m\]; outer surface and canal.
    pub fn segments(&self) -> &[[Vector2<f64>; 2]] {
        &self.segments
    }

    /// Direction of lateral along z: 1 on the right, -1 on the left.
    pub fn lateral(&self) -> f64 {
        self.lateral
    }

    /// Distances from the centroid to the innermost and the outermost surface at an angle from anterior towards
    /// lateral \[rad\], \[m\].
    ///
    /// # Errors
    /// When the ray does not meet a surface.
    pub fn radii(&self, angle: f64) -> Result<[f64; 2], BoneError> {
        let ray = Vector2::new(angle.cos(), angle.sin());
        let hits = self.segments.iter().filter_map(|segment| crossing(&ray, segment));
        let (low, high) = hits.fold((f64::INFINITY, 0.0_f64), |(low, high), r| (low.min(r), high.max(r)));
        if high > 0.0 {
            return Ok([low, high]);
        }
        Err(BoneError::invalid("contour", format!("no surface is visible from the centroid at {angle} rad")))
    }

    /// The outermost point at an angle \[m\].
    ///
    /// # Errors
    /// As [`Contour::radii`].
    pub fn outer(&self, angle: f64) -> Result<Vec3, BoneError> {
        let [_, r] = self.radii(angle)?;
        Ok(self.centroid + Vec3::new(r * angle.cos(), 0.0, self.lateral * r * angle.sin()))
    }

    /// The angle that divides the arc of the outer surface between two angles by a share of its length.
    ///
    /// # Errors
    /// As [`Contour::radii`].
    pub fn angle_between(&self, from: f64, to: f64, share: f64) -> Result<f64, BoneError> {
        /// Number of chords that approximate the arc.
        const CHORDS: usize = 400;
        let angle = |k: f64| from + (to - from) * k / CHORDS as f64;
        let points: Vec<Vec3> = (0..=CHORDS).map(|k| self.outer(angle(k as f64))).collect::<Result<_, _>>()?;
        let chords: Vec<f64> = points.windows(2).map(|w| (w[1] - w[0]).norm()).collect();
        let mut left = share.clamp(0.0, 1.0) * chords.iter().sum::<f64>();
        for (k, chord) in chords.iter().enumerate() {
            if left <= *chord {
                return Ok(angle(k as f64 + if *chord > 0.0 { left / chord } else { 0.0 }));
            }
            left -= chord;
        }
        Ok(to)
    }
}

/// A curved face exceeds the heights of its nodes by at most this \[m\].
const MARGIN: f64 = 2e-3;

/// The flat triangles of a face of three or six nodes.
fn flat_parts(nodes: &[Vec3]) -> Vec<[Vec3; 3]> {
    let &[a, b, c, ab, bc, ca] = nodes else { return nodes.first_chunk().copied().into_iter().collect() };
    let n = CURVED_PARTS;
    let at = |i: usize, j: usize| {
        let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
        let w = 1.0 - u - v;
        let corners = a * (w * (2.0 * w - 1.0)) + b * (u * (2.0 * u - 1.0)) + c * (v * (2.0 * v - 1.0));
        corners + (ab * (w * u) + bc * (u * v) + ca * (v * w)) * 4.0
    };
    let mut parts = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n - i {
            parts.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 1 < n {
                parts.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    parts
}

/// The segment that the plane of the third coordinate 0 cuts from a triangle.
fn cut(triangle: &[Vec3; 3]) -> Option<[Vector2<f64>; 2]> {
    let mut ends = [None; 2];
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let (p, q) = (triangle[a], triangle[b]);
        if (p.z >= 0.0) != (q.z >= 0.0) {
            let at = p.lerp(&q, p.z / (p.z - q.z));
            *(if ends[0].is_none() { &mut ends[0] } else { &mut ends[1] }) = Some(Vector2::new(at.x, at.y));
        }
    }
    Some([ends[0]?, ends[1]?])
}

/// How far along a ray it crosses a segment.
fn crossing(ray: &Vector2<f64>, [a, b]: &[Vector2<f64>; 2]) -> Option<f64> {
    // r ray = a + s (b - a)
    let solved = Matrix2::from_columns(&[*ray, a - b]).try_inverse()? * a;
    (solved.x > 0.0 && (-1e-9..=1.0 + 1e-9).contains(&solved.y)).then_some(solved.x)
}
