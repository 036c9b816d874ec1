//! Four-node elements that can be exchanged for others.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use crate::mesh::edge_matrix;
use crate::mesh::quality::{DEGENERATE_SHAPE, shape_measure};

/// A change of the mesh at one place.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// Elements that are removed.
    pub remove: Vec<usize>,
    /// Nodes of the elements that take their place.
    pub add: Vec<[usize; 4]>,
    /// A node and its new position.
    pub place: Option<(usize, Vector3<f64>)>,
    /// The smallest shape measure of the elements that were flat or are new, afterwards; infinite where none is left.
    pub worst: f64,
    /// Whether flat elements vanish and no other becomes worse than [`super::ENOUGH`] and than before.
    pub helps: bool,
    /// Distance by which the surface moves.
    pub surface: f64,
    /// Change of the volume.
    pub volume: f64,
    /// Mean length of the edges of the elements concerned.
    pub edge: f64,
}

/// The elements of a mesh, of which some may be removed and others added.
pub(super) struct Patchwork {
    /// Positions of the nodes.
    pub x: Vec<Vector3<f64>>,
    /// Nodes of the elements; `None` of removed ones.
    corners: Vec<Option<[usize; 4]>>,
    /// The element of the original mesh that each element stands for.
    pub origin: Vec<usize>,
    /// Elements of the same group belong to the same sets.
    group: Vec<usize>,
    /// Nodes of the same mark belong to the same sets.
    pub mark: Vec<usize>,
    /// Elements at each node.
    around: Vec<Vec<usize>>,
}

impl Patchwork {
    pub fn new(nodes: &[Vector3<f64>], elements: &[(usize, Vec<usize>)], group: &[usize], mark: &[usize]) -> Self {
        let mut work = Self {
            x: nodes.to_vec(),
            corners: Vec::with_capacity(elements.len()),
            origin: Vec::with_capacity(elements.len()),
            group: Vec::with_capacity(elements.len()),
            mark: mark.to_vec(),
            around: vec![Vec::new(); nodes.len()],
        };
        for ((origin, corners), group) in elements.iter().zip(group) {
            if let [a, b, c, d, ..] = corners[..] {
                work.push([a, b, c, d], *origin, *group);
            }
        }
        work
    }

    /// All elements that exist: the original element each stands for, and its nodes; unchanged ones in their order.
    pub fn elements(&self) -> Vec<(usize, Vec<usize>)> {
        let all = self.corners.iter().zip(&self.origin);
        all.filter_map(|(corners, origin)| Some((*origin, corners.as_ref()?.to_vec()))).collect()
    }

    fn push(&mut self, corners: [usize; 4], origin: usize, group: usize) {
        corners.iter().for_each(|&node| self.around[node].push(self.corners.len()));
        self.corners.push(Some(corners));
        self.origin.push(origin);
        self.group.push(group);
    }

    /// Elements that are flat.
    pub fn flat(&self) -> Vec<usize> {
        (0..self.corners.len()).filter(|&element| self.is_flat(element)).collect()
    }

    pub fn is_flat(&self, element: usize) -> bool {
        self.corners[element].is_some_and(|corners| !(self.shape(corners) >= DEGENERATE_SHAPE))
    }

    /// The corners of an element that exists.
    pub fn corners(&self, element: usize) -> [usize; 4] {
        self.corners[element].unwrap_or_default()
    }

    /// Elements at a node.
    pub fn around(&self, node: usize) -> &[usize] {
        &self.around[node]
    }

    /// Elements at an edge.
    pub fn at_edge(&self, a: usize, b: usize) -> Vec<usize> {
        self.around[a].iter().copied().filter(|&e| self.corners(e).contains(&b)).collect()
    }

    /// Elements at a face: one at the surface, otherwise two.
    pub fn at_face(&self, [a, b, c]: [usize; 3]) -> Vec<usize> {
        let holds = |e: &usize| self.corners(*e).contains(&b) && self.corners(*e).contains(&c);
        self.around[a].iter().copied().filter(holds).collect()
    }

    /// Whether an edge is on the surface.
    pub fn is_surface_edge(&self, a: usize, b: usize) -> bool {
        let mut faces: BTreeMap<usize, usize> = BTreeMap::new();
        for element in self.at_edge(a, b) {
            for other in self.corners(element).into_iter().filter(|&n| n != a && n != b) {
                *faces.entry(other).or_default() += 1;
            }
        }
        faces.values().any(|&count| count == 1)
    }

