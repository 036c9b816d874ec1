//! Places where the solid touches itself in a vertex or an edge only, which a solid may not.

use crate::store::{FACES, GONE, Store};
use wolff_spatial::Vec3;

/// Rounds of repair, at most; each removes or parts something.
const ROUNDS: usize = 30;

/// Removes the outside and parts or removes what hangs together in a vertex or an edge only.
pub(crate) fn remove_outside(store: &mut Store) {
    let outside: Vec<u32> = store.all().filter(|&t| store.material[t as usize] == 0).collect();
    outside.into_iter().for_each(|t| store.remove(t));
    note_outside(store);
    for _ in 0..ROUNDS {
        let removed = remove_edge_pinches(store);
        let parted = part_vertices(store);
        if removed + parted == 0 {
            return;
        }
    }
}

/// Adds the outside to the materials at the corners of faces with nothing behind them. The lattice has no tetrahedra
/// whose corners were all outside, so that a corner moved onto the surface may have lost all of its outer ones.
fn note_outside(store: &mut Store) {
    for t in 0..store.tets.len() as u32 {
        if !store.is_there(t) {
            continue;
        }
        let corners = store.tets[t as usize];
        for face in FACES.map(|face| face.map(|i| corners[i])) {
            if !face.iter().all(|&v| is_outer(store, v)) && store.beside(t, face).is_none() {
                face.iter().for_each(|&v| store.meets[v as usize].insert(0));
            }
        }
    }
}

/// Groups of tetrahedra connected through common faces.
fn groups(store: &Store, tets: &[u32]) -> Vec<Vec<u32>> {
    let mut open: Vec<u32> = tets.to_vec();
    let mut groups = Vec::new();
    while let Some(first) = open.pop() {
        let mut group = vec![first];
        let mut done = 0;
        while done < group.len() {
            let corners = store.tets[group[done] as usize];
            let touches = |t: &u32| store.tets[*t as usize].iter().filter(|v| corners.contains(v)).count() == 3;
            let (near, far): (Vec<u32>, Vec<u32>) = open.iter().partition(|t| touches(t));
            group.extend(near);
            open = far;
            done += 1;
        }
        groups.push(group);
    }
    groups
}

fn is_outer(store: &Store, v: u32) -> bool {
    store.meets[v as usize].list().first() == Some(&0)
}

