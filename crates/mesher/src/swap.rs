//! Exchange of tetrahedra around an edge or a face for others with a larger smallest sine.
//!
//! Source: Klingner and Shewchuk 2007, Aggressive tetrahedral mesh improvement (edge removal, by the triangulation of
//! the ring around the edge that Klincsek's dynamic programme finds; 2-3 flips).

use crate::quality::least_sine;
use crate::store::{EDGES, FACES, Store};
use wolff_spatial::Vec3;

/// Vertices of a ring, at most: rings of many tetrahedra have no good triangulation.
const LARGEST_RING: usize = 9;
/// An exchange must raise the smallest sine by this.
const GAIN: f64 = 1e-4;
/// Two faces of an interface may exchange their common edge if the cosine between their normals is above this.
const FLAT: f64 = 0.9;

/// Vertices around an edge within one material, in order.
struct Fan {
    material: u16,
    ring: Vec<u32>,
}

/// What replaces the tetrahedra at an edge, and its smallest sine.
struct Exchange {
    tets: Vec<([u32; 4], u16)>,
    least: f64,
}

/// Tries all exchanges for one bad tetrahedron; whether one was made.
pub(crate) fn swap_tet(store: &mut Store, t: u32) -> bool {
    let corners = store.tets[t as usize];
    EDGES.iter().any(|&[i, j]| remove_edge(store, corners[i], corners[j])) || (0..4).any(|f| remove_face(store, t, f))
}

/// Replaces the two tetrahedra at a face by three around the line between their apices.
fn remove_face(store: &mut Store, t: u32, face: usize) -> bool {
    let corners = store.tets[t as usize];
    let [p, q, r] = FACES[face].map(|i| corners[i]);
    let Some(s) = store.beside(t, [p, q, r]) else { return false };
    let material = store.material[t as usize];
    let below = corners[face];
    let Some(&above) = store.tets[s as usize].iter().find(|v| ![p, q, r].contains(v)) else { return false };
    if store.material[s as usize] != material {
        return false;
    }
    let old = store.sine(t).min(store.sine(s));
    let new = [[below, above, p, q], [below, above, q, r], [below, above, r, p]];
    if !new.iter().all(|tet| sine_of(store, tet) > old + GAIN) {
        return false;
    }
    store.remove(t);
    store.remove(s);
    for tet in new {
        store.add(tet, material);
    }
    true
}

fn sine_of(store: &Store, tet: &[u32; 4]) -> f64 {
    let [a, b, c, d] = tet.map(|v| &store.x[v as usize]);
    least_sine(a, b, c, d)
}

/// Removes an edge: the tetrahedra at it are replaced by those over the best triangulation of the ring around it. On an
/// interface the common edge of two flat faces is exchanged for the other diagonal.
fn remove_edge(store: &mut Store, a: u32, b: u32) -> bool {
    let around: Vec<u32> = store.at_edge(a, b).collect();
    if around.len() > LARGEST_RING {
        return false;
    }
    let Some((fans, is_closed)) = fans_of(store, a, b, &around) else { return false };
    let old = around.iter().map(|&t| store.sine(t)).fold(f64::INFINITY, f64::min);
    let is_inner = is_closed && fans.len() == 1;
    let may_change = is_inner || (fans.len() == usize::from(is_closed) + 1 && may_flip(store, a, b, &fans));
    if !may_change {
        return false;
    }
    let mut tets = Vec::new();
    for fan in &fans {
        match triangulated(store, a, b, fan, old + GAIN) {
            Some(exchange) if exchange.least > old + GAIN => tets.extend(exchange.tets),
            _ => return false,
        }
    }
    around.into_iter().for_each(|t| store.remove(t));
    for (tet, material) in tets {
        store.add(tet, material);
    }
    true
}

/// The fans around an edge, and whether they close; `None` where they do not hang together.
fn fans_of(store: &Store, a: u32, b: u32, around: &[u32]) -> Option<(Vec<Fan>, bool)> {
    // each tetrahedron leads from one vertex of the ring to the next
    let mut links: Vec<(u32, u32, u16)> = around
        .iter()
        .map(|&t| {
            let (p, q) = opposite(&store.tets[t as usize], a, b);
            (p, q, store.material[t as usize])
        })
        .collect();
    let begins = |links: &[(u32, u32, u16)], p: u32| !links.iter().any(|link| link.1 == p);
    let start = links.iter().position(|link| begins(&links, link.0));
    let is_closed = start.is_none();
    let changes = |link: &(u32, u32, u16)| links.iter().any(|before| before.1 == link.0 && before.2 != link.2);
    let first = start.or_else(|| links.iter().position(changes)).unwrap_or(0);
    let mut link = links.swap_remove(first);
    let mut fans = vec![Fan { material: link.2, ring: vec![link.0, link.1] }];
    while !links.is_empty() {
        let next = links.iter().position(|other| other.0 == link.1)?;
        link = links.swap_remove(next);
        match fans.last_mut() {
            Some(fan) if fan.material == link.2 => fan.ring.push(link.1),
            _ => fans.push(Fan { material: link.2, ring: vec![link.0, link.1] }),
        }
    }
    if let [only] = &mut fans[..]
        && is_closed
    {
        only.ring.pop();
    }
    Some((fans, is_closed))
}

