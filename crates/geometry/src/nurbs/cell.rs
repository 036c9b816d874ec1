//! Small, nearly flat pieces of patches with their boxes: what a global search rules out or looks into.

use super::bernstein::{patch_jet, restrict};
use super::jet::Homogeneous;
use super::patch::Patch;
use crate::surface::Bounds;
use wolff_spatial::Vec3;

/// Half the opening of the cone of normals below which a cell is not divided further \[rad\].
const FLAT: f64 = 0.2;
/// A point at this fraction of the way from the centre of curvature to the surface counts as close to the centre.
const FOCAL_MARGIN: f64 = 0.3;
/// How often a patch may be halved in either direction.
const MAX_HALVINGS: u32 = 4;

/// A rectangle of a patch in a box along its own tangents.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub patch: u32,
    /// Middle of the rectangle in the patch.
    pub middle: (f64, f64),
    /// Half its sides.
    pub half: (f64, f64),
    /// Centre of the box \[m\].
    pub centre: Vec3,
    /// Axes of the box; the third is close to the normals.
    pub axes: [Vec3; 3],
    /// Half sides of the box \[m\].
    pub extent: Vec3,
    /// Change of u and v per metre along the surface at the middle.
    pub dual: [Vec3; 2],
    /// Middle of the surface piece \[m\].
    pub foot: Vec3,
    /// Half the opening of the cone of normals about the third axis \[rad\]; π where a normal is missing.
    pub cone: f64,
    /// Least and largest principal curvature towards the third axis \[1/m\], by sampling.
    pub curvature: (f64, f64),
    /// Box along the coordinate axes.
    pub bounds: Bounds,
}

impl Cell {
    /// Squared distance of the box from `p`: no point of the cell is nearer \[m²\].
    #[inline]
    pub fn squared_distance(&self, p: &Vec3) -> f64 {
        let r = p - self.centre;
        let mut sum = 0.0;
        for (axis, extent) in self.axes.iter().zip(self.extent.iter()) {
            let beyond = (axis.dot(&r).abs() - extent).max(0.0);
            sum += beyond * beyond;
        }
        sum
    }

    /// Parameters near the foot of `p`, from the tangent plane at the middle, kept in the cell.
    #[inline]
    pub fn guess(&self, p: &Vec3) -> (f64, f64) {
        let r = p - self.foot;
        let (du, dv) = (self.dual[0].dot(&r), self.dual[1].dot(&r));
        (self.middle.0 + du.clamp(-self.half.0, self.half.0), self.middle.1 + dv.clamp(-self.half.1, self.half.1))
    }

    /// Whether `p` is so far on the hollow side that the distance from it may have several minima in the cell.
    #[inline]
    pub fn beyond_focus(&self, p: &Vec3) -> bool {
        let height = self.axes[2].dot(&(p - self.foot));
        !(1.0 + height * self.curvature.0 > FOCAL_MARGIN && 1.0 + height * self.curvature.1 > FOCAL_MARGIN)
    }

    /// Whether the line p + t d, t in `range`, meets the box.
    #[inline]
    pub fn meets(&self, p: &Vec3, d: &Vec3, range: (f64, f64)) -> bool {
        let r = p - self.centre;
        let (mut low, mut high) = range;
        for (axis, extent) in self.axes.iter().zip(self.extent.iter()) {
            let (at, inverse) = (axis.dot(&r), 1.0 / axis.dot(d));
            let (a, b) = ((-extent - at) * inverse, (extent - at) * inverse);
            // a line in the plane of a face gives NaN here, which min and max pass over
            (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
        }
        low <= high
    }
}

/// Divides a patch until its cells are nearly flat.
pub(crate) fn divide(index: u32, patch: &Patch, net: &[Homogeneous], cells: &mut Vec<Cell>) {
    let whole = (0.5, 0.5);
    let mut open = vec![(whole, whole, 0)];
    while let Some((middle, half, depth)) = open.pop() {
        let cell = build(index, patch, net, middle, half);
        if depth == MAX_HALVINGS || cell.cone <= FLAT {
            cells.push(cell);
            continue;
        }
        let quarter = (0.5 * half.0, 0.5 * half.1);
        for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            open.push(((middle.0 + a * quarter.0, middle.1 + b * quarter.1), quarter, depth + 1));
        }
    }
}

