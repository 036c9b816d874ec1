//! Tetrahedral meshes with named sets: the geometry that everything else refers to.

use std::collections::{BTreeMap, HashMap};

use nalgebra::{Matrix3, Vector3};

use crate::error::FemError;
use crate::system::element::ElementKind;

/// Corner nodes of the four faces of a tetrahedron, outward when the volume is positive.
pub(crate) const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

/// A mesh of tetrahedra of one kind, coordinates in m.
///
/// Nodes and elements are numbered from zero. A ten-node element lists its corners, then the nodes of the edges
/// 12, 23, 31, 14, 24, 34 (the order of Abaqus and CalculiX); edges may be curved.
#[derive(Debug, Clone, PartialEq)]
pub struct TetMesh {
    kind: ElementKind,
    nodes: Vec<Vector3<f64>>,
    connectivity: Vec<usize>,
    node_sets: BTreeMap<String, Vec<usize>>,
    element_sets: BTreeMap<String, Vec<usize>>,
}

/// A triangle of the boundary with its outward normal by the right-hand rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceFace {
    /// The element it belongs to.
    pub element: usize,
    /// Three corners, then for ten-node elements the nodes of the edges 12, 23, 31.
    pub nodes: Vec<usize>,
}

impl TetMesh {
    /// A mesh from coordinates and the nodes of all elements in one list.
    ///
    /// # Errors
    /// When the list does not divide into elements, an index has no node, or a coordinate is not finite. Shape is not
    /// judged here: see [`crate::mesh::quality`].
    pub fn new(kind: ElementKind, nodes: Vec<Vector3<f64>>, connectivity: Vec<usize>) -> Result<Self, FemError> {
        let per_element = kind.node_count();
        if connectivity.is_empty() || !connectivity.len().is_multiple_of(per_element) {
            return Err(FemError::Mesh(format!(
                "{} node numbers do not divide into elements of {per_element} nodes",
                connectivity.len()
            )));
        }
        if let Some(at) = connectivity.iter().position(|&node| node >= nodes.len()) {
            return Err(FemError::Mesh(format!(
                "element {} names node {}, but the mesh has {} nodes (numbered from 0)",
                at / per_element,
                connectivity[at],
                nodes.len()
            )));
        }
        if let Some(node) = nodes.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(FemError::NonFinite(format!("the position of node {node}")));
        }
        Ok(Self { kind, nodes, connectivity, node_sets: BTreeMap::new(), element_sets: BTreeMap::new() })
    }

    /// The kind of all elements.
    pub fn kind(&self) -> ElementKind {
        self.kind
    }

    /// Node positions, m.
    pub fn nodes(&self) -> &[Vector3<f64>] {
        &self.nodes
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.connectivity.len() / self.kind.node_count()
    }

    /// The nodes of each element in turn.
    pub fn elements(&self) -> std::slice::ChunksExact<'_, usize> {
        self.connectivity.chunks_exact(self.kind.node_count())
    }

    /// The nodes of one element; `None` beyond the last.
    pub fn element(&self, element: usize) -> Option<&[usize]> {
        let n = self.kind.node_count();
        self.connectivity.get(element * n..(element + 1) * n)
    }

    /// Names a set of nodes (sorted, without repeats); replaces a set of that name.
    ///
    /// # Errors
    /// When a node does not exist.
    pub fn set_nodes(&mut self, name: &str, nodes: Vec<usize>) -> Result<(), FemError> {
        let set = checked_set(name, nodes, self.nodes.len(), "node")?;
        self.node_sets.insert(name.to_owned(), set);
        Ok(())
    }

    /// Names a set of elements (sorted, without repeats); replaces a set of that name.
    ///
    /// # Errors
    /// When an element does not exist.
    pub fn set_elements(&mut self, name: &str, elements: Vec<usize>) -> Result<(), FemError> {
        let set = checked_set(name, elements, self.element_count(), "element")?;
        self.element_sets.insert(name.to_owned(), set);
        Ok(())
    }

    /// The nodes of a named set.
    ///
    /// # Errors
    /// When there is none of that name; the message lists the names.
    pub fn node_set(&self, name: &str) -> Result<&[usize], FemError> {
        find_set(&self.node_sets, name, "node")
    }

    /// The elements of a named set.
    ///
    /// # Errors
    /// When there is none of that name; the message lists the names.
    pub fn element_set(&self, name: &str) -> Result<&[usize], FemError> {
        find_set(&self.element_sets, name, "element")
    }

    /// All node sets by name.
    pub fn node_sets(&self) -> &BTreeMap<String, Vec<usize>> {
        &self.node_sets
    }

    /// All element sets by name.
    pub fn element_sets(&self) -> &BTreeMap<String, Vec<usize>> {
        &self.element_sets
    }

    /// The nodes for which `select` holds, in order.
    pub fn nodes_where(&self, select: impl Fn(&Vector3<f64>) -> bool) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&node| select(&self.nodes[node])).collect()
    }

    /// Writes the positions of the nodes of `element` (which must exist) into the front of `out`.
    pub(crate) fn gather(&self, element: &[usize], out: &mut [Vector3<f64>; 10]) {
        for (slot, &node) in out.iter_mut().zip(element) {
            *slot = self.nodes[node];
        }
    }

    /// Volume, m³, by the quadrature of the mass matrix (exact for curved elements too).
    pub fn volume(&self) -> f64 {
        self.volumes().sum()
    }

    /// Volumes of all elements, m³, in their order.
    pub fn volumes(&self) -> impl Iterator<Item = f64> + '_ {
        let tables = self.kind.tables();
        let mut x = [Vector3::zeros(); 10];
        self.elements().map(move |element| {
            self.gather(element, &mut x);
            tables.mass.iter().map(|p| p.weight * p.jacobian(&x).determinant()).sum()
        })
    }

    /// The faces that belong to one element only, with outward normals, in the order of the elements.
    ///
    /// # Errors
    /// When a face belongs to more than two elements: such a mesh bounds no solid.
    pub fn boundary(&self) -> Result<Vec<SurfaceFace>, FemError> {
        let mut owners: HashMap<[usize; 3], u8> = HashMap::new();
        for element in self.elements() {
            for face in FACES {
                let owner = owners.entry(sorted(face.map(|corner| element[corner]))).or_insert(0);
                *owner = owner.saturating_add(1);
            }
        }
        let mut faces = Vec::new();
        for (index, element) in self.elements().enumerate() {
            for face in FACES {
                match owners.get(&sorted(face.map(|corner| element[corner]))) {
                    Some(1) => faces.push(SurfaceFace { element: index, nodes: self.face_nodes(element, face) }),
                    Some(2) => {}
                    _ => {
                        return Err(FemError::Quality(format!(
                            "the face {:?} of element {index} is shared by more than two elements; remove the \
                             overlapping ones",
                            face.map(|corner| element[corner])
                        )));
                    }
                }
            }
        }
        Ok(faces)
    }

    fn face_nodes(&self, element: &[usize], face: [usize; 3]) -> Vec<usize> {
        let mut nodes: Vec<usize> = face.iter().map(|&corner| element[corner]).collect();
        if self.kind == ElementKind::Tet10 {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let edge = crate::system::element::tet10::edge_between(face[a], face[b]);
                nodes.push(element[4 + edge]);
            }
        }
        nodes
    }

    /// The same mesh with straight-edged ten-node elements: a node is added at the middle of every edge. The node sets
    /// gain the middles of edges whose two ends they hold. A ten-node mesh is returned as it is.
    pub fn to_quadratic(&self) -> Self {
        if self.kind == ElementKind::Tet10 {
            return self.clone();
        }
        let mut nodes = self.nodes.clone();
        let mut middles: HashMap<(usize, usize), usize> = HashMap::new();
        let mut connectivity = Vec::with_capacity(self.element_count() * 10);
        for element in self.elements() {
            connectivity.extend_from_slice(element);
            for (a, b) in crate::system::element::tet10::EDGES {
                let ends = (element[a].min(element[b]), element[a].max(element[b]));
                let middle = *middles.entry(ends).or_insert_with(|| {
                    nodes.push(0.5 * (self.nodes[ends.0] + self.nodes[ends.1]));
                    nodes.len() - 1
                });
                connectivity.push(middle);
            }
        }
        let with_middles = |set: &Vec<usize>| {
            let holds = |node: &usize| set.binary_search(node).is_ok();
            let mut grown: Vec<usize> =
                middles.iter().filter(|((a, b), _)| holds(a) && holds(b)).map(|(_, &middle)| middle).collect();
            grown.extend_from_slice(set);
            grown.sort_unstable();
            grown
        };
        let node_sets = self.node_sets.iter().map(|(name, set)| (name.clone(), with_middles(set))).collect();
        Self { kind: ElementKind::Tet10, nodes, connectivity, node_sets, element_sets: self.element_sets.clone() }
    }

    /// The same mesh with the two last nodes of every ten-node element exchanged: from the order of Gmsh to that of
    /// Abaqus and back.
    pub(crate) fn with_last_exchanged(&self) -> Self {
        let mut mesh = self.clone();
        if self.kind == ElementKind::Tet10 {
            mesh.connectivity.chunks_exact_mut(self.kind.node_count()).for_each(|element| element.swap(8, 9));
        }
        mesh
    }

    /// The same mesh with every node moved by `map`, for instance onto a curved surface.
    ///
    /// # Errors
    /// When a moved node is not finite.
    pub fn mapped(&self, map: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Result<Self, FemError> {
        let nodes = self.nodes.iter().map(map).collect();
        let mut moved = Self::new(self.kind, nodes, self.connectivity.clone())?;
        moved.node_sets = self.node_sets.clone();
        moved.element_sets = self.element_sets.clone();
        Ok(moved)
    }
}

/// Six times the volume of the tetrahedron of four points is the determinant of this matrix.
pub(crate) fn edge_matrix(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_columns(&[b - a, c - a, d - a])
}

pub(crate) fn sorted(mut face: [usize; 3]) -> [usize; 3] {
    face.sort_unstable();
    face
}

fn checked_set(name: &str, mut set: Vec<usize>, count: usize, kind: &'static str) -> Result<Vec<usize>, FemError> {
    set.sort_unstable();
    set.dedup();
    match set.last() {
        Some(&last) if last >= count => {
            Err(FemError::Mesh(format!("{kind} set `{name}` names {kind} {last}, but the mesh has {count}")))
        }
        _ => Ok(set),
    }
}

fn find_set<'a>(
    sets: &'a BTreeMap<String, Vec<usize>>,
    name: &str,
    kind: &'static str,
) -> Result<&'a [usize], FemError> {
    sets.get(name).map(Vec::as_slice).ok_or_else(|| {
        let known: Vec<&str> = sets.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        FemError::UnknownSet { kind, name: name.to_owned(), known }
    })
}
