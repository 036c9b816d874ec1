//! Other elements between the same nodes.

use super::patchwork::{Change, Patchwork};

/// Edges of more elements are not exchanged.
const MOST_AT_EDGE: usize = 8;

/// Corners of the six edges and of the four faces.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// All changes of the connections at an element.
pub(super) fn changes(work: &Patchwork, element: usize) -> Vec<Change> {
    let corners = work.corners(element);
    let mut found = Vec::new();
    found.extend(leave_out(work, element));
    found.extend(EDGES.iter().filter_map(|[i, j]| without_edge(work, corners[*i], corners[*j])));
    found.extend(FACES.iter().filter_map(|face| without_face(work, face.map(|i| corners[i]))));
    found
}

/// A flat element with faces on the surface is left out, where the surface remains simple: the surface then runs along
/// its other faces.
fn leave_out(work: &Patchwork, element: usize) -> Option<Change> {
    let corners = work.corners(element);
    // the corner opposite each face of the surface
    let free: Vec<usize> = (0..4).filter(|&i| work.at_face(FACES[i].map(|k| corners[k])).len() == 1).collect();
    let inner: Vec<usize> = (0..4).filter(|i| !free.contains(i)).collect();
    let allowed = match (&free[..], &inner[..]) {
        ([apex], _) => !work.is_surface_node(corners[*apex]),
        // both faces share the edge of the inner corners; the edge of the free ones comes to the surface
        ([a, b], _) => !work.is_surface_edge(corners[*a], corners[*b]),
        // the node that the three faces share belongs to no other element
        ([_, _, _], [apex]) => work.around(corners[*apex]).len() == 1,
        _ => false,
    };
    if !allowed {
        return None;
    }
    let largest = FACES.iter().map(|face| work.area(face.map(|i| corners[i]))).fold(0.0, f64::max);
    let change = work.exchange(vec![element], Vec::new())?;
    Some(Change { surface: 3.0 * change.volume.abs() / largest, ..change })
}

/// The elements at an edge replaced by the best ones without the edge.
fn without_edge(work: &Patchwork, a: usize, b: usize) -> Option<Change> {
    let ring = work.at_edge(a, b);
    let Link { path, closed } = link(work, a, b, &ring)?;
    if path.len() < 3 {
        return None;
    }
    let triangles = best_triangles(work, &path, a, b);
    let n = path.len();
    let beside = |i: usize, j: usize| j == i + 1 || (closed && i == 0 && j == n - 1);
    for [i, k, j] in &triangles {
        for (p, q) in [(*i, *k), (*k, *j), (*i, *j)] {
            if !beside(p, q) && !work.at_edge(path[p], path[q]).is_empty() {
                return None;
            }
        }
    }
    let add = triangles.iter().flat_map(|[i, k, j]| {
        let (i, k, j) = (path[*i], path[*k], path[*j]);
        [[i, k, j, b], [i, j, k, a]]
    });
    let change = work.exchange(ring, add.collect())?;
    if closed {
        return Some(Change { volume: 0.0, ..change });
    }
    let faces = work.area([a, b, path[0]]) + work.area([a, b, path[n - 1]]);
    Some(Change { surface: 3.0 * change.volume.abs() / faces, ..change })
}

/// The nodes around an edge, counter-clockwise about its direction.
struct Link {
    path: Vec<usize>,
    /// Whether the last is beside the first; otherwise the edge is on the surface.
    closed: bool,
}

fn link(work: &Patchwork, a: usize, b: usize, ring: &[usize]) -> Option<Link> {
    if ring.len() > MOST_AT_EDGE {
        return None;
    }
    let others = |&e: &usize| {
        let pair: Vec<usize> = work.corners(e).into_iter().filter(|&n| n != a && n != b).collect();
        <[usize; 2]>::try_from(pair).ok()
    };
    let mut pairs: Vec<[usize; 2]> = ring.iter().map(others).collect::<Option<_>>()?;
    let uses = |node: usize| pairs.iter().flatten().filter(|&&n| n == node).count();
    let ends: Vec<usize> = pairs.iter().flatten().copied().filter(|&n| uses(n) == 1).collect();
    if pairs.iter().flatten().any(|&n| uses(n) > 2) || !matches!(ends.len(), 0 | 2) {
        return None;
    }
    let closed = ends.is_empty();
    let mut path = vec![*ends.first().or(pairs.first()?.first())?];
    while let Some(next) = pairs.iter().position(|pair| path.last().is_some_and(|last| pair.contains(last))) {
        let [p, q] = pairs.swap_remove(next);
        path.push(if path.last() == Some(&p) { q } else { p });
    }
    if closed {
        path.pop();
    }
    // one chain without a rest
    if !pairs.is_empty() {
        return None;
    }
    let volume: f64 = (1..path.len()).map(|i| work.volume([a, b, path[i - 1], path[i]])).sum();
    if volume < 0.0 {
        path.reverse();
    }
    Some(Link { path, closed })
}

/// The triangulation of a polygon around the edge from a to b whose elements have the best worst shape.
///
/// ```text
/// Q(i, j) = max over k of min(Q(i, k), Q(k, j), q(i, k, j)),   Q(i, i + 1) = ∞
/// ```
/// q the smaller shape measure of the two elements of a triangle with a and with b.
fn best_triangles(work: &Patchwork, path: &[usize], a: usize, b: usize) -> Vec<[usize; 3]> {
    let n = path.len();
    let mut best = vec![vec![(f64::INFINITY, 0); n]; n];
    for span in 2..n {
        for i in 0..n - span {
            let j = i + span;
            let quality = |k: usize| {
                let [p, q, r] = [path[i], path[k], path[j]];
                let own = work.shape([p, q, r, b]).min(work.shape([p, r, q, a]));
                own.min(best[i][k].0).min(best[k][j].0)
            };
            let choices = (i + 1..j).map(|k| (quality(k), k));
            best[i][j] = choices.fold((f64::NEG_INFINITY, i + 1), |a, b| if b.0 > a.0 { b } else { a });
        }
    }
    let (mut triangles, mut open) = (Vec::new(), vec![(0, n - 1)]);
    while let Some((i, j)) = open.pop() {
        if j > i + 1 {
            let k = best[i][j].1;
            triangles.push([i, k, j]);
            open.extend([(i, k), (k, j)]);
        }
    }
    triangles
}

/// Two elements at a face replaced by three around the edge between their other corners.
fn without_face(work: &Patchwork, face: [usize; 3]) -> Option<Change> {
    let beside = work.at_face(face);
    let [first, second] = beside[..] else { return None };
    let apex = |e: usize| work.corners(e).into_iter().find(|n| !face.contains(n));
    let (d, e) = (apex(first)?, apex(second)?);
    if d == e || !work.at_edge(d, e).is_empty() {
        return None;
    }
    let [a, b, c] = face;
    // outward of the element with d: seen from d the face runs clockwise
    let [a, b] = if work.volume([a, b, c, e]) - work.volume([a, b, c, d]) > 0.0 { [b, a] } else { [a, b] };
    let change = work.exchange(beside, vec![[a, b, d, e], [b, c, d, e], [c, a, d, e]])?;
    let mirrored: Vec<[usize; 4]> = change.add.iter().map(|&[p, q, d, e]| [q, p, d, e]).collect();
    let other = work.exchange(change.remove.clone(), mirrored)?;
    let best = if other.worst > change.worst { other } else { change };
    Some(Change { volume: 0.0, ..best })
}
