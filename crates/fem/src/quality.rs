//! Is a mesh fit for elasticity? A report that names every offender.

use std::collections::HashMap;

use nalgebra::Vector3;

use crate::element::ElementKind;
use crate::error::FemError;
use crate::mesh::{TetMesh, edge_matrix};

/// Below this shape measure an element is called degenerate: its stiffness would exceed that of its neighbours by
/// orders of magnitude.
pub const DEGENERATE_SHAPE: f64 = 1e-4;

/// Two nodes nearer than this, relative to the diagonal of the mesh, are called duplicates.
pub const DUPLICATE_DISTANCE: f64 = 1e-9;

/// What is wrong with a mesh, if anything.
#[derive(Debug, Clone, PartialEq)]
pub struct QualityReport {
    /// Elements with negative volume, or with a negative Jacobian at a node or quadrature point.
    pub inverted: Vec<usize>,
    /// Elements that are nearly flat ([`DEGENERATE_SHAPE`]) but not inverted.
    pub degenerate: Vec<usize>,
    /// Nodes that no element uses.
    pub unused_nodes: Vec<usize>,
    /// Pairs of nodes at the same place.
    pub duplicate_nodes: Vec<(usize, usize)>,
    /// Number of parts that share no node.
    pub parts: usize,
    /// The smallest shape measure `6√2 V / ℓ³` with ℓ the root mean square edge: 1 regular, 0 flat.
    pub worst_shape: f64,
    /// The element that has it.
    pub worst_element: usize,
}

impl QualityReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.inverted.is_empty()
            && self.degenerate.is_empty()
            && self.unused_nodes.is_empty()
            && self.duplicate_nodes.is_empty()
            && self.parts == 1
    }

    /// Refuses a mesh with anything wrong.
    ///
    /// # Errors
    /// [`FemError::Quality`] naming counts and the first offenders.
    pub fn require_sound(&self) -> Result<(), FemError> {
        let mut faults = Vec::new();
        let mut list = |what: &str, count: usize, first: String, remedy: &str| {
            if count > 0 {
                faults.push(format!("{count} {what} (first: {first}; {remedy})"));
            }
        };
        let first = |of: &[usize]| of.first().map(usize::to_string).unwrap_or_default();
        list("inverted elements", self.inverted.len(), first(&self.inverted), "exchange two corners or remesh");
        list("degenerate elements", self.degenerate.len(), first(&self.degenerate), "remesh or merge nodes");
        list("unused nodes", self.unused_nodes.len(), first(&self.unused_nodes), "remove them");
        let pair = self.duplicate_nodes.first().map(|(a, b)| format!("{a} and {b}")).unwrap_or_default();
        list("duplicate node pairs", self.duplicate_nodes.len(), pair, "merge them");
        if self.parts > 1 {
            faults.push(format!("{} disconnected parts (keep one, or join them)", self.parts));
        }
        if faults.is_empty() { Ok(()) } else { Err(FemError::Quality(faults.join("; "))) }
    }
}

/// Examines every element and node.
pub fn quality(mesh: &TetMesh) -> QualityReport {
    let mut report = QualityReport {
        inverted: Vec::new(),
        degenerate: Vec::new(),
        unused_nodes: Vec::new(),
        duplicate_nodes: duplicates(mesh.nodes()),
        parts: 0,
        worst_shape: f64::INFINITY,
        worst_element: 0,
    };
    let mut x = [Vector3::zeros(); 10];
    for (index, element) in mesh.elements().enumerate() {
        mesh.gather(element, &mut x);
        let shape = shape_measure(&x);
        if shape < report.worst_shape {
            (report.worst_shape, report.worst_element) = (shape, index);
        }
        // A flat element counts as degenerate whichever way rounding turns its sign.
        if shape.abs() < DEGENERATE_SHAPE {
            report.degenerate.push(index);
        } else if shape < 0.0 || has_negative_jacobian(mesh.kind(), &x) {
            report.inverted.push(index);
        }
    }
    let parts = components(mesh);
    report.unused_nodes = (0..parts.len()).filter(|&node| parts[node].is_none()).collect();
    report.parts = parts.iter().enumerate().filter(|&(node, part)| *part == Some(node)).count();
    report
}

/// `6√2 V / ℓ³` of the corner tetrahedron.
fn shape_measure(x: &[Vector3<f64>; 10]) -> f64 {
    let six_volume = edge_matrix(&x[0], &x[1], &x[2], &x[3]).determinant();
    let edges = crate::element::tet10::EDGES;
    let mean_square = edges.iter().map(|&(a, b)| (x[a] - x[b]).norm_squared()).sum::<f64>() / 6.0;
    if mean_square > 0.0 { 2f64.sqrt() * six_volume / mean_square.powf(1.5) } else { 0.0 }
}

/// A curved element may fold where its corners do not show it.
fn has_negative_jacobian(kind: ElementKind, x: &[Vector3<f64>; 10]) -> bool {
    let tables = kind.tables();
    tables.nodes.iter().chain(&tables.stiffness).any(|point| !(point.jacobian(x).determinant() > 0.0))
}

/// The lowest node of the connected part each node belongs to; `None` for unused nodes.
fn components(mesh: &TetMesh) -> Vec<Option<usize>> {
    let mut parent: Vec<usize> = (0..mesh.nodes().len()).collect();
    let mut used = vec![false; parent.len()];
    for element in mesh.elements() {
        for &node in element {
            used[node] = true;
            let (a, b) = (root(&mut parent, element[0]), root(&mut parent, node));
            let (low, high) = (a.min(b), a.max(b));
            parent[high] = low;
        }
    }
    (0..parent.len()).map(|node| used[node].then(|| root(&mut parent, node))).collect()
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// Pairs of nodes closer than [`DUPLICATE_DISTANCE`] of the mesh's diagonal, by hashing into cells of that size.
fn duplicates(nodes: &[Vector3<f64>]) -> Vec<(usize, usize)> {
    let Some(first) = nodes.first() else { return Vec::new() };
    let (low, high) = nodes.iter().fold((*first, *first), |(low, high), x| (low.inf(x), high.sup(x)));
    let reach = DUPLICATE_DISTANCE * (high - low).norm();
    if !(reach > 0.0) {
        return (1..nodes.len()).map(|node| (0, node)).collect();
    }
    // A cell is four times the reach, so a pair lies in the same cell or in neighbours.
    let cell = |x: &Vector3<f64>| (x - low).map(|c| (c / (4.0 * reach)).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (node, x) in nodes.iter().enumerate() {
        let home = cell(x);
        let (from, to) = (cell(&x.add_scalar(-reach)), cell(&x.add_scalar(reach)));
        for i in from.x..=to.x {
            for j in from.y..=to.y {
                for k in from.z..=to.z {
                    let near = cells.get(&[i, j, k]).into_iter().flatten();
                    pairs.extend(near.filter(|&&other| (nodes[other] - x).norm() <= reach).map(|&o| (o, node)));
                }
            }
        }
        cells.entry([home.x, home.y, home.z]).or_default().push(node);
    }
    pairs.sort_unstable();
    pairs
}
