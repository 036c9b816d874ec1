//! Separation of the materials: lattice vertices close to an interface move onto it, other crossing edges are split.
//!
//! Splitting the crossing edges one after the other divides every tetrahedron as the tables of Labelle and Shewchuk do,
//! and all tetrahedra at an edge at once, so that neighbours always conform.

use crate::shape::Shape;
use crate::store::{EDGES, OPEN, Store};
use wolff_spatial::Vec3;

/// A crossing nearer to an end than this part of the edge moves that end; for edges along the axes of the lattice and
/// for the diagonal ones, as proven best by Labelle and Shewchuk 2007, table 1.
const NEAR: [f64; 2] = [0.24999, 0.41189];
/// A moved lattice vertex leaves no sine of a dihedral angle below this.
const LEAST_SINE: f64 = 0.03;

/// Gives every tetrahedron its material; `values` are those of the first cut.
pub(crate) fn separate(store: &mut Store, shape: &dyn Shape, values: Vec<f64>) {
    let mut values = values;
    for cut in 0..shape.materials() {
        if cut > 0 {
            store.note_materials();
            values = values_of_open(store, shape, cut);
        }
        snap(store, shape, cut, &mut values);
        split(store, shape, cut, &mut values);
        decide(store, shape, cut, &values);
    }
    let last = shape.materials();
    store.material.iter_mut().filter(|material| **material == OPEN).for_each(|material| *material = last);
    store.note_materials();
}

/// The values of a cut at the vertices of undecided tetrahedra, 0 elsewhere.
fn values_of_open(store: &Store, shape: &dyn Shape, cut: u16) -> Vec<f64> {
    use rayon::prelude::*;
    let open = |v: u32| store.at(v).iter().any(|&t| store.material[t as usize] == OPEN);
    let value = |v: u32| if open(v) { shape.value(cut, &store.x[v as usize]) } else { 0.0 };
    (0..store.x.len() as u32).into_par_iter().with_min_len(256).map(value).collect()
}

/// The edges of undecided tetrahedra whose ends have values of opposite signs, sorted.
fn crossing(store: &Store, values: &[f64]) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for t in store.all().filter(|&t| store.material[t as usize] == OPEN) {
        let corners = store.tets[t as usize];
        for [i, j] in EDGES {
            let (a, b) = (corners[i].min(corners[j]), corners[i].max(corners[j]));
            if values[a as usize] * values[b as usize] < 0.0 {
                edges.push([a, b]);
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn crossing_of(store: &Store, shape: &dyn Shape, cut: u16, values: &[f64], ends: [u32; 2]) -> f64 {
    shape.crossing(cut, ends.map(|v| &store.x[v as usize]), ends.map(|v| values[v as usize]))
}

/// Moves vertices onto nearby crossings, the nearest first.
fn snap(store: &mut Store, shape: &dyn Shape, cut: u16, values: &mut [f64]) {
    let mut wanted: Vec<(f64, u32, u32, f64)> = Vec::new();
    for [a, b] in crossing(store, values) {
        let part = crossing_of(store, shape, cut, values, [a, b]);
        let along = store.x[b as usize] - store.x[a as usize];
        let is_axial = along.abs().max() > 0.99 * along.norm();
        let near = if is_axial { NEAR[0] } else { NEAR[1] };
        if part < near {
            wanted.push((part / near, a, b, part));
        }
        if 1.0 - part < near {
            wanted.push(((1.0 - part) / near, b, a, 1.0 - part));
        }
    }
    wanted.sort_unstable_by(|s, t| s.0.total_cmp(&t.0).then(s.1.cmp(&t.1)).then(s.2.cmp(&t.2)));
    for (_, v, end, part) in wanted {
        if !(values[v as usize] * values[end as usize] < 0.0) {
            continue;
        }
        let to = store.x[v as usize].lerp(&store.x[end as usize], part);
        // a vertex of an earlier interface stays on it; it is moved to the junction when the mesh is improved
        if !store.meets[v as usize].is_free() || store.try_move(v, to, LEAST_SINE) {
            values[v as usize] = 0.0;
        }
    }
}

/// Splits the crossing edges, the longest first.
fn split(store: &mut Store, shape: &dyn Shape, cut: u16, values: &mut Vec<f64>) {
    let mut edges: Vec<(f64, [u32; 2])> = crossing(store, values)
        .into_iter()
        .map(|[a, b]| ((store.x[a as usize] - store.x[b as usize]).norm_squared(), [a, b]))
        .collect();
    edges.sort_by(|s, t| t.0.total_cmp(&s.0).then(s.1.cmp(&t.1)));
    for (_, [a, b]) in edges {
        let part = crossing_of(store, shape, cut, values, [a, b]);
        let point = store.x[a as usize].lerp(&store.x[b as usize], part);
        store.split(a, b, point);
        values.push(0.0);
    }
}

/// Gives undecided tetrahedra with a positive corner the material of the cut.
fn decide(store: &mut Store, shape: &dyn Shape, cut: u16, values: &[f64]) {
    for t in 0..store.tets.len() {
        if store.material[t] != OPEN {
            continue;
        }
        let corners = store.tets[t].map(|v| values[v as usize]);
        let largest = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let least = corners.into_iter().fold(f64::INFINITY, f64::min);
        let is_this = largest > 0.0
            || (least == 0.0 && {
                let centre: Vec3 = store.corners(t as u32).into_iter().sum::<Vec3>() / 4.0;
                shape.value(cut, &centre) > 0.0
            });
        if is_this {
            store.material[t] = cut;
        }
    }
}
