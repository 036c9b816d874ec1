//! Is a mesh fit for elasticity? A report that names every offender.

use nalgebra::Vector3;

use crate::error::FemError;
use crate::mesh::middles::{MidNodes, mid_nodes};
use crate::mesh::topology::{components, crowded, diagonal, near_pairs, parts_by_faces, repeated_elements};
use crate::mesh::{TetMesh, edge_matrix};
use crate::system::element::ElementKind;

/// Below this shape measure an element is called degenerate: its stiffness would exceed that of its neighbours by
/// orders of magnitude.
pub const DEGENERATE_SHAPE: f64 = 1e-4;

/// Two nodes nearer than this, relative to the diagonal of the mesh, are called duplicates.
pub const DUPLICATE_DISTANCE: f64 = 1e-9;

/// As many offenders are named, and as many of the worst elements listed.
const NAMED: usize = 5;

/// What is wrong with a mesh, if anything.
#[derive(Debug, Clone, PartialEq)]
pub struct QualityReport {
    /// Elements with negative volume, or with a negative Jacobian at a node or quadrature point.
    pub inverted: Vec<usize>,
    /// Elements that are nearly flat ([`DEGENERATE_SHAPE`]) but not inverted.
    pub degenerate: Vec<usize>,
    /// Elements with the corners of an earlier one, after that one.
    pub duplicate_elements: Vec<(usize, usize)>,
    /// Nodes that no element uses.
    pub unused_nodes: Vec<usize>,
    /// Nodes at the place of an earlier one, after that one.
    pub duplicate_nodes: Vec<(usize, usize)>,
    /// Corners of faces shared by more than two elements.
    pub crowded_faces: Vec<[usize; 3]>,
    /// Ends of surface edges shared by more than two boundary faces: solids that touch along an edge only.
    pub crowded_edges: Vec<[usize; 2]>,
    /// Number of parts that share no node.
    pub parts: usize,
    /// Number of elements of each part, the largest first.
    pub part_sizes: Vec<usize>,
    /// Number of places where parts have a node or an edge in common, but no face: they turn about it freely.
    pub hinges: usize,
    /// Mid nodes of ten-node elements.
    pub mid_nodes: MidNodes,
    /// The smallest shape measure `6√2 V / ℓ³` with ℓ the root mean square edge: 1 regular, 0 flat.
    pub worst_shape: f64,
    /// The element that has it.
    pub worst_element: usize,
    /// The elements of smallest shape measure with that measure, the worst first; at most five.
    pub worst_elements: Vec<(usize, f64)>,
    /// The smallest angle between two faces of an element (by its corners), rad; 70.5° in a regular one.
    pub smallest_dihedral: f64,
    /// The largest such angle, rad.
    pub largest_dihedral: f64,
}

/// One kind of fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong: `inverted elements`.
    pub name: &'static str,
    /// How often.
    pub count: usize,
    /// The first few offenders, numbered from 0.
    pub first: Vec<String>,
    /// What to do.
    pub remedy: &'static str,
}

impl QualityReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults().is_empty()
    }

    /// The faults that exist, each with its count, first offenders and remedy.
    pub fn faults(&self) -> Vec<Fault> {
        let one = |of: &[usize]| of.iter().take(NAMED).map(usize::to_string).collect::<Vec<_>>();
        let two =
            |of: &[(usize, usize)]| of.iter().take(NAMED).map(|(a, b)| format!("{a} and {b}")).collect::<Vec<_>>();
        let faces = self.crowded_faces.iter().take(NAMED).map(|[a, b, c]| format!("{a}-{b}-{c}")).collect();
        let edges = self.crowded_edges.iter().take(NAMED).map(|[a, b]| format!("{a}-{b}")).collect();
        let sizes = self.part_sizes.iter().take(NAMED).map(|size| format!("{size} elements")).collect();
        let disconnected = if self.parts > 1 { self.parts } else { 0 };
        let unfold = match self.mid_nodes.is_gmsh_order {
            true => "nodes 9 and 10 are in the order of Gmsh: --repair exchanges them",
            false if !self.mid_nodes.off_middle.is_empty() => "put mid nodes in the middle of their edges, or remesh",
            false => "--repair exchanges two corners; else remesh",
        };
        let fault = |name, count, first, remedy| Fault { name, count, first, remedy };
        let all = [
            fault("inverted elements", self.inverted.len(), one(&self.inverted), unfold),
            fault("degenerate elements", self.degenerate.len(), one(&self.degenerate), "--repair replaces them"),
            fault(
                "duplicate elements",
                self.duplicate_elements.len(),
                two(&self.duplicate_elements),
                "--repair removes one",
            ),
            fault("unused nodes", self.unused_nodes.len(), one(&self.unused_nodes), "--repair removes them"),
            fault(
                "duplicate node pairs",
                self.duplicate_nodes.len(),
                two(&self.duplicate_nodes),
                "--repair merges them",
            ),
            fault("faces of more than two elements", self.crowded_faces.len(), faces, "remove overlapping elements"),
            fault("surface edges of more than two faces", self.crowded_edges.len(), edges, "join the solids or remesh"),
            fault("disconnected parts", disconnected, sizes, "--repair with --largest-part keeps one, or join them"),
            fault("places where parts hang on a node or edge only", self.hinges, Vec::new(), "join the parts by faces"),
        ];
        all.into_iter().filter(|fault| fault.count > 0).collect()
    }

    /// Refuses a mesh with anything wrong.
    ///
    /// # Errors
    /// [`FemError::Quality`] naming counts and the first offenders.
    pub fn require_sound(&self) -> Result<(), FemError> {
        let named = |Fault { name, count, first, remedy }: &Fault| {
            let first = if first.is_empty() { String::new() } else { format!("first: {}; ", first.join(", ")) };
            format!("{count} {name} ({first}{remedy})")
        };
        let faults: Vec<String> = self.faults().iter().map(named).collect();
        if faults.is_empty() { Ok(()) } else { Err(FemError::Quality(faults.join("; "))) }
    }
}

