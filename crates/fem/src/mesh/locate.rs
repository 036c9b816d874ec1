//! Where a point is in a mesh: inside an element, or nearest on the surface.

use nalgebra::{Matrix2, Vector2, Vector3};

use crate::error::FemError;
use crate::mesh::{SurfaceFace, TetMesh};
use crate::system::element::triangle::triangle_shape;

/// A point of a mesh as weights of nodes: `x = Σ w_a x_a`, and likewise displacements.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshPoint {
    /// The element it belongs to.
    pub element: usize,
    /// Nodes and weights (sum 1).
    pub weights: Vec<(usize, f64)>,
    /// Position, m.
    pub position: Vector3<f64>,
    /// Distance from the point that was asked for, m; zero inside.
    pub distance: f64,
    /// Outward normal of the face it lies on, if it was sought on a face.
    pub face_normal: Option<Vector3<f64>>,
}

/// The surface of a mesh with smooth normals, and boxes around the elements.
#[derive(Debug, Clone)]
pub struct Locator<'a> {
    mesh: &'a TetMesh,
    faces: Vec<SurfaceFace>,
    /// Area vectors of the faces around a node, at the node; none inside the body.
    areas: Vec<Vec<Vector3<f64>>>,
    /// Lower and upper corner of each element, m.
    boxes: Vec<[Vector3<f64>; 2]>,
}

/// Cosine of the angle between two faces beyond which the edge between them is sharp.
const SHARP: f64 = 0.5;

impl MeshPoint {
    /// Displacement of the point, m, for mesh displacements.
    pub fn displacement(&self, u: &[f64]) -> Vector3<f64> {
        let at = |node: usize| u.get(3 * node..3 * node + 3).map_or_else(Vector3::zeros, Vector3::from_column_slice);
        self.weights.iter().map(|&(node, w)| at(node) * w).sum()
    }
}

impl<'a> Locator<'a> {
    /// Finds the surface.
    ///
    /// # Errors
    /// When a face belongs to more than two elements.
    pub fn new(mesh: &'a TetMesh) -> Result<Self, FemError> {
        let faces = mesh.boundary()?;
        let mut areas = vec![Vec::new(); mesh.nodes().len()];
        for face in &faces {
            for (&node, [l2, l3]) in face.nodes.iter().zip(FACE_NODES) {
                areas[node].push(area_vector(mesh, face, l2, l3));
            }
        }
        let boxes = mesh.elements().map(|element| element_box(mesh, element)).collect();
        Ok(Self { mesh, faces, areas, boxes })
    }

    /// The faces of the surface.
    pub fn faces(&self) -> &[SurfaceFace] {
        &self.faces
    }

    /// The nodes of the surface, ascending.
    pub fn surface_nodes(&self) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.faces.iter().flat_map(|face| &face.nodes).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The surface node nearest to a point, and its distance, m.
    pub fn nearest_node(&self, point: &Vector3<f64>) -> Option<(usize, f64)> {
        let distance = |node: usize| (self.mesh.nodes()[node] - point).norm();
        let nodes = self.faces.iter().flat_map(|face| &face.nodes).map(|&node| (node, distance(node)));
        nodes.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }

    /// The outward normal at a point of the surface: the normals of its nodes, interpolated. The normal of a node is
    /// the mean of the faces around it, weighted by area; those more than 60 degrees off the face of the point are
    /// across a sharp edge and left out. `None` inside the body.
    pub fn normal(&self, point: &MeshPoint) -> Option<Vector3<f64>> {
        let smooth = |area: &&Vector3<f64>| point.face_normal.is_none_or(|face| area.dot(&face) > SHARP * area.norm());
        let unit = |node: usize| {
            let sum: Vector3<f64> = self.areas.get(node)?.iter().filter(smooth).sum();
            sum.try_normalize(0.0)
        };
        let sum: Vector3<f64> = point.weights.iter().filter_map(|&(node, w)| unit(node).map(|n| n * w)).sum();
        sum.try_normalize(1e-6)
    }

