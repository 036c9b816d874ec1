//! A tree of boxes over the triangles of a surface: closest points, and winding numbers from far-away dipoles.

use std::sync::atomic::{AtomicU8, Ordering};

use wolff_geometry::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};

/// Nothing is known of the sides of a triangle.
const UNKNOWN: u8 = u8::MAX;

/// Triangles in a leaf of the tree, at most.
const LEAF: usize = 4;

/// A group of triangles counts as one dipole from this many of its radii: the error of one group is then below 1e-2,
/// and only the question "above one half" is asked.
const FAR: f64 = 2.3;

/// Squared distances that differ by this part are equal: those from two triangles with a common edge.
const EQUAL: f64 = 1e-10;

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    pub point: Vec3,
    pub triangle: u32,
    pub distance: f64,
    /// Whether the point is a corner of the triangle.
    pub is_corner: bool,
}

struct Node {
    low: Vec3,
    high: Vec3,
    /// First triangle and one past the last, in the order of the tree.
    range: [u32; 2],
    /// The two halves; a leaf has none.
    halves: Option<[u32; 2]>,
    /// Centre weighted by area, sum of area vectors, largest distance of a corner from the centre.
    centre: Vec3,
    area: Vec3,
    radius: f64,
    /// Σ a (c - centre) nᵀ over the triangles.
    moment: Mat3,
}

/// The triangles of a surface in a tree of boxes.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Corners in the order of the tree.
    corners: Vec<[Vec3; 3]>,
    /// The numbers of the triangles in the given order.
    given: Vec<u32>,
    /// Which sides of a triangle are inside, once asked.
    sides: Vec<AtomicU8>,
    /// +1, or -1 for a surface given inside out.
    sense: f64,
    volume: f64,
}

impl Tree {
    /// The tree of a surface; a surface inside out is turned.
    pub fn new(mesh: &TriangleMesh) -> Tree {
        Tree::of((0..mesh.triangles().len()).map(|t| mesh.corners(t)))
    }

    /// The tree of at least one triangle.
    pub fn of(triangles: impl Iterator<Item = [Vec3; 3]>) -> Tree {
        let mut numbered: Vec<([Vec3; 3], u32)> = triangles.zip(0..).collect();
        let mut nodes = Vec::with_capacity(numbered.len());
        let count = numbered.len();
        build(&mut nodes, &mut numbered, 0, count);
        let (corners, given): (Vec<[Vec3; 3]>, Vec<u32>) = numbered.into_iter().unzip();
        let origin = nodes[0].centre;
        let six: f64 = corners.iter().map(|[a, b, c]| (a - origin).dot(&(b - origin).cross(&(c - origin)))).sum();
        let sides = corners.iter().map(|_| AtomicU8::new(UNKNOWN)).collect();
        Tree { nodes, corners, given, sides, sense: if six < 0.0 { -1.0 } else { 1.0 }, volume: six.abs() / 6.0 }
    }

    /// The enclosed volume \[m³\].
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The smallest and the largest corner of the box around everything.
    pub fn bounds(&self) -> [Vec3; 2] {
        [self.nodes[0].low, self.nodes[0].high]
    }

    /// The corners of all triangles.
    pub fn corners(&self) -> &[[Vec3; 3]] {
        &self.corners
    }

    /// The number of a triangle in the given order.
    pub fn given(&self, triangle: u32) -> usize {
        self.given[triangle as usize] as usize
    }

    /// The unit normal of a triangle, outward.
    pub fn normal(&self, triangle: u32) -> Vec3 {
        let [a, b, c] = &self.corners[triangle as usize];
        self.sense * (b - a).cross(&(c - a)).normalize()
    }

