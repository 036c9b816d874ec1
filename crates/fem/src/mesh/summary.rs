//! How large a mesh is.

use nalgebra::{Matrix3, Vector2, Vector3};

use crate::mesh::TetMesh;
use crate::system::element::ElementKind;
use crate::system::element::tet10::EDGES;

/// The measures of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshSummary {
    /// The kind of all elements.
    pub kind: ElementKind,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of elements.
    pub elements: usize,
    /// Degrees of freedom: three for each node.
    pub dof: usize,
    /// Volume, m³.
    pub volume: f64,
    /// Area of the boundary, m²; `None` when a face of more than two elements leaves no boundary.
    pub surface_area: Option<f64>,
    /// The direction in which it is longest.
    pub longest: Vector3<f64>,
    /// Length in that direction and in the two principal directions across it, the longest first, m.
    pub extents: [f64; 3],
    /// Mean length of the edges of the elements, m.
    pub mean_edge: f64,
    /// The corner of the box around all nodes with the smallest coordinates, m.
    pub low: Vector3<f64>,
    /// The corner with the largest, m.
    pub high: Vector3<f64>,
}

/// Measures a mesh.
pub fn summarise(mesh: &TetMesh) -> MeshSummary {
    let first = mesh.nodes().first().copied().unwrap_or_default();
    let (low, high) = mesh.nodes().iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    let (longest, extents) = principal(mesh.nodes());
    MeshSummary {
        kind: mesh.kind(),
        nodes: mesh.nodes().len(),
        elements: mesh.element_count(),
        dof: 3 * mesh.nodes().len(),
        volume: mesh.volume(),
        surface_area: surface_area(mesh),
        longest,
        extents,
        mean_edge: mean_edge(mesh),
        low,
        high,
    }
}

impl MeshSummary {
    /// Number of elements across the shortest side.
    pub fn elements_across(&self) -> f64 {
        self.extents[2] / self.mean_edge
    }
}

/// The direction of the largest scatter of points, and their extents along the principal directions of the scatter, the
/// longest first.
fn principal(points: &[Vector3<f64>]) -> (Vector3<f64>, [f64; 3]) {
    let centre = points.iter().sum::<Vector3<f64>>() / points.len().max(1) as f64;
    let scatter: Matrix3<f64> = points.iter().map(|x| (x - centre) * (x - centre).transpose()).sum();
    let axes = scatter.symmetric_eigen().eigenvectors;
    let extent = |axis: &Vector3<f64>| {
        let places = points.iter().map(|x| axis.dot(x));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
        (high - low).max(0.0)
    };
    let mut sides: Vec<(f64, Vector3<f64>)> =
        axes.column_iter().map(|axis| axis.into_owned()).map(|axis| (extent(&axis), axis)).collect();
    sides.sort_by(|a, b| b.0.total_cmp(&a.0));
    (sides[0].1, [sides[0].0, sides[1].0, sides[2].0])
}

fn mean_edge(mesh: &TetMesh) -> f64 {
    let length = |element: &[usize]| -> f64 {
        EDGES.iter().map(|&(a, b)| (mesh.nodes()[element[a]] - mesh.nodes()[element[b]]).norm()).sum()
    };
    mesh.elements().map(length).sum::<f64>() / (EDGES.len() * mesh.element_count().max(1)) as f64
}

/// Area of the boundary, m².
///
/// ```text
/// A = Σ ∫ |∂x/∂r × ∂x/∂s| dr ds over the boundary faces
/// ```
///
/// x(r, s) position \[m\] on a face of three or six nodes with the area coordinates L₂ = r, L₃ = s. Seven-point rule of
/// degree 5 (Radon 1948): exact for plane faces with straight edges, of fourth order for curved ones.
fn surface_area(mesh: &TetMesh) -> Option<f64> {
    let faces = mesh.boundary().ok()?;
    let rule = radon();
    let area = |nodes: &[usize]| -> f64 {
        rule.iter()
            .map(|(at, weight)| {
                let (mut along_r, mut along_s) = (Vector3::zeros(), Vector3::zeros());
                for (&node, gradient) in nodes.iter().zip(face_gradient(nodes.len(), *at)) {
                    along_r += mesh.nodes()[node] * gradient.x;
                    along_s += mesh.nodes()[node] * gradient.y;
                }
                weight * along_r.cross(&along_s).norm()
            })
            .sum()
    };
    Some(faces.iter().map(|face| area(&face.nodes)).sum())
}

/// Points (r, s) and weights that sum to 1/2.
fn radon() -> [([f64; 2], f64); 7] {
    let root = 15f64.sqrt();
    let (a, b) = ((6.0 - root) / 21.0, (6.0 + root) / 21.0);
    let (u, v) = ((155.0 - root) / 2400.0, (155.0 + root) / 2400.0);
    [
        ([1.0 / 3.0, 1.0 / 3.0], 9.0 / 80.0),
        ([a, a], u),
        ([1.0 - 2.0 * a, a], u),
        ([a, 1.0 - 2.0 * a], u),
        ([b, b], v),
        ([1.0 - 2.0 * b, b], v),
        ([b, 1.0 - 2.0 * b], v),
    ]
}

/// Derivatives by r and s of the shape functions of a face: corners, then the edges 12, 23, 31.
fn face_gradient(nodes: usize, [r, s]: [f64; 2]) -> [Vector2<f64>; 6] {
    let l = 1.0 - r - s;
    let linear = [(-1.0, -1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)];
    let quadratic = [
        (1.0 - 4.0 * l, 1.0 - 4.0 * l),
        (4.0 * r - 1.0, 0.0),
        (0.0, 4.0 * s - 1.0),
        (4.0 * (l - r), -4.0 * r),
        (4.0 * s, 4.0 * r),
        (-4.0 * s, 4.0 * (l - s)),
    ];
    (if nodes == 3 { linear } else { quadratic }).map(|(by_r, by_s)| Vector2::new(by_r, by_s))
}