    /// The point of the surface nearest to a point, on curved faces too.
    ///
    /// The face is found on flat triangles between its nodes, the point on it by Gauss-Newton.
    ///
    /// # Errors
    /// When the point is not finite.
    pub fn on_surface(&self, point: &Vector3<f64>) -> Result<MeshPoint, FemError> {
        let nearest = self
            .faces
            .iter()
            .map(|face| (face, self.nearest_flat(face, point)))
            .min_by(|a, b| a.1.1.total_cmp(&b.1.1))
            .filter(|(_, (_, distance))| distance.is_finite());
        let Some((face, (at, _))) = nearest else {
            return Err(FemError::NonFinite("a point to be found on the surface".into()));
        };
        let at = self.refine(face, point, at);
        let (shape, _, _) = triangle_shape(face.nodes.len(), at.x, at.y);
        let weights: Vec<(usize, f64)> = face.nodes.iter().copied().zip(shape).collect();
        let position = self.face_point(face, &at);
        let face_normal = area_vector(self.mesh, face, at.x, at.y).try_normalize(0.0);
        Ok(MeshPoint { element: face.element, weights, position, distance: (position - point).norm(), face_normal })
    }

    /// The element that holds a point; `None` outside the body.
    pub fn inside(&self, point: &Vector3<f64>) -> Option<MeshPoint> {
        let holds = |b: &[Vector3<f64>; 2]| (0..3).all(|k| b[0][k] <= point[k] && point[k] <= b[1][k]);
        self.boxes.iter().enumerate().filter(|(_, b)| holds(b)).find_map(|(element, _)| self.in_element(element, point))
    }

    /// The point of the mesh nearest to a point: itself inside the body, else on the surface.
    ///
    /// # Errors
    /// When the point is not finite.
    pub fn nearest(&self, point: &Vector3<f64>) -> Result<MeshPoint, FemError> {
        self.inside(point).map_or_else(|| self.on_surface(point), Ok)
    }

    /// Newton's method for the volume coordinates of a point in an element.
    fn in_element(&self, element: usize, point: &Vector3<f64>) -> Option<MeshPoint> {
        /// Slack of a volume coordinate at the faces of an element.
        const SLACK: f64 = 1e-9;
        let nodes = self.mesh.element(element)?;
        let mut x = [Vector3::zeros(); 10];
        self.mesh.gather(nodes, &mut x);
        let mut at = Vector3::repeat(0.25);
        for _ in 0..20 {
            let sample = self.mesh.kind().sample(at.into(), 0.0);
            let position: Vector3<f64> = x.iter().zip(&sample.shape[..sample.count]).map(|(x, n)| x * *n).sum();
            let step = sample.jacobian(&x).try_inverse()? * (point - position);
            at += step;
            if step.amax() < 1e-13 {
                break;
            }
        }
        if !(at.min() >= -SLACK && at.sum() <= 1.0 + SLACK) {
            return None;
        }
        let shape = self.mesh.kind().sample(at.into(), 0.0).shape;
        let weights = nodes.iter().copied().zip(shape).collect();
        Some(MeshPoint { element, weights, position: *point, distance: 0.0, face_normal: None })
    }

    /// Nearest point on the flat triangles between the nodes of a face: (L₂, L₃) and distance.
    fn nearest_flat(&self, face: &SurfaceFace, point: &Vector3<f64>) -> (Vector2<f64>, f64) {
        let parts: &[[usize; 3]] = if face.nodes.len() == 3 { &[[0, 1, 2]] } else { &FACE_PARTS };
        let mut best = (Vector2::zeros(), f64::INFINITY);
        for part in parts {
            let corners = part.map(|k| self.mesh.nodes()[face.nodes[k]]);
            let (l2, l3) = nearest_on_triangle(&corners, point);
            let position = corners[0] * (1.0 - l2 - l3) + corners[1] * l2 + corners[2] * l3;
            let distance = (position - point).norm();
            if distance < best.1 {
                let at = part.map(|k| Vector2::from(FACE_NODES[k]));
                best = (at[0] * (1.0 - l2 - l3) + at[1] * l2 + at[2] * l3, distance);
            }
        }
        best
    }