    /// The nearest point of the surface.
    pub fn closest(&self, x: &Vec3) -> Foot {
        let mut best = Foot { point: *x, triangle: 0, distance: f64::INFINITY, is_corner: false };
        let mut best2 = f64::INFINITY;
        let mut waiting = [(0.0, 0_u32); 64];
        let mut open = 1;
        while open > 0 {
            open -= 1;
            let (d2, at) = waiting[open];
            if d2 > best2 * (1.0 + EQUAL) {
                continue;
            }
            let node = &self.nodes[at as usize];
            let Some([a, b]) = node.halves else {
                for t in node.range[0]..node.range[1] {
                    let (point, is_corner) = nearest_of_triangle(x, &self.corners[t as usize]);
                    let d2 = (point - x).norm_squared();
                    // at a common edge the triangle that is seen more from the front tells the side
                    let is_better = d2 < best2 * (1.0 - EQUAL)
                        || (d2 <= best2 * (1.0 + EQUAL) && self.frontal(t, x) > self.frontal(best.triangle, x));
                    if is_better {
                        best2 = d2;
                        best = Foot { point, triangle: t, distance: 0.0, is_corner };
                    }
                }
                continue;
            };
            let (da, db) = (self.box_gap(a, x), self.box_gap(b, x));
            let [near, far] = if da <= db { [(da, a), (db, b)] } else { [(db, b), (da, a)] };
            waiting[open] = far;
            waiting[open + 1] = near;
            open += 2;
        }
        best.distance = best2.sqrt();
        best
    }

    /// Distance of a point from the plane of a triangle.
    fn frontal(&self, triangle: u32, x: &Vec3) -> f64 {
        (x - self.corners[triangle as usize][0]).dot(&self.normal(triangle)).abs()
    }

    /// Distance from the surface, negative inside.
    ///
    /// Between a point and the nearest one nothing of the surface lies: the point is on the side that the plane of the
    /// triangle says; which winding number that side has is asked once per triangle.
    pub fn signed(&self, x: &Vec3) -> f64 {
        let foot = self.closest(x);
        let is_inside = if foot.is_corner {
            self.winding(x) > 0.5
        } else {
            let is_front = (x - foot.point).dot(&self.normal(foot.triangle)) >= 0.0;
            self.sides(foot.triangle) & if is_front { 1 } else { 2 } != 0
        };
        if is_inside { -foot.distance } else { foot.distance }
    }

    /// Whether the front (bit 0) and the back (bit 1) of a triangle are inside.
    fn sides(&self, triangle: u32) -> u8 {
        let known = &self.sides[triangle as usize];
        let mut sides = known.load(Ordering::Relaxed);
        if sides == UNKNOWN {
            let [a, b, c] = &self.corners[triangle as usize];
            let centre = (a + b + c) / 3.0;
            let step = self.normal(triangle) * (1e-5 * (b - a).norm());
            let is_inside = |x: Vec3| u8::from(self.winding(&x) > 0.5);
            sides = is_inside(centre + step) | is_inside(centre - step) << 1;
            known.store(sides, Ordering::Relaxed);
        }
        sides
    }

    /// Squared distance from the box of a node.
    fn box_gap(&self, node: u32, x: &Vec3) -> f64 {
        let node = &self.nodes[node as usize];
        let mut sum = 0.0;
        for i in 0..3 {
            let gap = (node.low[i] - x[i]).max(x[i] - node.high[i]).max(0.0);
            sum += gap * gap;
        }
        sum
    }

