//! Quadratic elements: middle nodes of interface edges lie on the interface where the element stays sound.

use wolff_fem::{ElementKind, TetMesh};
use wolff_spatial::Vec3;

use crate::error::MesherError;
use crate::lattice::NumberMap;
use crate::shape::{Materials, Shape};
use crate::store::{FACES, Store};

/// The edges of a ten-node element in the order of their nodes.
const MIDDLES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];
/// The Jacobian of a curved element stays above this part of the straight one.
const LEAST_JACOBIAN: f64 = 0.2;

/// The mesh with a node at the middle of every edge.
pub(crate) fn quadratic(store: &Store, shape: &dyn Shape) -> Result<TetMesh, MesherError> {
    let mut nodes = store.x.clone();
    let mut number: NumberMap<usize> = NumberMap::default();
    let mut connectivity: Vec<[usize; 10]> = Vec::with_capacity(store.tets.len());
    let mut straight: Vec<(usize, Vec3)> = Vec::new();
    let curved = interface_edges(store);
    for t in store.all() {
        let corners = store.tets[t as usize];
        let mut element = [0; 10];
        for (slot, v) in element.iter_mut().zip(corners) {
            *slot = v as usize;
        }
        for (slot, [i, j]) in element[4..].iter_mut().zip(MIDDLES) {
            let key = edge_key(corners[i], corners[j]);
            *slot = *number.entry(key).or_insert_with(|| {
                let middle = 0.5 * (store.x[corners[i] as usize] + store.x[corners[j] as usize]);
                let bound = curved.get(&key).and_then(|materials| shape.project(materials, &middle));
                nodes.push(bound.map_or(middle, |(x, _)| x));
                straight.push((nodes.len() - 1, middle));
                nodes.len() - 1
            });
        }
        connectivity.push(element);
    }
    straighten(&mut nodes, &connectivity, &straight);
    Ok(TetMesh::new(ElementKind::Tet10, nodes, connectivity.into_iter().flatten().collect())?)
}

fn edge_key(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// The edges of interface faces with the materials that meet there.
fn interface_edges(store: &Store) -> NumberMap<Materials> {
    let mut edges: NumberMap<Materials> = NumberMap::default();
    for t in store.all() {
        let corners = store.tets[t as usize];
        let material = store.material[t as usize];
        for face in FACES {
            let [a, b, c] = face.map(|i| corners[i]);
            let beside = store.beside(t, [a, b, c]).map_or(0, |other| store.material[other as usize]);
            if beside != material {
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    let materials = edges.entry(edge_key(p, q)).or_default();
                    materials.insert(material);
                    materials.insert(beside);
                }
            }
        }
    }
    edges
}

/// Puts middle nodes back on their straight edges until every element is sound.
fn straighten(nodes: &mut [Vec3], elements: &[[usize; 10]], straight: &[(usize, Vec3)]) {
    let Some(&(first, _)) = straight.first() else { return };
    loop {
        let mut changed = false;
        for element in elements {
            if least_jacobian(nodes, element) > LEAST_JACOBIAN {
                continue;
            }
            for &node in &element[4..] {
                let middle = straight[node - first].1;
                changed |= nodes[node] != middle;
                nodes[node] = middle;
            }
        }
        if !changed {
            return;
        }
    }
}

/// The smallest determinant of the Jacobian at the ten nodes and the centre, as part of that of the straight element.
fn least_jacobian(nodes: &[Vec3], element: &[usize; 10]) -> f64 {
    let x = element.map(|node| nodes[node]);
    let corner = |i: usize| std::array::from_fn::<f64, 4, _>(|j| f64::from(u8::from(i == j)));
    let mut places: Vec<[f64; 4]> = (0..4).map(corner).collect();
    places.extend(MIDDLES.map(|[i, j]| std::array::from_fn(|k| if k == i || k == j { 0.5 } else { 0.0 })));
    places.push([0.25; 4]);
    let whole = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0]));
    let determinant = |l: &[f64; 4]| {
        // derivative with respect to volume coordinate k: corner (4 l_k - 1) x_k, middles 4 l_other x_middle
        let mut d = [Vec3::zeros(); 4];
        for k in 0..4 {
            d[k] += x[k] * (4.0 * l[k] - 1.0);
        }
        for (m, [i, j]) in MIDDLES.into_iter().enumerate() {
            d[i] += x[4 + m] * (4.0 * l[j]);
            d[j] += x[4 + m] * (4.0 * l[i]);
        }
        (d[1] - d[0]).cross(&(d[2] - d[0])).dot(&(d[3] - d[0]))
    };
    places.iter().map(|l| determinant(l) / whole).fold(f64::INFINITY, f64::min)
}