/// Examines every element and node.
pub fn quality(mesh: &TetMesh) -> QualityReport {
    let (crowded_faces, crowded_edges) = crowded(mesh);
    let parts = components(mesh);
    let part_sizes = part_sizes(mesh, &parts);
    let mut report = QualityReport {
        inverted: Vec::new(),
        degenerate: Vec::new(),
        duplicate_elements: repeated_elements(mesh),
        unused_nodes: (0..parts.len()).filter(|&node| parts[node].is_none()).collect(),
        duplicate_nodes: near_pairs(mesh.nodes(), DUPLICATE_DISTANCE * diagonal(mesh.nodes())),
        crowded_faces,
        crowded_edges,
        hinges: parts_by_faces(mesh).saturating_sub(part_sizes.len()),
        mid_nodes: mid_nodes(mesh),
        parts: part_sizes.len(),
        part_sizes,
        worst_shape: f64::INFINITY,
        worst_element: 0,
        worst_elements: Vec::new(),
        smallest_dihedral: f64::INFINITY,
        largest_dihedral: 0.0,
    };
    judge_shapes(mesh, &mut report);
    report
}

fn judge_shapes(mesh: &TetMesh, report: &mut QualityReport) {
    let mut shapes = Vec::with_capacity(mesh.element_count());
    let mut x = [Vector3::zeros(); 10];
    for (index, element) in mesh.elements().enumerate() {
        mesh.gather(element, &mut x);
        let shape = shape_measure(&x);
        shapes.push((index, shape));
        for angle in dihedral_angles(&[x[0], x[1], x[2], x[3]]) {
            report.smallest_dihedral = report.smallest_dihedral.min(angle);
            report.largest_dihedral = report.largest_dihedral.max(angle);
        }
        // A flat element counts as degenerate whichever way rounding turns its sign.
        if shape.abs() < DEGENERATE_SHAPE {
            report.degenerate.push(index);
        } else if shape < 0.0 || has_negative_jacobian(mesh.kind(), &x) {
            report.inverted.push(index);
        }
    }
    shapes.sort_by(|a, b| a.1.total_cmp(&b.1));
    shapes.truncate(NAMED);
    if let Some(&(element, shape)) = shapes.first() {
        (report.worst_element, report.worst_shape) = (element, shape);
    }
    report.worst_elements = shapes;
}

/// Number of elements of each part, the largest first.
fn part_sizes(mesh: &TetMesh, parts: &[Option<usize>]) -> Vec<usize> {
    let mut sizes = vec![0; parts.len()];
    for part in mesh.elements().filter_map(|element| parts[element[0]]) {
        sizes[part] += 1;
    }
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// `6√2 V / ℓ³` of the corner tetrahedron.
pub(crate) fn shape_measure(x: &[Vector3<f64>; 10]) -> f64 {
    let six_volume = edge_matrix(&x[0], &x[1], &x[2], &x[3]).determinant();
    let edges = crate::system::element::tet10::EDGES;
    let mean_square = edges.iter().map(|&(a, b)| (x[a] - x[b]).norm_squared()).sum::<f64>() / 6.0;
    if mean_square > 0.0 { 2f64.sqrt() * six_volume / mean_square.powf(1.5) } else { 0.0 }
}

/// The angles between the faces at the six edges of the corner tetrahedron, rad.
///
/// At the edge `e` from `a` to `b`, with the other corners `c` and `d`: the angle between `e × (c - a)` and
/// `e × (d - a)`.
pub fn dihedral_angles(x: &[Vector3<f64>; 4]) -> [f64; 6] {
    const EDGES: [[usize; 4]; 6] = [[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [0, 3, 1, 2], [1, 3, 0, 2], [2, 3, 0, 1]];
    EDGES.map(|[a, b, c, d]| {
        let edge = x[b] - x[a];
        let (m, n) = (edge.cross(&(x[c] - x[a])), edge.cross(&(x[d] - x[a])));
        m.cross(&n).norm().atan2(m.dot(&n))
    })
}

/// A curved element may fold where its corners do not show it.
fn has_negative_jacobian(kind: ElementKind, x: &[Vector3<f64>; 10]) -> bool {
    let tables = kind.tables();
    tables.nodes.iter().chain(&tables.stiffness).any(|point| !(point.jacobian(x).determinant() > 0.0))
}