    /// How often the surface runs around a point: 1 inside, 0 outside of a sound surface.
    ///
    /// ```text
    /// w(x) = 1/4π Σ Ω(x)
    /// ```
    ///
    /// Source: Jacobson and others 2013, Robust inside-outside segmentation; Barill and others 2018, Fast winding
    /// numbers, with the first two terms of their expansion for groups far away.
    pub fn winding(&self, x: &Vec3) -> f64 {
        let mut waiting = [0_u32; 64];
        let mut open = 1;
        let mut sum = 0.0;
        while open > 0 {
            open -= 1;
            let node = &self.nodes[waiting[open] as usize];
            let r = node.centre - x;
            let d2 = r.norm_squared();
            if d2 > (FAR * node.radius).powi(2) {
                let d3 = d2 * d2.sqrt();
                let second = node.moment.trace() - 3.0 * r.dot(&(node.moment * r)) / d2;
                sum += (node.area.dot(&r) + second) / d3;
                continue;
            }
            match node.halves {
                Some([a, b]) => {
                    waiting[open] = a;
                    waiting[open + 1] = b;
                    open += 2;
                }
                None => {
                    let triangles = &self.corners[node.range[0] as usize..node.range[1] as usize];
                    sum += triangles.iter().map(|corners| solid_angle(x, corners)).sum::<f64>();
                }
            }
        }
        self.sense * sum / (4.0 * std::f64::consts::PI)
    }
}

/// Builds the node of a range of triangles and returns its number. Halving the range keeps the depth below 33.
fn build(nodes: &mut Vec<Node>, corners: &mut [([Vec3; 3], u32)], first: usize, last: usize) -> u32 {
    let part = &mut corners[first..last];
    let (mut low, mut high) = (part[0].0[0], part[0].0[0]);
    let (mut centre, mut weight, mut area) = (Vec3::zeros(), 0.0, Vec3::zeros());
    for ([a, b, c], _) in part.iter() {
        for x in [a, b, c] {
            low = low.inf(x);
            high = high.sup(x);
        }
        let vector = 0.5 * (b - a).cross(&(c - a));
        let size = vector.norm();
        centre += (a + b + c) * (size / 3.0);
        weight += size;
        area += vector;
    }
    centre /= weight.max(f64::MIN_POSITIVE);
    let radius = part.iter().flat_map(|(corners, _)| corners).map(|x| (x - centre).norm()).fold(0.0, f64::max);
    let mut moment = Mat3::zeros();
    for ([a, b, c], _) in part.iter() {
        let vector = 0.5 * (b - a).cross(&(c - a));
        moment += ((a + b + c) / 3.0 - centre) * vector.transpose();
    }
    let at = nodes.len();
    nodes.push(Node { low, high, range: [first as u32, last as u32], halves: None, centre, area, radius, moment });
    if last - first > LEAF {
        let axis = (high - low).imax();
        let middle = (last - first) / 2;
        let key = |(t, _): &([Vec3; 3], u32)| t[0][axis] + t[1][axis] + t[2][axis];
        part.select_nth_unstable_by(middle, |s, t| key(s).total_cmp(&key(t)));
        let a = build(nodes, corners, first, first + middle);
        let b = build(nodes, corners, first + middle, last);
        nodes[at].halves = Some([a, b]);
    }
    at as u32
}

/// The solid angle under which a triangle is seen.
///
/// Source: van Oosterom and Strackee 1983, The solid angle of a plane triangle.
fn solid_angle(x: &Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
    let (a, b, c) = (a - x, b - x, c - x);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let top = a.dot(&b.cross(&c));
    let bottom = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * top.atan2(bottom)
}

/// The nearest point of a triangle, and whether it is a corner.
///
/// Source: Ericson 2005, Real-time collision detection, section 5.1.5.
fn nearest_of_triangle(x: &Vec3, [a, b, c]: &[Vec3; 3]) -> (Vec3, bool) {
    let (ab, ac, ax) = (b - a, c - a, x - a);
    let (d1, d2) = (ab.dot(&ax), ac.dot(&ax));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (*a, true);
    }
    let bx = x - b;
    let (d3, d4) = (ab.dot(&bx), ac.dot(&bx));
    if d3 >= 0.0 && d4 <= d3 {
        return (*b, true);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), false);
    }
    let cx = x - c;
    let (d5, d6) = (ab.dot(&cx), ac.dot(&cx));
    if d6 >= 0.0 && d5 <= d6 {
        return (*c, true);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), false);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), false);
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), false)
}
