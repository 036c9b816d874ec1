//! Sections of a solid: area, centroid and second moments of area, cut from its boundary.

use nalgebra::{Matrix2, Vector2, Vector3};

use crate::error::FemError;
use crate::mesh::{SurfaceFace, TetMesh};
use crate::system::element::tet10;

/// Each edge of a curved face is cut into this many before slicing: its chords then err by 1/64 of those between nodes.
const CURVED_PARTS: usize = 16;

/// What a plane cuts from a solid.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionProperties {
    /// Area A, m².
    pub area: f64,
    /// Centroid, m.
    pub centroid: Vector3<f64>,
    /// Two unit vectors u, v in the plane.
    pub axes: [Vector3<f64>; 2],
    /// `[∫u² dA, ∫uv dA; ∫uv dA, ∫v² dA]` about the centroid, m⁴. The second moment that resists bending which
    /// strains along u is `∫u² dA`.
    pub second_moments: Matrix2<f64>,
}

impl SectionProperties {
    /// Polar second moment `∫u² + v² dA`, m⁴: the torsion constant of round sections, and an upper bound of others.
    pub fn polar_moment(&self) -> f64 {
        self.second_moments.trace()
    }

    /// Principal second moments, m⁴, the larger first.
    pub fn principal_moments(&self) -> [f64; 2] {
        let m = &self.second_moments;
        let (mean, half) = (0.5 * m.trace(), 0.5 * (m[(0, 0)] - m[(1, 1)]).hypot(2.0 * m[(0, 1)]));
        [mean + half, mean - half]
    }
}

/// The section of a mesh by the plane through `point` with the unit vectors `u` and `v` in it. Hollows count as hollow.
///
/// # Errors
/// As [`section_of_faces`], or when the mesh bounds no solid.
pub fn section_properties(
    mesh: &TetMesh,
    point: &Vector3<f64>,
    axes: [Vector3<f64>; 2],
) -> Result<SectionProperties, FemError> {
    section_of_faces(mesh, &mesh.boundary()?, point, axes)
}

/// The section of the solid enclosed by some faces of a mesh, for instance the outer surface of a bone without its
/// canal.
///
/// The plane cuts every face along a line; with the solid on its left, `A = ½∮(u dv - v du)`, and the moments likewise
/// for the triangle of each segment with the origin of the plane. Curved faces are divided first (16 parts per edge).
/// The faces must close around the plane.
///
/// # Errors
/// [`FemError::Mesh`] when u and v are not orthonormal or the plane misses the solid.
pub fn section_of_faces(
    mesh: &TetMesh,
    faces: &[SurfaceFace],
    point: &Vector3<f64>,
    axes: [Vector3<f64>; 2],
) -> Result<SectionProperties, FemError> {
    let [u, v] = axes;
    let skew = (u.norm_squared() - 1.0).abs().max((v.norm_squared() - 1.0).abs()).max(u.dot(&v).abs());
    if !(skew < 1e-9) || !point.iter().all(|c| c.is_finite()) {
        return Err(FemError::Mesh("the axes of a section must be two unit vectors at right angles".into()));
    }
    let plane = Plane { point: *point, u, v, normal: u.cross(&v) };
    let mut sums = Moments::default();
    for face in faces {
        for triangle in triangles(mesh, face, &plane) {
            if let Some((from, to)) = plane.cut(&triangle) {
                sums.add(&from, &to);
            }
        }
    }
    sums.properties(&plane).ok_or_else(|| {
        FemError::Mesh(format!(
            "the plane through {point:?} cuts no closed section from the mesh; move it into the solid"
        ))
    })
}

struct Plane {
    point: Vector3<f64>,
    u: Vector3<f64>,
    v: Vector3<f64>,
    normal: Vector3<f64>,
}

impl Plane {
    fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(&(x - self.point))
    }

    fn coordinates(&self, x: &Vector3<f64>) -> Vector2<f64> {
        let d = x - self.point;
        Vector2::new(self.u.dot(&d), self.v.dot(&d))
    }

    /// The segment of a triangle with outward normal, directed so that the solid lies on the left.
    fn cut(&self, triangle: &[Vector3<f64>; 3]) -> Option<(Vector2<f64>, Vector2<f64>)> {
        let height = triangle.map(|x| self.height(&x));
        let (mut from, mut to) = (None, None);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let falls = height[a] >= 0.0 && height[b] < 0.0;
            let rises = height[a] < 0.0 && height[b] >= 0.0;
            if falls || rises {
                let at = self.coordinates(&triangle[a].lerp(&triangle[b], height[a] / (height[a] - height[b])));
                *(if falls { &mut from } else { &mut to }) = Some(at);
            }
        }
        Some((from?, to?))
    }
}

/// The triangles of a face: itself, or the parts of a curved one that may meet the plane.
fn triangles(mesh: &TetMesh, face: &SurfaceFace, plane: &Plane) -> Vec<[Vector3<f64>; 3]> {
    let x: Vec<Vector3<f64>> = face.nodes.iter().map(|&node| mesh.nodes()[node]).collect();
    let height = |x: &Vector3<f64>| plane.height(x);
    let (low, high) = x.iter().map(height).fold((f64::MAX, f64::MIN), |(l, h), d| (l.min(d), h.max(d)));
    // A quadratic may leave the range of its nodes by an eighth of it per direction.
    let slack = if x.len() == 6 { 0.5 * (high - low) } else { 0.0 };
    if low - slack >= 0.0 || high + slack < 0.0 {
        return Vec::new();
    }
    if x.len() == 3 {
        return vec![[x[0], x[1], x[2]]];
    }
    let n = CURVED_PARTS;
    let point = |i: usize, j: usize| curved_point(&x, i as f64 / n as f64, j as f64 / n as f64);
    let grid: Vec<Vec<Vector3<f64>>> = (0..=n).map(|i| (0..=n - i).map(|j| point(i, j)).collect()).collect();
    let at = |i: usize, j: usize| grid[i][j];
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

/// The point of a six-node triangle at the area coordinates (L₂, L₃): the fourth corner of a tetrahedron left out.
fn curved_point(x: &[Vector3<f64>], l2: f64, l3: f64) -> Vector3<f64> {
    let shape = tet10::shape([l2, l3, 0.0]);
    let weights = [shape[0], shape[1], shape[2], shape[4], shape[5], shape[6]];
    weights.iter().zip(x).map(|(w, x)| x * *w).sum()
}

/// Integrals over the section about the origin of the plane.
#[derive(Default)]
struct Moments {
    area: f64,
    first: Vector2<f64>,
    second: Matrix2<f64>,
}

impl Moments {
    /// Adds the triangle of the origin and a segment.
    fn add(&mut self, a: &Vector2<f64>, b: &Vector2<f64>) {
        let area = 0.5 * (a.x * b.y - a.y * b.x);
        let sum = a + b;
        self.area += area;
        self.first += sum * (area / 3.0);
        self.second += (a * a.transpose() + b * b.transpose() + sum * sum.transpose()) * (area / 12.0);
    }

    fn properties(&self, plane: &Plane) -> Option<SectionProperties> {
        if !(self.area > 0.0) {
            return None;
        }
        let c = self.first / self.area;
        Some(SectionProperties {
            area: self.area,
            centroid: plane.point + plane.u * c.x + plane.v * c.y,
            axes: [plane.u, plane.v],
            second_moments: self.second - c * c.transpose() * self.area,
        })
    }
}
