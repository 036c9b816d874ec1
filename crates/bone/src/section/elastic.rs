//! Stiffness of a section whose elements differ.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
use wolff_spatial::Vec3;

use super::resultant::SectionLoad;
use crate::BoneError;
use crate::person::{Solid, cortex};

/// Every edge of an element with ten nodes is divided into this many, so that curved surfaces are followed: the chords
/// of 12 elements around a section then miss 0.3 % of its area.
const PARTS: usize = 4;

/// A section of a bone as a beam, every element with its own modulus.
///
/// ```text
/// EA = ∫E dA,   c = ∫E x dA / EA,   EI = ∫E (x - c)(x - c)ᵀ dA,      ε = N/EA + (EI)⁻¹ (Mz, -Mx) · (x - c)
/// ```
/// x anterior and to the right \[m\]; E along the segment. Limits: plane sections stay plane; the section is cut across
/// the segment, the load is taken along the shaft.
#[derive(Debug, Clone, PartialEq)]
pub struct ElasticSection {
    /// EA \[N\].
    pub axial: f64,
    /// EI \[N m²\], axes x and z.
    pub bending: Matrix2<f64>,
    /// Centre of stiffness in the frame of the segment \[m\].
    pub centre: Vec3,
    /// Unit vector along the shaft, upward.
    pub axis: Vec3,
}

impl ElasticSection {
    /// Cuts a solid at a fraction of the bone.
    ///
    /// # Errors
    /// When the plane cuts no element.
    pub fn cut(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let height = solid.ends.height(fraction);
        // ∫E (1, x, z)ᵀ (1, x, z) dA
        let mut sums = Matrix3::zeros();
        let mesh = &solid.mesh;
        for (element, modulus) in mesh.elements().zip(cortex::moduli(&solid.materials)) {
            let nodes: Vec<Vec3> = element.iter().map(|&n| mesh.nodes()[n]).collect();
            let is_beside = |x: &Vec3| x.y - height;
            if nodes.iter().all(|x| is_beside(x) > SLACK) || nodes.iter().all(|x| is_beside(x) < -SLACK) {
                continue;
            }
            for part in flat_parts(&nodes) {
                sums += modulus * cut_moments(&part, height);
            }
        }
        let axial = sums[(0, 0)];
        if !(axial > 0.0) {
            return Err(BoneError::invalid("section", format!("the plane at {fraction} of the bone cuts no element")));
        }
        let centre = Vector2::new(sums[(0, 1)], sums[(0, 2)]) / axial;
        let bending = sums.fixed_view::<2, 2>(1, 1) - centre * centre.transpose() * axial;
        let centre = Vec3::new(centre.x, height, centre.y);
        Ok(ElasticSection { axial, bending, centre, axis: solid.axis(fraction)? })
    }

    /// Strain along the shaft at a point of the section under a load \[1\]; positive in tension.
    pub fn strain(&self, load: &SectionLoad, at: &Vec3) -> f64 {
        let load = load.about(self.centre);
        let x = (Vec3::x() - self.axis * self.axis.x).normalize();
        let z = x.cross(&self.axis);
        let (force, moment) = (load.force.dot(&self.axis), Vector2::new(load.moment.dot(&z), -load.moment.dot(&x)));
        let slope = self.bending.try_inverse().unwrap_or_else(Matrix2::zeros) * moment;
        let from = at - self.centre;
        force / self.axial + slope.dot(&Vector2::new(from.x, from.z))
    }
}

/// A curved element exceeds the heights of its nodes by at most this \[m\].
const SLACK: f64 = 2e-3;

/// Flat tetrahedra that make up an element: itself, or parts of a curved one.
fn flat_parts(nodes: &[Vec3]) -> Vec<[Vec3; 4]> {
    let &[a, b, c, d, ab, bc, ca, ad, bd, cd] = nodes else {
        return nodes.first_chunk().copied().into_iter().collect();
    };
    let at = |[i, j, k]: [usize; 3]| {
        let [u, v, w] = [i, j, k].map(|n| n as f64 / PARTS as f64);
        let t = 1.0 - u - v - w;
        let corner = |x: Vec3, l: f64| x * (l * (2.0 * l - 1.0));
        let middles = ab * (t * u) + bc * (u * v) + ca * (v * t) + ad * (t * w) + bd * (u * w) + cd * (v * w);
        corner(a, t) + corner(b, u) + corner(c, v) + corner(d, w) + middles * 4.0
    };
    let mut parts = Vec::with_capacity(PARTS.pow(3));
    for cell in cells() {
        parts.push(cell.map(at));
    }
    parts
}

/// The tetrahedra of the lattice within `i + j + k <= PARTS`: each cube is divided into six about its diagonal, and
/// those inside are taken.
fn cells() -> impl Iterator<Item = [[usize; 3]; 4]> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    // i + j + k <= PARTS becomes the simplex PARTS >= p >= q >= r >= 0, which the cubes' tetrahedra fill exactly
    let cubes = (0..PARTS).flat_map(|p| (0..PARTS).flat_map(move |q| (0..PARTS).map(move |r| [p, q, r])));
    cubes.flat_map(|cube| {
        ORDERS.into_iter().filter_map(move |order| {
            let mut corner = cube;
            let mut found = [cube; 4];
            for (k, axis) in order.into_iter().enumerate() {
                corner[axis] += 1;
                found[k + 1] = corner;
            }
            let inside = |[p, q, r]: &[usize; 3]| p >= q && q >= r;
            found.iter().all(inside).then(|| found.map(|[p, q, r]| [p - q, q - r, r]))
        })
    })
}

/// `∫ (1, x, z)ᵀ (1, x, z) dA` over the section of a tetrahedron by a plane across y.
fn cut_moments(corners: &[Vec3; 4], height: f64) -> Matrix3<f64> {
    let (above, below): (Vec<&Vec3>, Vec<&Vec3>) = corners.iter().partition(|x| x.y >= height);
    let crossing = |p: &Vec3, q: &Vec3| {
        let at = p.lerp(q, (height - p.y) / (q.y - p.y));
        Vector2::new(at.x, at.z)
    };
    let [a, b] = [&above, &below];
    match (a.as_slice(), b.as_slice()) {
        ([top], [p, q, r]) | ([p, q, r], [top]) => triangle([p, q, r].map(|x| crossing(top, x))),
        ([p, q], [r, s]) => {
            let [pr, ps, qr, qs] = [(p, r), (p, s), (q, r), (q, s)].map(|(x, y)| crossing(x, y));
            triangle([pr, ps, qs]) + triangle([pr, qs, qr])
        }
        _ => Matrix3::zeros(),
    }
}

/// `∫ (1, x, z)ᵀ (1, x, z) dA` over a triangle: exact by the middles of its edges.
fn triangle([a, b, c]: [Vector2<f64>; 3]) -> Matrix3<f64> {
    let area = 0.5 * (b - a).perp(&(c - a)).abs();
    let at = |x: Vector2<f64>| Vector3::new(1.0, x.x, x.y);
    let middles = [(a, b), (b, c), (c, a)].map(|(p, q)| at(0.5 * (p + q)));
    middles.iter().map(|m| m * m.transpose()).sum::<Matrix3<f64>>() * (area / 3.0)
}
