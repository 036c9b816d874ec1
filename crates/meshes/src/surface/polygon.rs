//! Polygons and strips cut into triangles.

use wolff_spatial::Vec3;

/// Polygons of more corners become fans: the search for ears takes the cube of their number.
const MOST_CORNERS: usize = 256;

/// Adds the triangles of a polygon to a list, by cutting off ears: corners that bulge and hold no other corner.
///
/// The polygon may be concave; it should be flat and not cross itself. Where no ear is left, as in a polygon that
/// crosses itself, the rest becomes a fan. Every corner must name a vertex.
pub(super) fn triangulated(polygon: &[u32], vertices: &[Vec3], triangles: &mut Vec<[u32; 3]>) {
    let normal = area_vector(polygon, vertices);
    let mut rest = polygon.to_vec();
    while rest.len() > 3 && polygon.len() <= MOST_CORNERS {
        let n = rest.len();
        let Some(ear) = (0..n).find(|&i| is_ear(&rest, i, vertices, &normal)) else { break };
        triangles.push([rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]]);
        rest.remove(ear);
    }
    for pair in rest.windows(2).skip(1) {
        triangles.push([rest[0], pair[0], pair[1]]);
    }
}

/// Twice the area along the normal, by Newell's sum of cross products.
fn area_vector(polygon: &[u32], vertices: &[Vec3]) -> Vec3 {
    let at = |i: usize| vertices[polygon[i % polygon.len()] as usize];
    let first = at(0);
    (1..polygon.len()).map(|i| (at(i) - first).cross(&(at(i + 1) - first))).sum()
}

fn is_ear(rest: &[u32], i: usize, vertices: &[Vec3], normal: &Vec3) -> bool {
    let n = rest.len();
    let at = |v: u32| vertices[v as usize];
    let corners = [rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]];
    let [a, b, c] = corners.map(at);
    // how far a point lies to the left of an edge
    let left = |p: &Vec3, q: &Vec3, x: &Vec3| normal.dot(&(q - p).cross(&(x - p)));
    let within = |x: &Vec3| left(&a, &b, x) >= 0.0 && left(&b, &c, x) >= 0.0 && left(&c, &a, x) >= 0.0;
    left(&a, &b, &c) > 0.0 && !rest.iter().filter(|v| !corners.contains(v)).any(|&v| within(&at(v)))
}

/// Triangles of a strip, every second one turned.
pub(super) fn strip(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    for (i, window) in corners.windows(3).enumerate() {
        let [a, b, c] = [window[0], window[1], window[2]];
        triangles.push(if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
    }
}
