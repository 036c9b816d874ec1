//! From space to the plane of a drawing.

use super::parts::Shape3;
use wolff_report::outcome::Outline;
use wolff_spatial::Vec3;

/// Part of the largest extent below which an axis counts as flat, so that the mechanism is drawn from above.
const FLAT: f64 = 0.05;
/// A plane whose normal has less than this part in the plane of the drawing is not a line there.
const EDGE_ON: f64 = 0.2;

/// Numbers of the ground axes that point to the right and up: up is against gravity (y without gravity), to the right
/// is the horizontal axis along which the mechanism is longer. A mechanism that lies flat is drawn from above.
pub(super) fn choose_plane(states: &[Vec<Shape3>], gravity: &Vec3) -> [usize; 2] {
    let extent = extents(states);
    let vertical = if gravity.amax() > 0.0 { gravity.iamax() } else { 1 };
    let [a, b] = match vertical {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    };
    // a tie is decided for the first axis
    let (right, other) = if extent[b] > extent[a] * (1.0 + 1e-9) { (b, a) } else { (a, b) };
    let largest = extent.max();
    if extent[vertical] < FLAT * largest && extent[other] > FLAT * largest {
        return [a, b];
    }
    [right, vertical]
}

/// Largest minus smallest coordinate of everything that has a size \[m\].
fn extents(states: &[Vec<Shape3>]) -> Vec3 {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let mut add = |p: &Vec3, reach: f64| {
        if p.iter().all(|x| x.is_finite()) {
            low = low.inf(&(p - Vec3::repeat(reach)));
            high = high.sup(&(p + Vec3::repeat(reach)));
        }
    };
    for shape in states.iter().flatten() {
        match shape {
            Shape3::Curve(points, _) | Shape3::Hull(points) => points.iter().for_each(|p| add(p, 0.0)),
            Shape3::Sphere(centre, radius) => add(centre, radius.abs()),
            Shape3::Plane(..) => {}
        }
    }
    (high - low).map(|x| if x.is_finite() { x } else { 0.0 })
}

/// The outline in the plane of the axes with these numbers; none of a plane that is not seen edge-on.
pub(super) fn flat(shape: &Shape3, [right, up]: [usize; 2]) -> Option<Outline> {
    let place = |p: &Vec3| [p[right], p[up]];
    Some(match shape {
        Shape3::Curve(points, closed) => Outline::Points(points.iter().map(place).collect(), *closed),
        Shape3::Hull(points) => {
            let corners = hull(points.iter().map(place).collect());
            let closed = corners.len() > 2;
            Outline::Points(corners, closed)
        }
        Shape3::Sphere(centre, radius) => Outline::Circle { centre: place(centre), radius: radius.abs() },
        Shape3::Plane(at, normal) => {
            let [u, v] = place(normal);
            let length = u.hypot(v);
            if !(length > EDGE_ON) {
                return None;
            }
            Outline::Line { at: place(at), along: [v / length, -u / length] }
        }
    })
}

/// Corners of the convex hull, counter-clockwise (Andrew's monotone chain); of points on a line its ends.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turn = |a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while chain.len() > 1 && !(turn(&chain[chain.len() - 2], &chain[chain.len() - 1], &p) > 0.0) {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut points.iter().copied());
    corners.extend(half(&mut points.iter().rev().copied()));
    corners
}
