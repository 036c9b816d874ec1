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
