//! Neighbours, rims, connected parts.

use std::collections::{BTreeMap, VecDeque};

use wolff_spatial::Vec3;

use crate::error::GeometryError;

/// Who is beside whom in a mesh of triangles.
///
/// Edge `i` of a triangle runs from its corner `i` to its corner `i + 1` (modulo 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// For every triangle the ones behind its three edges; `None` at the rim.
    neighbours: Vec<[Option<u32>; 3]>,
    /// Whether a vertex lies on a rim.
    on_rim: Vec<bool>,
    /// The rims as closed chains of vertices, the surface to their left.
    rims: Vec<Vec<u32>>,
}

/// A triangle and one of its edges.
type Side = (u32, u8);

impl Topology {
    pub(super) fn new(triangles: &[[u32; 3]], vertex_count: usize) -> Result<Self, GeometryError> {
        let mut neighbours = vec![[None; 3]; triangles.len()];
        for Shared { edge, sides: [(t, i), (s, j)] } in shared_edges(triangles)? {
            if ends(triangles, (t, i)) == ends(triangles, (s, j)) {
                return Err(GeometryError::InconsistentOrientation { first: t as usize, second: s as usize, edge });
            }
            neighbours[t as usize][usize::from(i)] = Some(s);
            neighbours[s as usize][usize::from(j)] = Some(t);
        }
        let mut on_rim = vec![false; vertex_count];
        let mut rim_edges = Vec::new();
        for (t, beside) in neighbours.iter().enumerate() {
            for i in (0..3).filter(|&i| beside[i].is_none()) {
                let [a, b] = ends(triangles, (t as u32, i as u8));
                on_rim[a as usize] = true;
                on_rim[b as usize] = true;
                rim_edges.push([a, b]);
            }
        }
        Ok(Topology { neighbours, on_rim, rims: chains(&rim_edges) })
    }

    /// The triangles behind the three edges of each triangle; `None` at the rim.
    pub fn neighbours(&self) -> &[[Option<u32>; 3]] {
        &self.neighbours
    }

    /// Whether each vertex lies on a rim.
    pub fn on_rim(&self) -> &[bool] {
        &self.on_rim
    }

    /// The rims as closed chains of vertices, with the surface to their left; none for a closed surface.
    pub fn rims(&self) -> &[Vec<u32>] {
        &self.rims
    }

    /// The part, from 0, to which each triangle belongs, and the number of parts. Parts are connected through edges.
    pub fn parts(&self) -> (Vec<u32>, usize) {
        const NONE: u32 = u32::MAX;
        let mut part_of = vec![NONE; self.neighbours.len()];
        let (mut count, mut waiting) = (0, Vec::new());
        for seed in 0..self.neighbours.len() {
            if part_of[seed] != NONE {
                continue;
            }
            part_of[seed] = count;
            waiting.push(seed);
            while let Some(t) = waiting.pop() {
                for s in self.neighbours[t].iter().flatten().map(|&s| s as usize) {
                    if part_of[s] == NONE {
                        part_of[s] = count;
                        waiting.push(s);
                    }
                }
            }
            count += 1;
        }
        (part_of, count as usize)
    }
}

/// An edge that two triangles share, its smaller vertex first.
struct Shared {
    edge: [u32; 2],
    sides: [Side; 2],
}

/// The edges of two triangles each, in the order of their vertices.
fn shared_edges(triangles: &[[u32; 3]]) -> Result<Vec<Shared>, GeometryError> {
    let sides = (0..triangles.len() as u32).flat_map(|t| [(t, 0), (t, 1), (t, 2)]);
    let mut by_edge: Vec<([u32; 2], Side)> = sides
        .map(|side| {
            let mut edge = ends(triangles, side);
            edge.sort_unstable();
            (edge, side)
        })
        .collect();
    by_edge.sort_unstable();
    let mut shared = Vec::with_capacity(by_edge.len() / 2);
    for same in by_edge.chunk_by(|a, b| a.0 == b.0) {
        match *same {
            [(edge, t), (_, s)] => shared.push(Shared { edge, sides: [t, s] }),
            [(edge, _), _, _, ..] => return Err(GeometryError::NonManifoldEdge { edge, count: same.len() }),
            _ => {}
        }
    }
    Ok(shared)
}

/// The vertices from and to which an edge of a triangle runs.
fn ends(triangles: &[[u32; 3]], (t, i): Side) -> [u32; 2] {
    let corners = triangles[t as usize];
    [corners[usize::from(i)], corners[(usize::from(i) + 1) % 3]]
}

/// Joins edges to closed chains; where chains touch in a vertex they are parted at it.
fn chains(edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut onward: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for [a, b] in edges {
        onward.entry(*a).or_default().push(*b);
    }
    let mut chains = Vec::new();
    while let Some((&start, _)) = onward.first_key_value() {
        let (mut chain, mut at) = (Vec::new(), start);
        while let Some(next) = onward.get_mut(&at).and_then(Vec::pop) {
            if onward.get(&at).is_some_and(Vec::is_empty) {
                onward.remove(&at);
            }
            chain.push(at);
            at = next;
            if at == start {
                break;
            }
        }
        chains.push(chain);
    }
    chains
}

/// Turns triangles until neighbours agree; closed parts then enclose a positive volume.
pub(super) fn oriented(triangles: &mut [[u32; 3]], vertices: &[Vec3]) -> Result<(), GeometryError> {
    let mut beside: Vec<[Option<u32>; 3]> = vec![[None; 3]; triangles.len()];
    for Shared { sides: [(t, i), (s, j)], .. } in shared_edges(triangles)? {
        beside[t as usize][usize::from(i)] = Some(s);
        beside[s as usize][usize::from(j)] = Some(t);
    }
    let mut reached = vec![false; triangles.len()];
    for seed in 0..triangles.len() {
        if !reached[seed] {
            orient_part(seed, triangles, vertices, &beside, &mut reached);
        }
    }
    // a one-sided surface still disagrees somewhere
    Topology::new(triangles, vertices.len()).map(|_| ())
}

fn orient_part(
    seed: usize,
    triangles: &mut [[u32; 3]],
    vertices: &[Vec3],
    beside: &[[Option<u32>; 3]],
    reached: &mut [bool],
) {
    let mut part = Vec::new();
    let mut waiting = VecDeque::from([seed]);
    reached[seed] = true;
    while let Some(t) = waiting.pop_front() {
        part.push(t);
        for s in beside[t].iter().flatten().map(|&s| s as usize) {
            if reached[s] {
                continue;
            }
            reached[s] = true;
            if shares_direction(triangles[t], triangles[s]) {
                triangles[s].swap(1, 2);
            }
            waiting.push_back(s);
        }
    }
    let closed = part.iter().all(|&t| beside[t].iter().all(Option::is_some));
    let origin = vertices[triangles[seed][0] as usize];
    let volume: f64 = part.iter().map(|&t| signed_volume(triangles[t].map(|v| vertices[v as usize] - origin))).sum();
    if closed && volume < 0.0 {
        part.iter().for_each(|&t| triangles[t].swap(1, 2));
    }
}

/// Whether both triangles run along an edge in the same direction.
fn shares_direction(t: [u32; 3], s: [u32; 3]) -> bool {
    let directed = |t: [u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    directed(t).iter().any(|edge| directed(s).contains(edge))
}

/// Volume of the tetrahedron over a triangle with its tip in the origin \[m³\].
pub(super) fn signed_volume([a, b, c]: [Vec3; 3]) -> f64 {
    a.dot(&b.cross(&c)) / 6.0
}