/// At edges with several separate fans of tetrahedra, keeps the largest fan; the number of tetrahedra removed.
fn remove_edge_pinches(store: &mut Store) -> usize {
    let mut edges = Vec::new();
    for t in store.all() {
        let corners = store.tets[t as usize];
        for [i, j] in crate::store::EDGES {
            if is_outer(store, corners[i]) && is_outer(store, corners[j]) {
                edges.push([corners[i].min(corners[j]), corners[i].max(corners[j])]);
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut removed = 0;
    for [a, b] in edges {
        let around: Vec<u32> = store.at_edge(a, b).collect();
        let mut fans = groups(store, &around);
        if fans.len() < 2 {
            continue;
        }
        let volume = |fan: &Vec<u32>| fan.iter().map(|&t| store.volume(t)).sum::<f64>();
        fans.sort_by(|s, t| volume(t).total_cmp(&volume(s)));
        for t in fans.drain(1..).flatten() {
            for v in store.tets[t as usize] {
                store.meets[v as usize].insert(0);
            }
            store.remove(t);
            removed += 1;
        }
    }
    removed
}

/// Gives each separate group of tetrahedra at an outer vertex a vertex of its own; the number of new vertices.
fn part_vertices(store: &mut Store) -> usize {
    let mut parted = 0;
    for v in 0..store.x.len() as u32 {
        if !is_outer(store, v) {
            continue;
        }
        for group in groups(store, store.at(v)).into_iter().skip(1) {
            let new = store.vertex(store.x[v as usize]);
            store.meets[new as usize] = store.meets[v as usize];
            group.into_iter().for_each(|t| store.replace(t, v, new));
            draw_back(store, new);
            parted += 1;
        }
    }
    parted
}

/// Moves a parted vertex into its own tetrahedra, so that it does not lie where the other one does.
fn draw_back(store: &mut Store, v: u32) {
    let corners = store.at(v).iter().flat_map(|&t| store.tets[t as usize]).map(|w| store.x[w as usize]);
    let (sum, count) = corners.fold((Vec3::zeros(), 0.0), |(sum, count), x| (sum + x, count + 1.0));
    let to = store.x[v as usize].lerp(&(sum / count), 0.2);
    store.try_move(v, to, 0.0);
}

/// Gives connected parts of a material that are smaller than a part of its volume to the material around them.
pub(crate) fn join_crumbs(store: &mut Store, least_part: f64) {
    let (parts, volumes) = parts_of_materials(store);
    let mut wholes: Vec<f64> = Vec::new();
    let material_of = |part: &[u32]| usize::from(store.material[part[0] as usize]);
    for (part, volume) in parts.iter().zip(&volumes) {
        let material = material_of(part);
        wholes.resize(wholes.len().max(material + 1), 0.0);
        wholes[material] += volume;
    }
    let mut changes = Vec::new();
    for (part, volume) in parts.iter().zip(&volumes) {
        let material = material_of(part);
        if material > 0 && *volume < least_part * wholes[material] {
            changes.push((part, around(store, part)));
        }
    }
    let has_changed = !changes.is_empty();
    for (part, material) in changes {
        part.iter().for_each(|&t| store.material[t as usize] = material);
    }
    if has_changed {
        store.note_materials();
    }
}

/// The parts of all materials, connected through common faces, with their volumes.
fn parts_of_materials(store: &Store) -> (Vec<Vec<u32>>, Vec<f64>) {
    let mut is_known = vec![false; store.tets.len()];
    let (mut parts, mut volumes) = (Vec::new(), Vec::new());
    for seed in 0..store.tets.len() as u32 {
        if !store.is_there(seed) || is_known[seed as usize] {
            continue;
        }
        let material = store.material[seed as usize];
        is_known[seed as usize] = true;
        let mut part = vec![seed];
        let mut done = 0;
        while done < part.len() {
            for other in beside_all(store, part[done]) {
                if !is_known[other as usize] && store.material[other as usize] == material {
                    is_known[other as usize] = true;
                    part.push(other);
                }
            }
            done += 1;
        }
        volumes.push(part.iter().map(|&t| store.volume(t)).sum());
        parts.push(part);
    }
    (parts, volumes)
}

/// The tetrahedra that share a face with one.
fn beside_all(store: &Store, t: u32) -> impl Iterator<Item = u32> + '_ {
    let corners = store.tets[t as usize];
    FACES.into_iter().filter_map(move |face| store.beside(t, face.map(|i| corners[i])))
}

/// The material that has the most faces around a part of another one; the outside if there is none.
fn around(store: &Store, part: &[u32]) -> u16 {
    let own = store.material[part[0] as usize];
    let mut faces: Vec<u16> = part
        .iter()
        .flat_map(|&t| beside_all(store, t))
        .map(|other| store.material[other as usize])
        .filter(|&material| material != own)
        .collect();
    faces.sort_unstable();
    faces.chunk_by(|a, b| a == b).max_by_key(|equal| (equal.len(), equal[0])).map_or(0, |equal| equal[0])
}

/// Removes connected parts of the solid that are smaller than a part of its volume; the number of parts removed.
pub(crate) fn remove_crumbs(store: &mut Store, least_part: f64) -> usize {
    let mut part = vec![u32::MAX; store.tets.len()];
    let mut volumes: Vec<f64> = Vec::new();
    for seed in 0..store.tets.len() {
        if store.material[seed] == GONE || part[seed] != u32::MAX {
            continue;
        }
        let number = volumes.len() as u32;
        let mut waiting = vec![seed as u32];
        part[seed] = number;
        let mut volume = 0.0;
        while let Some(t) = waiting.pop() {
            volume += store.volume(t);
            for v in store.tets[t as usize] {
                for &s in store.at(v) {
                    if part[s as usize] == u32::MAX {
                        part[s as usize] = number;
                        waiting.push(s);
                    }
                }
            }
        }
        volumes.push(volume);
    }
    let total: f64 = volumes.iter().sum();
    for t in 0..store.tets.len() as u32 {
        if store.is_there(t) && volumes[part[t as usize] as usize] < least_part * total {
            store.remove(t);
        }
    }
    volumes.iter().filter(|&&volume| volume < least_part * total).count()
}
