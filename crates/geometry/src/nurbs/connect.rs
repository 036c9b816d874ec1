//! Which sides of the patches are the same curve.

use super::patch::{Beyond, Side};
use super::set::NurbsPatchSet;
use wolff_spatial::Vec3;

/// Points compared on each side.
const SAMPLES: usize = 9;

/// Least cosine between normals that count as the same, half a degree apart at most.
const SMOOTH: f64 = 1.0 - 4e-5;

/// A side at the edge of its surface.
struct Edge {
    patch: usize,
    side: Side,
    points: [Vec3; SAMPLES],
}

/// Joins the patches inside each surface and returns the sides at the edges of the surfaces.
pub(crate) fn join_inside(set: &mut NurbsPatchSet) -> Vec<(usize, Side)> {
    let mut edges = Vec::new();
    for member in 0..set.members.len() {
        let [rows, columns] = [0, 1].map(|d| set.members[member].breaks[d].len() - 1);
        let first = set.members[member].first;
        for k in 0..rows * columns {
            let (i, j) = (k / columns, k % columns);
            for side in Side::ALL {
                let other = match side {
                    Side::LowU => i.checked_sub(1).map(|i| (i * columns + j, Side::HighU)),
                    Side::HighU => (i + 1 < rows).then_some(((i + 1) * columns + j, Side::LowU)),
                    Side::LowV => j.checked_sub(1).map(|j| (i * columns + j, Side::HighV)),
                    Side::HighV => (j + 1 < columns).then_some((i * columns + j + 1, Side::LowV)),
                };
                let Some((other, far)) = other else {
                    edges.push((first + k, side));
                    continue;
                };
                let patch = (first + other) as u32;
                set.patches[first + k].beyond[side as usize] =
                    Beyond::Joined { patch, side: far, reversed: false, smooth: true };
            }
        }
    }
    edges
}

/// Joins the edges of surfaces that are the same curve within `tolerance` \[m\].
pub(crate) fn join_edges(set: &mut NurbsPatchSet, edges: &[(usize, Side)], tolerance: f64) {
    let edges: Vec<Edge> = edges.iter().map(|(patch, side)| edge(set, *patch, *side)).collect();
    let beyond: Vec<Beyond> = (0..edges.len()).map(|k| across(set, &edges, k, tolerance)).collect();
    for (edge, beyond) in edges.iter().zip(beyond) {
        set.patches[edge.patch].beyond[edge.side as usize] = beyond;
    }
}

/// Tells creases from smooth joints.
pub(crate) fn mark_creases(set: &mut NurbsPatchSet) {
    for k in 0..set.patches.len() {
        for side in Side::ALL {
            let smooth_here = is_smooth(set, k, side);
            if let Beyond::Joined { smooth, .. } = &mut set.patches[k].beyond[side as usize] {
                *smooth = smooth_here;
            }
        }
    }
}

/// Whether the normals of the patches on both sides agree.
fn is_smooth(set: &NurbsPatchSet, here: usize, side: Side) -> bool {
    let Beyond::Joined { patch, side: far, reversed, .. } = set.patches[here].beyond[side as usize] else {
        return true;
    };
    let normal = |patch: usize, (u, v): (f64, f64)| set.outward_normal(patch, (u, v), &set.jet(patch, u, v));
    (0..SAMPLES).all(|k| {
        let w = k as f64 / (SAMPLES - 1) as f64;
        let there = far.at(if reversed { 1.0 - w } else { w });
        match (normal(here, side.at(w)), normal(patch as usize, there)) {
            (Some(a), Some(b)) => a.dot(&b) > SMOOTH,
            _ => false,
        }
    })
}

fn edge(set: &NurbsPatchSet, patch: usize, side: Side) -> Edge {
    let points = std::array::from_fn(|k| {
        let (u, v) = side.at(k as f64 / (SAMPLES - 1) as f64);
        set.jet(patch, u, v).s
    });
    Edge { patch, side, points }
}

/// What lies beyond edge `k`.
fn across(set: &NurbsPatchSet, edges: &[Edge], k: usize, tolerance: f64) -> Beyond {
    let here = &edges[k];
    let near = |a: &Vec3, b: &Vec3| (a - b).norm() <= tolerance;
    if here.points.iter().all(|x| near(x, &here.points[0])) {
        return Beyond::Pole;
    }
    let others = || edges.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, edge)| edge);
    for other in others() {
        let same = here.points.iter().zip(&other.points).all(|(a, b)| near(a, b));
        let reversed = !same && here.points.iter().zip(other.points.iter().rev()).all(|(a, b)| near(a, b));
        if same || reversed {
            return Beyond::Joined { patch: other.patch as u32, side: other.side, reversed, smooth: true };
        }
    }
    // no edge matches from end to end, but several together may
    let covered =
        here.points.iter().all(|x| others().any(|other| distance_to_edge(set, other, x, tolerance) <= tolerance));
    if covered { Beyond::Covered } else { Beyond::Rim }
}

/// Distance of `x` from an edge [m]: the best sample, then interval halving around it.
fn distance_to_edge(set: &NurbsPatchSet, edge: &Edge, x: &Vec3, tolerance: f64) -> f64 {
    let sampled = edge.points.iter().map(|p| (p - x).norm());
    let (best, least) = sampled.enumerate().fold((0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
    let length: f64 = edge.points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    if least > length + tolerance {
        return least;
    }
    let at = |w: f64| {
        let (u, v) = edge.side.at(w);
        (set.jet(edge.patch, u, v).s - x).norm()
    };
    let step = 1.0 / (SAMPLES - 1) as f64;
    let (mut low, mut high) = ((best as f64 - 1.0).max(0.0) * step, (best as f64 + 1.0).min(1.0 / step) * step);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if at(low + third) < at(high - third) { high -= third } else { low += third }
    }
    at(0.5 * (low + high))
}