/// The other two corners in the order that makes (a, b, p, q) positive.
fn opposite(corners: &[u32; 4], a: u32, b: u32) -> (u32, u32) {
    let place = |v: u32| corners.iter().position(|&w| w == v).unwrap_or(0);
    let (i, j) = (place(a), place(b));
    let mut rest = (0..4).filter(|&k| k != i && k != j);
    let (k, l) = (rest.next().unwrap_or(0), rest.next().unwrap_or(0));
    // an even permutation keeps the sign: count the pairs out of order
    let order = [i, j, k, l];
    let inversions = EDGES.iter().filter(|&&[m, n]| order[m] > order[n]).count();
    if inversions % 2 == 0 { (corners[k], corners[l]) } else { (corners[l], corners[k]) }
}

/// Whether the common edge of two faces of an interface may be exchanged for the other diagonal.
fn may_flip(store: &Store, a: u32, b: u32, fans: &[Fan]) -> bool {
    let (Some(&c), Some(&d)) = (fans[0].ring.first(), fans[0].ring.last()) else { return false };
    let [xa, xb, xc, xd] = [a, b, c, d].map(|v| store.x[v as usize]);
    let (first, second) = ((xb - xa).cross(&(xc - xa)), (xd - xa).cross(&(xb - xa)));
    let (third, fourth) = ((xa - xc).cross(&(xd - xc)), (xd - xc).cross(&(xb - xc)));
    let flat = |n: &Vec3, m: &Vec3| n.dot(m) > FLAT * n.norm() * m.norm();
    if !flat(&first, &second) || !flat(&third, &fourth) || !flat(&first, &third) {
        return false;
    }
    // a vertex of the new edge must not belong to fewer interfaces than the faces do, which all four share
    let common = |v: u32| fans.iter().all(|fan| store.meets[v as usize].list().contains(&fan.material));
    if ![c, d].into_iter().all(common) {
        return false;
    }
    match fans.iter().find(|fan| fan.ring.len() == 2) {
        None => !store.has_edge(c, d),
        // the edge c-d is that of the tetrahedron which changes sides: it must lie inside the material
        Some(thin) => {
            let around: Vec<u32> = store.at_edge(c, d).collect();
            let inside = around.iter().all(|&t| store.material[t as usize] == thin.material);
            inside
                && fans.iter().filter(|fan| fan.ring.len() == 2).count() == 1
                && fans_of(store, c, d, &around).is_some_and(|(_, is_closed)| is_closed)
        }
    }
}

/// The triangulation of a ring whose tetrahedra with both ends of the edge have the largest smallest sine.
fn triangulated(store: &Store, a: u32, b: u32, fan: &Fan, bound: f64) -> Option<Exchange> {
    let n = fan.ring.len();
    let mut best = [[f64::INFINITY; LARGEST_RING + 1]; LARGEST_RING + 1];
    let mut apex = [[0_usize; LARGEST_RING + 1]; LARGEST_RING + 1];
    let pair = |i: usize, k: usize, j: usize| {
        let [p, q, r] = [fan.ring[i], fan.ring[k], fan.ring[j]];
        [[p, q, r, b], [p, r, q, a]]
    };
    for span in 2..n {
        for i in 0..n - span {
            let j = i + span;
            best[i][j] = f64::NEG_INFINITY;
            for k in i + 1..j {
                let sides = best[i][k].min(best[k][j]);
                if sides <= best[i][j] || sides <= bound {
                    continue;
                }
                let [above, below] = pair(i, k, j);
                let value = sides.min(sine_of(store, &above)).min(sine_of(store, &below));
                if value > best[i][j] {
                    best[i][j] = value;
                    apex[i][j] = k;
                }
            }
            if span == n - 1 && best[i][j] <= bound {
                return None;
            }
        }
    }
    let mut exchange = Exchange { tets: Vec::new(), least: best[0][n - 1] };
    let mut waiting = vec![(0, n - 1)];
    while let Some((i, j)) = waiting.pop() {
        if j > i + 1 {
            let k = apex[i][j];
            exchange.tets.extend(pair(i, k, j).map(|tet| (tet, fan.material)));
            waiting.extend([(i, k), (k, j)]);
        }
    }
    Some(exchange)
}
