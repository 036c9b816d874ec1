//! How large a mesh is.

use nalgebra::{Vector2, Vector3};

use crate::mesh::TetMesh;
use crate::system::element::ElementKind;

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
    /// The corner of the box around all nodes with the smallest coordinates, m.
    pub low: Vector3<f64>,
    /// The corner with the largest, m.
    pub high: Vector3<f64>,
}

/// Measures a mesh.
pub fn summarise(mesh: &TetMesh) -> MeshSummary {
    let first = mesh.nodes().first().copied().unwrap_or_default();
    let (low, high) = mesh.nodes().iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    MeshSummary {
        kind: mesh.kind(),
        nodes: mesh.nodes().len(),
        elements: mesh.element_count(),
        dof: 3 * mesh.nodes().len(),
        volume: mesh.volume(),
        surface_area: surface_area(mesh),
        low,
        high,
    }
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
