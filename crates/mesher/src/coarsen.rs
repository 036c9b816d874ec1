//! Coarsening: where the mesh is finer than asked, the ends of short edges are merged if neither angles nor interfaces
//! suffer.
//!
//! Source: Klingner and Shewchuk 2007, Aggressive tetrahedral mesh improvement (edge contraction); Dey and others 1999,
//! Topology preserving edge contraction.

use crate::quality::least_sine;
use crate::shape::{Materials, Shape};
use crate::store::{EDGES, FACES, Store};

/// Edges shorter than this many sizes are merged.
const SHORT: f64 = 0.8;
/// No edge becomes longer than this many sizes.
const LONG: f64 = 1.5;
/// No sine of a dihedral angle falls below this, or below the smallest one around the vertex: 20°.
const KEEP_SINE: f64 = 0.34;
/// No face of an interface turns by more than the angle of this cosine.
const LEAST_TURN: f64 = 0.85;

/// How coarse a mesh may become.
pub(crate) struct Rule {
    /// The mean edge aimed at \[m\].
    pub size: f64,
    /// How far the faces may be from their interface \[m\].
    pub gap: f64,
    /// Tetrahedra that are left at least.
    pub fewest: usize,
}

/// Merges the ends of short edges, the shortest first.
pub(crate) fn coarsen(store: &mut Store, shape: &dyn Shape, rule: &Rule) {
    let mut edges: Vec<(f64, [u32; 2])> = Vec::new();
    let longest = (SHORT * rule.size).powi(2);
    for t in store.all() {
        let corners = store.tets[t as usize];
        for [i, j] in EDGES {
            let (a, b) = (corners[i].min(corners[j]), corners[i].max(corners[j]));
            let square = (store.x[a as usize] - store.x[b as usize]).norm_squared();
            if square < longest {
                edges.push((square, [a, b]));
            }
        }
    }
    edges.sort_unstable_by(|s, t| s.0.total_cmp(&t.0).then(s.1.cmp(&t.1)));
    edges.dedup();
    let mut left = store.all().count();
    for (square, [a, b]) in edges {
        if left <= rule.fewest {
            break;
        }
        // an earlier merge may have removed the edge or made it longer
        let is_same = store.has_edge(a, b) && (store.x[a as usize] - store.x[b as usize]).norm_squared() == square;
        if !is_same {
            continue;
        }
        // a vertex inside a material gives way to one of an interface, and that to one of a junction
        let count = |v: u32| store.meets[v as usize].list().len();
        let order = if count(a) <= count(b) { [(a, b), (b, a)] } else { [(b, a), (a, b)] };
        if let Some((v, w)) = order.into_iter().find(|&(v, w)| may_merge(store, shape, rule, v, w)) {
            left -= merge(store, v, w);
        }
    }
}

/// Replaces a vertex by another one of the same edge; the number of tetrahedra that vanish.
fn merge(store: &mut Store, v: u32, w: u32) -> usize {
    let mut vanished = 0;
    for t in store.at(v).to_vec() {
        if store.tets[t as usize].contains(&w) {
            store.remove(t);
            vanished += 1;
        } else {
            store.replace(t, v, w);
        }
    }
    vanished
}

/// Whether a vertex may be replaced by another one of the same edge.
fn may_merge(store: &Store, shape: &dyn Shape, rule: &Rule, v: u32, w: u32) -> bool {
    let meets = &store.meets[v as usize];
    if meets.is_fixed() || store.pinned[v as usize] {
        return false;
    }
    let edge: Vec<u32> = store.at_edge(v, w).collect();
    let is_alike = meets.is_free() || *meets == edge_materials(store, &edge, v, w);
    is_alike
        && keeps_angles(store, rule, v, w)
        && keeps_layers(store, v, w)
        && (meets.is_free() || (keeps_topology(store, &edge, v, w) && keeps_interfaces(store, shape, rule, v, w)))
}

/// The materials around an edge, with the outside if it lies on the outer surface.
fn edge_materials(store: &Store, around: &[u32], v: u32, w: u32) -> Materials {
    let mut materials = Materials::default();
    for &t in around {
        materials.insert(store.material[t as usize]);
        for u in others(store, t, v, w) {
            if store.beside(t, [v, w, u]).is_none() {
                materials.insert(0);
            }
        }
    }
    materials
}

/// The corners of a tetrahedron that are none of two vertices.
fn others(store: &Store, t: u32, v: u32, w: u32) -> impl Iterator<Item = u32> {
    store.tets[t as usize].into_iter().filter(move |&u| u != v && u != w)
}

