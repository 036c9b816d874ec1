//! One triangle, prepared for queries.

use wolff_spatial::Vec3;

/// A triangle as a corner and two edges, with what queries ask again and again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// First corner \[m\].
    pub a: Vec3,
    /// Edges from the first corner to the second and the third \[m\].
    pub ab: Vec3,
    pub ac: Vec3,
    /// Products of the edges: ab·ab, ab·ac, ac·ac \[m²\].
    gram: [f64; 3],
}

/// The point of a triangle nearest to another point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// Weights of the second and the third corner.
    pub u: f64,
    pub v: f64,
    /// Squared distance \[m²\].
    pub d2: f64,
}

/// A line that hits a triangle within this of its outline, in barycentric weights, hits it: no line slips through
/// between two triangles, as it could by rounding.
const SEAM: f64 = 1e-12;

impl Facet {
    pub fn new([a, b, c]: [Vec3; 3]) -> Self {
        let (ab, ac) = (b - a, c - a);
        Facet { a, ab, ac, gram: [ab.norm_squared(), ab.dot(&ac), ac.norm_squared()] }
    }

    /// The point with the weights u, v of the second and third corner \[m\].
    #[inline]
    pub fn point(&self, u: f64, v: f64) -> Vec3 {
        self.a + self.ab * u + self.ac * v
    }

    /// The nearest point.
    ///
    /// The plane is parted into the regions nearest to the face, the edges and the corners; signs of products of edges
    /// tell the region. Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.5; the six products follow
    /// from two, as those at the other corners differ by products of the edges.
    #[inline]
    pub fn nearest(&self, p: &Vec3) -> Foot {
        let ap = p - self.a;
        let [bb, bc, cc] = self.gram;
        let (d1, d2) = (self.ab.dot(&ap), self.ac.dot(&ap));
        let (d3, d4, d5, d6) = (d1 - bb, d2 - bc, d1 - bc, d2 - cc);
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        let (u, v) = if d1 <= 0.0 && d2 <= 0.0 {
            (0.0, 0.0)
        } else if d3 >= 0.0 && d4 <= d3 {
            (1.0, 0.0)
        } else if d6 >= 0.0 && d5 <= d6 {
            (0.0, 1.0)
        } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            (d1 / bb, 0.0)
        } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            (0.0, d2 / cc)
        } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
            (1.0 - w, w)
        } else {
            let scale = 1.0 / (va + vb + vc);
            (vb * scale, vc * scale)
        };
        Foot { u, v, d2: (ap - self.ab * u - self.ac * v).norm_squared() }
    }

    /// Where the line `origin + t direction` meets the triangle: t and the weights u, v. `None` for a line in its
    /// plane.
    ///
    /// Source: Möller and Trumbore, Fast, minimum storage ray-triangle intersection, J Graphics Tools 2 (1997), both
    /// sides.
    #[inline]
    pub fn hit(&self, origin: &Vec3, direction: &Vec3) -> Option<(f64, f64, f64)> {
        let cross = direction.cross(&self.ac);
        let det = self.ab.dot(&cross);
        let r = origin - self.a;
        let inverse = 1.0 / det;
        let u = r.dot(&cross) * inverse;
        if !(-SEAM..=1.0 + SEAM).contains(&u) {
            return None;
        }
        let cross = r.cross(&self.ab);
        let v = direction.dot(&cross) * inverse;
        if !(v >= -SEAM && u + v <= 1.0 + SEAM) {
            return None;
        }
        let t = self.ac.dot(&cross) * inverse;
        let (u, v) = (u.max(0.0), v.max(0.0));
        let sum = (u + v).max(1.0);
        t.is_finite().then_some((t, u / sum, v / sum))
    }

    pub fn corners(&self) -> [Vec3; 3] {
        [self.a, self.a + self.ab, self.a + self.ac]
    }

    /// Distance from another triangle [m]: between a corner and a face or between two edges, or zero where an edge
    /// pierces a face, which is asked only if their boxes overlap.
    pub fn gap(&self, other: &Facet, boxes_overlap: bool) -> f64 {
        let pierces = |one: &Facet, other: &Facet| one.edges().iter().any(|(start, along)| other.pierced(start, along));
        if boxes_overlap && (pierces(self, other) || pierces(other, self)) {
            return 0.0;
        }
        let to_corners = |face: &Facet, other: &Facet| other.corners().map(|x| face.nearest(&x).d2);
        let corners = to_corners(self, other).into_iter().chain(to_corners(other, self));
        let mut least = corners.fold(f64::INFINITY, f64::min);
        for (start, along) in self.edges() {
            for (other_start, other_along) in other.edges() {
                least = least.min(segment_gap(&(start - other_start), &along, &other_along));
            }
        }
        least.sqrt()
    }

    /// Where the three edges start, and how far they go.
    fn edges(&self) -> [(Vec3, Vec3); 3] {
        [(self.a, self.ab), (self.a, self.ac), (self.a + self.ab, self.ac - self.ab)]
    }

    fn pierced(&self, start: &Vec3, along: &Vec3) -> bool {
        self.hit(start, along).is_some_and(|(t, _, _)| (0.0..=1.0).contains(&t))
    }
}

/// Squared distance of the inner points of two segments \[m²\], `r` between their starts; infinite where an end is
/// nearest, as ends are asked elsewhere.
fn segment_gap(r: &Vec3, d: &Vec3, e: &Vec3) -> f64 {
    let normal = d.cross(e);
    let square = normal.norm_squared();
    // s d - t e + r is along the common normal
    let s = e.cross(r).dot(&normal) / square;
    let t = d.cross(r).dot(&normal) / square;
    let inner = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if inner { r.dot(&normal).powi(2) / square } else { f64::INFINITY }
}