fn build(index: u32, patch: &Patch, net: &[Homogeneous], middle: (f64, f64), half: (f64, f64)) -> Cell {
    let degrees = patch.degrees;
    let jet = patch_jet(net, degrees, patch.rational, middle.0, middle.1);
    let normal = jet.unit_normal((1.0, 1.0));
    let third = normal.unwrap_or_else(Vec3::z);
    let first = perpendicular(&jet.su, &third);
    let axes = [first, third.cross(&first), third];

    let mut part = net.to_vec();
    restrict(&mut part, degrees, (middle.0 - half.0, middle.0 + half.0), (middle.1 - half.1, middle.1 + half.1));
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (mut min, mut max) = (low, high);
    for h in &part {
        let x = Vec3::new(h[0], h[1], h[2]) / h[3];
        (min, max) = (min.inf(&x), max.sup(&x));
        let r = x - jet.s;
        let local = Vec3::new(axes[0].dot(&r), axes[1].dot(&r), axes[2].dot(&r));
        (low, high) = (low.inf(&local), high.sup(&local));
    }
    let mid = (low + high) * 0.5;
    let (cone, curvature) = bend(patch, net, middle, half, normal.as_ref());
    let dual = jet.dual_tangents().map_or([Vec3::zeros(); 2], |(a, b)| [a, b]);
    // rounding of the subdivision must not cut a point off
    let slack = 1e-14 * (jet.s.norm() + (high - low).norm());
    let slack = Vec3::repeat(slack);
    Cell {
        patch: index,
        middle,
        half,
        centre: jet.s + axes[0] * mid.x + axes[1] * mid.y + axes[2] * mid.z,
        axes,
        extent: (high - low) * 0.5 + slack,
        dual,
        foot: jet.s,
        cone,
        curvature,
        bounds: Bounds { min: min - slack, max: max + slack },
    }
}

/// Largest angle to the middle normal and the range of the principal curvatures over 5 x 5 samples.
fn bend(
    patch: &Patch,
    net: &[Homogeneous],
    middle: (f64, f64),
    half: (f64, f64),
    normal: Option<&Vec3>,
) -> (f64, (f64, f64)) {
    let unknown = (std::f64::consts::PI, (f64::NEG_INFINITY, f64::INFINITY));
    let Some(normal) = normal else { return unknown };
    let (mut least, mut low, mut high) = (1.0_f64, 0.0_f64, 0.0_f64);
    for k in 0..25 {
        let (a, b) = ((k % 5) as f64 / 2.0 - 1.0, (k / 5) as f64 / 2.0 - 1.0);
        let (u, v) = (middle.0 + a * half.0, middle.1 + b * half.1);
        let jet = patch_jet(net, patch.degrees, patch.rational, u, v);
        let Some(n) = jet.unit_normal((-a, -b)) else { return unknown };
        least = least.min(n.dot(normal));
        if let Some(w) = jet.shape_operator(&n) {
            let mean = 0.5 * w.trace();
            let spread = (0.5 * w.norm_squared() - mean * mean).max(0.0).sqrt();
            (low, high) = (low.min(mean - spread), high.max(mean + spread));
        }
    }
    (least.clamp(-1.0, 1.0).acos(), (low, high))
}

/// Unit vector along the part of `a` that is perpendicular to the unit vector `n`.
fn perpendicular(a: &Vec3, n: &Vec3) -> Vec3 {
    let part = a - n * n.dot(a);
    let other = n.cross(&Vec3::ith(n.iamin(), 1.0));
    part.try_normalize(1e-12 * a.norm()).unwrap_or_else(|| other.normalize())
}