/// Whether angles stay good and edges short.
fn keeps_angles(store: &Store, rule: &Rule, v: u32, w: u32) -> bool {
    let bound = KEEP_SINE.min(store.star_sine(v));
    let x = &store.x[w as usize];
    let longest = (LONG * rule.size).powi(2);
    let place = |u: u32| &store.x[if u == v { w } else { u } as usize];
    store.at(v).iter().map(|&t| store.tets[t as usize]).filter(|corners| !corners.contains(&w)).all(|corners| {
        let [a, b, c, d] = corners.map(place);
        [a, b, c, d].iter().all(|y| (*y - x).norm_squared() <= longest) && least_sine(a, b, c, d) > bound
    })
}

/// Whether no new edge runs through a material from one point of its surface to another: a layer keeps the vertices
/// inside it.
fn keeps_layers(store: &Store, v: u32, w: u32) -> bool {
    if !store.meets[v as usize].is_free() || store.meets[w as usize].is_free() {
        return true;
    }
    let corners = store.at(v).iter().flat_map(|&t| store.tets[t as usize]);
    corners.into_iter().filter(|&u| u != w && !store.meets[u as usize].is_free()).all(|u| store.has_edge(u, w))
}

/// Whether the interfaces keep their topology: what both ends have in common belongs to their edge, and materials that
/// meet at the edges from both ends to a third vertex meet at the face of the three too.
fn keeps_topology(store: &Store, edge: &[u32], v: u32, w: u32) -> bool {
    let mut common: Vec<u32> = store.at(v).iter().flat_map(|&t| store.tets[t as usize]).collect();
    common.sort_unstable();
    common.dedup();
    common.retain(|&u| u != v && u != w && store.has_edge(u, w));
    common.into_iter().all(|u| {
        let at_face: Vec<u32> = edge.iter().copied().filter(|&t| store.tets[t as usize].contains(&u)).collect();
        let is_at_face = |material: u16| {
            (material == 0 && at_face.len() == 1) || at_face.iter().any(|&t| store.material[t as usize] == material)
        };
        let beyond = materials_at(store, w, u);
        let is_glued = |material: &u16| beyond.list().contains(material) && !is_at_face(*material);
        !at_face.is_empty() && !materials_at(store, v, u).list().iter().any(is_glued) && keeps_materials(store, u, v, w)
    })
}

/// The materials around the edge of two vertices.
fn materials_at(store: &Store, a: u32, b: u32) -> Materials {
    let around: Vec<u32> = store.at_edge(a, b).collect();
    edge_materials(store, &around, a, b)
}

/// Whether a vertex stays at all of its materials if the tetrahedra at an edge vanish.
fn keeps_materials(store: &Store, u: u32, v: u32, w: u32) -> bool {
    let vanishes = |t: u32| [v, w].iter().all(|end| store.tets[t as usize].contains(end));
    let at = store.at(u);
    at.iter()
        .filter(|&&t| vanishes(t))
        .all(|&t| at.iter().any(|&s| !vanishes(s) && store.material[s as usize] == store.material[t as usize]))
}

/// Whether the new faces of interfaces stay close to these.
fn keeps_interfaces(store: &Store, shape: &dyn Shape, rule: &Rule, v: u32, w: u32) -> bool {
    store.at(v).iter().filter(|&&t| !store.tets[t as usize].contains(&w)).all(|&t| {
        let corners = store.tets[t as usize];
        FACES.map(|face| face.map(|i| corners[i])).into_iter().filter(|face| face.contains(&v)).all(|face| {
            let material = store.material[t as usize];
            let beside = store.beside(t, face).map_or(0, |other| store.material[other as usize]);
            beside >= material || keeps_face(store, shape, rule, face, [beside, material], (v, w))
        })
    })
}

/// Whether a face between two materials stays close to their interface if a corner of it is replaced.
fn keeps_face(
    store: &Store,
    shape: &dyn Shape,
    rule: &Rule,
    face: [u32; 3],
    pair: [u16; 2],
    (v, w): (u32, u32),
) -> bool {
    let [a, b, c] = face.map(|u| store.x[u as usize]);
    let [p, q, r] = face.map(|u| store.x[if u == v { w } else { u } as usize]);
    let (old, new) = ((b - a).cross(&(c - a)), (q - p).cross(&(r - p)));
    if old.dot(&new) < LEAST_TURN * old.norm() * new.norm() {
        return false;
    }
    let mut materials = Materials::default();
    pair.into_iter().for_each(|material| materials.insert(material));
    let centre = (p + q + r) / 3.0;
    shape.project(&materials, &centre).is_some_and(|(foot, _)| (foot - centre).norm() <= rule.gap)
}
