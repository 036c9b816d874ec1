//! How the parts of a mesh hang together, whatever their shape: the questions behind [`crate::mesh::quality`].

use std::collections::{BTreeMap, HashMap};

use nalgebra::Vector3;

use crate::mesh::{FACES, TetMesh, sorted};

/// The lowest node of the connected part each node belongs to; `None` for unused nodes.
pub(crate) fn components(mesh: &TetMesh) -> Vec<Option<usize>> {
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

/// Number of parts whose elements are connected by faces. Parts that have only a node or an edge in common turn about
/// it freely, as about a hinge.
pub(crate) fn parts_by_faces(mesh: &TetMesh) -> usize {
    let mut parent: Vec<usize> = (0..mesh.element_count()).collect();
    let mut first_with: HashMap<[usize; 3], usize> = HashMap::new();
    for (index, element) in mesh.elements().enumerate() {
        for face in FACES {
            let other = *first_with.entry(sorted(face.map(|corner| element[corner]))).or_insert(index);
            let (a, b) = (root(&mut parent, other), root(&mut parent, index));
            parent[a.max(b)] = a.min(b);
        }
    }
    parent.iter().enumerate().filter(|(element, parent)| element == *parent).count()
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// Each node no farther than `reach`, m, from an earlier one that stands for its surroundings, after that one.
///
/// Those that stand for others are farther apart than `reach`, so no chain of near nodes is drawn together. They are
/// hashed into cells, a few in each: the time grows with the number of nodes.
pub(crate) fn near_pairs(nodes: &[Vector3<f64>], reach: f64) -> Vec<(usize, usize)> {
    let Some(first) = nodes.first() else { return Vec::new() };
    if !(reach > 0.0) {
        return equal_pairs(nodes);
    }
    let low = nodes.iter().fold(*first, |low, x| low.inf(x));
    // A cell is four times the reach, so a pair lies in the same cell or in neighbours.
    let cell = |x: &Vector3<f64>| (x - low).map(|c| (c / (4.0 * reach)).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (node, x) in nodes.iter().enumerate() {
        let (from, to) = (cell(&x.add_scalar(-reach)), cell(&x.add_scalar(reach)));
        let mut near = None;
        for i in from.x..=to.x {
            for j in from.y..=to.y {
                for k in from.z..=to.z {
                    let here = cells.get(&[i, j, k]).into_iter().flatten();
                    near = here.filter(|&&other| (nodes[other] - x).norm() <= reach).copied().chain(near).min();
                }
            }
        }
        match near {
            Some(other) => pairs.push((other, node)),
            None => {
                let home = cell(x);
                cells.entry([home.x, home.y, home.z]).or_default().push(node);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Each node that stands exactly where an earlier one does, with that one.
fn equal_pairs(nodes: &[Vector3<f64>]) -> Vec<(usize, usize)> {
    let mut first_at: HashMap<[u64; 3], usize> = HashMap::new();
    let mut pairs = Vec::new();
    for (node, x) in nodes.iter().enumerate() {
        // Adding zero makes one of the two zeros.
        let first = *first_at.entry([x.x, x.y, x.z].map(|c| (c + 0.0).to_bits())).or_insert(node);
        if first != node {
            pairs.push((first, node));
        }
    }
    pairs
}

/// The length of the diagonal of the box around the nodes, m.
pub(crate) fn diagonal(nodes: &[Vector3<f64>]) -> f64 {
    let Some(first) = nodes.first() else { return 0.0 };
    let (low, high) = nodes.iter().fold((*first, *first), |(low, high), x| (low.inf(x), high.sup(x)));
    (high - low).norm()
}

/// Elements with the corners of an earlier one, after that one.
pub(crate) fn repeated_elements(mesh: &TetMesh) -> Vec<(usize, usize)> {
    let mut first_with: HashMap<[usize; 4], usize> = HashMap::new();
    let mut pairs = Vec::new();
    for (index, element) in mesh.elements().enumerate() {
        let mut corners = [element[0], element[1], element[2], element[3]];
        corners.sort_unstable();
        let first = *first_with.entry(corners).or_insert(index);
        if first != index {
            pairs.push((first, index));
        }
    }
    pairs
}

/// Faces of more than two elements, and edges of more than two boundary faces, by their sorted corners.
pub(crate) fn crowded(mesh: &TetMesh) -> (Vec<[usize; 3]>, Vec<[usize; 2]>) {
    let mut owners: HashMap<[usize; 3], u32> = HashMap::new();
    for element in mesh.elements() {
        for face in FACES {
            *owners.entry(sorted(face.map(|corner| element[corner]))).or_default() += 1;
        }
    }
    let mut faces_at: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    let mut faces = Vec::new();
    for (&face, &count) in &owners {
        let [a, b, c] = face;
        match count {
            1 => [[a, b], [b, c], [a, c]].into_iter().for_each(|edge| *faces_at.entry(edge).or_default() += 1),
            2 => {}
            _ => faces.push(face),
        }
    }
    faces.sort_unstable();
    (faces, faces_at.into_iter().filter(|(_, count)| *count > 2).map(|(edge, _)| edge).collect())
}
