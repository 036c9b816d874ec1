//! Improvement: interface vertices onto their interfaces, moves, exchanges; only where angles are bad.

use rayon::prelude::*;

use crate::shape::Shape;
use crate::smooth::{put_on_interface, relax_vertex, smooth_vertex};
use crate::store::Store;
use crate::swap::swap_tet;

/// Stars with a smaller sine than this are moved: 32°.
const SMOOTH_BELOW: f64 = 0.53;
/// Tetrahedra with a smaller sine than this are exchanged: 27°.
const SWAP_BELOW: f64 = 0.45;
/// A vertex put onto its interface leaves no sine below this if there was none: 13°.
const KEEP_SINE: f64 = 0.22;

/// The smallest sines of all tetrahedra; infinite for those removed.
pub(crate) fn sines(store: &Store) -> Vec<f64> {
    let sine = |t: u32| if store.is_there(t) { store.sine(t) } else { f64::INFINITY };
    (0..store.tets.len() as u32).into_par_iter().with_min_len(1024).map(sine).collect()
}

/// Improves a mesh in rounds; returns the smallest sine.
pub(crate) fn improve(store: &mut Store, shape: &dyn Shape, rounds: usize) -> f64 {
    let mut least = f64::NEG_INFINITY;
    for round in 0..rounds {
        put_all(store, shape, KEEP_SINE);
        smooth_all(store, shape);
        if round + 1 < rounds {
            swap_all(store);
        }
        least = sines(store).into_iter().fold(f64::INFINITY, f64::min);
    }
    least
}

/// Puts interface vertices onto their interfaces; the number that did not arrive.
pub(crate) fn put_all(store: &mut Store, shape: &dyn Shape, least: f64) -> usize {
    (0..store.x.len() as u32).filter(|&v| !put_on_interface(store, shape, v, least)).count()
}

fn smooth_all(store: &mut Store, shape: &dyn Shape) {
    let sines = sines(store);
    let mut is_bad = vec![false; store.x.len()];
    for (corners, _) in store.tets.iter().zip(&sines).filter(|(_, sine)| **sine < SMOOTH_BELOW) {
        corners.iter().for_each(|&v| is_bad[v as usize] = true);
    }
    for v in (0..store.x.len() as u32).filter(|&v| is_bad[v as usize]) {
        smooth_vertex(store, shape, v, SMOOTH_BELOW);
    }
}

/// Rescues tetrahedra with a sine below `target`: their vertices may leave their interfaces a little.
pub(crate) fn rescue(store: &mut Store, target: f64, leeway: f64, rounds: usize) {
    for _ in 0..rounds {
        let sines = sines(store);
        let bad: Vec<u32> = (0..sines.len() as u32).filter(|&t| sines[t as usize] < target).collect();
        if bad.is_empty() {
            return;
        }
        for t in bad {
            if store.is_there(t) && store.sine(t) < target && !swap_tet(store, t) {
                for v in store.tets[t as usize] {
                    relax_vertex(store, v, target, leeway);
                }
            }
        }
    }
}

fn swap_all(store: &mut Store) {
    let sines = sines(store);
    let mut bad: Vec<u32> = (0..sines.len() as u32).filter(|&t| sines[t as usize] < SWAP_BELOW).collect();
    bad.sort_by(|&s, &t| sines[s as usize].total_cmp(&sines[t as usize]).then(s.cmp(&t)));
    for t in bad {
        if store.is_there(t) && store.sine(t) < SWAP_BELOW {
            swap_tet(store, t);
        }
    }
}
