//! Nodes that are moved, or drawn together with a neighbour.

use nalgebra::Vector3;

use super::patchwork::{Change, Patchwork, shape_of};
use super::{ENOUGH, SURFACE_MOVE};
use crate::mesh::quality::DEGENERATE_SHAPE;

/// A node inside the solid moves by at most this part of the mean length of its edges.
const INNER_MOVE: f64 = 0.3;

/// Steps of the search for a position; the distance is doubled after a success and halved after a failure.
const MOST_STEPS: usize = 40;

/// The first of them, as a part of the largest distance.
const FIRST_STEP: f64 = 0.05;

/// All shifts of the nodes of an element.
pub(super) fn changes(work: &Patchwork, element: usize) -> Vec<Change> {
    let corners = work.corners(element);
    let mut found: Vec<Change> = corners.iter().filter_map(|&node| moved(work, node)).collect();
    for from in corners {
        found.extend(corners.iter().filter(|&&to| to != from).filter_map(|&to| drawn_together(work, from, to)));
    }
    found
}

/// A node moved so that the flat elements around it are flat no more and no other becomes flatter; pattern search along
/// the axes.
fn moved(work: &Patchwork, node: usize) -> Option<Change> {
    let star = work.around(node).to_vec();
    work.common_group(&star)?;
    let edge = work.mean_edge(&star);
    let on_surface = work.is_surface_node(node);
    let reach = edge * if on_surface { SURFACE_MOVE } else { INNER_MOVE };
    let start = work.x[node];
    let shapes = |at: &Vector3<f64>| -> Vec<f64> {
        let position = |n: usize| if n == node { *at } else { work.x[n] };
        star.iter().map(|&e| shape_of(work.corners(e).map(position))).collect()
    };
    let before = shapes(&start);
    let is_flat = |shape: f64| !(shape >= DEGENERATE_SHAPE);
    let enough = ENOUGH * before.iter().filter(|shape| is_flat(**shape)).count() as f64;
    // sum of the shapes of flat elements as far as they are below what is enough; none where an element suffers
    let gain = |at: &Vector3<f64>| {
        let after = shapes(at);
        let both = || after.iter().zip(&before);
        let harmless = both().all(|(after, before)| *after >= before.min(ENOUGH));
        let flat = both().filter(|(_, before)| is_flat(**before));
        harmless.then(|| flat.map(|(after, _)| after.min(ENOUGH)).sum::<f64>())
    };
    let (mut at, mut best, mut step) = (start, gain(&start)?, FIRST_STEP * reach);
    for _ in 0..MOST_STEPS {
        if best >= enough {
            break;
        }
        let directions = (0..6).map(|k| {
            let mut way = Vector3::zeros();
            way[k / 2] = if k % 2 == 0 { step } else { -step };
            at + way
        });
        let within = directions.filter(|x| (x - start).norm() <= reach);
        match within.filter_map(|x| Some((gain(&x)?, x))).max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((sum, x)) if sum > best => (best, at, step) = (sum, x, 2.0 * step),
            _ => step *= 0.5,
        }
    }
    let flat = |shapes: &[f64]| shapes.iter().filter(|shape| is_flat(**shape)).count();
    let after = shapes(&at);
    let volume = |at: Vector3<f64>| -> f64 {
        let position = |n: usize| if n == node { at } else { work.x[n] };
        star.iter().map(|&e| signed_volume(work.corners(e).map(position))).sum()
    };
    let improved = after.iter().zip(&before).filter(|(_, before)| is_flat(**before));
    Some(Change {
        remove: Vec::new(),
        add: Vec::new(),
        place: Some((node, at)),
        worst: improved.map(|(after, _)| *after).fold(f64::INFINITY, f64::min),
        helps: flat(&after) < flat(&before),
        surface: if on_surface { (at - start).norm() } else { 0.0 },
        volume: if on_surface { volume(at) - volume(start) } else { 0.0 },
        edge,
    })
}

fn signed_volume([a, b, c, d]: [Vector3<f64>; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

/// A node drawn to a neighbour: the elements of their edge vanish. A node of the surface only moves along an edge of
/// the surface.
fn drawn_together(work: &Patchwork, from: usize, to: usize) -> Option<Change> {
    if work.mark[from] != work.mark[to] || !simple_link(work, from, to) {
        return None;
    }
    let on_surface = work.is_surface_node(from);
    if on_surface && !work.is_surface_edge(from, to) {
        return None;
    }
    let star = work.around(from).to_vec();
    let stay = star.iter().map(|&e| work.corners(e)).filter(|corners| !corners.contains(&to));
    let add: Vec<[usize; 4]> = stay.map(|corners| corners.map(|n| if n == from { to } else { n })).collect();
    if add.is_empty() {
        return None;
    }
    let change = work.exchange(star, add)?;
    match on_surface {
        true => Some(Change { surface: 3.0 * change.volume.abs() / work.surface_area(from), ..change }),
        false => Some(Change { volume: 0.0, ..change }),
    }
}

/// Whether both nodes have no neighbours in common but those of the elements at their edge, and no face in common that
/// is not one of these elements: otherwise elements would fall upon each other.
fn simple_link(work: &Patchwork, from: usize, to: usize) -> bool {
    let at_edge = work.at_edge(from, to);
    let neighbours = |node: usize, elements: &[usize]| {
        let mut all: Vec<usize> = elements.iter().flat_map(|&e| work.corners(e)).filter(|&n| n != node).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let (of_from, of_to) = (neighbours(from, work.around(from)), neighbours(to, work.around(to)));
    let of_edge = neighbours(from, &at_edge);
    let shared = of_from.iter().filter(|n| of_to.binary_search(n).is_ok());
    if shared.into_iter().any(|n| of_edge.binary_search(n).is_err()) {
        return false;
    }
    // edges opposite both nodes must be those of the elements at the edge
    let opposite = |node: usize| {
        let mut edges = Vec::new();
        for corners in work.around(node).iter().map(|&e| work.corners(e)) {
            let others: Vec<usize> = corners.into_iter().filter(|&n| n != node).collect();
            for skipped in 0..others.len() {
                let mut edge = others.clone();
                edge.remove(skipped);
                edge.sort_unstable();
                edges.push(edge);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    };
    let inner: Vec<Vec<usize>> = at_edge
        .iter()
        .map(|&e| {
            let mut rest: Vec<usize> = work.corners(e).into_iter().filter(|&n| n != from && n != to).collect();
            rest.sort_unstable();
            rest
        })
        .collect();
    let of_to = opposite(to);
    opposite(from)
        .iter()
        .filter(|edge| of_to.binary_search(edge).is_ok())
        .all(|edge| edge.contains(&from) || edge.contains(&to) || inner.contains(edge))
}