    /// Whether a node is on the surface.
    pub fn is_surface_node(&self, node: usize) -> bool {
        self.surface_faces(node).next().is_some()
    }

    /// The two further corners of each face of the surface at a node.
    pub fn surface_faces(&self, node: usize) -> impl Iterator<Item = [usize; 2]> {
        let mut faces: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for &element in &self.around[node] {
            let others: Vec<usize> = self.corners(element).into_iter().filter(|&n| n != node).collect();
            for skipped in 0..others.len() {
                let mut face: Vec<usize> = others.clone();
                face.remove(skipped);
                face.sort_unstable();
                if let [p, q] = face[..] {
                    *faces.entry([p, q]).or_default() += 1;
                }
            }
        }
        faces.into_iter().filter(|(_, count)| *count == 1).map(|(face, _)| face)
    }

    /// Area of the surface at a node.
    pub fn surface_area(&self, node: usize) -> f64 {
        let area = |[p, q]: [usize; 2]| self.area([node, p, q]);
        self.surface_faces(node).map(area).sum()
    }

    pub fn area(&self, [a, b, c]: [usize; 3]) -> f64 {
        0.5 * (self.x[b] - self.x[a]).cross(&(self.x[c] - self.x[a])).norm()
    }

    /// The group of elements, if they have one in common.
    pub fn common_group(&self, elements: &[usize]) -> Option<usize> {
        let first = self.group[*elements.first()?];
        elements.iter().all(|&e| self.group[e] == first).then_some(first)
    }

    pub fn volume(&self, corners: [usize; 4]) -> f64 {
        let [a, b, c, d] = corners.map(|node| self.x[node]);
        edge_matrix(&a, &b, &c, &d).determinant() / 6.0
    }

    pub fn shape(&self, corners: [usize; 4]) -> f64 {
        shape_of(corners.map(|node| self.x[node]))
    }

    /// Mean length of the edges of elements.
    pub fn mean_edge(&self, elements: &[usize]) -> f64 {
        let mut lengths = Vec::with_capacity(6 * elements.len());
        for corners in elements.iter().map(|&e| self.corners(e)) {
            for i in 0..4 {
                lengths.extend((0..i).map(|j| (self.x[corners[i]] - self.x[corners[j]]).norm()));
            }
        }
        lengths.iter().sum::<f64>() / lengths.len().max(1) as f64
    }

    /// The exchange of elements for others; `None` where sets would change.
    pub fn exchange(&self, remove: Vec<usize>, add: Vec<[usize; 4]>) -> Option<Change> {
        self.common_group(&remove)?;
        let total = |all: &mut dyn Iterator<Item = [usize; 4]>| all.map(|c| self.volume(c)).sum::<f64>();
        let before = total(&mut remove.iter().map(|&e| self.corners(e)));
        let after = total(&mut add.iter().copied());
        let others = remove.iter().filter(|&&e| !self.is_flat(e)).map(|&e| self.shape(self.corners(e)));
        let floor = others.fold(super::ENOUGH, f64::min);
        let worst = add.iter().map(|&c| self.shape(c)).fold(f64::INFINITY, f64::min);
        Some(Change {
            worst,
            helps: worst >= floor,
            edge: self.mean_edge(&remove),
            volume: after - before,
            surface: 0.0,
            place: None,
            remove,
            add,
        })
    }

    pub fn apply(&mut self, change: &Change) {
        let group = self.common_group(&change.remove).unwrap_or_default();
        let largest = change.remove.iter().copied().max_by(|&a, &b| {
            let size = |e: usize| self.volume(self.corners(e)).abs();
            size(a).total_cmp(&size(b))
        });
        for &element in &change.remove {
            for node in self.corners(element) {
                self.around[node].retain(|&e| e != element);
            }
            self.corners[element] = None;
        }
        if let Some(largest) = largest {
            change.add.iter().for_each(|&corners| self.push(corners, self.origin[largest], group));
        }
        if let Some((node, position)) = change.place {
            self.x[node] = position;
        }
    }
}

/// Shape measure of four points.
pub(super) fn shape_of(corners: [Vector3<f64>; 4]) -> f64 {
    let mut x = [Vector3::zeros(); 10];
    x[..4].copy_from_slice(&corners);
    shape_measure(&x)
}
