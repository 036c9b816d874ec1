//! The outline of a section of a mesh, seen from its centroid.

use nalgebra::{Matrix2, Vector2};
use wolff_spatial::Vec3;

use crate::bone::solid::lateral_sign;
use crate::bone::{BoneError, Solid};

/// A section as the segments that a plane across the segment cuts from the surface, faces of six nodes taken as four flat triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Contour {
    /// Centroid of the bone's section [m].
    pub centroid: Vec3,
    /// Segments, anterior and lateral of the centroid [m]; outer surface and canal.
    segments: Vec<[Vector2<f64>; 2]>,
    lateral: f64,
}

/// The four flat triangles of a face of six nodes.
const PARTS: [[usize; 3]; 4] = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];

impl Contour {
    /// Cuts a solid at a fraction of its length from the proximal joint centre.
    ///
    /// # Errors
    /// When the fraction is outside 0 to 1 or no section is cut.
    pub fn new(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let centroid = solid.section(fraction)?.centroid;
        let lateral = lateral_sign(solid.side);
        let at = |node: usize| {
            let d = solid.mesh.nodes()[node] - centroid;
            Vec3::new(d.x, lateral * d.z, d.y)
        };
        let mut segments = Vec::new();
        for face in solid.faces() {
            let whole = [[0, 1, 2]];
            let parts: &[[usize; 3]] = if face.nodes.len() == 6 { &PARTS } else { &whole };
            segments.extend(parts.iter().filter_map(|part| cut(&part.map(|k| at(face.nodes[k])))));
        }
        Ok(Contour { centroid, segments, lateral })
    }

    /// Distances from the centroid to the innermost and the outermost surface at an angle from anterior towards lateral [rad], [m].
    ///
    /// # Errors
    /// When the ray meets no surface.
    pub fn radii(&self, angle: f64) -> Result<[f64; 2], BoneError> {
        let ray = Vector2::new(angle.cos(), angle.sin());
        let hits = self.segments.iter().filter_map(|segment| crossing(&ray, segment));
        let (low, high) = hits.fold((f64::INFINITY, 0.0_f64), |(low, high), r| (low.min(r), high.max(r)));
        if high > 0.0 {
            return Ok([low, high]);
        }
        Err(BoneError::invalid("contour", format!("no surface is seen from the centroid at {angle} rad")))
    }

    /// The outermost point at an angle [m].
    ///
    /// # Errors
    /// As [`Contour::radii`].
    pub fn outer(&self, angle: f64) -> Result<Vec3, BoneError> {
        let [_, r] = self.radii(angle)?;
        Ok(self.centroid + Vec3::new(r * angle.cos(), 0.0, self.lateral * r * angle.sin()))
    }

    /// The angle at which a share of the way along the outer surface from one angle to another is done.
    ///
    /// # Errors
    /// As [`Contour::radii`].
    pub fn angle_between(&self, from: f64, to: f64, share: f64) -> Result<f64, BoneError> {
        /// Chords that measure the way.
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