    fn face_point(&self, face: &SurfaceFace, at: &Vector2<f64>) -> Vector3<f64> {
        let (shape, _, _) = triangle_shape(face.nodes.len(), at.x, at.y);
        face.nodes.iter().zip(shape).map(|(&node, n)| self.mesh.nodes()[node] * n).sum()
    }

    /// Gauss-Newton on a curved face, kept inside it; steps that do not come nearer end it.
    fn refine(&self, face: &SurfaceFace, point: &Vector3<f64>, mut at: Vector2<f64>) -> Vector2<f64> {
        let mut distance = (self.face_point(face, &at) - point).norm();
        for _ in 0..10 {
            let [a, b] = tangents(self.mesh, face, at.x, at.y);
            let gap = point - self.face_point(face, &at);
            let metric = Matrix2::new(a.dot(&a), a.dot(&b), a.dot(&b), b.dot(&b));
            let Some(inverse) = metric.try_inverse() else { break };
            let moved = (at + inverse * Vector2::new(a.dot(&gap), b.dot(&gap))).map(|l| l.clamp(0.0, 1.0));
            let moved = moved / moved.sum().max(1.0);
            let nearer = (self.face_point(face, &moved) - point).norm();
            if !(nearer < distance) {
                break;
            }
            (at, distance) = (moved, nearer);
        }
        at
    }
}

/// (L₂, L₃) of the six nodes of a face.
const FACE_NODES: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]];

/// The four triangles between the six nodes of a face.
pub(crate) const FACE_PARTS: [[usize; 3]; 4] = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];

fn tangents(mesh: &TetMesh, face: &SurfaceFace, l2: f64, l3: f64) -> [Vector3<f64>; 2] {
    let (_, by_l2, by_l3) = triangle_shape(face.nodes.len(), l2, l3);
    [by_l2, by_l3].map(|by| face.nodes.iter().zip(by).map(|(&node, d)| mesh.nodes()[node] * d).sum())
}

/// Outward normal times twice the area, as the metric at (L₂, L₃) has it.
fn area_vector(mesh: &TetMesh, face: &SurfaceFace, l2: f64, l3: f64) -> Vector3<f64> {
    let [a, b] = tangents(mesh, face, l2, l3);
    a.cross(&b)
}

/// The box of an element, a tenth larger on all sides for curved edges.
fn element_box(mesh: &TetMesh, element: &[usize]) -> [Vector3<f64>; 2] {
    let first = mesh.nodes()[element[0]];
    let [low, high] = element
        .iter()
        .fold([first, first], |[low, high], &node| [low.inf(&mesh.nodes()[node]), high.sup(&mesh.nodes()[node])]);
    let margin = Vector3::repeat(0.1 * (high - low).amax());
    [low - margin, high + margin]
}

/// (L₂, L₃) of the point of a triangle nearest to `p` (Ericson 2005, Real-Time Collision Detection, 5.1.5).
fn nearest_on_triangle([a, b, c]: &[Vector3<f64>; 3], p: &Vector3<f64>) -> (f64, f64) {
    let (ab, ac, ap, bp, cp) = (b - a, c - a, p - a, p - b, p - c);
    let (d1, d2, d3, d4) = (ab.dot(&ap), ac.dot(&ap), ab.dot(&bp), ac.dot(&bp));
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if d1 <= 0.0 && d2 <= 0.0 {
        (0.0, 0.0)
    } else if d3 >= 0.0 && d4 <= d3 {
        (1.0, 0.0)
    } else if d6 >= 0.0 && d5 <= d6 {
        (0.0, 1.0)
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        (d1 / (d1 - d3), 0.0)
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        (0.0, d2 / (d2 - d6))
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        (1.0 - t, t)
    } else {
        let sum = va + vb + vc;
        (vb / sum, vc / sum)
    }
}
